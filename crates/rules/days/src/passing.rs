//! What crossed whose arc, for fire in the next Shooting Phase. days.17.3-o, A-32.

use super::Days;
use super::clause::Clause;
use super::event::{Crossing, DaysEvent, TurnStep};
use super::field::{self, Field, is_hidden, surely_beyond};
use super::shooting::aim::Firer;
use super::shooting::weapon;
use super::target;
use engine::{Event, StandSet, Umpire, UnitId};
use smallvec::SmallVec;
use table::{Length, Pose, Quad};

/// Places looked at along a move; a body is a good deal wider than the way between two of them.
const LOOKS: u16 = 6;

/// More than measuring to hundredths of an inch could hide.
const MEASURING: Length = Length::um(1_000);

/// Whether a unit has stood still long enough for a passing shot.
fn stands_still(field: &Field, unit: UnitId) -> bool {
    let troops = field::troops(field, unit);
    !troops.turn.moved && !troops.turn.reformed
}

/// After a unit moved from one pose to another in the Movement Phase or in an impulse: every enemy that has neither moved
/// nor changed formation remembers it if it crossed its arc in range and sight.
pub fn record(umpire: &mut Umpire<'_, Days>, unit: UnitId, from: Pose) {
    let field = umpire.state();
    let step = field.ledger().step;
    if matches!(step, TurnStep::Shooting) || step >= TurnStep::Routers || !field::is_there(field, unit) {
        return;
    }
    if field.ledger().crossings.iter().any(|crossing| crossing.seen_by == unit) {
        umpire.announce(Event::own(Clause::PassingShots, DaysEvent::CrossingsGone { seen_by: unit }));
    }
    let field = umpire.state();
    if is_hidden(field.unit(unit)) {
        return;
    }
    let places = places(field, unit, from);
    let enemy = field.side_of(unit).other();
    let mut found: Vec<Crossing> = Vec::new();
    for (viewer, one) in field::known(field, enemy) {
        if !stands_still(field, viewer) {
            continue;
        }
        let range = super::shooting::range(field, viewer);
        // By the circles around them first, then by the rectangles.
        let beyond = range + MEASURING;
        let far = |quad: &Quad| surely_beyond(one.quad(), quad, range) || table::gap(one.quad(), quad) > beyond;
        if range == Length::ZERO || places.iter().all(far) || !weapon::silence(field, viewer).is_empty() {
            continue;
        }
        found.extend(crossing(field, viewer, unit, &places));
    }
    for crossing in found {
        umpire.announce(Event::own(Clause::PassingShots, DaysEvent::Crossed { crossing }));
    }
}

/// What one enemy remembers of a unit that came from a pose to where it now stands.
pub fn crossing_of(field: &Field, viewer: UnitId, unit: UnitId, from: Pose) -> Option<Crossing> {
    crossing(field, viewer, unit, &places(field, unit, from))
}

/// Where a body was on its way, the end of it last.
fn places(field: &Field, unit: UnitId, from: Pose) -> Vec<Quad> {
    let to = field.unit(unit).pose();
    let footprint = field.footprint(unit, field::formation(field, unit));
    let (first, last) = (footprint.quad(from), footprint.quad(to));
    // Its middle goes along, turned as it ends: whoever faces about stays on the ground he stands on.
    let at = |no: u16| {
        let left = f64::from(LOOKS - no) / f64::from(LOOKS);
        if no == 0 { first } else { footprint.quad(to.shifted((first.centre - last.centre) * left)) }
    };
    (0..=LOOKS).map(at).collect()
}

/// How far off the places of a way are that lie in somebody's arcs, with their numbers.
fn distances(firer: &Firer<'_>, way: &[Quad]) -> SmallVec<[(Length, usize); LOOKS as usize]> {
    way.iter().enumerate().filter_map(|(no, place)| Some((firer.nearest_in_arc(place)?, no))).collect()
}

/// What one enemy saw pass nearer than he can shoot at it in the ordinary way, if he can at all.
fn crossing(field: &Field, viewer: UnitId, unit: UnitId, places: &[Quad]) -> Option<Crossing> {
    if !weapon::spared_in_passing(field, viewer, unit).is_empty() {
        return None;
    }
    let firer = Firer::heedless(field, viewer)?;
    let (end, way) = places.split_last()?;
    let end_at = firer.nearest_in_arc(end);
    // Whoever only comes nearer is shot at where he ends, if he can be: how far off he was before need not be measured.
    let comes_nearer = end_at.is_some_and(|end_at| way.iter().all(|place| firer.least_in_arc(place) >= Some(end_at)));
    let known = (!comes_nearer).then(|| distances(&firer, way));
    if known.as_ref().is_some_and(SmallVec::is_empty) {
        return None;
    }
    let outlook = firer.outlook(unit, places)?;
    let firer = firer.minding_friends();
    // Whoever ends as near as he ever was, and where he can be shot at, is shot at there.
    let at_end = end_at.filter(|_| firer.bears_at(&outlook, end));
    if comes_nearer && at_end.is_some() {
        return None;
    }
    // The nearest are looked at first: where they can be shot at, the others need no look.
    let mut near = known.unwrap_or_else(|| distances(&firer, way));
    near.sort_unstable();
    let mut best: Option<(Length, usize)> = None;
    for (near, no) in near {
        if at_end.is_some_and(|least| near >= least) || best.is_some_and(|least| (near, no) > least) {
            break;
        }
        // Of equals the first place counts, so that an equal one before it may still be the best.
        let just_beyond = |(least, _): (Length, usize)| least + Length::um(1);
        let below = [at_end, best.map(just_beyond)].into_iter().flatten().min().unwrap_or(Length::MAX);
        let Some(at) = firer.nearest_bearing(&outlook, &way[no], below) else { continue };
        if best.is_none_or(|least| (at, no) < least) {
            best = Some((at, no));
        }
    }
    let (at, no) = best?;
    let known = &field.ledger().crossings;
    let nearer = |old: &Crossing| old.seen_by == viewer && old.unit == unit && old.at <= at;
    if known.iter().any(nearer) {
        return None;
    }
    let (_, grades) = firer.weapon.band(at)?;
    // Who all bear on it is asked once, where it matters.
    let by: StandSet = firer.bearings_at(&outlook, &way[no]).map(|bearing| bearing.stand).collect();
    let cover = target::cover_of(field, unit, &[way[no]], field.unit(viewer).quad().centre);
    let (class, _) = target::column(field, grades, &target::classes_with(field, unit, cover));
    Some(Crossing { seen_by: viewer, unit, at, class, by, turn: field.turn() })
}

/// What a unit may still shoot at as it passed: it has stood still since, and the target is still there to be hit.
pub fn all(field: &Field, unit: UnitId) -> impl Iterator<Item = &Crossing> {
    let (now, troops) = (field.turn(), field::troops(field, unit));
    let still = stands_still(field, unit);
    let steady = troops.steady;
    let mine = field.ledger().crossings.iter().filter(move |crossing| crossing.seen_by == unit && still);
    mine.filter(move |crossing| crossing.turn == now || (steady && crossing.turn + 1 == now)).filter(move |crossing| {
        field::is_there(field, crossing.unit) && field::troops(field, crossing.unit).contact.is_empty()
    })
}

/// Whether it saw anything pass.
pub fn any(field: &Field, unit: UnitId) -> bool {
    all(field, unit).next().is_some()
}

/// The nearest it saw this target pass.
pub fn seen(field: &Field, unit: UnitId, target: UnitId) -> Option<&Crossing> {
    all(field, unit).filter(|crossing| crossing.unit == target).min_by_key(|crossing| crossing.at)
}

/// After the Shooting Phase the old ones are forgotten.
pub fn forget(umpire: &mut Umpire<'_, Days>) {
    let mut viewers: Vec<UnitId> = umpire.state().ledger().crossings.iter().map(|crossing| crossing.seen_by).collect();
    viewers.sort_unstable();
    viewers.dedup();
    for seen_by in viewers {
        umpire.announce(Event::own(Clause::PassingShots, DaysEvent::CrossingsGone { seen_by }));
    }
}
