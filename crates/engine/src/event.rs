//! Events: what happened, by which clause, with which dice. Only events change pieces.

use crate::clause::ClauseId;
use crate::dice::Roll;
use crate::ids::{CommanderId, Side, UnitId, Viewer};
use crate::reckoning::Reckoning;
use crate::ruleset::Ruleset;
use crate::stands::StandSet;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::Pose;
use table::march::Leg;

/// Who gets to hear of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// Everybody.
    #[default]
    All,
    /// One side and the umpire.
    Only(Side),
}

impl Audience {
    /// Whether this viewer hears of it.
    pub fn includes(self, viewer: Viewer) -> bool {
        match self {
            Audience::All => true,
            Audience::Only(side) => viewer.knows(side),
        }
    }
}

/// Why a unit leaves the table for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leaving {
    /// No strength left.
    Destroyed,
    /// Caught by pursuers or charged while running.
    Caught,
    /// Ran or rode off the table.
    LeftTable,
    /// Guns that had to run.
    Abandoned,
    /// Marched off in good order by its nation's or commander's will.
    Withdrawn,
    /// Did what it was there for; not a loss.
    Spent,
}

/// What was done. Deeds any game knows are applied by the engine, the rest by the rulebook.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(bound = "", rename_all = "snake_case")]
pub enum Deed<R: Ruleset> {
    /// A unit is set on the table.
    Placed {
        /// Which.
        unit: UnitId,
        /// Where.
        pose: Pose,
        /// How.
        formation: R::Formation,
        /// Known to its owner alone.
        hidden: bool,
    },
    /// A unit moved.
    Moved {
        /// Which.
        unit: UnitId,
        /// Where it now stands.
        to: Pose,
        /// The legs it took, where it chose them.
        path: Vec<Leg>,
    },
    /// A unit changed formation.
    Reformed {
        /// Which.
        unit: UnitId,
        /// Into what.
        formation: R::Formation,
        /// Where it now stands.
        to: Pose,
    },
    /// Stands were taken off.
    StandsLost {
        /// Whose.
        unit: UnitId,
        /// What is left.
        left: StandSet,
    },
    /// A unit is out of the battle.
    Removed {
        /// Which.
        unit: UnitId,
        /// Why.
        why: Leaving,
    },
    /// A unit goes off the table and may come back: a screen taken in, evaders beyond the edge.
    Withdrawn {
        /// Which.
        unit: UnitId,
    },
    /// A hidden unit is seen by all.
    Revealed {
        /// Which.
        unit: UnitId,
    },
    /// A commander was placed or moved.
    CommanderMoved {
        /// Who.
        commander: CommanderId,
        /// Where he now is.
        to: Pose,
    },
    /// A commander was placed or moved where only his own side knows of him.
    CommanderConcealed {
        /// Who.
        commander: CommanderId,
        /// Where he now is.
        to: Pose,
    },
    /// A commander is out of the battle.
    CommanderLost {
        /// Who.
        commander: CommanderId,
    },
    /// A new round.
    TurnBegan {
        /// Its number.
        turn: u16,
    },
    /// A side sealed its answer.
    Committed {
        /// Which side.
        side: Side,
    },
    /// The die players throw to settle a dispute.
    DisputeDie {
        /// Who asked for it.
        side: Side,
    },
    /// Nothing on the table changed, but it is worth telling.
    Noted,
    /// In the rulebook's own terms.
    Own(R::Event),
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(bound = "")]
pub struct Event<R: Ruleset> {
    /// The clause it obeys.
    pub clause: ClauseId,
    /// Other clauses it obeys.
    pub also: SmallVec<[ClauseId; 3]>,
    /// The dice thrown for it.
    pub rolls: SmallVec<[Roll; 1]>,
    /// How its figure came about.
    pub reckoning: Option<Box<Reckoning>>,
    /// Who hears of it.
    pub audience: Audience,
    /// What was done.
    pub deed: Deed<R>,
}

impl<R: Ruleset> Event<R> {
    /// A common deed under a clause.
    pub fn new(clause: impl Into<ClauseId>, deed: Deed<R>) -> Event<R> {
        Event {
            clause: clause.into(),
            also: SmallVec::new(),
            rolls: SmallVec::new(),
            reckoning: None,
            audience: Audience::All,
            deed,
        }
    }

    /// A deed in the rulebook's own terms.
    pub fn own(clause: impl Into<ClauseId>, event: R::Event) -> Event<R> {
        Event::new(clause, Deed::Own(event))
    }

    /// Cites another clause too.
    pub fn also(mut self, clause: impl Into<ClauseId>) -> Self {
        self.also.push(clause.into());
        self
    }

    /// Cites another clause where it applies.
    pub fn also_if(self, applies: bool, clause: impl Into<ClauseId>) -> Self {
        if applies { self.also(clause) } else { self }
    }

    /// Carries a roll.
    pub fn rolled(mut self, roll: Roll) -> Self {
        self.rolls.push(roll);
        self
    }

    /// Carries its reckoning.
    pub fn because(mut self, reckoning: Reckoning) -> Self {
        self.reckoning = Some(Box::new(reckoning));
        self
    }

    /// Is told to one side only.
    pub fn only(mut self, side: Side) -> Self {
        self.audience = Audience::Only(side);
        self
    }

    /// Every clause this event cites, its reckoning's lines included.
    pub fn cited(&self) -> impl Iterator<Item = ClauseId> {
        let lines = self.reckoning.iter().flat_map(|reckoning| reckoning.lines.iter().map(|line| line.clause));
        std::iter::once(self.clause).chain(self.also.iter().copied()).chain(lines)
    }
}

impl Leaving {
    /// Whether the piece counts as lost.
    pub fn is_loss(self) -> bool {
        !matches!(self, Leaving::Spent)
    }
}
