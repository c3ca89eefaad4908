//! What happens beyond the common deeds, and how it changes the pieces.

use super::Guns;
use super::deployment::rollcall::RollCall;
use super::order::{BrigadeOrder, Matter, Move};
use super::unit::{
    Ability, BoundRecord, Building, Charge, ChargeStage, Cycle, Goal, Health, Observer, Registration, Troops,
};
use book::words;
use engine::{BySide, CommandId, CommanderId, FeatureId, Pieces, Side, UnitId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Length, Point};

words! {
    /// The ten steps of a bound.
    BoundStep {
        Activation = "activation", Ranging = "ranging", Forced = "forced", Charges = "charges",
        Movement = "movement", Artillery = "artillery", Musketry = "musketry", Flinch = "flinch",
        Forward = "forward", Rally = "rally",
    }
    /// Why a moving unit halts before the end of its path.
    Halt {
        FlinchPoint = "flinch_point", EnemyNear = "enemy_near", MutualCharge = "mutual_charge",
        FriendInTheWay = "friend_in_the_way", Alarm = "alarm", TableEdge = "table_edge", OutOfReach = "out_of_reach",
    }
    /// How damage was done.
    Cause { Shells = "shells", Musketry = "musketry", Breaking = "breaking", Melee = "melee", }
    /// How a shot is fired.
    Manner {
        Direct = "direct", Ranging = "ranging", Indirect = "indirect", Musketry = "musketry", Breakers = "breakers",
    }
    /// Why a unit goes back without being told to.
    Retreat {
        Charged = "charged", Carried = "carried", Broken = "broken", FellBack = "fell_back", Alarmed = "alarmed",
        TwiceBeaten = "twice_beaten", Drawn = "drawn", Evacuates = "evacuates", Margin = "margin",
    }
    /// What kind of disorder comes or goes.
    DisorderKind { Combat = "combat", Terrain = "terrain", Water = "water", }
    /// What fire a unit is under this bound.
    FireKind { Shelled = "shelled", Skirmished = "skirmished", Volleyed = "volleyed", }
    /// How a round of close combat ended for a unit.
    MeleeResult { Won = "won", Lost = "lost", Drawn = "drawn", }
}

/// What is known of a brigade-level command.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BrigadeRecord {
    /// Its order.
    pub order: Option<BrigadeOrder>,
    /// Nominated this bound.
    pub nominated: bool,
    /// Through whom this bound's order comes.
    pub issuer: Option<CommanderId>,
    /// Higher generals who lend their weight this bound.
    pub present: SmallVec<[CommanderId; 2]>,
    /// The die allotted to it.
    pub die: Option<u8>,
    /// Activated this bound.
    pub activated: bool,
}

/// Records beside the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ledger {
    /// The step of the bound in progress.
    pub step: BoundStep,
    /// The quarter of the bound being moved, 1 to 4; 0 outside movement.
    pub quarter: u8,
    /// Commands by their number; only brigade-level ones use theirs.
    pub brigades: Vec<BrigadeRecord>,
    /// Blocks of buildings.
    pub buildings: Vec<Building>,
    /// The plans of the bound, once revealed; those of hidden units are left out of the other side's view.
    pub plots: BySide<Vec<Move>>,
    /// Units that move as one this bound.
    pub groups: Vec<Vec<UnitId>>,
    /// Units lost, screens left out.
    pub lost: BySide<u16>,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum GunsEvent {
    /// A step of the bound begins.
    Step {
        step: BoundStep,
    },
    /// What a unit brings to the battle.
    Mustered(Box<RollCall>),
    /// What a brigadier is worth, diced for.
    Ability {
        general: CommanderId,
        ability: Ability,
    },
    /// A brigade's order, opening or further.
    Ordered {
        brigade: CommandId,
        order: BrigadeOrder,
        issuer: Option<CommanderId>,
        cause: Option<Matter>,
    },
    Nominated {
        brigade: CommandId,
        issuer: Option<CommanderId>,
        present: SmallVec<[CommanderId; 2]>,
    },
    /// Stands still to reform this bound, or stops doing so.
    Reforming {
        unit: UnitId,
        reforming: bool,
    },
    /// The dice of a side.
    ActivationDice {
        side: Side,
        dice: Vec<u8>,
    },
    /// A die dealt to a brigade; none is a brigade that got none.
    Allotted {
        brigade: CommandId,
        die: Option<u8>,
        activated: bool,
    },
    /// A die nobody could use.
    Discarded {
        side: Side,
        die: u8,
    },
    Responds {
        unit: UnitId,
        total: i8,
        responds: bool,
    },
    /// A battery's target for indirect fire, or none any more.
    Registered {
        battery: UnitId,
        registration: Option<Box<Registration>>,
    },
    /// Both plans lie open.
    Plotted {
        side: Side,
        moves: Vec<Move>,
        groups: Vec<Vec<UnitId>>,
    },
    ChargeDeclared {
        unit: UnitId,
        charge: Box<Charge>,
    },
    CounterCharges {
        unit: UnitId,
        charge: Box<Charge>,
    },
    /// A charge gets on, or comes to an end.
    ChargeStage {
        unit: UnitId,
        stage: ChargeStage,
        left: Length,
    },
    /// A charge goes on against another enemy.
    ChargeTurns {
        unit: UnitId,
        at: UnitId,
    },
    /// How far a charge that goes in has to go; none once it has gone.
    ChargeGoal {
        unit: UnitId,
        goal: Option<Goal>,
    },
    /// A quarter of the bound begins to move; 0 is the end of movement.
    Quarter {
        quarter: u8,
    },
    Halted {
        unit: UnitId,
        why: Halt,
        by: Option<UnitId>,
    },
    /// Move spent so far this bound, and the full move it counts against.
    Spent {
        unit: UnitId,
        used: Length,
        full: Length,
    },
    Disorder {
        unit: UnitId,
        kind: DisorderKind,
        on: bool,
    },
    /// Quarters left until a unit is dry.
    Wet {
        unit: UnitId,
        quarters: u8,
    },
    Defends {
        unit: UnitId,
        feature: Option<FeatureId>,
    },
    /// A screen is formed of elements of these battalions.
    ScreenOut {
        screen: UnitId,
        parents: SmallVec<[UnitId; 4]>,
    },
    /// These battalions have their elements back, or lost them for good with their screen (`lost`).
    ScreenIn {
        screen: UnitId,
        lost: bool,
    },
    ObserverMoved {
        battery: UnitId,
        observer: Option<Observer>,
    },
    Cycled {
        battery: UnitId,
        cycle: Cycle,
    },
    /// Whether a battery's plan lets it fire this bound.
    MayFire {
        battery: UnitId,
        fires: bool,
    },
    /// Enemies stand on abandoned guns since this bound.
    GunsTouched {
        battery: UnitId,
        since: Option<u16>,
    },
    Mounted {
        unit: UnitId,
        mounted: bool,
    },
    Prone {
        unit: UnitId,
        prone: bool,
    },
    Attached {
        general: CommanderId,
        unit: Option<UnitId>,
    },
    /// Has used its fire of this bound.
    Fired {
        unit: UnitId,
    },
    UnderFire {
        unit: UnitId,
        kind: FireKind,
    },
    /// An ambush is sprung.
    Ambush {
        unit: UnitId,
        at: UnitId,
    },
    /// One calculation of fire: counted elements or guns, tenths before truncation, damage.
    Shot {
        by: UnitId,
        at: UnitId,
        manner: Manner,
        counted: u8,
        tenths: i16,
        damage: u8,
    },
    /// Indirect fire falls here.
    Blast {
        battery: UnitId,
        point: Point,
        blocks: Vec<(i8, i8)>,
        ranging: bool,
    },
    /// Status lost; guns too, by batteries.
    Damage {
        unit: UnitId,
        points: u8,
        cause: Cause,
    },
    BuildingHit {
        feature: FeatureId,
        points: u16,
        ablaze: bool,
    },
    /// The roll for injury; the bound in which he is disabled, if he is.
    AtRisk {
        general: CommanderId,
        disabled: Option<u16>,
    },
    /// Takes over where a disabled general fell.
    Successor {
        general: CommanderId,
        ability: Option<Ability>,
    },
    Flinch {
        unit: UnitId,
        at: Option<UnitId>,
        total: i8,
        passed: bool,
        second: bool,
    },
    Pinned {
        unit: UnitId,
        pinned: bool,
    },
    /// A forced retirement of so much, before this enemy where there is one.
    Retires {
        unit: UnitId,
        before: Option<UnitId>,
        distance: Length,
        why: Retreat,
    },
    Broken {
        unit: UnitId,
        broken: bool,
    },
    /// Must fall back once more in the next forced moves.
    FallsBack {
        unit: UnitId,
        again: bool,
    },
    Beaten {
        unit: UnitId,
        beaten: bool,
    },
    Supports {
        unit: UnitId,
        by: UnitId,
        retires: bool,
    },
    Evades {
        unit: UnitId,
        charger: UnitId,
        distance: Length,
    },
    /// One side's reckoning in a close combat.
    Blow {
        by: UnitId,
        at: UnitId,
        counted: u8,
        tenths: i16,
        damage: u8,
    },
    /// How a close combat ended: points each side inflicted.
    Melee {
        attackers: SmallVec<[UnitId; 2]>,
        defenders: SmallVec<[UnitId; 2]>,
        inflicted: u8,
        suffered: u8,
        result: MeleeResult,
    },
    Fought {
        unit: UnitId,
    },
    Locked {
        unit: UnitId,
        with: UnitId,
    },
    Unlocked {
        unit: UnitId,
    },
    /// Attackers are inside the perimeter.
    BrokeIn {
        unit: UnitId,
        inside: bool,
    },
    RodeThrough {
        unit: UnitId,
        rode: bool,
    },
    Abandoned {
        battery: UnitId,
    },
    Rally {
        unit: UnitId,
        passed: bool,
    },
    /// In order again after standing still.
    Reformed {
        unit: UnitId,
    },
    /// A unit counts as lost.
    Lost {
        side: Side,
    },
    /// The bound is over: its records are cleared.
    Cleared,
}

/// Changes pieces.
pub fn apply(pieces: &mut Pieces<'_, Guns>, event: &GunsEvent) {
    use GunsEvent as E;
    match event {
        E::Step { step } => pieces.ledger().step = *step,
        E::Ability { general, ability } => pieces.commander(*general).ability = Some(*ability),
        E::Ordered { brigade, order, .. } => record(pieces, *brigade, |record| record.order = Some(*order)),
        E::Nominated { brigade, issuer, present } => {
            record(pieces, *brigade, |record| {
                record.nominated = true;
                record.issuer = *issuer;
                record.present.clone_from(present);
            });
            for general in present {
                pieces.commander(*general).present = Some(*brigade);
            }
        }
        E::Reforming { unit, reforming } => pieces.unit(*unit).reforming = *reforming,
        E::Allotted { brigade, die, activated } => record(pieces, *brigade, |record| {
            record.die = *die;
            record.activated = *activated;
        }),
        E::Responds { unit, responds, .. } => pieces.unit(*unit).bound.responds = *responds,
        E::Registered { battery, registration } => pieces.unit(*battery).registration.clone_from(registration),
        E::Plotted { side, moves, groups } => {
            let ledger = pieces.ledger();
            ledger.plots[*side].clone_from(moves);
            ledger.groups.extend(groups.iter().cloned());
        }
        E::ChargeDeclared { unit, charge } | E::CounterCharges { unit, charge } => {
            let troops = pieces.unit(*unit);
            troops.charge = Some(charge.clone());
            troops.charges = troops.charges.saturating_add(1);
        }
        E::ChargeStage { unit, stage, left } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                charge.stage = *stage;
                charge.left = *left;
            }
        }
        E::ChargeTurns { unit, at } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                charge.at = *at;
            }
        }
        E::ChargeGoal { unit, goal } => pieces.unit(*unit).bound.goal = *goal,
        E::Quarter { quarter } => pieces.ledger().quarter = *quarter,
        E::Spent { unit, used, full } => {
            let bound = &mut pieces.unit(*unit).bound;
            bound.used = *used;
            bound.full = *full;
            bound.moved |= *used > Length::ZERO;
        }
        E::Disorder { unit, kind, on } => {
            let disorder = &mut pieces.unit(*unit).disorder;
            match kind {
                DisorderKind::Combat => disorder.combat = *on,
                DisorderKind::Terrain => disorder.terrain = *on,
                DisorderKind::Water => disorder.water = *on,
            }
        }
        E::Wet { unit, quarters } => pieces.unit(*unit).wet = *quarters,
        E::Defends { unit, feature } => pieces.unit(*unit).defending = *feature,
        E::ScreenOut { screen, parents } => {
            pieces.unit(*screen).parents.clone_from(parents);
            for parent in parents {
                pieces.unit(*parent).lent = true;
            }
        }
        E::ScreenIn { screen, lost } => {
            let parents = std::mem::take(&mut pieces.unit(*screen).parents);
            // What is lost with its screen never comes back: its battalion stays one element short.
            for parent in parents {
                pieces.unit(parent).lent = *lost;
            }
        }
        E::ObserverMoved { battery, observer } => pieces.unit(*battery).observer = *observer,
        E::Cycled { battery, cycle } => pieces.unit(*battery).cycle = *cycle,
        E::MayFire { battery, fires } => pieces.unit(*battery).bound.fires = *fires,
        E::GunsTouched { battery, since } => pieces.unit(*battery).touched = *since,
        E::Mounted { unit, mounted } => pieces.unit(*unit).mounted = *mounted,
        E::Prone { unit, prone } => pieces.unit(*unit).prone = *prone,
        E::Attached { general, unit } => pieces.commander(*general).attached = *unit,
        E::Fired { unit } => pieces.unit(*unit).bound.fired = true,
        E::UnderFire { unit, kind } => {
            let bound = &mut pieces.unit(*unit).bound;
            match kind {
                FireKind::Shelled => bound.shelled = true,
                FireKind::Skirmished => bound.skirmished = true,
                FireKind::Volleyed => bound.volleyed = true,
            }
        }
        E::Ambush { unit, at } => pieces.unit(*unit).bound.ambushed.push(*at),
        E::Damage { unit, points, .. } => {
            let troops = pieces.unit(*unit);
            troops.status = troops.status.saturating_sub(*points);
            troops.guns = troops.guns.saturating_sub(*points);
            troops.bound.damage = troops.bound.damage.saturating_add(*points);
        }
        E::BuildingHit { feature, points, ablaze } => {
            for building in pieces.ledger().buildings.iter_mut().filter(|building| building.feature == *feature) {
                building.status = building.status.saturating_sub(*points);
                building.ablaze |= *ablaze;
            }
        }
        E::AtRisk { general, disabled } => {
            if let Some(bound) = disabled {
                let staff = pieces.commander(*general);
                staff.health = Health::Disabled { bound: *bound };
                staff.attached = None;
            }
        }
        E::Successor { general, ability } => {
            let staff = pieces.commander(*general);
            staff.health = Health::Fit;
            staff.ability = ability.or(staff.ability);
        }
        E::Pinned { unit, pinned } => pieces.unit(*unit).pinned = *pinned,
        E::Retires { unit, .. } => {
            let troops = pieces.unit(*unit);
            if !troops.bound.retired {
                troops.bound.retired = true;
                troops.retirements = troops.retirements.saturating_add(1);
                troops.running = troops.running.saturating_add(1);
            }
        }
        E::Broken { unit, broken } => pieces.unit(*unit).broken = *broken,
        E::FallsBack { unit, again } => pieces.unit(*unit).falls_back = *again,
        E::Beaten { unit, beaten } => pieces.unit(*unit).beaten = *beaten,
        E::Supports { unit, .. } => pieces.unit(*unit).bound.supports_tested = true,
        E::Fought { unit } => pieces.unit(*unit).bound.fought = true,
        E::Locked { unit, with } => {
            for (one, other) in [(*unit, *with), (*with, *unit)] {
                let locked = &mut pieces.unit(one).locked;
                if !locked.contains(&other) {
                    locked.push(other);
                }
            }
        }
        E::Unlocked { unit } => {
            let gone = *unit;
            pieces.each_unit(|id, _, troops| {
                troops.locked.retain(|other| id != gone && *other != gone);
            });
        }
        E::BrokeIn { unit, inside } => pieces.unit(*unit).inside = *inside,
        E::RodeThrough { unit, rode } => pieces.unit(*unit).rode_through = *rode,
        E::Abandoned { battery } => pieces.unit(*battery).cycle = Cycle::Abandoned,
        E::Rally { unit, passed } => {
            if *passed {
                pieces.unit(*unit).broken = false;
            }
        }
        E::Reformed { unit } => {
            let troops = pieces.unit(*unit);
            troops.disorder.combat = false;
            troops.beaten = false;
        }
        E::Lost { side } => {
            let lost = &mut pieces.ledger().lost[*side];
            *lost = lost.saturating_add(1);
        }
        E::Cleared => clear(pieces),
        E::Halted { unit, why: Halt::Alarm, .. } => pieces.unit(*unit).bound.alarmed = true,
        E::Mustered(_)
        | E::ActivationDice { .. }
        | E::Discarded { .. }
        | E::Halted { .. }
        | E::Shot { .. }
        | E::Blast { .. }
        | E::Flinch { .. }
        | E::Evades { .. }
        | E::Blow { .. }
        | E::Melee { .. } => {}
    }
}

fn record(pieces: &mut Pieces<'_, Guns>, brigade: CommandId, change: impl FnOnce(&mut BrigadeRecord)) {
    if let Some(record) = pieces.ledger().brigades.get_mut(brigade.index()) {
        change(record);
    }
}

/// The bound is over: a charge becomes the charge before, a bound without a retirement ends the row of them.
fn clear(pieces: &mut Pieces<'_, Guns>) {
    pieces.each_unit(|_, _, troops: &mut Troops| {
        troops.charged_last = troops.charge.is_some();
        troops.charge = None;
        if !troops.bound.retired {
            troops.running = 0;
        }
        troops.reforming = false;
        if let Some(registration) = &mut troops.registration {
            registration.marked = false;
        }
        troops.bound = BoundRecord::default();
    });
    pieces.each_commander(|_, _, staff| staff.present = None);
    let ledger = pieces.ledger();
    ledger.plots = BySide::default();
    ledger.groups.clear();
    ledger.quarter = 0;
    for record in &mut ledger.brigades {
        *record = BrigadeRecord { order: record.order, ..BrigadeRecord::default() };
    }
}
