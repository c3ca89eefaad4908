//! What happens beyond the common deeds; how it changes the pieces is told in `event/apply.rs`.

mod apply;
mod ledger;

use super::charts::{Band, TargetClass};
use super::settings::{Disputed, Weight};
use super::unit::{Charge, ChargeStage, Crest, GunModel, Health, OrderState, Quality, Task, Work};
pub use apply::apply;
use book::words;
use engine::{BySide, CommandId, CommanderId, FeatureId, Side, StandSet, UnitId};
pub use ledger::{Barrier, Crossing, Fire, Ledger, Search, Span};
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
        Forced = "forced", Searched = "searched", Silenced = "silenced", Broken = "broken",
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
    /// A die ended a quarrel: the rule is played, or it is not.
    Decided {
        rule: Disputed,
        on: bool,
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
        #[serde(default)]
        by: StandSet,
        #[serde(default)]
        at: Option<UnitId>,
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
    /// A gap in a barricade or in works, by their place in the ledger.
    Breached {
        barrier: u16,
        at: Point,
    },
    /// A span of boats, by its place in the ledger.
    SpanMined {
        span: u16,
        fell: bool,
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
        towards: Angle,
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
