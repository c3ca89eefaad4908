//! What a unit shoots with, which of its stands can, and why it may not. Sections 10.1, 17.2.5, C-02, C-03, C-06, C-07.

use crate::assault;
use crate::charts::{Band, Grades, Gun, SmallArm, count};
use crate::clause::Clause;
use crate::field::{self, Field};
use crate::formation::Shape;
use crate::unit::{Arm, Part, Trait};
use engine::{CommanderId, Side, UnitId};
use smallvec::SmallVec;
use table::{Angle, Length};

/// A small arm or a gun.
#[derive(Clone, Copy, Debug)]
pub enum Weapon<'f> {
    /// One die for so many stands.
    Small(&'f SmallArm),
    /// Dice for each model.
    Gun(&'f Gun),
}

impl<'f> Weapon<'f> {
    /// The band a distance falls into.
    pub fn band(self, at: Length) -> Option<(Band, &'f Grades)> {
        match self {
            Weapon::Small(arm) => arm.band(at),
            Weapon::Gun(gun) => gun.band(at),
        }
    }

    /// How far it shoots.
    pub fn range(self) -> Length {
        match self {
            Weapon::Small(arm) => arm.range(),
            Weapon::Gun(gun) => gun.range(),
        }
    }

    /// The gun, if it is one.
    pub fn gun(self) -> Option<&'f Gun> {
        match self {
            Weapon::Small(_) => None,
            Weapon::Gun(gun) => Some(gun),
        }
    }
}

/// What somebody shoots at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quarry {
    /// A unit.
    Unit(UnitId),
    /// A general on his own.
    General(CommanderId),
}

impl Quarry {
    /// The unit, if it is one.
    pub fn unit(self) -> Option<UnitId> {
        match self {
            Quarry::Unit(unit) => Some(unit),
            Quarry::General(_) => None,
        }
    }

    /// The general, if it is one.
    pub fn general(self) -> Option<CommanderId> {
        match self {
            Quarry::Unit(_) => None,
            Quarry::General(general) => Some(general),
        }
    }
}

/// What a unit shoots with as it stands: horse only skirmishing or on foot, guns only deployed.
pub fn weapon(field: &Field, unit: UnitId) -> Option<Weapon<'_>> {
    let (own, charts) = (field::facts(field, unit), field.charts());
    let key = if own.weapon.is_empty() { &field::facts(field, field::whole(field, unit)).weapon } else { &own.weapon };
    if matches!(own.part_kind(), Some(Part::Holders | Part::Crew)) {
        return None;
    }
    match own.arm {
        Arm::Infantry => charts.small_arms.get(key).map(Weapon::Small),
        Arm::Cavalry => {
            let afoot = !field::is_mounted(field, unit) || field::skirmishes(field, unit);
            charts.small_arms.get(key).filter(|_| afoot).map(Weapon::Small)
        }
        Arm::Artillery => charts.gun.get(key).filter(|_| field::is_deployed(field, unit)).map(Weapon::Gun),
        Arm::Engineers | Arm::Wagon => None,
    }
}

/// How far to either side of straight ahead its stands shoot, and the clause that says so.
pub fn half_arc(field: &Field, unit: UnitId) -> (Angle, Clause) {
    let constant = &field.charts().constant;
    let usual = field::by_book(field, Clause::ArcOf45Degrees, Clause::ArcOf22HalfDegrees);
    if field::skirmishes(field, unit) {
        let clause = field::by_book(field, Clause::SkirmishersFieldOfFire, Clause::SkirmishersFireAllAlong);
        return (Angle::degrees(constant.arc_skirmish.value.as_degrees() * 0.5), clause);
    }
    if field::facts(field, unit).is(Trait::Mitrailleuse) {
        return (constant.arc_mitrailleuse.value, field::by_book(field, Clause::NarrowArcForMitrailleuses, usual));
    }
    let arc = if field::is_battery(field, unit) { constant.arc_guns } else { constant.arc_foot };
    (arc.value, usual)
}

/// The stands of a unit that can shoot: guns need their crew and their wheels.
pub fn ready(field: &Field, unit: UnitId) -> SmallVec<[u8; 16]> {
    let all = 0..field::count(field, unit);
    if !field::is_battery(field, unit) {
        return all.collect();
    }
    let (troops, least) = (field::troops(field, unit), count(field.charts().damage.least_crew));
    let manned = |no: &u8| {
        let gun = troops.guns.get(usize::from(*no));
        gun.is_some_and(|gun| gun.damaged == 0 && u32::from(gun.crew) >= least)
    };
    all.filter(manned).collect()
}

/// Reasons against something.
pub type Reasons = SmallVec<[(Clause, &'static str); 2]>;

/// Keeps the reasons that are true.
pub fn reasons(all: &[(bool, Clause, &'static str)]) -> Reasons {
    all.iter().filter(|reason| reason.0).map(|reason| (reason.1, reason.2)).collect()
}

/// Why a unit may not shoot at anybody, whatever there is to shoot at.
pub fn silence(field: &Field, unit: UnitId) -> Reasons {
    let (own, troops) = (field::facts(field, unit), field::troops(field, unit));
    let whole = field::state(field, unit);
    let unmanned = field::is_deployed(field, unit) && (whole.crew_away || ready(field, unit).is_empty());
    let limbered = field::is_limbered(field, unit);
    let armed = weapon(field, unit).is_some();
    let fights = !troops.contact.is_empty() && !assault::may_still_shoot(field, unit);
    let gunners = own.arm == Arm::Artillery;
    let loose = field::skirmishes(field, unit);
    let routed = if loose { Clause::NoShotsFromTheOverrun } else { Clause::StatesOfOrder };
    let silenced = if gunners { Clause::GunnersOutOfTheWay } else { Clause::NoShotsFromTheOverrun };
    let declared = troops.charge.is_some() || troops.turn.charged;
    reasons(&[
        (!field::is_there(field, unit), Clause::SayingWhoFires, "it is not on the table"),
        (limbered, Clause::TeamAndGunTogether, "its guns are limbered"),
        (!armed && !limbered, Clause::SayingWhoFires, "it has nothing to shoot with as it stands"),
        (unmanned, Clause::HitsOnGuns, "none of its guns is fit to fire"),
        (field::is_routing(field, unit), routed, "it is routing"),
        (declared, Clause::ChargersHoldTheirFire, "it has charged and holds its fire"),
        (fights, Clause::NoFiringIntoAMelee, "it fights at close quarters"),
        (troops.turn.silenced, silenced, "it was ridden through and cannot fire this turn"),
    ])
}

/// Why an enemy may not be shot at by a unit, wherever it stands.
pub fn spared(field: &Field, unit: UnitId, quarry: Quarry) -> Reasons {
    let loose = field::skirmishes(field, unit);
    let side = field.side_of(unit);
    match quarry {
        Quarry::General(general) => {
            let one = field.commander(general);
            let friend = field.muster().commander(general).side == side;
            reasons(&[
                (!one.is_present(), Clause::SayingWhoFires, "the general is not on the table"),
                (friend, Clause::SayingWhoFires, "the general is a friend"),
                (!loose, Clause::SnipingAtTheStaff, "only skirmishers may pick off officers"),
                (one.own.attached.is_some(), Clause::RiskToAttachedStaff, "the general is with his troops"),
                (one.own.attached.is_some(), Clause::ShootingAtStaff, "he is no target apart from them"),
            ])
        }
        Quarry::Unit(target) => {
            let (enemy, facts) = (field::troops(field, target), field::facts(field, target));
            let there = field::is_there(field, target) && !field::is_hidden(field.unit(target));
            // Whoever was struck by a break-through may shoot at the enemy that struck it (days.17.5.4-g).
            let fresh = enemy.contact.contains(&unit) && assault::may_still_shoot(field, unit);
            let fights = !enemy.contact.is_empty() && !fresh;
            let staff = facts.arm == Arm::Engineers;
            let abandoned = field::is_battery(field, target) && enemy.crew_away;
            reasons(&[
                (!there, Clause::SmallArmsAtTheNearest, "the target is not to be seen on the table"),
                (field.side_of(target) == side, Clause::SayingWhoFires, "the target is a friend"),
                (fights, Clause::NoFiringIntoAMelee, "nobody fires into a melee"),
                (staff && !loose, Clause::PickingOffOfficers, "only skirmishers may pick off engineers"),
                (staff && enemy.attached.is_some(), Clause::RiskToAttachedStaff, "the engineers are with other troops"),
                (abandoned, Clause::HitsOnGuns, "nobody is with those guns"),
            ])
        }
    }
}

/// Why an enemy that passed may not be shot at as it did: that it has gone out of sight since does not matter.
pub fn spared_in_passing(field: &Field, unit: UnitId, target: UnitId) -> Reasons {
    let mut reasons = spared(field, unit, Quarry::Unit(target));
    reasons.retain(|(clause, _)| *clause != Clause::SmallArmsAtTheNearest);
    reasons
}

/// Whether there is such a unit of this side.
pub fn is_own(field: &Field, side: Side, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len() && field.side_of(unit) == side
}

/// Whether there is such a quarry at all.
pub fn exists(field: &Field, quarry: Quarry) -> bool {
    match quarry {
        Quarry::Unit(unit) => unit.index() < field.muster().units.len(),
        Quarry::General(general) => general.index() < field.muster().commanders.len(),
    }
}

/// Whether a unit stands in square.
pub fn is_square(field: &Field, unit: UnitId) -> bool {
    field::shape(field, unit) == Shape::Square
}
