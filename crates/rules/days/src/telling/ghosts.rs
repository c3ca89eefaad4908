//! Ghosts: where pieces would stand if an order were carried out, as far as no die and no enemy decides it.

use crate::Days;
use crate::charge::way;
use crate::charts::reach;
use crate::detachment::screen;
use crate::field::{self, Field, facts, formation};
use crate::formation::{Formation, Shape};
use crate::movement;
use crate::order::{Charger, Decision, Order, Placement, Step};
use crate::unit::{ChargeKind, Part};
use crate::{arrival, evolution, rout, staff};
use book::telling::drawn::{officer, spent, stands, trail};
use engine::scene::Ghost;
use engine::{Asked, CommanderId, Side, UnitId, View, facade};
use table::march::{Leg, Track};
use table::{Length, Point, Pose};

/// A path of more legs than this is not drawn.
const MOST_LEGS: usize = 24;

/// Ghosts of an order.
pub fn ghosts(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> Vec<Ghost> {
    let field: &Field = view;
    let ours = |id: &UnitId| id.index() < field.muster().units.len() && field.side_of(*id) == side;
    let here = |id: &UnitId| ours(id) && field.unit(*id).is_present();
    let mut ghosts: Vec<Ghost> = match (&asked.decision, order) {
        (Decision::Reserves, Order::Reserve { hidden, .. }) => {
            hidden.iter().filter(|place| ours(&place.unit)).map(|place| placed(field, place)).collect()
        }
        (Decision::Deploy | Decision::DeployBrigade { .. }, Order::Deploy { units, commanders, .. }) => {
            let own = |id: CommanderId| field.muster().commander(id).side == side;
            let staff = commanders.iter().filter(|place| own(place.commander));
            let units = units.iter().filter(|place| ours(&place.unit)).map(|place| placed(field, place));
            units.chain(staff.map(|place| officer(field, place.commander, place.pose))).collect()
        }
        (Decision::Charges, Order::Charge { declarations }) => {
            charging(field, ChargeKind::Declared, side, declarations)
        }
        (Decision::Opportunity, Order::Charge { declarations }) => {
            charging(field, ChargeKind::Opportunity, side, declarations)
        }
        (Decision::React { unit, .. }, Order::Reform { formation: to, facing }) if here(unit) => {
            vec![reformed(field, *unit, *to, *facing)]
        }
        (Decision::React { unit, by }, Order::Evade { to }) if here(unit) => {
            evading(field, *unit, by.first().copied(), *to).into_iter().collect()
        }
        (Decision::Move, Order::March { unit, steps, .. }) if ours(unit) => {
            marched(field, *unit, steps).into_iter().collect()
        }
        (Decision::Move, Order::ForcedMarch { marches, .. }) => marches
            .iter()
            .filter(|march| here(&march.unit))
            .filter_map(|march| forced(field, march.unit, &march.legs))
            .collect(),
        (Decision::Move, Order::Screen { unit, stands, pose }) if here(unit) => {
            screened(field, *unit, *stands, *pose).into_iter().collect()
        }
        (Decision::Move, Order::Return { unit }) if ours(unit) => {
            let back = movement::return_pose(field, *unit);
            back.map(|pose| stands(field, *unit, formation(field, *unit), pose)).into_iter().collect()
        }
        (Decision::Move, Order::Ride { general, to }) => {
            ridden(field, side, *general, staff::ride::pose_at(field, *general, *to)).into_iter().collect()
        }
        (Decision::Move, Order::Join { general, unit }) if here(unit) => {
            let pose = staff::post::beside(field, *unit, staff::post::Who::General(*general));
            ridden(field, side, *general, pose).into_iter().collect()
        }
        _ => Vec::new(),
    };
    ghosts.retain(|ghost| !ghost.stands.is_empty());
    ghosts
}

/// Drawn from the roster, for it may not be on the table yet.
fn placed(field: &Field, place: &Placement) -> Ghost {
    let count = field::count(field, place.unit).max(1);
    let layout = facts(field, place.unit).layout(place.formation, count);
    Ghost {
        key: format!("@{}", field.card(place.unit).key),
        pose: place.pose,
        stands: layout.quads(place.pose).map(|quad| facade::corners(&quad)).collect(),
        trail: Vec::new(),
        spent: String::new(),
    }
}

/// Each charger after its 1st Impulse; a charge of opportunity where it meets its enemy.
fn charging(field: &Field, kind: ChargeKind, side: Side, all: &[crate::order::Declaration]) -> Vec<Ghost> {
    let known = |id: UnitId| id.index() < field.muster().units.len() && field.unit(id).is_present();
    let mut ghosts = Vec::new();
    for declaration in all.iter().filter(|one| known(one.at)) {
        let own = |charger: &&Charger| known(charger.unit) && field.side_of(charger.unit) == side;
        for charger in declaration.units.iter().filter(own) {
            let Ok(way) = way::lay(field, kind, charger, declaration.at) else { continue };
            let far = match kind {
                ChargeKind::Declared => charger.advance.unwrap_or_else(|| way.longest(field)),
                ChargeKind::Opportunity => way.straight,
            };
            let far = far.max(Length::ZERO).min(way.straight);
            let from = field.unit(charger.unit).pose().at;
            let end = way.start.ahead(far);
            let ghost = stands(field, charger.unit, way.formation, end);
            let told = spent(way.spent(), Some(way.allowance));
            ghosts.push(Ghost { trail: vec![from, way.start.at, end.at], spent: told, ..ghost });
        }
    }
    ghosts
}

fn reformed(field: &Field, unit: UnitId, to: Formation, facing: Option<table::Angle>) -> Ghost {
    let (pose, now) = (field.unit(unit).pose(), formation(field, unit));
    let end = match facing.filter(|facing| to == now && *facing != pose.facing) {
        None => evolution::reformed_pose(field, unit, to),
        Some(facing) => {
            let leg = if facing == pose.facing.reversed() { Leg::About } else { Leg::Turn(facing - pose.facing) };
            Track::plot(pose, field.footprint(unit, now), &[leg]).end()
        }
    };
    stands(field, unit, to, end)
}

/// Straight back from the charger as far as it may get, or at the place it runs to.
fn evading(field: &Field, unit: UnitId, from: Option<UnitId>, to: Option<Point>) -> Option<Ghost> {
    let far = rout::evading_distance(field, unit);
    let way = rout::would_get(field, unit, from?, to)?;
    let end = field.unit(unit).pose().shifted(way);
    let gone = Length::from_um(way.length());
    Some(Ghost { spent: spent(gone, Some(far)), ..stands(field, unit, formation(field, unit), end) })
}

fn marched(field: &Field, unit: UnitId, steps: &[Step]) -> Option<Ghost> {
    let legs: usize = steps.iter().map(|step| if let Step::March(legs) = step { legs.len() } else { 0 }).sum();
    let there = field.unit(unit).is_present();
    if legs > MOST_LEGS || steps.len() > MOST_LEGS || !(there || movement::limits::waits(field, unit)) {
        return None;
    }
    let judged = movement::judge(field, unit, steps);
    let cost = judged.spent();
    let told = if cost > Length::ZERO && cost < Length::MAX {
        spent(cost, (judged.allowance > Length::ZERO).then_some(judged.allowance))
    } else {
        String::new()
    };
    let ghost = stands(field, unit, judged.formation, judged.end);
    Some(Ghost { trail: way_of(field, unit, steps), spent: told, ..ghost })
}

/// The way of the flag over all steps.
fn way_of(field: &Field, unit: UnitId, steps: &[Step]) -> Vec<Point> {
    let entry = arrival::entry(field, unit).filter(|_| !field.unit(unit).is_present());
    let (mut pose, mut now) = entry.unwrap_or((field.unit(unit).pose(), formation(field, unit)));
    let mut points = vec![pose.at];
    for step in steps {
        let to = match step {
            Step::March(legs) => {
                let track = Track::plot(pose, field.footprint(unit, now), legs);
                points.extend(trail(&track));
                pose = track.end();
                continue;
            }
            Step::Form(to) | Step::Dismount(to) => *to,
            Step::Mount => evolution::mounted_as(field, unit),
            Step::Limber => Formation::usual(Shape::Limbered),
            Step::Unlimber(shape) => Formation::usual(*shape),
        };
        pose = evolution::pose_after(field, unit, pose, now, to);
        now = to;
        points.push(pose.at);
    }
    points.dedup();
    if points.len() > 1 { points } else { Vec::new() }
}

fn forced(field: &Field, unit: UnitId, legs: &[Leg]) -> Option<Ghost> {
    if legs.len() > MOST_LEGS {
        return None;
    }
    let now = formation(field, unit);
    let track = Track::plot(field.unit(unit).pose(), field.footprint(unit, now), legs);
    let most = reach(evolution::pace(field, unit, now).forced);
    let told = spent(track.length(), Some(most));
    Some(Ghost { trail: trail(&track), spent: told, ..stands(field, unit, now, track.end()) })
}

/// Skirmishers before their unit.
fn screened(field: &Field, unit: UnitId, count: u8, pose: Option<Pose>) -> Option<Ghost> {
    let part = field::part(field, unit, Part::Screen)?;
    let count = count.min(field::count(field, unit));
    let pose = pose.unwrap_or_else(|| screen::usual_pose(field, unit));
    let layout = facts(field, part).layout(Formation::usual(Shape::Skirmish), count);
    Some(Ghost {
        key: format!("@{}", field.card(part).key),
        pose,
        stands: layout.quads(pose).map(|quad| facade::corners(&quad)).collect(),
        trail: vec![field.unit(unit).pose().at, pose.at],
        spent: String::new(),
    })
}

fn ridden(field: &Field, side: Side, who: CommanderId, to: Pose) -> Option<Ghost> {
    let rider = field.commander(who);
    if field.muster().commander(who).side != side || !rider.is_present() {
        return None;
    }
    let most = reach(field.charts().pace.staff.normal);
    Some(Ghost { spent: spent(rider.pose.at.distance(to.at), Some(most)), ..officer(field, who, to) })
}
