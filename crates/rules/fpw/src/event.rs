//! What happens beyond the common deeds, and how it changes the pieces.

use super::Fpw;
use super::order::{Occasion, Shot, What};
use super::unit::{Absence, Advance, Aspect, Contact, FightRecord, Impetus, Markers, TurnRecord};
use engine::{CommanderId, Pieces, Side, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::Length;

/// The parts of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Part {
    Upkeep,
    Initiative,
    Command,
    Generals,
    Combat,
    Recovery,
    End,
}

/// Records beside the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// Whose turn it is.
    pub active: Side,
    /// Who began.
    pub first: Side,
    /// The part of the turn in progress.
    pub part: Part,
}

/// What a blunder makes of an order (the national tables).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Blunder {
    NoMove,
    Away,
    HalfPace,
    ToTheGuns,
    Attack,
}

/// Where fire came from, which decides what it counts for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Manner {
    /// Under orders in one's own turn.
    Ordered,
    /// In the enemy's turn, at a mover.
    Reactive(Occasion),
    /// At the end of the enemy's command phase.
    Standing,
    /// At an advance to contact, by its target.
    Approach,
}

/// One die of a volley or of a round of close combat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Throw {
    pub by: UnitId,
    pub stand: u8,
    pub pip: u8,
    pub factor: i8,
    pub hit: bool,
}

/// Why markers change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum MarkCause {
    Fire,
    Combat,
    Confusion,
    FollowUp,
    FallBack,
    Recovery,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum FpwEvent {
    Began {
        side: Side,
    },
    Part {
        side: Side,
        part: Part,
    },
    /// Turn records of all units and of this side's generals are cleared.
    Fresh {
        side: Side,
    },
    /// Cavalry declared scouts stays off the table.
    ScoutsDeclared {
        regiment: UnitId,
    },
    /// A general begins to give orders.
    Named {
        general: CommanderId,
    },
    /// A general gives no more orders this turn.
    Done {
        general: CommanderId,
    },
    /// The command roll.
    Ordered {
        general: CommanderId,
        what: What,
        units: Vec<UnitId>,
        score: u8,
    },
    /// Whether a unit obeys it.
    Obeyed {
        unit: UnitId,
        target: i8,
        obeys: bool,
        from_above: bool,
    },
    Raised {
        general: CommanderId,
        who: CommanderId,
        target: i8,
        passed: bool,
    },
    Blundered {
        general: CommanderId,
        face: u8,
        result: Blunder,
    },
    Penalty {
        unit: UnitId,
    },
    /// A move, reform or charge is used up; `halted`: no more this turn.
    MoveUsed {
        unit: UnitId,
        halted: bool,
    },
    InitiativeUsed {
        unit: UnitId,
    },
    /// Unlimbered after moving: no fire order this turn.
    DeployedLate {
        unit: UnitId,
    },
    /// The move fire may push it back along; also clears what was inflicted before.
    Advanced {
        unit: UnitId,
        advance: Option<Box<Advance>>,
    },
    /// Halted by the enemy in sight within reactive range.
    Halted {
        unit: UnitId,
    },
    /// An independent stand joins a unit: its markers become the host's last ones.
    Joined {
        stand: UnitId,
        host: UnitId,
    },
    /// It parts again.
    Parted {
        stand: UnitId,
        host: UnitId,
    },
    Freed {
        unit: UnitId,
    },
    /// A stand has fired; `ordered` or in the enemy's turn.
    Fired {
        shots: Vec<Shot>,
        ordered: bool,
    },
    Volley {
        at: UnitId,
        manner: Manner,
        range: Length,
        throws: Vec<Throw>,
        hits: u8,
    },
    /// Sixes thrown again at the unit behind.
    Overshoot {
        at: UnitId,
        throws: Vec<Throw>,
        hits: u8,
    },
    /// Hits of aimed-off dice land on the neighbours.
    Spread {
        at: UnitId,
        hits: u8,
    },
    /// Markers now on a unit, stand by stand, and how many came or went.
    Marks {
        unit: UnitId,
        cause: MarkCause,
        stands: SmallVec<[Markers; 4]>,
        disruption: i8,
        degradation: i8,
    },
    /// A general's unit was hit.
    AtRisk {
        general: CommanderId,
        lost: bool,
    },
    Absence {
        general: CommanderId,
        absence: Absence,
    },
    /// Gives way by so much; `routs`: more than its pace.
    Withdraws {
        unit: UnitId,
        distance: Length,
        routs: bool,
    },
    /// Withdraws in the upkeep: no orders this turn.
    KeepsWithdrawing {
        unit: UnitId,
    },
    /// Stays where fire left it, or was pulled back; nothing inflicted counts any more.
    Settled {
        unit: UnitId,
    },
    ChargeDeclared {
        unit: UnitId,
        at: UnitId,
    },
    CounterCharges {
        unit: UnitId,
        charger: UnitId,
    },
    Evades {
        unit: UnitId,
        charger: UnitId,
        distance: Length,
        escapes: bool,
    },
    /// Could not fire on a charger it had not seen.
    Surprised {
        unit: UnitId,
        charger: UnitId,
    },
    /// The test to close.
    Tested {
        unit: UnitId,
        markers: u8,
        closes: bool,
    },
    /// Two units are in contact: where each stands about the other, and how each came in.
    Contact {
        unit: UnitId,
        with: UnitId,
        aspect: Aspect,
        other_aspect: Aspect,
        impetus: Option<Impetus>,
        other_impetus: Option<Impetus>,
    },
    FailedEvade {
        unit: UnitId,
    },
    /// A unit's dice in a round.
    CombatDice {
        unit: UnitId,
        throws: Vec<Throw>,
        hits: u8,
    },
    /// What a unit gave and took in a round.
    RoundFought {
        unit: UnitId,
        given: u8,
        taken: u8,
    },
    /// It may stay where both would withdraw.
    HoldsGround {
        unit: UnitId,
    },
    FollowsUp {
        unit: UnitId,
    },
    /// No longer in contact with anybody.
    Disengaged {
        unit: UnitId,
    },
    /// A general attaches himself, or leaves.
    Attached {
        general: CommanderId,
        unit: Option<UnitId>,
    },
    Rode {
        general: CommanderId,
    },
    /// Shares of loss, told at the end of a turn: per cent of each side.
    Losses {
        a: u8,
        b: u8,
    },
}

/// Changes pieces as an event says.
pub fn apply(pieces: &mut Pieces<'_, Fpw>, event: &FpwEvent) {
    match event {
        FpwEvent::Began { side } => {
            pieces.ledger().first = *side;
            pieces.ledger().active = *side;
        }
        FpwEvent::Part { side, part } => {
            pieces.ledger().active = *side;
            pieces.ledger().part = *part;
        }
        FpwEvent::Fresh { side } => freshen(pieces, *side),
        FpwEvent::Done { general } => pieces.commander(*general).done = true,
        FpwEvent::Obeyed { unit, from_above, .. } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.orders = turn.orders.saturating_add(1);
            turn.from_above |= *from_above;
        }
        FpwEvent::Raised { who, passed, .. } => {
            let staff = pieces.commander(*who);
            staff.raised = staff.raised.saturating_add(1);
            staff.bonus = staff.bonus.saturating_add(u8::from(*passed));
        }
        FpwEvent::Penalty { unit } => {
            let soldiers = pieces.unit(*unit);
            soldiers.penalty = soldiers.penalty.saturating_add(1);
        }
        FpwEvent::MoveUsed { unit, halted } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.moves = turn.moves.saturating_add(1);
            turn.halted |= *halted;
        }
        FpwEvent::InitiativeUsed { unit } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.initiative = true;
            turn.halted = true;
        }
        FpwEvent::DeployedLate { unit } => pieces.unit(*unit).turn.deployed_late = true,
        FpwEvent::Advanced { unit, advance } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.advance = advance.clone();
            turn.inflicted = 0;
        }
        FpwEvent::Halted { unit } => pieces.unit(*unit).turn.halted = true,
        FpwEvent::Joined { stand, host } => {
            let markers = pieces.unit(*stand).stands.first().copied().unwrap_or_default();
            pieces.unit(*stand).host = Some(*host);
            let soldiers = pieces.unit(*host);
            soldiers.guest = Some(*stand);
            soldiers.stands.push(markers);
        }
        FpwEvent::Parted { stand, host } => {
            let soldiers = pieces.unit(*host);
            soldiers.guest = None;
            let markers = soldiers.stands.pop().unwrap_or_default();
            let alone = pieces.unit(*stand);
            alone.host = None;
            alone.stands = SmallVec::from_elem(markers, 1);
        }
        FpwEvent::Freed { unit } => pieces.unit(*unit).freed = true,
        FpwEvent::Fired { shots, ordered } => {
            for shot in shots {
                let turn = &mut pieces.unit(shot.unit).turn;
                match ordered {
                    true => turn.fired_ordered = true,
                    false => turn.fired |= 1 << shot.stand.min(15),
                }
            }
        }
        FpwEvent::Marks { unit, cause, stands, disruption, degradation } => {
            let soldiers = pieces.unit(*unit);
            soldiers.stands.clone_from(stands);
            if *cause == MarkCause::Fire {
                let more = disruption.saturating_add(*degradation).max(0).unsigned_abs();
                soldiers.turn.inflicted = soldiers.turn.inflicted.saturating_add(more);
            }
        }
        FpwEvent::AtRisk { general, lost: true } => {
            let staff = pieces.commander(*general);
            staff.absence = Absence::Lost;
            staff.attached = None;
        }
        FpwEvent::Absence { general, absence } => pieces.commander(*general).absence = *absence,
        FpwEvent::Withdraws { unit, .. } => pieces.unit(*unit).turn.advance = None,
        FpwEvent::KeepsWithdrawing { unit } => pieces.unit(*unit).turn.withdrew = true,
        FpwEvent::Settled { unit } => pieces.unit(*unit).turn.inflicted = 0,
        FpwEvent::Contact { unit, with, aspect, other_aspect, impetus, other_impetus } => {
            for (one, other, aspect, impetus) in
                [(*unit, *with, *aspect, *impetus), (*with, *unit, *other_aspect, *other_impetus)]
            {
                let fight = &mut pieces.unit(one).fight;
                fight.contacts.retain(|contact| contact.with != other);
                fight.contacts.push(Contact { with: other, aspect });
                fight.impetus = fight.impetus.or(impetus);
            }
        }
        FpwEvent::FailedEvade { unit } => pieces.unit(*unit).fight.failed_evade = true,
        FpwEvent::RoundFought { unit, given, taken } => {
            let fight = &mut pieces.unit(*unit).fight;
            fight.given = fight.given.saturating_add(*given);
            fight.taken = fight.taken.saturating_add(*taken);
            fight.momentum = given > taken;
            fight.rounds = fight.rounds.saturating_add(1);
            fight.impetus = None;
        }
        FpwEvent::FollowsUp { unit } => pieces.unit(*unit).fight.followed_up = true,
        FpwEvent::Disengaged { unit } => {
            let gone = *unit;
            pieces.each_unit(|id, _, soldiers| {
                let fight = &mut soldiers.fight;
                fight.contacts.retain(|contact| id != gone && contact.with != gone);
                if fight.contacts.is_empty() {
                    // The rounds of this turn still count, and how the first of them went; all else of the fight is over.
                    let (rounds, followed_up, momentum) = (fight.rounds, fight.followed_up, fight.momentum);
                    *fight = FightRecord { rounds, followed_up, momentum, ..FightRecord::default() };
                }
            });
        }
        FpwEvent::Attached { general, unit } => pieces.commander(*general).attached = *unit,
        FpwEvent::Rode { general } => pieces.commander(*general).rode = true,
        FpwEvent::ScoutsDeclared { .. }
        | FpwEvent::Named { .. }
        | FpwEvent::Ordered { .. }
        | FpwEvent::Blundered { .. }
        | FpwEvent::Volley { .. }
        | FpwEvent::Overshoot { .. }
        | FpwEvent::Spread { .. }
        | FpwEvent::AtRisk { .. }
        | FpwEvent::ChargeDeclared { .. }
        | FpwEvent::CounterCharges { .. }
        | FpwEvent::Evades { .. }
        | FpwEvent::Surprised { .. }
        | FpwEvent::Tested { .. }
        | FpwEvent::CombatDice { .. }
        | FpwEvent::HoldsGround { .. }
        | FpwEvent::Losses { .. } => {}
    }
}

fn freshen(pieces: &mut Pieces<'_, Fpw>, side: Side) {
    pieces.each_unit(|_, _, soldiers| {
        soldiers.turn = TurnRecord::default();
        soldiers.fight.rounds = 0;
        soldiers.fight.followed_up = false;
        soldiers.fight.momentum = false;
        soldiers.fight.impetus = None;
    });
    pieces.each_commander(|_, owner, staff| {
        if owner == side {
            staff.bonus = 0;
            staff.raised = 0;
            staff.done = false;
            staff.rode = false;
        }
    });
}
