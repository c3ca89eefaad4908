//! May this charge be declared? All reasons against it, each under its clause.

use super::way::{self, Way};
use super::{declined_or_misplaced, drive, name, who};
use crate::Days;
use crate::charts::reach;
use crate::clause::Clause;
use crate::evolution;
use crate::field::{self, Field, measured, troops};
use crate::formation::Shape;
use crate::order::{Before, Charger, Declaration, Order};
use crate::sight;
use crate::space;
use crate::unit::ChargeKind;
use engine::verdict::Mark;
use engine::{Side, UnitId, Verdict, View};
use smallvec::SmallVec;
use table::march::{Leg, Track};
use table::{Length, Point};

/// Judges declarations: who may charge whom, and by which way.
pub fn check(view: &View<'_, Days>, side: Side, kind: ChargeKind, order: &Order) -> Verdict {
    let field: &Field = view;
    let Order::Charge { declarations } = order else {
        return declined_or_misplaced(order, Clause::NamingChargerAndTarget);
    };
    let mut verdict = Verdict::fine();
    let mut named: SmallVec<[UnitId; 8]> = SmallVec::new();
    for declaration in declarations {
        let ids = declaration.units.iter().map(|charger| charger.unit).chain([declaration.at]);
        if !ids.into_iter().all(|id| is_known(field, id)) {
            verdict.refuse(Clause::NamingChargerAndTarget, "there is no such unit");
            continue;
        }
        if declaration.units.is_empty() {
            verdict.refuse(Clause::NamingChargerAndTarget, "a charge needs somebody who charges");
        }
        for charger in &declaration.units {
            if field.side_of(charger.unit) != side {
                verdict.refuse(Clause::NamingChargerAndTarget, "it is not yours").about(charger.unit);
                continue;
            }
            if named.contains(&charger.unit) {
                verdict.refuse(Clause::NamingChargerAndTarget, "it is named twice").about(charger.unit);
                continue;
            }
            named.push(charger.unit);
            merge(&mut verdict, judge(field, kind, charger, declaration.at));
        }
        together(field, declaration, &mut verdict);
    }
    verdict
}

/// Whether there is such a unit at all.
pub fn is_known(field: &Field, unit: UnitId) -> bool {
    unit.index() < field.muster().units.len()
}

/// Whoever shares a test belongs to one brigade and stands close (days.17.2.2-e, A-107).
fn together(field: &Field, declaration: &Declaration, verdict: &mut Verdict) {
    let units: SmallVec<[UnitId; 4]> = declaration.units.iter().map(|charger| charger.unit).collect();
    let Some((first, others)) = units.split_first() else { return };
    if others.is_empty() {
        return;
    }
    let brigade = field::command(field, *first);
    if brigade.is_none() || others.iter().any(|unit| field::command(field, *unit) != brigade) {
        let text = "only units of one brigade charge together";
        verdict.refuse(Clause::OneTestForAGroup, text).among(units.to_vec());
    }
    let near = reach(field.charts().constant.charge_together);
    let mut linked: SmallVec<[UnitId; 4]> = SmallVec::from_slice(&[*first]);
    loop {
        let is_linked = |unit: &UnitId| linked.iter().any(|one| field::within(field, *one, *unit, near));
        match others.iter().find(|unit| !linked.contains(unit) && is_linked(unit)) {
            Some(unit) => linked.push(*unit),
            None => break,
        }
    }
    for unit in others.iter().filter(|unit| !linked.contains(unit)) {
        let text = format!("it is more than {near} from the others who charge with it");
        verdict.refuse(Clause::OneTestForAGroup, text).about(*unit);
    }
}

/// Whether this charge could be declared: the verdict for one unit alone.
pub fn judge(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId) -> Verdict {
    judge_going(field, kind, charger, at, || way_of(field, kind, charger, at))
}

/// The same for whoever knows what [`way_of`] says.
pub fn judge_going(
    field: &Field,
    kind: ChargeKind,
    charger: &Charger,
    at: UnitId,
    way: impl FnOnce() -> Verdict,
) -> Verdict {
    let unit = charger.unit;
    let mut verdict = who::able(field, kind, unit);
    if !field::is_there(field, unit) {
        return verdict;
    }
    let whom = who::whom(field, unit, at);
    let is_enemy = field.unit(at).is_present() && field.side_of(at) != field.side_of(unit);
    merge(&mut verdict, whom);
    merge(&mut verdict, who::squadron(field, kind, charger));
    if !is_enemy {
        return verdict;
    }
    forming(field, kind, charger, &mut verdict);
    merge(&mut verdict, way());
    if kind == ChargeKind::Opportunity {
        opportunity(field, unit, at, &mut verdict);
    }
    // Sight is dear: it is looked at only where nothing else forbids the charge.
    if verdict.is_legal() && !sight::sees(field, unit, at) {
        let text = format!("it does not see {}", name(field, at));
        verdict.refuse(Clause::NamingChargerAndTarget, text).about(unit).at(between(field, unit, at));
        verdict.refuse(sight::why_unseen(field, unit, at), "it is out of sight").about(unit);
    }
    verdict
}

/// A charge of opportunity goes straight from where it stands; close up if it has fired (days.17.4.11-c, -d).
fn opportunity(field: &Field, unit: UnitId, at: UnitId, verdict: &mut Verdict) {
    let near = reach(field.charts().constant.shot_charge);
    if troops(field, unit).turn.fired > 0 && !field::within(field, unit, at, near) {
        let text = format!("having fired it may charge only somebody within {near}");
        verdict.refuse(Clause::AfterFiringTwoInches, text).about(unit).at(between(field, unit, at));
    }
}

/// The change of formation before it goes.
fn forming(field: &Field, kind: ChargeKind, charger: &Charger, verdict: &mut Verdict) {
    let unit = charger.unit;
    if kind == ChargeKind::Opportunity && charger.before.is_some() {
        let text = "a charge of opportunity neither wheels nor changes formation";
        verdict.refuse(Clause::HalfAMoveStraightOn, text).about(unit);
    }
    let Some(Before::Form(to)) = charger.before else {
        if field::shape(field, unit) == Shape::March {
            let text = "a march column has to form up before it charges";
            verdict.refuse(Clause::The1stImpulse, text).about(unit);
        }
        return;
    };
    if matches!(to.shape, Shape::March | Shape::Square) {
        verdict.refuse(Clause::The1stImpulse, "nobody charges in that formation").about(unit);
    }
    if troops(field, unit).turn.reformed {
        verdict.refuse(Clause::OneChangePerTurn, "it has changed formation this turn").about(unit);
    }
    if evolution::changes_among_heavy_trees(field, unit, evolution::reformed_pose(field, unit, to), to) {
        verdict.refuse(Clause::ReFormingAmongTrees, "nobody changes formation in a heavy wood").about(unit);
    }
    if charger.squadron.is_some() {
        verdict.refuse(Clause::ChargingWithASquadron, "a squadron charges as its regiment stands").about(unit);
    }
    if to.shape == Shape::Skirmish {
        let text = "it cannot become skirmishers and charge at once";
        verdict.refuse(Clause::WhomSkirmishersMayCharge, text).about(unit);
    }
    merge(verdict, evolution::may_form(field, unit, to));
}

/// The way: long enough, short enough, open (C.8).
pub fn way_of(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId) -> Verdict {
    match way::lay(field, kind, charger, at) {
        Ok(way) => along(field, kind, charger, at, &way),
        Err((clause, text)) => {
            let mut verdict = Verdict::fine();
            verdict.refuse(clause, text).about(charger.unit).at(between(field, charger.unit, at));
            verdict
        }
    }
}

/// The same of a way that has been laid out.
pub(super) fn along(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId, way: &Way) -> Verdict {
    let mut verdict = Verdict::fine();
    verdict.refusals.extend(way.going.barred.iter().cloned());
    far_enough(field, kind, charger.unit, way, &mut verdict);
    let advance = first_impulse(field, kind, charger, way, &mut verdict);
    wheel_room(field, charger, &mut verdict);
    table_room(field, charger, way, &mut verdict);
    friends(field, kind, charger, way, advance, &mut verdict);
    others(field, charger.unit, at, way, &mut verdict);
    verdict
}

/// The verdict on a way that may be gone, and none on any other, for whoever does not ask why not. The ground under it,
/// which is dear to look at, is looked at last: `ground` lays the way over it.
pub(super) fn if_open(
    field: &Field,
    kind: ChargeKind,
    charger: &Charger,
    at: UnitId,
    way: Way,
    ground: impl FnOnce(Way) -> Way,
) -> Option<Verdict> {
    let mut verdict = Verdict::fine();
    let advance = first_impulse(field, kind, charger, &way, &mut verdict);
    if !verdict.is_legal() {
        return None;
    }
    friends(field, kind, charger, &way, advance, &mut verdict);
    if !verdict.is_legal() {
        return None;
    }
    table_room(field, charger, &way, &mut verdict);
    wheel_room(field, charger, &mut verdict);
    if !verdict.is_legal() {
        return None;
    }
    let way = ground(way);
    far_enough(field, kind, charger.unit, &way, &mut verdict);
    if !verdict.is_legal() || !way.going.barred.is_empty() {
        return None;
    }
    others(field, charger.unit, at, &way, &mut verdict);
    verdict.is_legal().then_some(verdict)
}

fn first_impulse(field: &Field, kind: ChargeKind, charger: &Charger, way: &Way, verdict: &mut Verdict) -> Length {
    match kind {
        ChargeKind::Declared => impulse(field, charger, way, verdict),
        ChargeKind::Opportunity => way.straight,
    }
}

/// Nobody wheels or forms up over the edge of the table.
fn table_room(field: &Field, charger: &Charger, way: &Way, verdict: &mut Verdict) {
    let stands = || field::stands_at(field, charger.unit, way.start, way.formation);
    if charger.before.is_some() && stands().iter().any(|stand| !field.ground().holds(stand)) {
        verdict.refuse(Clause::The1stImpulse, "some of it would leave the table").about(charger.unit);
    }
}

fn far_enough(field: &Field, kind: ChargeKind, unit: UnitId, way: &Way, verdict: &mut Verdict) {
    let (spent, most) = (measured(way.spent()), way.allowance);
    if spent <= most {
        return;
    }
    let clause = match kind {
        ChargeKind::Declared => Clause::HalfTheChargeLeft,
        ChargeKind::Opportunity => Clause::HalfAMoveStraightOn,
    };
    let text = format!("the charge takes {spent} with all that is taken off, and it has {most}");
    let end = way.start.ahead(way.straight).at;
    let mark = if field.settings().premeasuring {
        Mark::Measured(way.start.at, end, way.straight)
    } else {
        Mark::Line(way.start.at, end)
    };
    verdict.refuse(clause, text).about(unit).at(mark);
}

/// The 1st Impulse is over the one share of the way and no more than the other (days.17.2.3-a, A-05, A-112).
pub(super) fn impulse(field: &Field, charger: &Charger, way: &Way, verdict: &mut Verdict) -> Length {
    let (over, most) = (way.over(field), way.longest(field));
    // Nonsense is cut to size before it is measured: too long stays too long.
    let far = way.straight + way.allowance;
    let advance = charger.advance.map_or(most, |advance| measured(advance.max(Length::ZERO).min(far)));
    let mark = Mark::Line(way.start.at, way.start.ahead(way.straight).at);
    if advance <= over {
        let text = format!("the 1st Impulse has to go more than {over} straight on");
        verdict.refuse(Clause::The1stImpulse, text).about(charger.unit).at(mark);
    } else if advance > most {
        let text = format!("the 1st Impulse goes no more than {most} straight on");
        verdict.refuse(Clause::The1stImpulse, text).about(charger.unit).at(mark);
    }
    advance
}

/// A wheel sweeps nobody aside.
fn wheel_room(field: &Field, charger: &Charger, verdict: &mut Verdict) {
    let unit = charger.unit;
    let formation = match charger.before {
        Some(Before::Wheel(leg @ Leg::Wheel { .. })) => {
            let footprint = field.footprint(unit, field::formation(field, unit));
            let track = Track::plot(field.unit(unit).pose(), footprint, &[leg]);
            let solid = |other: UnitId| !space::is_passable(field, unit, other);
            for other in space::overlapped(field, unit, &track, &solid) {
                let text = format!("{} is in the way of the wheel", name(field, other));
                verdict.refuse(Clause::TurningByWheels, text).about(unit);
            }
            return;
        }
        Some(Before::Form(to)) => to,
        _ => return,
    };
    let pose = evolution::reformed_pose(field, unit, formation);
    for other in space::crowded(field, unit, pose, formation) {
        let text = format!("{} leaves it no room to form up", name(field, other));
        verdict.refuse(Clause::The1stImpulse, text).about(unit);
    }
}

/// Friends who do not give way bar the 1st Impulse; further on they are a risk.
fn friends(field: &Field, kind: ChargeKind, charger: &Charger, way: &Way, advance: Length, verdict: &mut Verdict) {
    let unit = charger.unit;
    let is_solid = |other: UnitId| drive::is_friend_in_the_way(field, unit, other, false);
    let met = drive::all_ahead(field, unit, way.start, way.formation, way.straight, &is_solid);
    // Guns in action are passed in the 1st Impulse and in no other.
    let declared = kind == ChargeKind::Declared;
    let gone = match met.iter().any(|(friend, _)| declared && drive::are_open_guns(field, *friend)) {
        true => charger.advance.map_or_else(|| super::impulse::clear_of_friends(field, unit, way), |_| advance),
        false => Length::ZERO,
    };
    let passed = |(friend, off): &(UnitId, Length)| drive::are_open_guns(field, *friend) && *off < gone;
    let Some((friend, far)) = met.into_iter().filter(|one| !passed(one)).min_by_key(|(id, off)| (*off, *id)) else {
        return;
    };
    let free = far - field::standoff(field);
    let short = match kind {
        ChargeKind::Declared if charger.advance.is_some() => free < advance,
        ChargeKind::Declared => free.min(advance) <= way.over(field),
        ChargeKind::Opportunity => true,
    };
    let mark = Mark::Spot(Point::from_vec(field.unit(friend).quad().centre));
    let text = format!("{} is in its way", name(field, friend));
    if short {
        let clause = if drive::are_open_guns(field, friend) {
            Clause::ChargingThroughTheGuns
        } else if field::is_battery(field, friend) {
            Clause::NoWayThroughPackedGuns
        } else {
            Clause::The1stImpulse
        };
        verdict.refuse(clause, text).about(unit).at(mark);
    } else {
        verdict.caution(Clause::DeadStraightToTheEnd, text).about(unit).at(mark);
    }
}

/// Other enemies ahead become the target, or stop it where it would only graze them.
fn others(field: &Field, unit: UnitId, at: UnitId, way: &Way, verdict: &mut Verdict) {
    if let Some(first) = first_in_the_lane(field, unit, at, way) {
        // Whom it may not charge it does not charge by aiming past him either.
        merge(verdict, who::whom(field, unit, first));
    }
    let counts = |other: UnitId| {
        other != at && drive::is_enemy_in_the_way(field, unit, other) && !field::is_hidden(field.unit(other))
    };
    let Some((other, far)) = drive::first_ahead(field, unit, way.start, way.formation, way.straight, &counts) else {
        return;
    };
    let name = name(field, other);
    if drive::meets(field, unit, way.start, way.formation, other) {
        let text = format!("it will meet {name} first, which then becomes its target");
        verdict.caution(Clause::The2ndImpulse, text).about(unit);
    } else if measured(far) < way.straight {
        verdict.caution(Clause::AnInchFromTheEnemy, format!("{name} juts into its way and will stop it")).about(unit);
    }
}

/// The enemy in the ranks, or the guns with their crews, whom a charge by this way would meet before whom it is aimed at.
/// Troops in hiding do not count: nobody finds them out by declaring a charge.
fn first_in_the_lane(field: &Field, unit: UnitId, at: UnitId, way: &Way) -> Option<UnitId> {
    let stands_up = |other: UnitId| {
        let manned = field::is_battery(field, other) && !troops(field, other).crew_away;
        field::is_formed(field, other) || (manned && !field::is_routing(field, other))
    };
    let counts = |other: UnitId| {
        other != at
            && drive::is_enemy_to_meet(field, unit, other)
            && !field::is_hidden(field.unit(other))
            && stands_up(other)
            && drive::meets(field, unit, way.start, way.formation, other)
    };
    let found = drive::first_ahead(field, unit, way.start, way.formation, way.straight, &counts);
    found.filter(|(_, far)| measured(*far) < way.straight).map(|(other, _)| other)
}

/// Who is charged in the place of whom a charge is aimed at, because he stands before him.
pub fn charged(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId) -> Option<UnitId> {
    let way = way::lay(field, kind, charger, at).ok()?;
    first_in_the_lane(field, charger.unit, at, &way)
}

fn between(field: &Field, unit: UnitId, at: UnitId) -> Mark {
    Mark::Line(field.unit(unit).pose().at, Point::from_vec(field.unit(at).quad().centre))
}

pub(super) fn merge(into: &mut Verdict, from: Verdict) {
    into.refusals.extend(from.refusals);
    into.cautions.extend(from.cautions);
}
