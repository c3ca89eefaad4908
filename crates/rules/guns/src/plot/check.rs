//! Judging a side's plan: every line of it with all its reasons, then the plan as a whole - room, pace of groups,
//! duty, order.

use super::charge;
use super::duty::{self, Duties};
use super::limits::{self, name};
use super::post;
use super::route::Route;
use super::space::{Bodies, called, closed_on_way};
use crate::clause::Clause;
use crate::field::{self, Field, facts, is_there, troops};
use crate::formation::Shape;
use crate::nearby::Nearby;
use crate::order::{Move, Step};
use crate::{command, cycle, evolution, pace, screen};
use engine::{CommandId, FeatureId, Mark, Side, UnitId, Verdict};
use std::collections::BTreeMap;
use table::march::Leg;
use table::{Length, Point, SLACK};

/// More legs than this are a dance, not a march.
const MOST_LEGS: usize = 24;
/// More steps than this are no plan for one bound.
const MOST_STEPS: usize = 12;

/// The ways a plan lays out.
pub type Ways = BTreeMap<UnitId, Route>;

/// A plan being judged.
pub struct Judge<'f> {
    field: &'f Field,
    side: Side,
    groups: &'f [Vec<UnitId>],
    ways: Ways,
    charging: Vec<UnitId>,
    enemies: Nearby,
    verdict: Verdict,
}

/// Judges a whole plan.
pub fn judge(field: &Field, side: Side, moves: &[Move], groups: &[Vec<UnitId>]) -> Verdict {
    let mut judge = Judge {
        field,
        side,
        groups,
        ways: Ways::new(),
        charging: Vec::new(),
        enemies: Nearby::known(field, side.other()),
        verdict: Verdict::fine(),
    };
    judge.check_groups();
    judge.check_once(moves);
    if !judge.verdict.is_legal() {
        return judge.verdict;
    }
    for line in moves {
        judge.check_move(line, moves);
    }
    judge.check_room();
    let duties = duty::duties(field, side);
    judge.check_shaking_out(&duties);
    judge.check_duty(&duties);
    judge.verdict
}

/// The pace of the group a unit moves with: the one its player formed, and squadrons drawn up with it in line or column
/// in any case, with whomever those were told to keep company (R84).
pub fn group_pace(field: &Field, groups: &[Vec<UnitId>], unit: UnitId) -> Option<Length> {
    let mates = pace::drawn_up_with(field, unit);
    let together = groups.iter().filter(|group| group.iter().any(|id| mates.contains(id))).flatten();
    let members = together.chain(&mates).filter(|id| is_there(field, **id));
    members.map(|id| pace::full_move(field, *id).0).min()
}

impl Judge<'_> {
    fn refuse(&mut self, unit: UnitId, clause: Clause, text: impl Into<String>) {
        self.verdict.refuse(clause, text.into()).about(unit);
    }

    fn is_own(&mut self, unit: UnitId) -> bool {
        let known = unit.index() < self.field.muster().units.len();
        let own = known && self.field.side_of(unit) == self.side;
        if !own {
            self.verdict.refuse(Clause::SmallestPieces, "that is no unit of yours");
        }
        own
    }

    fn check_groups(&mut self) {
        let mut seen: Vec<UnitId> = Vec::new();
        for unit in self.groups.iter().flatten() {
            if self.is_own(*unit) && seen.contains(unit) {
                self.refuse(*unit, Clause::SlowestSetsPace, "it moves with two groups at once");
            }
            seen.push(*unit);
        }
    }

    /// Everybody is told one thing.
    fn check_once(&mut self, moves: &[Move]) {
        let (mut units, mut generals, mut observers) = (Vec::new(), Vec::new(), Vec::new());
        for line in moves {
            let unit = match line {
                Move::March { unit, .. } | Move::Charge { unit, .. } | Move::LieDown { unit } => *unit,
                Move::Screen { screen, .. } | Move::Recall { screen } => *screen,
                Move::Return { battery } => *battery,
                Move::Observe { battery, .. } => {
                    if self.is_own(*battery) && observers.contains(battery) {
                        self.refuse(*battery, Clause::ObserverCounter, "its observer is told two things");
                    }
                    observers.push(*battery);
                    continue;
                }
                Move::Ride { commander, .. } | Move::Join { commander, .. } => {
                    if generals.contains(commander) {
                        self.verdict.refuse(Clause::GeneralsPace, "a general is told two things");
                    }
                    generals.push(*commander);
                    continue;
                }
            };
            if self.is_own(unit) && units.contains(&unit) {
                self.refuse(unit, Clause::Simultaneous, "it is told two things");
            }
            units.push(unit);
            let others: &[UnitId] = match line {
                Move::Charge { at, .. } => std::slice::from_ref(at),
                Move::Screen { parents, .. } => parents,
                _ => &[],
            };
            if others.iter().any(|other| other.index() >= self.field.muster().units.len()) {
                self.verdict.refuse(Clause::SmallestPieces, "there is no such unit");
            }
        }
    }

    fn check_move(&mut self, line: &Move, moves: &[Move]) {
        let (field, side) = (self.field, self.side);
        match line {
            Move::March { unit, steps, defend } => self.check_march(*unit, steps, *defend),
            Move::Charge { unit, at, legs, led_by } => {
                self.check_charge(*unit, *at, legs);
                if let Some(general) = led_by {
                    post::check_leader(field, side, *unit, *general, moves, &mut self.verdict);
                }
            }
            Move::Ride { commander, to } => post::check_ride(field, side, *commander, *to, &mut self.verdict),
            Move::Join { commander, unit } => post::check_join(field, side, *commander, *unit, &mut self.verdict),
            Move::Observe { battery, to } => post::check_observe(field, *battery, *to, &mut self.verdict),
            Move::Screen { screen, parents, pose } => {
                screen::check_out(field, side, *screen, parents, *pose, &mut self.verdict);
            }
            Move::Recall { screen } => screen::check_in(field, side, *screen, &mut self.verdict),
            Move::Return { battery } => post::check_return(field, *battery, &mut self.verdict),
            Move::LieDown { unit } => post::check_lie_down(field, *unit, &mut self.verdict),
        }
    }

    fn check_march(&mut self, unit: UnitId, steps: &[Step], defend: Option<FeatureId>) {
        let field = self.field;
        if !is_there(field, unit) {
            return self.refuse(unit, Clause::UnitFinished, "it is not on the table");
        }
        let before = self.verdict.refusals.len();
        self.check_form(unit, steps);
        if facts(field, unit).is_battery() {
            cycle::check(field, unit, steps, &mut self.verdict);
        } else if let Some((clause, text)) = limits::idle(field, unit) {
            self.refuse(unit, clause, text);
        }
        if troops(field, unit).pinned {
            self.refuse(unit, Clause::Pinned, "it flinched and neither advances nor goes back");
        }
        if self.verdict.refusals.len() > before {
            return;
        }
        let marches: Vec<Step> = steps.iter().filter(|step| **step != Step::Fire).cloned().collect();
        let route = Route::defending(field, unit, &marches, group_pace(field, self.groups, unit), defend);
        self.check_route(unit, &route);
        self.check_formations(unit, steps, &route);
        self.check_limits(unit, &route);
        if let Some(feature) = defend {
            post::check_defend(field, &route, feature, &mut self.verdict);
        }
        self.ways.insert(unit, route);
    }

    fn check_form(&mut self, unit: UnitId, steps: &[Step]) {
        let legs = || {
            steps.iter().flat_map(|step| match step {
                Step::March(legs) => legs.as_slice(),
                _ => &[],
            })
        };
        if steps.len() > MOST_STEPS || legs().count() > MOST_LEGS {
            self.refuse(
                unit,
                Clause::Simultaneous,
                format!("a plan has at most {MOST_STEPS} steps and {MOST_LEGS} legs"),
            );
        }
        let backward = |leg: &Leg| match leg {
            Leg::Ahead(go) | Leg::Back(go) | Leg::Oblique { go, .. } => go.is_negative(),
            _ => false,
        };
        if legs().any(backward) {
            self.refuse(unit, Clause::Simultaneous, "a leg cannot be shorter than nothing");
        }
        if legs().filter(|leg| **leg == Leg::About).count() > 1 {
            self.refuse(unit, Clause::Simultaneous, "a unit turns about on the spot once in a bound");
        }
        let guns = steps.iter().any(|step| matches!(step, Step::Unlimber | Step::Limber | Step::Fire));
        if guns && !facts(self.field, unit).is_battery() {
            self.refuse(unit, Clause::GunCycle, "only batteries unlimber, fire in their plan and limber");
        }
    }

    /// Distance, ground and table along the way.
    fn check_route(&mut self, unit: UnitId, route: &Route) {
        let (field, end) = (self.field, route.end());
        let line = Mark::Line(field.unit(unit).pose().at, end.pose.at);
        for (clause, text) in &route.wrong {
            self.refuse(unit, *clause, text.clone());
        }
        if route.cost > route.limit + SLACK {
            let show = |length: Length| field::show(field, length);
            let mut text = format!("its move is {} and this takes {}", show(route.limit), show(route.cost));
            if route.deductions() > SLACK {
                text += &format!(", {} of it deducted for ground and changes", show(route.deductions()));
            }
            let clause = if route.held_back { Clause::SlowestSetsPace } else { pace::full_move(field, unit).1 };
            self.verdict.refuse(clause, text).about(unit).at(line.clone());
        }
        for (feature, clause) in &route.barred {
            let what = called(field, *feature);
            let text = format!("{what}: such troops go there by road or not at all");
            self.verdict.refuse(*clause, text).about(unit).at(line.clone());
        }
        if let Some(feature) = closed_on_way(field, route).filter(|id| !route.barred.iter().any(|bar| bar.0 == *id)) {
            let what = called(field, feature);
            self.verdict.refuse(Clause::Wading, format!("nobody can enter {what}")).about(unit).at(line.clone());
        }
        let on_table = route.tracks.iter().all(|track| track.stays_on(field.ground()))
            && route.elements(field, end).iter().all(|quad| field.ground().holds(quad));
        if !on_table {
            self.verdict.refuse(Clause::TableAndBaselines, "it would leave the table").about(unit).at(line);
        }
    }

    /// Formations taken on the way are such as the unit may take. Whoever ends in cover may be loose there (types-f).
    fn check_formations(&mut self, unit: UnitId, steps: &[Step], route: &Route) {
        let (facts, count) = (facts(self.field, unit), field::count(self.field, unit));
        let mut mounted = troops(self.field, unit).mounted;
        for step in steps {
            match step {
                Step::Mount => mounted = true,
                Step::Dismount => mounted = false,
                Step::Form(formation) => {
                    let in_cover = || post::ends_in_cover(self.field, route);
                    let objection = evolution::objection(facts, mounted, *formation, count);
                    let excused = formation.shape == Shape::Loose && !facts.loose && !facts.screen && in_cover();
                    if let Some((clause, text)) = objection.filter(|_| !excused) {
                        self.refuse(unit, clause, text);
                    }
                }
                _ => {}
            }
        }
    }

    /// How near worn troops go (R73).
    fn check_limits(&mut self, unit: UnitId, route: &Route) {
        let (field, end) = (self.field, route.end());
        let (from, to) = (field.unit(unit).quad().centre, duty::middle(field, unit, end));
        let advance = limits::advance_of(field, self.side, from, to);
        if !field::may_advance_by_status(field, unit) && advance > SLACK && !facts(field, unit).screen {
            self.refuse(unit, Clause::BelowAdvanceLimiter, "it has lost too much to advance: it holds or retires");
        }
        let (before, after) = (field::elements(field, unit), route.elements(field, end));
        if let Some(enemy) = limits::too_near(field, unit, &before, &after, &self.enemies) {
            let text = format!("too worn to charge, it goes no nearer to {} than it can fire", name(field, enemy));
            let at = Mark::Line(end.pose.at, Point::from_vec(field.unit(enemy).quad().centre));
            self.verdict.refuse(Clause::StopsToFire, text).about(unit).at(at);
        }
    }

    fn check_charge(&mut self, unit: UnitId, at: UnitId, legs: &[Leg]) {
        let field = self.field;
        for (clause, text) in charge::objections(field, unit, at) {
            self.refuse(unit, clause, text);
        }
        if !is_there(field, unit) || !is_there(field, at) || field.side_of(at) == self.side {
            return;
        }
        let aim = Mark::Line(field.unit(unit).pose().at, Point::from_vec(charge::aim(field, at)));
        let line = match charge::lay(field, unit, at, legs, group_pace(field, self.groups, unit)) {
            Ok(line) => line,
            Err((clause, text)) => {
                self.verdict.refuse(clause, text).about(unit).at(aim);
                return;
            }
        };
        for (feature, clause) in &line.route.barred {
            let what = called(field, *feature);
            self.verdict.refuse(*clause, format!("it cannot charge across {what}")).about(unit).at(aim.clone());
        }
        if closed_on_way(field, &line.route).is_some() {
            self.verdict.refuse(Clause::Wading, "ground nobody enters lies between").about(unit).at(aim.clone());
        }
        if troops(field, unit).pinned && !line.is_in_reach() {
            let text = "pinned, it charges only what it can reach from where it stands";
            self.verdict.refuse(Clause::Pinned, text).about(unit).at(aim);
        } else if !line.is_in_reach() {
            let text = format!("{} is out of reach this bound", name(field, at));
            self.verdict.caution(Clause::ChargeWithoutContact, text).about(unit).at(aim);
        }
        self.charging.push(unit);
        self.ways.insert(unit, line.route);
    }

    /// Nobody ends on a friend. Chargers do not know where they will stop.
    fn check_room(&mut self) {
        let field = self.field;
        let mut bodies = Bodies::of(field, self.side);
        let marching: Vec<UnitId> = self.ways.keys().copied().filter(|unit| !self.charging.contains(unit)).collect();
        for unit in &marching {
            if let Some(route) = self.ways.get(unit) {
                bodies.put(field, *unit, route.end());
            }
        }
        for unit in marching {
            let Some(route) = self.ways.get(&unit) else { continue };
            let end = route.end();
            let still = end.pose == field.unit(unit).pose() && end.formation == field::formation(field, unit);
            let met = bodies.in_the_way(field, unit, &route.elements(field, end)).filter(|_| !still);
            // Chargers will be gone; where they stop they make room themselves.
            if let Some(friend) = met.filter(|friend| !self.charging.contains(friend)) {
                let text = format!("it would end on {}", name(field, friend));
                self.verdict.refuse(Clause::Simultaneous, text).about(unit).at(Mark::Spot(end.pose.at));
            }
        }
    }

    fn check_shaking_out(&mut self, duties: &Duties) {
        for (unit, duty) in duties {
            let shaken = duty.steps.iter().any(|step| matches!(step, Step::Form(_)));
            let end = self.ways.get(unit).map_or(field::formation(self.field, *unit), |route| route.end().formation);
            if shaken && matches!(end.shape, Shape::Assault | Shape::Route) {
                let text = "too worn to charge and in range of the enemy, it has to leave its column for a firing line";
                self.refuse(*unit, Clause::StopsToFire, text);
            }
        }
    }

    /// Half a move toward the enemy, brigade by brigade, and the order a brigade goes on with (R48, R50).
    fn check_duty(&mut self, duties: &Duties) {
        let field = self.field;
        let activated = field::brigades(field, self.side).filter(|brigade| duty::is_activated(field, *brigade));
        for brigade in activated.collect::<Vec<_>>() {
            let (need, given) = tally(field, brigade, &self.ways, duties);
            if given < need {
                let card = &field.muster().command(brigade).name;
                let show = |length: Length| field::show(field, length);
                let text = format!(
                    "{card} has its order: together its units must gain {} toward the enemy, and this gains {}",
                    show(need),
                    show(given)
                );
                let owing = owing(field, brigade, &self.ways, duties);
                self.verdict.refuse(Clause::HalfMoveDuty, text).among(owing);
            }
            let ends = duty::ends_of(field, brigade, |unit| self.ways.get(&unit).map(Route::end_within));
            if let Some((clause, text)) = command::drift(field, brigade, &ends) {
                self.verdict.refuse(clause, text);
            }
        }
    }
}

/// What a brigade owes and what a plan gives, rounding allowed for.
pub fn tally(field: &Field, brigade: CommandId, ways: &Ways, duties: &Duties) -> (Length, Length) {
    let shares = shares(field, brigade, ways, duties);
    shares.fold((Length::ZERO, Length::ZERO), |sum, (_, need, given)| (sum.0 + need, sum.1 + given))
}

/// Units of a brigade that give less than their own share of what it owes.
fn owing(field: &Field, brigade: CommandId, ways: &Ways, duties: &Duties) -> Vec<UnitId> {
    shares(field, brigade, ways, duties).filter(|(_, need, given)| given < need).map(|(unit, ..)| unit).collect()
}

/// What each unit of a brigade owes and gives.
fn shares<'f>(
    field: &'f Field,
    brigade: CommandId,
    ways: &'f Ways,
    duties: &'f Duties,
) -> impl Iterator<Item = (UnitId, Length, Length)> + 'f {
    let there = field::brigade_units(field, brigade).filter(|unit| is_there(field, *unit));
    there.map(|unit| {
        let way = ways.get(&unit);
        let given = way.map_or(Length::ZERO, |route| {
            let (from, to) = (field.unit(unit).quad().centre, duty::middle(field, unit, route.end_within()));
            Length::from_um((to - from).dot(limits::duty_way(field, unit))) + SLACK
        });
        (unit, duty::need(field, unit, way, duties), given)
    })
}
