//! After a round: who withdraws, who may stay, who follows up. R78, R79, R81, R82.

use super::Fpw;
use super::approach::{bearing_to, is_clear_of_friends, steps};
use super::clause::Clause;
use super::contact::{self, Meeting, relocate};
use super::event::{FpwEvent, MarkCause};
use super::field::{
    Field, bodies, bodies_at, facts, formation, gap_between, is_hidden, is_there, known, soldiers, surely_beyond,
};
use super::order::{Decision, Order, Step as Reform};
use super::sequence::Phase;
use super::strikes::has_rounds_left;
use super::unit::{Arm, Soldiers};
use super::{generals, hidden, markers, morale, movement};
use engine::{Deed, Event, Flow, Leaving, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};
use table::march::{Leg, Track};
use table::{Angle, Length, Pose, SLACK, convex};

/// After a round: who withdraws, who may stay, who follows up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Yielding {
    /// Whose turn it is.
    pub side: Side,
    /// Who fought whom in the round.
    pub pairs: Vec<(UnitId, Vec<UnitId>)>,
    /// Who has to withdraw.
    pub must: Vec<UnitId>,
    /// Who has been asked whether to stay all the same.
    pub decided: Vec<UnitId>,
    /// Who stays all the same, and may neither follow up nor reform.
    pub held: Vec<UnitId>,
    /// Winners already asked.
    pub asked: Vec<UnitId>,
    /// What comes next.
    pub step: Step,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// Who has to go.
    Judge,
    /// Who may stay where both would go.
    Stay,
    /// The withdrawals.
    Withdraw,
    /// The winners.
    Follow,
}

impl Yielding {
    /// What follows a round between these units.
    pub fn new(side: Side, mut pairs: Vec<(UnitId, Vec<UnitId>)>) -> Yielding {
        // Friends who struck over others' shoulders were not in contact themselves.
        pairs.retain(|(_, foes)| !foes.is_empty());
        let (must, decided, held, asked) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Yielding { side, pairs, must, decided, held, asked, step: Step::Judge }
    }

    fn opponents(&self, unit: UnitId) -> &[UnitId] {
        self.pairs.iter().find(|(id, _)| *id == unit).map_or(&[], |(_, foes)| foes)
    }

    fn goes(&self, unit: UnitId) -> bool {
        self.must.contains(&unit) && !self.held.contains(&unit)
    }
}

/// By how many markers a unit is beyond what it can bear in close combat (R78).
pub fn surplus(soldiers: &Soldiers) -> u32 {
    surplus_of(u32::from(soldiers.count()), soldiers.disruption(), soldiers.degradation(), soldiers.all_degraded())
}

/// The same from its figures.
pub fn surplus_of(stands: u32, disruption: u32, degradation: u32, all_degraded: bool) -> u32 {
    if !all_degraded {
        return 0;
    }
    degradation.saturating_sub(stands) + disruption.saturating_sub(stands)
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, mut yielding: Yielding) -> Flow<Fpw> {
    match yielding.step {
        Step::Judge => {
            overrun(umpire, &yielding);
            let field = umpire.state();
            let must = |unit: &UnitId| is_there(field, *unit) && withdraws(field, *unit);
            yielding.must = yielding.pairs.iter().map(|(unit, _)| *unit).filter(must).collect();
            yielding.step = Step::Stay;
        }
        Step::Stay => {
            if let Some(unit) = may_stay(umpire.state(), &yielding) {
                let side = umpire.state().side_of(unit);
                yielding.decided.push(unit);
                umpire.replace(Phase::Yielding(yielding));
                return Flow::Ask(Who::One(side), Decision::StayOrGo { unit });
            }
            yielding.step = Step::Withdraw;
        }
        Step::Withdraw => {
            for unit in yielding.must.iter().copied().filter(|unit| !yielding.held.contains(unit)) {
                let dice = surplus(soldiers(umpire.state(), unit)).min(u32::from(u8::MAX)) as u8;
                if is_there(umpire.state(), unit) && dice > 0 {
                    morale::withdraw(umpire, unit, dice, Clause::InfantryWithdraw);
                }
            }
            contact::settle(umpire, Clause::MoraleAfterRound);
            yielding.step = Step::Follow;
        }
        Step::Follow => {
            let Some((unit, decision)) = next_winner(umpire.state(), &yielding) else {
                contact::settle(umpire, Clause::StillInContact);
                return Flow::Done;
            };
            yielding.asked.push(unit);
            let side = umpire.state().side_of(unit);
            umpire.replace(Phase::Yielding(yielding));
            return Flow::Ask(Who::One(side), decision);
        }
    }
    umpire.replace(Phase::Yielding(yielding));
    Flow::Again
}

fn withdraws(field: &Field, unit: UnitId) -> bool {
    facts(field, unit).arm == Arm::Infantry && surplus(soldiers(field, unit)) > 0
}

/// Guns that would have to withdraw are lost (followup-b).
fn overrun(umpire: &mut Umpire<'_, Fpw>, yielding: &Yielding) {
    for (unit, _) in &yielding.pairs {
        let field = umpire.state();
        let guns = is_there(field, *unit) && facts(field, *unit).arm.is_artillery();
        if guns && surplus(soldiers(field, *unit)) > 0 {
            markers::remove(umpire, *unit, Leaving::Destroyed, Clause::ArtilleryOverrun);
        }
    }
}

/// The next unit that may stay although it should go: both sides would go, and it gave more than it took (R79).
fn may_stay(field: &Field, yielding: &Yielding) -> Option<UnitId> {
    yielding.must.iter().copied().find(|unit| {
        let fight = &soldiers(field, *unit).fight;
        let both = yielding.opponents(*unit).iter().any(|foe| yielding.must.contains(foe));
        !yielding.decided.contains(unit) && both && fight.given > fight.taken
    })
}

/// Judges whether to stay.
pub fn check_stay(order: &Order) -> Verdict {
    match order {
        Order::Pass | Order::Go => Verdict::fine(),
        _ => Verdict::refused(Clause::BothWithdraw, "the question is to stay or to go"),
    }
}

/// Notes it.
pub fn execute_stay(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, order: &Order) {
    if *order == Order::Go {
        return;
    }
    umpire.announce(Event::own(Clause::BothWithdraw, FpwEvent::HoldsGround { unit }));
    if let Some(Phase::Yielding(yielding)) = umpire.phase() {
        yielding.held.push(unit);
    }
}

/// The next unit all of whose opponents have yielded, and what it is asked (followup-c).
fn next_winner(field: &Field, yielding: &Yielding) -> Option<(UnitId, Decision)> {
    yielding.pairs.iter().find_map(|(unit, foes)| {
        let unit = *unit;
        let out = yielding.asked.contains(&unit) || yielding.must.contains(&unit) || !is_there(field, unit);
        let yielded_all = foes.iter().all(|foe| !is_there(field, *foe) || yielding.goes(*foe));
        if out || !yielded_all || !contact::foes(field, unit).is_empty() {
            return None;
        }
        let yielded: Vec<UnitId> = foes.iter().copied().filter(|foe| is_there(field, *foe)).collect();
        let may_follow = may_follow(field, unit) && (!yielded.is_empty() || has_new_enemy(field, unit));
        Some((unit, Decision::FollowUp { unit, yielded, may_follow }))
    })
}

fn may_follow(field: &Field, unit: UnitId) -> bool {
    let own = soldiers(field, unit);
    let formed = !facts(field, unit).arm.is_artillery() && !formation(field, unit).is_march();
    formed && !own.all_degraded() && !own.fight.followed_up
}

fn has_new_enemy(field: &Field, unit: UnitId) -> bool {
    known(field, field.side_of(unit).other()).any(|(enemy, _)| new_enemy(field, unit, enemy).is_some())
}

/// A straight way after an enemy.
struct Chase {
    bearing: Angle,
    gap: Length,
    allowance: Length,
}

impl Chase {
    fn catches(&self) -> bool {
        self.gap <= self.allowance + SLACK
    }
}

fn chase(field: &Field, unit: UnitId, bearing: Angle, gap: Length) -> Chase {
    let (pose, shape) = (field.unit(unit).pose(), formation(field, unit));
    let half = field.charts().pace.form.value.of(movement::full_pace(field, unit));
    let leg = Leg::Oblique { by: bearing - pose.facing, go: gap.min(half) };
    let track = Track::plot(pose, field.footprint(unit, shape), &[leg]);
    Chase { bearing, gap, allowance: movement::over_ground(field, half, shape, &track) }
}

/// The way after an enemy who has yielded: ahead or slanting if that meets him, else straight at his nearest point.
fn after(field: &Field, unit: UnitId, enemy: UnitId) -> Chase {
    let pose = field.unit(unit).pose();
    let cone = field.charts().combat.follow_up_cone.value.get();
    let (own, theirs) = (bodies(field, unit), bodies(field, enemy));
    let (bearing, gap) = bearing_to(field, unit, pose, enemy, cone).unwrap_or_else(|| {
        let (from, to) = convex::nearest_points(field.unit(unit).quad().points(), field.unit(enemy).quad().points());
        (Angle::of(to - from), gap_between(&own, &theirs))
    });
    chase(field, unit, bearing, gap)
}

/// The way to a new enemy: within the cone, and within half pace over the ground (followup-f).
fn new_enemy(field: &Field, unit: UnitId, enemy: UnitId) -> Option<Chase> {
    let (own, other) = (field.unit(unit), field.unit(enemy));
    let half = field.charts().pace.form.value.of(movement::full_pace(field, unit));
    if facts(field, enemy).is_scout() || surely_beyond(own.quad(), other.quad(), half) {
        return None;
    }
    let cone = field.charts().combat.follow_up_cone.value.get();
    let (bearing, gap) = bearing_to(field, unit, own.pose(), enemy, cone)?;
    let chase = chase(field, unit, bearing, gap);
    let end = own.pose().shifted(bearing.unit() * gap.as_f64());
    (chase.catches() && is_clear_of_friends(field, unit, end)).then_some(chase)
}

/// New enemies a victorious unit may run into, for whoever looks for orders.
pub fn new_enemies(field: &Field, unit: UnitId) -> Vec<UnitId> {
    let enemies = known(field, field.side_of(unit).other()).map(|(id, _)| id);
    enemies.filter(|enemy| new_enemy(field, unit, *enemy).is_some()).collect()
}

/// Judges what a victorious unit does.
pub fn check(view: &View<'_, Fpw>, unit: UnitId, yielded: &[UnitId], may_follow: bool, order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::FollowUp { .. } if soldiers(field, unit).fight.followed_up => {
            verdict.refuse(Clause::TwoRoundsOneFollowUp, "it has followed up this turn").about(unit);
        }
        Order::FollowUp { .. } if !may_follow => {
            let text = "it is all degraded, cannot advance as it is drawn up, or has nobody to follow";
            verdict.refuse(Clause::MayFollowUp, text).about(unit);
        }
        Order::FollowUp { at: None } => {
            if yielded.is_empty() {
                verdict.refuse(Clause::NewEnemy, "its enemy is gone; name a new one").about(unit);
            }
        }
        Order::FollowUp { at: Some(at) } if yielded.contains(at) => {}
        Order::FollowUp { at: Some(at) } => {
            let enemy = is_there(field, *at) && field.side_of(*at) != field.side_of(unit);
            if !enemy || is_hidden(field.unit(*at)) {
                verdict.refuse(Clause::NewEnemy, "that is no enemy known to be on the table").about(*at);
            } else if yielded.iter().any(|old| after(field, unit, *old).catches()) {
                verdict.refuse(Clause::StillInContact, "it follows the enemy it can catch").about(*at);
            } else if new_enemy(field, unit, *at).is_none() {
                let text = "a new enemy must be within half a move and not too far to the side";
                verdict.refuse(Clause::NewEnemy, text).about(*at);
            }
        }
        Order::Reform(step) => check_reform(field, unit, step, &mut verdict),
        _ => {
            verdict.refuse(Clause::MayFollowUp, "the question is to follow up, to reform or to stay").about(unit);
        }
    }
    verdict
}

fn check_reform(field: &Field, unit: UnitId, step: &Reform, verdict: &mut Verdict) {
    if step.unit != unit || !step.legs.is_empty() {
        verdict.refuse(Clause::MayFollowUp, "the winner itself reforms or turns, on the spot").about(unit);
        return;
    }
    let (pose, shape) = reformed(field, step);
    let count = field.unit(unit).body.stands.count() as u8;
    if !facts(field, unit).formations(count).contains(&shape) {
        verdict.refuse(Clause::ThreeFormations, "it cannot take that formation").about(unit);
        return;
    }
    let quads = bodies_at(field, unit, pose, shape);
    let touches = known(field, field.side_of(unit).other())
        .any(|(enemy, _)| !facts(field, enemy).is_scout() && gap_between(&quads, &bodies(field, enemy)) <= SLACK);
    if touches || !movement::is_free(field, unit, &quads) {
        verdict.refuse(Clause::MayFollowUp, "there is no room for it").about(unit);
    }
}

fn reformed(field: &Field, step: &Reform) -> (Pose, super::unit::Formation) {
    let pose = field.unit(step.unit).pose();
    let facing = step.facing.unwrap_or(pose.facing);
    (Pose { facing, ..pose }, step.formation.unwrap_or(formation(field, step.unit)))
}

/// Carries it out.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, order: Order) {
    match order {
        Order::FollowUp { at } => follow(umpire, unit, at),
        Order::Reform(step) => {
            let (to, formation) = reformed(umpire.state(), &step);
            let from = umpire.state().unit(unit).pose();
            umpire.announce(Event::new(Clause::MayFollowUp, Deed::Reformed { unit, formation, to }));
            generals::follow(umpire, unit, from, to);
            hidden::discover(umpire);
        }
        _ => {}
    }
}

fn follow(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, at: Option<UnitId>) {
    let old = match umpire.top() {
        Some(Phase::Yielding(yielding)) => yielding.opponents(unit).to_vec(),
        _ => return umpire.fault("a follow-up outside a fight"),
    };
    let field = umpire.state();
    // Of several who yielded the nearest is followed.
    let nearest = || {
        let there = old.iter().copied().filter(|foe| is_there(field, *foe));
        there.min_by_key(|foe| (super::field::gap(field, unit, *foe), *foe))
    };
    let Some(at) = at.or_else(nearest) else { return };
    umpire.announce(Event::own(Clause::MayFollowUp, FpwEvent::FollowsUp { unit }).also(Clause::FollowUpMarker));
    for _ in 0..umpire.charts().combat.follow_up_marker.value.get() {
        if is_there(umpire.state(), unit) {
            markers::one_more(umpire, unit, MarkCause::FollowUp);
        }
    }
    if !is_there(umpire.state(), unit) || !is_there(umpire.state(), at) {
        return;
    }
    run_after(umpire, unit, at, old.contains(&at));
}

fn run_after(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, at: UnitId, yielded: bool) {
    let field = umpire.state();
    let way = after(field, unit, at);
    let (from, shape) = (field.unit(unit).pose(), formation(field, unit));
    let caught = yielded && way.catches();
    if caught {
        markers::remove(umpire, at, Leaving::Caught, Clause::StillInContact);
    }
    let clause = if caught { Clause::StillInContact } else { Clause::MayFollowUp };
    let field = umpire.state();
    let towards = way.bearing.unit();
    let most = way.gap.min(way.allowance);
    // Another enemy across the way is run into instead.
    let quads = bodies_at(field, unit, from, shape);
    let others = known(field, field.side_of(unit).other()).filter(|(id, _)| !facts(field, *id).is_scout());
    let met = others
        .flat_map(|(id, _)| bodies(field, id))
        .flat_map(|their| quads.iter().filter_map(move |own| table::reach(own, towards, most, &their)))
        .min();
    let most = met.unwrap_or(most);
    let place = steps(Length::ZERO, most).into_iter().rev().map(|go| from.shifted(towards * go.as_f64()));
    let free = |pose: &Pose| movement::is_free(field, unit, &bodies_at(field, unit, *pose, shape));
    let Some(to) = place.into_iter().find(free) else { return };
    relocate(umpire, unit, to, Vec::new(), clause);
    let track = Track::plot(from, umpire.state().footprint(unit, shape), &[Leg::Straight(to.at)]);
    contact::scatter_scouts(umpire, unit, &track);
    for with in contact::foes(umpire.state(), unit) {
        let meeting = Meeting { unit, with, from: from.at.vec(), impetus: None, other_impetus: None, caught: false };
        let spent = !has_rounds_left(umpire.state(), unit) || !has_rounds_left(umpire.state(), with);
        // Where one of them has fought all its rounds the fight waits for the next turn.
        contact::meet(umpire, &meeting, if spent { Clause::TwoRoundsOneFollowUp } else { Clause::NewEnemy });
    }
}
