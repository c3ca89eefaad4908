//! Who fights whom: units in contact, those behind them, those who cannot fight at all. 17.5-c to -f, A-60, A-61, A-94,
//!

use super::super::charts::reach;
use super::super::field::{self, Few, Field};
use super::super::formation::Shape;
use super::super::target;
use super::super::unit::{Arm, ChargeStage, OrderState, Part};
use engine::{BySide, Side, Unit, UnitId};
use serde::{Deserialize, Serialize};
use table::{Angle, Length, SLACK, Vec2};

/// One fight: everybody who touches somebody of it, and those who back them up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Melee {
    /// Units in contact.
    pub fighters: BySide<Few>,
    /// Units behind them that reinforce them.
    pub supports: BySide<Few>,
    /// Skirmishers on foot whom horse has reached in the open: no dice for them.
    pub ridden_down: Few,
}

impl Melee {
    /// Everybody of a side.
    pub fn of(&self, side: Side) -> impl DoubleEndedIterator<Item = UnitId> + '_ {
        self.fighters[side].iter().chain(&self.supports[side]).copied()
    }

    /// Everybody of a side who counts when scores are made.
    pub fn counted(&self, side: Side) -> impl DoubleEndedIterator<Item = UnitId> + '_ {
        self.of(side).filter(|unit| !self.ridden_down.contains(unit))
    }

    /// Everybody.
    pub fn all(&self) -> impl Iterator<Item = UnitId> + '_ {
        Side::BOTH.into_iter().flat_map(|side| self.of(side))
    }

    /// The side that wins without dice, because all its enemies are ridden down.
    pub fn walk_over(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.counted(side.other()).next().is_none())
    }
}

/// All fights, in the order of the dice: by the first unit of whoever has the initiative.
pub fn melees(field: &Field) -> Vec<Melee> {
    let first = field.ledger().initiative;
    let mut seen = Few::new();
    let mut found: Vec<Melee> = Vec::new();
    for (id, _) in field.present(first).filter(|(id, unit)| !unit.own.contact.is_empty() && can_fight(field, *id)) {
        if !seen.contains(&id) {
            let melee = gather(field, id);
            seen.extend(melee.all());
            found.extend((!melee.fighters[first.other()].is_empty()).then_some(melee));
        }
    }
    let engaged = seen;
    let mut taken = Few::new();
    for melee in &mut found {
        for side in Side::BOTH {
            let behind = supports(field, &melee.fighters[side], &engaged, &taken);
            taken.extend(behind.iter().copied());
            melee.supports[side] = behind;
        }
    }
    found
}

/// Whether a unit fights at all. Routers are dealt with before; wagons, parties, horse holders and guns without gunners
/// are just taken.
pub fn can_fight(field: &Field, unit: UnitId) -> bool {
    field::is_there(field, unit) && !field::is_routing(field, unit) && !is_helpless(field, unit)
}

/// Whoever is taken by the first enemy who touches it.
pub fn is_helpless(field: &Field, unit: UnitId) -> bool {
    let facts = field::facts(field, unit);
    match facts.arm {
        Arm::Engineers | Arm::Wagon => true,
        Arm::Artillery => facts.part.is_none() && field::troops(field, unit).crew_away,
        Arm::Infantry | Arm::Cavalry => facts.part_kind() == Some(Part::Holders),
    }
}

/// Enemies in contact with a unit who can fight.
pub fn opponents(field: &Field, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let side = field.side_of(unit);
    let contact = &field::troops(field, unit).contact;
    contact.iter().copied().filter(move |other| field.side_of(*other) != side && can_fight(field, *other))
}

/// Everybody who hangs together with a unit by contact.
fn gather(field: &Field, start: UnitId) -> Melee {
    let mut chain = Few::new();
    chain.push(start);
    let mut next = 0;
    while let Some(unit) = chain.get(next).copied() {
        next += 1;
        for other in opponents(field, unit) {
            if !chain.contains(&other) {
                chain.push(other);
            }
        }
    }
    chain.sort_unstable();
    let mut melee = Melee::default();
    for unit in chain {
        melee.fighters[field.side_of(unit)].push(unit);
        if is_ridden_down(field, unit) {
            melee.ridden_down.push(unit);
        }
    }
    melee
}

/// Skirmishing foot in the open whom mounted troops have reached (days.17.2.7-h).
fn is_ridden_down(field: &Field, unit: UnitId) -> bool {
    let loose = field::skirmishes(field, unit) && field::is_foot(field, unit);
    loose && opponents(field, unit).any(|horse| field::is_mounted(field, horse) && is_open(field, unit, horse))
}

/// Whether a unit has nothing to shelter it from an enemy.
pub fn is_open(field: &Field, unit: UnitId, enemy: UnitId) -> bool {
    target::cover_against(field, unit, enemy).is_none()
}

/// Where a unit stands: the middle of its command stand. Its front edge lies on the enemy's.
pub fn place(field: &Field, unit: UnitId) -> Vec2 {
    let depth = field::facts(field, unit).stand_in(field::formation(field, unit)).depth;
    field::command_pose(field, unit).ahead(-depth.half()).at.vec()
}

/// Whether a unit charges in this fight: its charge has come home, or it broke through to the enemy (days.17.5.4-d).
pub fn is_charging(field: &Field, unit: UnitId) -> bool {
    let own = field::troops(field, unit);
    let home = own.charge.as_deref().is_some_and(|charge| charge.stage == ChargeStage::Home);
    home || breaks_through(field, unit)
}

/// Whether it is in this fight by a break-through.
pub fn breaks_through(field: &Field, unit: UnitId) -> bool {
    let own = field::troops(field, unit);
    own.broke_into.is_some_and(|(into, _)| own.contact.contains(&into))
}

/// Friends who back up the units of a fight that are in line.
fn supports(field: &Field, fighters: &Few, engaged: &Few, taken: &Few) -> Few {
    let lines = fighters.iter().copied().filter(|unit| field::shape(field, *unit) == Shape::Line);
    let lines: Few = lines.collect();
    let Some(side) = lines.first().map(|unit| field.side_of(*unit)) else { return Few::new() };
    let free = |id: UnitId, unit: &Unit<super::super::Days>| {
        unit.own.contact.is_empty()
            && unit.own.charge.is_none()
            && !field::is_hidden(unit)
            && !engaged.contains(&id)
            && !taken.contains(&id)
            && field::is_formed(field, id)
            && field::order(field, id) < OrderState::Shaken
    };
    let units = field.present(side).filter(|(id, unit)| free(*id, unit)).map(|(id, _)| id);
    units.filter(|id| lines.iter().any(|front| backs_up(field, *id, *front))).collect()
}

/// Whether a unit stands right behind another and would face its enemy if that one were not there.
fn backs_up(field: &Field, unit: UnitId, front: UnitId) -> bool {
    let near = reach(field.charts().constant.contact);
    if !field::within(field, unit, front, near) {
        return false;
    }
    let (pose, behind) = (field.unit(front).pose(), field.unit(unit).pose());
    let depth = field::facts(field, front).stand.depth;
    let is_behind = pose.to_local(behind.at.vec()).y <= -(depth - SLACK).as_f64();
    let faces_alike = pose.facing.apart(behind.facing) <= ALIKE;
    let (left, right) = span(field, unit, front);
    let opposite = |enemy: UnitId| {
        let (from, to) = span(field, enemy, front);
        let (own_from, own_to) = span(field, front, front);
        let frontage = (greater(from, own_from), lesser(to, own_to));
        let ahead = behind.to_local(field.unit(enemy).quad().centre).y > 0.0;
        ahead && lesser(frontage.1, right) - greater(frontage.0, left) > SLACK.as_f64()
    };
    is_behind && faces_alike && opponents(field, front).any(opposite)
}

/// The most by which lines one behind the other may look apart: a shape, not a figure that is reckoned with.
// tidy: allow(what counts as standing behind, a ruling of the house)
const ALIKE: Angle = Angle::whole(45);

fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// From where to where a unit reaches along the front of another.
fn span(field: &Field, unit: UnitId, front: UnitId) -> (f64, f64) {
    let pose = field.unit(front).pose();
    let across = |place: &Vec2| pose.to_local(*place).x;
    let stands = field::stands(field, unit);
    let places = stands.iter().flat_map(|stand| stand.points().iter().map(across).collect::<Vec<_>>());
    places.fold((f64::MAX, f64::MIN), |(from, to), x| (lesser(from, x), greater(to, x)))
}

/// Stands that count: all of them, or only those in contact where one side is nothing but skirmishers.
pub fn numbers(field: &Field, melee: &Melee, side: Side) -> u32 {
    let loose = |side: Side| melee.counted(side).all(|unit| field::skirmishes(field, unit));
    let only_touching = Side::BOTH.into_iter().any(loose);
    let stands =
        |unit: UnitId| if only_touching { touching(field, unit) } else { u32::from(field::count(field, unit)) };
    melee.counted(side).map(stands).sum()
}

/// Stands of a unit that touch an enemy; at least one while it is in contact at all.
pub fn touching(field: &Field, unit: UnitId) -> u32 {
    let enemies: Few = opponents(field, unit).collect();
    let found = places_touched(field, unit, &enemies).count() as u32;
    found.max(u32::from(!enemies.is_empty()))
}

/// The places of a unit's stands that touch one of these enemies.
pub fn places_touched<'f>(field: &'f Field, unit: UnitId, enemies: &[UnitId]) -> impl Iterator<Item = usize> + 'f {
    let theirs: Vec<&[table::Quad]> = enemies.iter().map(|enemy| field::stands(field, *enemy)).collect();
    let touches = move |stand: &table::Quad| theirs.iter().any(|all| near(field::gap_of(&[*stand], all)));
    field::stands(field, unit).iter().enumerate().filter(move |(_, stand)| touches(stand)).map(|(no, _)| no)
}

/// Touching, as far as measuring tells.
fn near(gap: Length) -> bool {
    field::measured(gap) <= Length::ZERO
}

/// Whether a unit may shoot though it is in contact: it was struck by a break-through, stood, and the attackers touch
/// none of its friends (days.17.5.4-g).
pub fn may_still_shoot(field: &Field, unit: UnitId) -> bool {
    let side = field.side_of(unit);
    let struck_by = |enemy: UnitId| {
        let own = field::troops(field, enemy);
        let friends = own.contact.iter().any(|other| *other != unit && field.side_of(*other) == side);
        own.broke_into.is_some_and(|(into, _)| into == unit) && !friends
    };
    let contact = &field::troops(field, unit).contact;
    !contact.is_empty() && contact.iter().all(|enemy| struck_by(*enemy))
}
