//! Ghosts: where pieces would stand if an order were carried out, as far as no die and no enemy decides it.

use super::observer_key;
use super::speech::measure;
use crate::Guns;
use crate::evolution;
use crate::field::{Field, count, distance, facts, formation, troops};
use crate::formation::{Formation, Shape};
use crate::order::{Decision, Move, Order, Placement, Step};
use crate::plot;
use crate::unit::Observer;
use book::telling::drawn::{officer, spent_in, stands, trail};
use engine::scene::Ghost;
use engine::{Asked, CommanderId, Side, UnitId, View, facade};
use table::march::Leg;
use table::{Length, Point, Pose, Quad, Track};

/// A path of more legs than this is not drawn.
const MOST_LEGS: usize = 24;
/// Nor is a plan of more steps for one unit.
const MOST_STEPS: usize = 8;

/// Where the pieces of an order would stand.
pub fn ghosts(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: &Order) -> Vec<Ghost> {
    let field: &Field = view;
    let mut ghosts: Vec<Ghost> = match (&asked.decision, order) {
        (Decision::Deploy, Order::Deploy { units, commanders, observers, .. }) => {
            let mut all: Vec<Ghost> = units.iter().filter_map(|place| placed(field, side, place)).collect();
            let own = |id: CommanderId| field.muster().commander(id).side == side;
            all.extend(
                commanders
                    .iter()
                    .filter(|place| own(place.commander))
                    .map(|place| officer(field, place.commander, place.pose)),
            );
            let own = observers.iter().filter(|place| field.side_of(place.battery) == side);
            all.extend(own.map(|place| watcher(field, place.battery, place.at)));
            all
        }
        (Decision::Plot, Order::Plot { moves, .. }) => moved(field, side, moves),
        (Decision::Plot, Order::Pass) => moved(field, side, &plot::dutiful(field, side)),
        _ => Vec::new(),
    };
    ghosts.retain(|ghost| !ghost.stands.is_empty());
    ghosts
}

fn placed(field: &Field, side: Side, place: &Placement) -> Option<Ghost> {
    let (unit, card) = (place.unit, facts(field, place.unit));
    if field.side_of(unit) != side {
        return None;
    }
    let elements = if card.is_battery() { 1 } else { card.elements };
    Some(standing(field, unit, place.formation, elements, place.pose))
}

/// A unit of so many elements in a pose; drawn from the roster, for it may not be on the table yet.
fn standing(field: &Field, unit: UnitId, formation: Formation, elements: u8, pose: Pose) -> Ghost {
    let layout = facts(field, unit).layout(formation, elements);
    Ghost {
        key: format!("@{}", field.card(unit).key),
        pose,
        stands: layout.quads(pose).map(|quad| facade::corners(&quad)).collect(),
        trail: Vec::new(),
        spent: String::new(),
    }
}

/// The ghosts of a plan: every piece of this side that would stand elsewhere or otherwise.
pub fn moved(field: &Field, side: Side, moves: &[Move]) -> Vec<Ghost> {
    let ours = |id: UnitId| field.side_of(id) == side;
    let there = |id: UnitId| ours(id) && field.unit(id).is_present();
    let mut ghosts = Vec::with_capacity(moves.len());
    for one in moves {
        match one {
            Move::March { unit, steps, .. } if there(*unit) => ghosts.extend(marched(field, *unit, steps)),
            Move::Charge { unit, at, legs, .. } if there(*unit) && field.unit(*at).is_present() => {
                ghosts.extend(charged(field, *unit, *at, legs));
            }
            Move::Ride { commander, to } => ghosts.extend(ridden(field, side, *commander, *to)),
            Move::Join { commander, unit } if there(*unit) => {
                let to = Point::from_vec(field.unit(*unit).quad().centre);
                ghosts.extend(ridden(field, side, *commander, to));
            }
            Move::Observe { battery, to } if there(*battery) => ghosts.push(watcher(field, *battery, *to)),
            Move::Screen { screen, parents, pose } if ours(*screen) => {
                let elements =
                    u8::try_from(parents.len()).unwrap_or(u8::MAX).min(facts(field, *screen).elements.max(1));
                ghosts.push(standing(field, *screen, Formation::usual(Shape::Extended), elements, *pose));
            }
            _ => {}
        }
    }
    ghosts
}

/// What becomes of a unit by its steps.
struct Walk {
    pose: Pose,
    formation: Formation,
    trail: Vec<Point>,
    cost: Length,
}

/// Follows the steps of a plan; distance and changes of formation are counted.
fn walk(field: &Field, unit: UnitId, steps: &[Step]) -> Option<Walk> {
    if steps.len() > MOST_STEPS {
        return None;
    }
    let (facts, elements) = (facts(field, unit), count(field, unit));
    let start = field.unit(unit).pose();
    let mut walk = Walk { pose: start, formation: formation(field, unit), trail: vec![start.at], cost: Length::ZERO };
    for step in steps {
        match step {
            Step::March(legs) if legs.len() > MOST_LEGS => return None,
            Step::March(legs) => {
                let track = Track::plot(walk.pose, facts.footprint(walk.formation, elements), legs);
                walk.trail.extend(trail(&track));
                walk.cost += track.length();
                walk.pose = track.end();
            }
            Step::Form(into) => {
                if evolution::objection(facts, troops(field, unit).mounted, *into, elements).is_some() {
                    return None;
                }
                let cost = evolution::cost(field, unit, walk.formation, *into).map_or(Length::ZERO, |(cost, _)| cost);
                walk.cost += cost;
                walk.formation = *into;
            }
            Step::Mount | Step::Dismount => walk.cost += distance(field, &field.charts().evolution.mounting),
            Step::Unlimber => walk.formation = Formation::usual(Shape::Deployed),
            Step::Limber => walk.formation = Formation::usual(Shape::Limbered),
            Step::Fire => {}
        }
    }
    walk.trail.dedup();
    Some(walk)
}

fn marched(field: &Field, unit: UnitId, steps: &[Step]) -> Option<Ghost> {
    let walk = walk(field, unit, steps)?;
    let (cost, most, pose, formation) = plot::move_cost(field, unit, steps);
    let spent = match cost > Length::ZERO {
        true => spent_in(cost, (most > Length::ZERO).then_some(most), measure(field)),
        false => String::new(),
    };
    let trail = if walk.trail.len() > 1 { walk.trail } else { Vec::new() };
    Some(Ghost { trail, spent, ..stands(field, unit, formation, pose) })
}

/// A charge as far as its legs take it; without legs, as far as anybody can see it would go.
fn charged(field: &Field, unit: UnitId, at: UnitId, legs: &[Leg]) -> Option<Ghost> {
    if legs.len() > MOST_LEGS {
        return None;
    }
    let way = match legs {
        [] => plot::charge_targets(field, unit).into_iter().find(|(target, _)| *target == at).map(|found| found.1)?,
        legs => legs.to_vec(),
    };
    marched(field, unit, &[Step::March(way)])
}

fn ridden(field: &Field, side: Side, who: CommanderId, to: Point) -> Option<Ghost> {
    let rider = field.commander(who);
    if field.muster().commander(who).side != side || !rider.is_present() {
        return None;
    }
    let cost = rider.pose.at.distance(to);
    let reach = distance(field, &field.charts().pace.general);
    let pose = Pose { at: to, facing: rider.pose.facing };
    Some(Ghost { spent: spent_in(cost, Some(reach), measure(field)), ..officer(field, who, pose) })
}

/// A battery's observer somewhere else.
fn watcher(field: &Field, battery: UnitId, to: Point) -> Ghost {
    let from = match troops(field, battery).observer {
        Some(Observer::At(at)) => Some(at),
        _ => None,
    };
    let reach = distance(field, &field.charts().pace.observer);
    let quad = Quad::of_square(to.vec(), facts(field, battery).element.depth.half());
    Ghost {
        key: format!("@{}", observer_key(field, battery)),
        pose: Pose { at: to, facing: field.unit(battery).pose().facing },
        stands: vec![facade::corners(&quad)],
        trail: from.map(|from| vec![from, to]).unwrap_or_default(),
        spent: from.map(|from| spent_in(from.distance(to), Some(reach), measure(field))).unwrap_or_default(),
    }
}
