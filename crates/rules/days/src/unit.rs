//! Units, generals and what can be said of them. Section B.1.

use super::formation::{Formation, Shape};
use book::words;
use engine::{CommandId, CommanderId, FeatureId, StandSet, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::layout::Layout;
use table::terrain::Edge;
use table::{Angle, Footprint, Length, Point, Pose};

words! {
    /// What a unit fights as.
    Arm {
        Infantry = "infantry", Cavalry = "cavalry", Artillery = "artillery", Engineers = "engineers", Wagon = "wagon",
    }
    /// What an army list says of its kind.
    Trait {
        LineInfantry = "line_infantry", Irregular = "irregular", Light = "light", Medium = "medium", Heavy = "heavy",
        Cuirassier = "cuirassier", Horse = "horse_artillery", Foot = "foot_artillery", Mitrailleuse = "mitrailleuse",
        Siege = "siege", MayDismount = "may_dismount", SkirmishOnly = "skirmish_only", Lance = "lance",
    }
    /// What part of another unit it is, if it is one. Parts are off the table until they are sent out: they share the
    /// state of the whole, and losses of either are losses of the whole.
    Part { Screen = "screen", Squadron = "squadron", Holders = "holders", Crew = "crew", }
    /// The ladder of order: a unit stands on one rung.
    OrderState { Good = "good", Disordered = "disordered", Shaken = "shaken", Routing = "routing", }
    /// What a general commands.
    Rank { Brigade = "brigade", Division = "division", Army = "army", }
    /// Which troops listen to him.
    Serves { Infantry = "infantry", Cavalry = "cavalry", All = "all", }
    /// What a general is worth.
    Quality { Inept = "inept", Capable = "capable", Exceptional = "exceptional", }
    /// Where an enemy stands, seen from a unit.
    Aspect { Front = "front", Flank = "flank", Rear = "rear", }
    /// How a charge came about.
    ChargeKind { Declared = "declared", Opportunity = "opportunity", }
    /// How far a charge has got.
    ChargeStage {
        /// The 1st Impulse is done, the 2nd still to come.
        Begun = "begun",
        /// As close as it gets before it goes home.
        Close = "close",
        /// In contact.
        Home = "home",
    }
    /// Where a unit near a crest stands.
    Crest { Behind = "behind", Over = "over", }
}

/// A few traits.
pub type Traits = SmallVec<[Trait; 3]>;

/// What never changes about a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// What it fights as.
    pub arm: Arm,
    /// From 1, poor, to 4, crack.
    pub class: u8,
    /// What its list says of it.
    pub traits: Traits,
    /// Key of its small arm or gun in the charts; empty where it has none.
    pub weapon: String,
    /// Stands at the start; gun models for a battery; the officer and his pioneers for engineers; none for parts.
    pub start: u8,
    /// What it costs, all of it.
    pub points: u32,
    /// What one model of a battery costs.
    pub model_points: u32,
    /// Needs no general (days.14.2-a).
    pub independent: bool,
    /// The unit it is a part of, and which part.
    pub part: Option<(Part, UnitId)>,
    /// Its own parts.
    pub parts: SmallVec<[(Part, UnitId); 2]>,
    /// One stand as it stands in the ranks: a man, a horse, a gun ready to fire.
    pub stand: Footprint,
    /// One model behind its team.
    pub limbered: Footprint,
    /// Between skirmishers or guns.
    pub gap: Length,
    /// Where it may be set up, if not anywhere in its side's zones.
    pub zones: Vec<(Point, Point)>,
    /// Its entry in its army's list, where it has one.
    pub entry: Option<String>,
}

impl Facts {
    /// Whether its list says so.
    pub fn is(&self, what: Trait) -> bool {
        self.traits.contains(&what)
    }

    /// Whether it is a battery.
    pub fn is_battery(&self) -> bool {
        self.arm == Arm::Artillery
    }

    /// Which part of another unit it is.
    pub fn part_kind(&self) -> Option<Part> {
        self.part.map(|(part, _)| part)
    }

    /// One stand in a formation.
    pub fn stand_in(&self, formation: Formation) -> Footprint {
        if formation.shape == Shape::Limbered { self.limbered } else { self.stand }
    }

    /// The stands as they stand.
    pub fn layout(&self, formation: Formation, count: u8) -> Layout {
        formation.layout(count, self.stand_in(formation), self.gap)
    }

    /// The rectangle around them.
    pub fn footprint(&self, formation: Formation, count: u8) -> Footprint {
        self.layout(formation, count).footprint()
    }

    /// Where the command stand's front is, for a body at a pose.
    pub fn command_pose(&self, formation: Formation, count: u8, pose: Pose) -> Pose {
        let stand = formation.command_place(count, self.stand_in(formation), self.gap);
        Pose { at: Point::from_vec(pose.to_world(stand.at.vec())), facing: pose.facing + stand.facing }
    }

    /// The pose of the body whose command stand has this one: the other way round.
    pub fn body_pose(&self, formation: Formation, count: u8, command: Pose) -> Pose {
        let stand = formation.command_place(count, self.stand_in(formation), self.gap);
        let facing = command.facing - stand.facing;
        let flag = Pose { at: command.at, facing };
        Pose { at: Point::from_vec(flag.to_world(-stand.at.vec())), facing }
    }
}

/// A charge in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charge {
    /// At whom.
    pub at: UnitId,
    /// How it came about.
    pub kind: ChargeKind,
    /// Against a unit that was itself charging (days.17.4.13-a).
    pub counter: bool,
    /// How far it has got.
    pub stage: ChargeStage,
    /// Where its command stand was when it was declared.
    pub from: Pose,
    /// From which side of its target it came then.
    pub aspect: Aspect,
    /// The distance to the target at the declaration, edge to edge.
    pub apart: Length,
    /// The straight way to the target after any wheel.
    pub way: Length,
    /// How far it has gone straight on.
    pub gone: Length,
    /// What is left of its allowance for the 2nd Impulse.
    pub left: Length,
    /// Its target was too near to do anything but stand (days.17.2.3-b).
    pub caught: bool,
}

/// One gun of a battery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GunModel {
    /// Crew left.
    pub crew: u8,
    /// Turns in which it cannot fire, the present one among them.
    pub damaged: u8,
}

/// What a unit has done in the turn in progress; cleared when the next begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnRecord {
    /// Moved in any way.
    pub moved: bool,
    /// Changed formation, turned or faced about.
    pub reformed: bool,
    /// Stands or models that have fired, in either phase.
    pub fired: u8,
    /// Which they were, as long as the unit is not drawn up anew.
    pub fired_by: StandSet,
    /// At whom the last of them fired.
    pub fired_at: Option<UnitId>,
    /// Stands or models kept back for defensive fire.
    pub reserved: u8,
    /// Declared a charge, or tried one of opportunity.
    pub tried_charge: bool,
    /// The test for it failed: may not go nearer to any enemy.
    pub charge_failed: bool,
    /// Charged.
    pub charged: bool,
    /// Broke its charge off.
    pub feinted: bool,
    /// Took its Being Charged test, and stood.
    pub stood: bool,
    /// Evaded.
    pub evaded: bool,
    /// Took part in a passage of lines.
    pub passed_lines: bool,
    /// Halted by fire: may not go nearer to the enemy.
    pub halted: bool,
    /// Stopped 2" before its target: no more moves.
    pub stopped: bool,
    /// Rallied from rout or pursuit: no other move.
    pub rallied: bool,
    /// Stands lost to shooting in the Shooting Phase; crew, horses and guns for a battery.
    pub shot_down: u8,
    /// Whether some of those hits came from behind its flank or rear.
    pub shot_from_behind: bool,
    /// Who scored most of them.
    pub shot_by: Option<UnitId>,
    /// Stands lost to fire this turn, defensive fire among it.
    pub lost: u8,
    /// Distance run this turn.
    pub routed: Length,
    /// Pushed back this turn.
    pub pushed: bool,
    /// Fought at close quarters.
    pub fought: bool,
    /// Worked, or lent hands to engineers.
    pub worked: bool,
    /// Made a forced march.
    pub forced: bool,
    /// Looked for a ford.
    pub searched: bool,
    /// Gunners who were ridden through cannot fire (days.17.4.8-d).
    pub silenced: bool,
    /// Its ranks were broken by an obstacle or by guns it went through while charging.
    pub broken: bool,
    /// Sent skirmishers out or took them in: that much is off its move (C-14).
    pub screened: bool,
}

/// What changes about a unit. Parts keep most of it with the whole: ask through `field`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Troops {
    /// Its rung.
    pub order: OrderState,
    /// Lying down under fire (`iron`).
    pub to_ground: bool,
    /// Its disorder comes from a swamp: only a rally outside ends it.
    pub swamped: bool,
    /// After whom it runs.
    pub pursuing: Option<UnitId>,
    /// Cavalry in the saddle.
    pub mounted: bool,
    /// Fought at close quarters in an earlier turn.
    pub fought_before: bool,
    /// Has routed in this battle.
    pub routed_before: bool,
    /// Its first volley is spent.
    pub first_fire_used: bool,
    /// The turn in which it was pushed back last.
    pub pushed_back: Option<u16>,
    /// Its charge.
    pub charge: Option<Box<Charge>>,
    /// Enemies it is in contact with.
    pub contact: SmallVec<[UnitId; 2]>,
    /// Won the last round of a fight that goes on.
    pub won_last: bool,
    /// It struck this enemy by going on after a victory; what is left of its advance (days.17.5.4-c).
    pub broke_into: Option<(UnitId, Length)>,
    /// The way it goes on after a victory, kept for as long as it is breaking through (days.17.5.4-h).
    #[serde(default)]
    pub onward: Option<Angle>,
    /// The guns of a battery that are left, in the order of its stands.
    pub guns: SmallVec<[GunModel; 3]>,
    /// Horses of its team.
    pub horses: u8,
    /// The gunners are away from their guns.
    pub crew_away: bool,
    /// The horses of dismounted cavalry are gone for good.
    pub holders_lost: bool,
    /// The friend it stands too close to after a passage of lines, until one of them moves (iron.17.4.9-d).
    pub relieved: Option<UnitId>,
    /// Where it stands at a crest.
    pub crest: Option<Crest>,
    /// Evaded off the table in this turn, over this edge.
    pub evaded_off: Option<(u16, Edge)>,
    /// Its brigade has been announced and it still waits to come on, behind this place of the edge.
    pub waits_at: Option<(Edge, Point)>,
    /// The unit an engineer party is with.
    pub attached: Option<UnitId>,
    /// Pontoons an engineer party has left.
    pub pontoons: Length,
    /// What it is working at, and for how many Movement Phases running.
    pub work: Option<Box<Work>>,
    /// Its record for this turn.
    pub turn: TurnRecord,
    /// Neither moved nor reformed in the turn before (days.17.3-o).
    pub steady: bool,
}

impl Troops {
    /// A fresh unit; crew and horses are filled in by whoever musters it.
    pub fn fresh(facts: &Facts) -> Troops {
        Troops {
            order: OrderState::Good,
            to_ground: false,
            swamped: false,
            pursuing: None,
            mounted: facts.arm == Arm::Cavalry,
            fought_before: false,
            routed_before: false,
            first_fire_used: false,
            pushed_back: None,
            charge: None,
            contact: SmallVec::new(),
            won_last: false,
            broke_into: None,
            onward: None,
            guns: SmallVec::new(),
            horses: 0,
            crew_away: false,
            holders_lost: false,
            relieved: None,
            crest: None,
            evaded_off: None,
            waits_at: None,
            attached: None,
            pontoons: Length::ZERO,
            work: None,
            turn: TurnRecord::default(),
            steady: true,
        }
    }

    /// Crew of all guns.
    pub fn crew(&self) -> u32 {
        self.guns.iter().map(|gun| u32::from(gun.crew)).sum()
    }
}

/// Work in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// At what.
    pub task: Task,
    /// Movement Phases spent on it, one after another.
    pub phases: u8,
}

/// What engineers and others work at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Task {
    /// Blow a bridge up.
    Demolish {
        /// Which.
        bridge: FeatureId,
    },
    /// Clear an inch of an obstacle.
    Clear {
        /// Which.
        obstacle: FeatureId,
        /// Where.
        at: Point,
    },
    /// Lay a span of pontoons, with the hands of these units.
    Bridge {
        /// Over what.
        water: FeatureId,
        /// Where the span begins.
        at: Point,
        /// Which way it goes.
        to: Point,
        /// Who lends hands.
        hands: Vec<UnitId>,
    },
    /// Heap up what lies about along the front of a line in woods or houses.
    Barricade,
    /// Clear an inch of a barricade, or of works that were bought.
    Breach {
        /// Where.
        at: Point,
    },
    /// Blow up a span of boats.
    Sever {
        /// Where.
        at: Point,
    },
}

/// What never changes about a general.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Officer {
    /// His rank.
    pub rank: Rank,
    /// Which troops listen to him.
    pub serves: Serves,
    /// What he costs.
    pub points: u32,
    /// His quality where the set-up fixes it; else diced for.
    pub quality: Option<Quality>,
    /// The staff table his side dices on.
    pub table: String,
    /// His stand.
    pub stand: Footprint,
    /// Where he may be set up, if not anywhere in his side's zones.
    pub zones: Vec<(Point, Point)>,
}

/// How a general is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// Fit.
    #[default]
    Fit,
    /// Away until this step of this turn.
    Wounded {
        /// The turn.
        until: u16,
        /// The number of the step in which he was hit.
        step: u8,
        /// The turn in which he was hit.
        since: u16,
    },
    /// Dead since this turn.
    Killed {
        /// The turn.
        since: u16,
    },
    /// In the enemy's hands since this turn.
    Captured {
        /// The turn.
        since: u16,
    },
}

/// What changes about a general beside his place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Staff {
    /// What he is worth, once it is known.
    pub quality: Option<Quality>,
    /// The unit he is with.
    pub attached: Option<UnitId>,
    /// How he is.
    pub health: Health,
    /// Runs with a routing unit.
    pub routing: bool,
    /// Has tried to rally somebody this turn.
    pub rallied: bool,
    /// Lost his horse in this turn: stays where he is in the next Movement Phase.
    pub unhorsed: bool,
    /// Has moved this turn.
    pub moved: bool,
    /// Generals lost before him in this place, whose points still count.
    pub lost_before: u8,
}

impl Staff {
    /// Whether he can give orders.
    pub fn is_fit(&self) -> bool {
        self.health == Health::Fit && !self.routing
    }
}

/// A brigade kept off the table, or on its way onto it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Absent {
    /// Which.
    pub brigade: CommandId,
    /// Where it comes on, once that is announced.
    pub entry: Option<(Edge, Point)>,
}

/// A general and a unit.
pub type Escort = (CommanderId, UnitId);
