//! Everything else a plan may hold: cover to line, generals and observers, gunners who return, lying down
//! (R56, R59, R66, R67, R70, R71).

use super::charge;
use super::ground::lone_way;
use super::limits;
use super::route::{Route, battery_formation};
use super::space;
use crate::clause::Clause;
use crate::defence;
use crate::field::{self, Field, distance, facts, is_there, troops};
use crate::formation::{Formation, Shape};
use crate::order::Move;
use crate::pace::Payer;
use crate::unit::{Cycle, Observer};
use engine::{CommanderId, FeatureId, Mark, Side, UnitId, Verdict};
use table::{Length, Point, SLACK};

/// Judges cover to be lined or held at the end of a way.
pub fn check_defend(field: &Field, route: &Route, id: FeatureId, verdict: &mut Verdict) {
    let (unit, end, facts) = (route.unit, route.end(), facts(field, route.unit));
    let on_foot = !facts.is_battery() && !facts.is_mounted(&with_mount(field, unit, end.mounted));
    for reason in defence::unfit(field, id, on_foot) {
        verdict.refuse(Clause::DefendersLoose, reason).about(unit);
    }
    let Some(feature) = space::feature(field, id) else { return };
    let spot = Mark::Spot(end.pose.at);
    let elements = route.elements(field, end);
    let front = usize::from(end.formation.files_of(field::count(field, unit)));
    if let Some(reason) = defence::misplaced(feature, &elements, front, facts.width()) {
        verdict.refuse(Clause::DefendersLoose, reason).about(unit).at(spot.clone());
    }
    if !feature.shape.is_line() && end.formation.shape != Shape::Loose {
        let text = format!("to hold {} it must take up loose order", field::feature_name(feature));
        verdict.refuse(Clause::DefendersLoose, text).about(unit).at(spot.clone());
    }
    if !defence::has_room(field, unit, id, feature) {
        let text = format!("{} is full", field::feature_name(feature));
        verdict.refuse(Clause::DefendersLoose, text).about(unit).at(spot);
    }
}

fn with_mount(field: &Field, unit: UnitId, mounted: bool) -> crate::unit::Troops {
    let mut own = troops(field, unit).clone();
    own.mounted = mounted;
    own
}

/// Whether a way ends with the whole unit in one area that gives cover.
pub fn ends_in_cover(field: &Field, route: &Route) -> bool {
    let elements = route.elements(field, route.end());
    let mut areas = field.ground().features.iter().filter(|feature| field::cover_of(feature.kind).is_some());
    areas.any(|feature| defence::is_inside(feature, &elements))
}

/// The perimeter a unit holds by standing in it with all its elements in loose order, where there is room for it (R59).
pub fn garrisoned(field: &Field, unit: UnitId) -> Option<FeatureId> {
    let piece = field.unit(unit);
    if !field::is_foot(field, unit) || piece.body.formation.shape != Shape::Loose || facts(field, unit).screen {
        return None;
    }
    let elements = field::elements(field, unit);
    let areas = space::features(field).filter(|(_, feature)| field::is_perimeter(feature.kind));
    let mut open = areas.filter(|(id, _)| !field::is_ablaze(field, *id));
    open.find(|(id, feature)| defence::is_inside(feature, &elements) && defence::has_room(field, unit, *id, feature))
        .map(|(id, _)| id)
}

fn is_own_general(field: &Field, side: Side, general: CommanderId, verdict: &mut Verdict) -> bool {
    let known = general.index() < field.muster().commanders.len();
    let own = known && field.muster().commander(general).side == side;
    let able = own && field.commander(general).is_present() && field.commander(general).own.is_fit();
    if !able {
        verdict.refuse(Clause::GeneralsPace, "that is no general of yours fit to ride");
    }
    able
}

/// Judges a ride.
pub fn check_ride(field: &Field, side: Side, general: CommanderId, to: Point, verdict: &mut Verdict) {
    if !is_own_general(field, side, general, verdict) {
        return;
    }
    let stand = field.muster().commander(general).facts.stand;
    let pose = table::Pose { at: to, facing: field.commander(general).pose.facing };
    if !field.ground().holds(&stand.quad(pose)) {
        verdict.refuse(Clause::GeneralsPace, "that is off the table").at(Mark::Spot(to));
    }
    check_way(field, field.commander(general).pose.at, to, Payer::Horse, verdict);
}

/// Distance and ground of a lone counter.
fn check_way(field: &Field, from: Point, to: Point, payer: Payer, verdict: &mut Verdict) {
    let pace = &field.charts().pace;
    let (have, clause) = match payer {
        Payer::Foot => (distance(field, &pace.observer), Clause::ObserverCounter),
        _ => (distance(field, &pace.general), Clause::GeneralsPace),
    };
    let line = Mark::Line(from, to);
    match lone_way(field, payer, from.vec(), to.vec()) {
        Ok(cost) if Length::from_um(cost) <= have + SLACK => {}
        Ok(cost) => {
            let show = |length: Length| field::show(field, length);
            let text = format!("his move is {} and this takes {}", show(have), show(Length::from_um(cost)));
            verdict.refuse(clause, text).at(line);
        }
        Err((feature, clause)) => {
            let what = space::called(field, feature);
            verdict.refuse(clause, format!("{what} is in the way")).at(line);
        }
    }
}

/// Judges a general who joins a unit: one under his command, near enough to ride to.
pub fn check_join(field: &Field, side: Side, general: CommanderId, unit: UnitId, verdict: &mut Verdict) {
    if !is_own_general(field, side, general, verdict) {
        return;
    }
    let own = unit.index() < field.muster().units.len() && field.side_of(unit) == side && is_there(field, unit);
    let chain = own.then(|| field::brigade(field, unit)).flatten().map(|brigade| field::chain(field, brigade));
    if !chain.is_some_and(|chain| chain.contains(&general)) {
        verdict.refuse(Clause::OrdersToBelow, "he rides with units under his command only");
        return;
    }
    check_way(field, field.commander(general).pose.at, meeting_place(field, general, unit), Payer::Horse, verdict);
}

/// Where a general meets a unit: the nearest point of it.
pub fn meeting_place(field: &Field, general: CommanderId, unit: UnitId) -> Point {
    let from = field.commander(general).pose.at.vec();
    Point::from_vec(table::convex::nearest_points(field.unit(unit).quad().points(), &[from]).0)
}

/// Judges the leader of a charge; he does not ride away in the same bound.
pub fn check_leader(
    field: &Field,
    side: Side,
    unit: UnitId,
    general: CommanderId,
    moves: &[Move],
    verdict: &mut Verdict,
) {
    if !is_own_general(field, side, general, verdict) {
        return;
    }
    if let Some((clause, text)) = charge::leader_objection(field, unit, general) {
        verdict.refuse(clause, text).about(unit);
    }
    let leaves = moves.iter().any(
        |line| matches!(line, Move::Ride { commander, .. } | Move::Join { commander, .. } if *commander == general),
    );
    if leaves {
        verdict.refuse(Clause::RiskLeading, "whoever leads a charge stays with it").about(unit);
    }
}

/// Judges an observer's walk.
pub fn check_observe(field: &Field, battery: UnitId, to: Point, verdict: &mut Verdict) {
    match troops(field, battery).observer {
        Some(Observer::At(from)) if is_there(field, battery) => {
            if !field.ground().bounds().contains(to.vec()) {
                verdict.refuse(Clause::ObserverCounter, "that is off the table").about(battery).at(Mark::Spot(to));
            }
            check_way(field, from, to, Payer::Foot, verdict);
        }
        _ => drop(verdict.refuse(Clause::ObserverNeeded, "it has no observer on the table").about(battery)),
    }
}

/// Judges gunners who go back to their guns: no enemy may stand on them.
pub fn check_return(field: &Field, battery: UnitId, verdict: &mut Verdict) {
    let own = troops(field, battery);
    if own.cycle != Cycle::Abandoned || !is_there(field, battery) {
        verdict.refuse(Clause::GunnersTookCover, "its gunners are with their guns").about(battery);
    } else if !may_return(field, battery) {
        verdict.refuse(Clause::GunnersTookCover, "enemies stand on the guns").about(battery);
    }
}

/// Whether gunners may go back: guns free of enemies.
pub fn may_return(field: &Field, battery: UnitId) -> bool {
    let own = field.unit(battery);
    // Marchers halt at the standoff, so whoever is that near has his hand on the guns (R66).
    let standoff = field::distance(field, &field.charts().pace.standoff);
    let enemies = field.present(own.side.other());
    let mut near = enemies.filter(|(_, enemy)| !field::surely_beyond(own.quad(), enemy.quad(), standoff));
    is_there(field, battery)
        && own.own.cycle == Cycle::Abandoned
        && own.own.touched.is_none()
        && !near.any(|(id, _)| field::within(field, battery, id, standoff))
}

/// The formation of guns their crew has come back to.
pub fn manned() -> Formation {
    battery_formation(Cycle::Deployed)
}

/// Judges lying down at will.
pub fn check_lie_down(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    if let Some((clause, text)) = lie_down_objection(field, unit) {
        verdict.refuse(clause, text).about(unit);
    }
}

/// Why a unit may not lie down at will.
pub fn lie_down_objection(field: &Field, unit: UnitId) -> Option<limits::Reason> {
    if !field.settings().prone_at_will {
        return Some((Clause::ProneAtWill, "troops lie down only after flinching".to_owned()));
    }
    if !field::is_foot(field, unit) || !facts(field, unit).weapon.breech {
        return Some((Clause::FailedLiesDown, "only foot with breech-loaders lies down".to_owned()));
    }
    limits::helpless(field, unit)
}
