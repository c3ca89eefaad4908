//! What happens beyond the common deeds, and how it changes the pieces.

use super::Days;
use super::charts::{Band, TargetClass};
use super::settings::Weight;
use super::unit::{
    Absent, Charge, ChargeStage, Crest, GunModel, Health, OrderState, Quality, Staff, Task, Troops, TurnRecord, Work,
};
use book::words;
use engine::{BySide, CommandId, CommanderId, FeatureId, Pieces, Side, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::terrain::Edge;
use table::{Angle, Length, Point};

words! {
    /// The steps of a turn, in their order: table D.1.
    TurnStep {
        Initiative = "initiative", Replacing = "replacing", Arrivals = "arrivals", BreakThroughs = "break_throughs",
        FirstCharges = "first_charges", SecondCharges = "second_charges", Rally = "rally", Shooting = "shooting",
        FirstCharged = "first_charged", SecondCharged = "second_charged", Routs = "routs", Feints = "feints",
        SecondImpulse = "second_impulse", FirstOpportunity = "first_opportunity",
        SecondOpportunity = "second_opportunity", Defence = "defence", FirstMoves = "first_moves",
        SecondMoves = "second_moves", Home = "home", Fires = "fires", Routers = "routers", Assault = "assault",
        Surrender = "surrender", Recovery = "recovery",
    }
    /// The five morale tests (days.17.2-e).
    Test {
        ToCharge = "to_charge", BeingCharged = "being_charged", Casualties = "casualties",
        ChargingHome = "charging_home", Rally = "rally",
    }
    /// What a unit does that is remembered until the turn ends.
    Doing {
        Moved = "moved", Reformed = "reformed", TriedCharge = "tried_charge", ChargeFailed = "charge_failed",
        Charged = "charged", Feinted = "feinted", Stood = "stood", Evaded = "evaded", PassedLines = "passed_lines",
        Halted = "halted", Stopped = "stopped", Rallied = "rallied", Fought = "fought", Worked = "worked",
        Forced = "forced", Searched = "searched", Silenced = "silenced", WentToGround = "went_to_ground",
        ShotFromBehind = "shot_from_behind", Screened = "screened",
    }
    /// Why a charge comes to nothing.
    ChargeEnd {
        Feint = "feint", TargetGone = "target_gone", OutOfReach = "out_of_reach", FailedHome = "failed_home",
        Broken = "broken", Blocked = "blocked", Fought = "fought",
    }
    /// How stands are lost.
    Cause {
        Fire = "fire", DefensiveFire = "defensive_fire", Assault = "assault", Routers = "routers", NoRoom = "no_room",
        BouncingShot = "bouncing_shot",
    }
    /// How a fight ends.
    MeleeResult { Locked = "locked", Marginal = "marginal", Minor = "minor", Major = "major", }
}

/// Woods or houses on fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fire {
    /// Which feature.
    pub feature: FeatureId,
    /// The turn it counts from.
    pub since: u16,
}

/// A line on the table that was not there at the start: a barricade, bought works. A light or heavy obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Barrier {
    /// From.
    pub from: Point,
    /// To.
    pub to: Point,
    /// Light or heavy.
    pub weight: Weight,
    /// Burns.
    pub wooden: bool,
}

/// A bridge of boats that was laid, as a strip between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Span {
    /// Over what.
    pub water: FeatureId,
    /// From.
    pub from: Point,
    /// To.
    pub to: Point,
}

/// A place where a ford was looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// Of which river.
    pub river: FeatureId,
    /// Where.
    pub at: Point,
    /// Whether there is one.
    pub found: bool,
}

/// A target that crossed a unit's arc (days.17.3-o).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Crossing {
    /// Who saw it pass.
    pub seen_by: UnitId,
    /// Who passed.
    pub unit: UnitId,
    /// How near it came.
    pub at: Length,
    /// As what it would have been shot at.
    pub class: TargetClass,
    /// How many stands had it in their arcs.
    pub stands: u8,
    /// In which turn.
    pub turn: u16,
}

/// Records beside the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// The step of the turn in progress.
    pub step: TurnStep,
    /// Who has the initiative this turn.
    pub initiative: Side,
    /// Who won the roll for deployment: he sets up second.
    pub deploys_second: Option<Side>,
    /// Brigades off the table; those not announced yet are known to their owner alone.
    pub absent: Vec<Absent>,
    /// Fires.
    pub fires: Vec<Fire>,
    /// Woods whose nature was found out.
    pub woods: Vec<(FeatureId, Weight)>,
    /// Fords looked for.
    pub fords: Vec<Search>,
    /// Bridges that are down.
    pub broken: Vec<FeatureId>,
    /// Bridges somebody has tried to blow up, in vain or not.
    pub mined: Vec<FeatureId>,
    /// Gaps cleared in obstacles: which, and where their middle is.
    pub gaps: Vec<(FeatureId, Point)>,
    /// Barricades and bought works.
    pub barriers: Vec<Barrier>,
    /// Bridges of boats.
    pub spans: Vec<Span>,
    /// What crossed whose arc.
    pub crossings: Vec<Crossing>,
    /// Where the wind blows to, once it is known (days.15.12-a).
    #[serde(default)]
    pub wind: Option<Angle>,
    /// Who sits at the southern edge, where a die decided it (days.16-b).
    #[serde(default)]
    pub south: Option<Side>,
}

impl Ledger {
    /// Before the first turn.
    pub fn new() -> Ledger {
        Ledger {
            step: TurnStep::Initiative,
            initiative: Side::A,
            deploys_second: None,
            absent: Vec::new(),
            fires: Vec::new(),
            woods: Vec::new(),
            fords: Vec::new(),
            broken: Vec::new(),
            mined: Vec::new(),
            gaps: Vec::new(),
            barriers: Vec::new(),
            spans: Vec::new(),
            crossings: Vec::new(),
            wind: None,
            south: None,
        }
    }
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger::new()
    }
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum DaysEvent {
    /// A step of the turn begins.
    Step {
        step: TurnStep,
    },
    /// Who goes first this turn.
    Initiative {
        side: Side,
    },
    /// The initiative dice were equal and are thrown again.
    InitiativeTied,
    /// Which way the wind blows for the whole battle.
    Wind {
        to: Angle,
    },
    /// A die gave the players their edges.
    Seated {
        south: Side,
    },
    /// What a general is worth; a new man where one was lost.
    Quality {
        general: CommanderId,
        quality: Quality,
        successor: bool,
    },
    /// Scouting points of both sides, and who was out-scouted.
    Scouted {
        points: BySide<u16>,
        outdone: Option<Side>,
    },
    /// What a unit brings to the battle and what it costs.
    Mustered {
        unit: UnitId,
        points: u32,
        start: u8,
        class: u8,
        crew: u8,
        horses: u8,
    },
    /// What a general costs.
    Engaged {
        general: CommanderId,
        points: u32,
    },
    /// What a side bought beside its troops.
    Bought {
        side: Side,
        earthworks: Length,
        pontoons: Length,
        points: u32,
    },
    /// Who sets up first.
    DeploysFirst {
        side: Side,
    },
    /// A brigade stays off the table; its owner alone knows.
    KeptOff {
        brigade: CommandId,
    },
    /// Dust on an edge: a brigade comes on here this turn.
    Announced {
        brigade: CommandId,
        edge: Edge,
        at: Point,
    },
    /// All of it is on the table.
    ArrivedWhole {
        brigade: CommandId,
    },
    /// A unit waits behind the edge to come on, or no more.
    Waits {
        unit: UnitId,
        at: Option<(Edge, Point)>,
    },

    /// A charge is declared, or tried at an opportunity.
    Declared {
        unit: UnitId,
        at: UnitId,
    },
    /// It goes.
    ChargeBegins {
        unit: UnitId,
        charge: Box<Charge>,
    },
    /// It gets on.
    ChargeGoes {
        unit: UnitId,
        stage: ChargeStage,
        gone: Length,
        left: Length,
    },
    /// It goes on against somebody else.
    ChargeTurns {
        unit: UnitId,
        at: UnitId,
    },
    ChargeEnds {
        unit: UnitId,
        why: ChargeEnd,
    },

    /// A morale test: pass if the die is higher than the score.
    Tested {
        unit: UnitId,
        test: Test,
        against: Option<UnitId>,
        score: i8,
        passed: bool,
        margin: i8,
    },
    /// A new rung.
    OrderIs {
        unit: UnitId,
        order: OrderState,
    },
    /// Disorder that only a rally outside a swamp ends.
    Swamped {
        unit: UnitId,
        swamped: bool,
    },
    ToGround {
        unit: UnitId,
        down: bool,
    },
    Pursues {
        unit: UnitId,
        after: Option<UnitId>,
    },
    /// Something that is remembered until the turn ends.
    Did {
        unit: UnitId,
        doing: Doing,
    },

    /// Fire kept back.
    Reserved {
        unit: UnitId,
        stands: u8,
    },
    /// One volley at one target: dice are in the event's rolls.
    Volley {
        by: UnitId,
        at: Option<UnitId>,
        general: Option<CommanderId>,
        band: Band,
        class: TargetClass,
        grade: i8,
        stands: u8,
        hits: u8,
        defensive: bool,
        passing: bool,
    },
    /// Round shot goes on into somebody behind the target.
    Bounces {
        by: UnitId,
        at: UnitId,
        hits: u8,
    },
    /// Stands or models that have now fired this turn, all told.
    Fired {
        unit: UnitId,
        stands: u8,
    },
    FirstFireSpent {
        unit: UnitId,
    },
    /// Losses to fire, for the tests that follow.
    ShotDown {
        unit: UnitId,
        stands: u8,
        by: Option<UnitId>,
        cause: Cause,
    },
    /// The guns of a battery as they are now.
    Guns {
        battery: UnitId,
        guns: SmallVec<[GunModel; 3]>,
        horses: u8,
    },
    /// What one hit on a battery did.
    BatteryHit {
        battery: UnitId,
        gun: u8,
        crew: u8,
        horses: u8,
        damaged: bool,
        destroyed: bool,
    },
    /// A crew left its guns, or is back.
    CrewAway {
        battery: UnitId,
        away: bool,
    },
    /// What became of a general at risk; nothing where the die spared him.
    AtRisk {
        general: CommanderId,
        hit: bool,
    },
    Health {
        general: CommanderId,
        health: Health,
    },
    Unhorsed {
        general: CommanderId,
        unhorsed: bool,
    },
    /// An engineer officer or his pioneers were hit.
    PartyHit {
        party: UnitId,
        hit: bool,
        killed: bool,
        pioneers: u8,
    },

    Ablaze {
        feature: FeatureId,
        since: u16,
    },
    /// An attempt to set something alight came to nothing.
    NoFire {
        feature: FeatureId,
    },
    WoodIs {
        feature: FeatureId,
        weight: Weight,
    },
    FordSought {
        river: FeatureId,
        at: Point,
        found: bool,
    },
    /// What a unit works at, and for how many phases; none when it stops.
    Works {
        unit: UnitId,
        work: Option<Box<Work>>,
    },
    /// A unit stayed in a fire for too long, and is lost.
    Burnt {
        unit: UnitId,
    },
    /// A piece of work is done.
    WorkDone {
        unit: UnitId,
        task: Task,
    },
    BridgeMined {
        bridge: FeatureId,
        fell: bool,
    },
    GapCleared {
        obstacle: FeatureId,
        at: Point,
    },
    Raised {
        barrier: Barrier,
    },
    SpanLaid {
        span: Span,
        party: UnitId,
        left: Length,
    },

    /// A unit runs, from whom if from anybody.
    Routs {
        unit: UnitId,
        from: Option<UnitId>,
    },
    /// How far it has run this turn.
    Ran {
        unit: UnitId,
        so_far: Length,
    },
    BurstThrough {
        unit: UnitId,
        by: UnitId,
    },
    /// Off the table by evading, and back.
    EvadedOff {
        unit: UnitId,
        off: Option<(u16, Edge)>,
    },
    PushedBack {
        unit: UnitId,
        turn: u16,
    },
    /// A victor has to go on, so far if nothing stops it.
    MustAdvance {
        unit: UnitId,
        by: Length,
    },
    /// A victor goes on.
    Advances {
        unit: UnitId,
        by: Length,
    },
    /// A victor strikes a new enemy; what is left of its advance.
    BreaksInto {
        unit: UnitId,
        into: Option<(UnitId, Length)>,
    },

    Contact {
        unit: UnitId,
        with: UnitId,
    },
    /// No longer in contact with this one, or with anybody.
    Parted {
        unit: UnitId,
        from: Option<UnitId>,
    },
    /// What one side of a fight brings: its lines are in the reckoning, its die in the rolls, both in the total.
    Score {
        side: Side,
        units: SmallVec<[UnitId; 2]>,
        total: i8,
    },
    /// How the losses of a side in a fight fall on its units.
    LossesShared {
        side: Side,
        shares: Vec<(UnitId, u8)>,
    },
    /// A unit stays where it is: it does not fall back, or it does not follow.
    Stays {
        unit: UnitId,
        beaten: bool,
    },
    /// A fight: scores and how it ended; `winner` none where it is locked.
    Melee {
        a: SmallVec<[UnitId; 2]>,
        b: SmallVec<[UnitId; 2]>,
        scores: BySide<i8>,
        winner: Option<Side>,
        result: MeleeResult,
    },
    WonLast {
        unit: UnitId,
        won: bool,
    },
    FoughtBefore {
        unit: UnitId,
    },
    Captured {
        unit: UnitId,
        by: Option<UnitId>,
    },

    Attached {
        general: CommanderId,
        unit: Option<UnitId>,
    },
    PartyAttached {
        party: UnitId,
        unit: Option<UnitId>,
    },
    /// A general runs with his unit, or has stopped.
    StaffRouts {
        general: CommanderId,
        routing: bool,
    },
    GeneralMoved {
        general: CommanderId,
    },
    TriedToRally {
        general: CommanderId,
    },
    Mounted {
        unit: UnitId,
        mounted: bool,
    },
    HoldersLost {
        unit: UnitId,
    },
    Relieved {
        unit: UnitId,
        by: Option<UnitId>,
    },
    AtCrest {
        unit: UnitId,
        crest: Option<Crest>,
    },
    /// What crossed whose arc.
    Crossed {
        crossing: Crossing,
    },
    /// Whose memory of crossings ends: all seen by it.
    CrossingsGone {
        seen_by: UnitId,
    },

    /// The battle is over: what each side has lost, doubled so that halves stay whole, and who has won.
    Counted {
        lost: BySide<u32>,
        winner: Option<Side>,
    },
    /// The turn is over: its records are cleared.
    Cleared,
}

/// Changes pieces.
pub fn apply(pieces: &mut Pieces<'_, Days>, event: &DaysEvent) {
    use DaysEvent as E;
    match event {
        E::Step { step } => pieces.ledger().step = *step,
        E::Initiative { side } => pieces.ledger().initiative = *side,
        E::Wind { to } => pieces.ledger().wind = Some(*to),
        E::Seated { south } => pieces.ledger().south = Some(*south),
        E::Quality { general, quality, successor } => {
            let staff = pieces.commander(*general);
            let lost_before =
                staff.lost_before + u8::from(*successor && !matches!(staff.health, Health::Wounded { .. }));
            if *successor {
                *staff = Staff { lost_before, ..Staff::default() };
            }
            staff.quality = Some(*quality);
        }
        E::DeploysFirst { side } => pieces.ledger().deploys_second = Some(side.other()),
        E::KeptOff { brigade } => pieces.ledger().absent.push(Absent { brigade: *brigade, entry: None }),
        E::Announced { brigade, edge, at } => {
            // Whoever never heard of the brigade hears of it now.
            let absent = &mut pieces.ledger().absent;
            absent.retain(|one| one.brigade != *brigade);
            absent.push(Absent { brigade: *brigade, entry: Some((*edge, *at)) });
        }
        E::ArrivedWhole { brigade } => pieces.ledger().absent.retain(|one| one.brigade != *brigade),
        E::Waits { unit, at } => pieces.unit(*unit).waits_at = *at,
        E::ChargeBegins { unit, charge } => {
            let troops = pieces.unit(*unit);
            troops.charge = Some(charge.clone());
            troops.turn.charged = true;
        }
        E::ChargeGoes { unit, stage, gone, left } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                (charge.stage, charge.gone, charge.left) = (*stage, *gone, *left);
            }
        }
        E::ChargeTurns { unit, at } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                charge.at = *at;
            }
        }
        E::ChargeEnds { unit, .. } => pieces.unit(*unit).charge = None,
        E::OrderIs { unit, order } => {
            let troops = pieces.unit(*unit);
            troops.order = *order;
            troops.routed_before |= *order == OrderState::Routing;
            if *order == OrderState::Good {
                troops.swamped = false;
            }
        }
        E::Swamped { unit, swamped } => pieces.unit(*unit).swamped = *swamped,
        E::ToGround { unit, down } => pieces.unit(*unit).to_ground = *down,
        E::Pursues { unit, after } => pieces.unit(*unit).pursuing = *after,
        E::Did { unit, doing } => pieces.unit(*unit).turn.remember(*doing),
        E::Reserved { unit, stands } => pieces.unit(*unit).turn.reserved = *stands,
        E::Fired { unit, stands } => pieces.unit(*unit).turn.fired = *stands,
        E::FirstFireSpent { unit } => pieces.unit(*unit).first_fire_used = true,
        E::ShotDown { unit, stands, by, cause } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.lost = turn.lost.saturating_add(*stands);
            if *cause != Cause::DefensiveFire {
                turn.shot_down = turn.shot_down.saturating_add(*stands);
                turn.shot_by = by.or(turn.shot_by);
            }
        }
        E::Guns { battery, guns, horses } => {
            let troops = pieces.unit(*battery);
            troops.guns.clone_from(guns);
            troops.horses = *horses;
        }
        E::CrewAway { battery, away } => pieces.unit(*battery).crew_away = *away,
        E::Health { general, health } => {
            let staff = pieces.commander(*general);
            staff.health = *health;
            if *health != Health::Fit {
                staff.attached = None;
            }
        }
        E::Unhorsed { general, unhorsed } => pieces.commander(*general).unhorsed = *unhorsed,
        E::Ablaze { feature, since } => {
            let fires = &mut pieces.ledger().fires;
            if fires.iter().all(|fire| fire.feature != *feature) {
                fires.push(Fire { feature: *feature, since: *since });
            }
        }
        E::WoodIs { feature, weight } => pieces.ledger().woods.push((*feature, *weight)),
        E::FordSought { river, at, found } => {
            pieces.ledger().fords.push(Search { river: *river, at: *at, found: *found });
        }
        E::Works { unit, work } => pieces.unit(*unit).work.clone_from(work),
        E::BridgeMined { bridge, fell } => {
            let ledger = pieces.ledger();
            ledger.mined.push(*bridge);
            if *fell {
                ledger.broken.push(*bridge);
            }
        }
        E::GapCleared { obstacle, at } => pieces.ledger().gaps.push((*obstacle, *at)),
        E::Raised { barrier } => pieces.ledger().barriers.push(*barrier),
        E::SpanLaid { span, party, left } => {
            pieces.unit(*party).pontoons = *left;
            pieces.ledger().spans.push(*span);
        }
        E::Routs { unit, .. } => {
            let troops = pieces.unit(*unit);
            troops.order = OrderState::Routing;
            (troops.routed_before, troops.to_ground) = (true, false);
            (troops.charge, troops.pursuing, troops.work) = (None, None, None);
            (troops.turn.reserved, troops.broke_into, troops.relieved) = (0, None, None);
        }
        E::Ran { unit, so_far } => pieces.unit(*unit).turn.routed = *so_far,
        E::EvadedOff { unit, off } => pieces.unit(*unit).evaded_off = *off,
        E::PushedBack { unit, turn } => {
            let troops = pieces.unit(*unit);
            (troops.pushed_back, troops.turn.pushed, troops.to_ground) = (Some(*turn), true, false);
        }
        E::BreaksInto { unit, into } => pieces.unit(*unit).broke_into = *into,
        E::Contact { unit, with } => {
            for (one, other) in [(*unit, *with), (*with, *unit)] {
                let contact = &mut pieces.unit(one).contact;
                if !contact.contains(&other) {
                    contact.push(other);
                }
            }
        }
        E::Parted { unit, from } => part(pieces, *unit, *from),
        E::WonLast { unit, won } => pieces.unit(*unit).won_last = *won,
        E::FoughtBefore { unit } => pieces.unit(*unit).fought_before = true,
        E::Attached { general, unit } => pieces.commander(*general).attached = *unit,
        E::PartyAttached { party, unit } => pieces.unit(*party).attached = *unit,
        E::StaffRouts { general, routing } => pieces.commander(*general).routing = *routing,
        E::GeneralMoved { general } => pieces.commander(*general).moved = true,
        E::TriedToRally { general } => pieces.commander(*general).rallied = true,
        E::Mounted { unit, mounted } => pieces.unit(*unit).mounted = *mounted,
        E::HoldersLost { unit } => pieces.unit(*unit).holders_lost = true,
        E::Relieved { unit, by } => pieces.unit(*unit).relieved = *by,
        E::AtCrest { unit, crest } => pieces.unit(*unit).crest = *crest,
        E::Crossed { crossing } => pieces.ledger().crossings.push(*crossing),
        E::CrossingsGone { seen_by } => pieces.ledger().crossings.retain(|one| one.seen_by != *seen_by),
        E::Cleared => clear(pieces),
        E::Mustered { .. } | E::Engaged { .. } | E::Bought { .. } | E::Counted { .. } => {}
        E::InitiativeTied | E::Scouted { .. } | E::Declared { .. } | E::Tested { .. } | E::Volley { .. } => {}
        E::Bounces { .. } | E::BatteryHit { .. } | E::AtRisk { .. } | E::PartyHit { .. } | E::NoFire { .. } => {}
        E::Score { .. } | E::LossesShared { .. } | E::Stays { .. } | E::MustAdvance { .. } | E::Burnt { .. } => {}
        E::WorkDone { .. } | E::BurstThrough { .. } | E::Advances { .. } | E::Melee { .. } | E::Captured { .. } => {}
    }
}

/// Both sides of a contact forget each other.
fn part(pieces: &mut Pieces<'_, Days>, unit: UnitId, from: Option<UnitId>) {
    let others: SmallVec<[UnitId; 2]> = match from {
        Some(other) => SmallVec::from_slice(&[other]),
        None => pieces.unit(unit).contact.clone(),
    };
    for other in others {
        pieces.unit(unit).contact.retain(|one| *one != other);
        pieces.unit(other).contact.retain(|one| *one != unit);
    }
    let troops: &mut Troops = pieces.unit(unit);
    if troops.contact.is_empty() {
        troops.won_last = false;
    }
}

/// A new turn begins with a clean slate.
fn clear(pieces: &mut Pieces<'_, Days>) {
    pieces.each_unit(|_, _, troops| {
        troops.steady = !troops.turn.moved && !troops.turn.reformed;
        troops.turn = TurnRecord::default();
        troops.guns.iter_mut().for_each(|gun| gun.damaged = gun.damaged.saturating_sub(1));
    });
    pieces.each_commander(|_, _, staff| (staff.rallied, staff.moved) = (false, false));
}

impl TurnRecord {
    /// Remembers what a unit did.
    fn remember(&mut self, doing: Doing) {
        let slot = match doing {
            Doing::Moved => &mut self.moved,
            Doing::Reformed => &mut self.reformed,
            Doing::TriedCharge => &mut self.tried_charge,
            Doing::ChargeFailed => &mut self.charge_failed,
            Doing::Charged => &mut self.charged,
            Doing::Feinted => &mut self.feinted,
            Doing::Stood => &mut self.stood,
            Doing::Evaded => &mut self.evaded,
            Doing::PassedLines => &mut self.passed_lines,
            Doing::Halted => &mut self.halted,
            Doing::Stopped => &mut self.stopped,
            Doing::Rallied => &mut self.rallied,
            Doing::Fought => &mut self.fought,
            Doing::Worked => &mut self.worked,
            Doing::Forced => &mut self.forced,
            Doing::Searched => &mut self.searched,
            Doing::Silenced => &mut self.silenced,
            Doing::WentToGround => &mut self.went_to_ground,
            Doing::ShotFromBehind => &mut self.shot_from_behind,
            Doing::Screened => &mut self.screened,
        };
        *slot = true;
    }
}
