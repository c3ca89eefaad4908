//! Trying a charge: the test, the 1st Impulse at once, the 2nd in the Movement Phase. Steps 2.4, 2.5, 4.5, 4.6, 4.8; A-02
//! to.

use super::way::{self, Way};
use super::{did, drive, end, judgement};
use crate::Days;
use crate::charged;
use crate::charts::reach;
use crate::clause::Clause;
use crate::event::{ChargeEnd, DaysEvent, Doing, Test};
use crate::field::{self, Field, facts, is_there, measured, troops};
use crate::morale::{self, Occasion};
use crate::order::{Before, Charger, Declaration};
use crate::sequence;
use crate::unit::{Aspect, Charge, ChargeKind, ChargeStage, Part};
use crate::{detachment, ground, hidden, settle, sight, space, target};
use engine::{Deed, Event, Side, Umpire, UnitId};
use smallvec::SmallVec;
use table::{Length, Vec2};

/// How often a 2nd Impulse may find somebody new ahead; more is no charge any more.
const TURNS: usize = 4;

/// Halts that are tried between the longest and the shortest 1st Impulse.
const STEPS: i32 = 8;

/// Tries one declaration: whoever can still go takes the test, one for all (days.17.2.2-e).
pub fn attempt(umpire: &mut Umpire<'_, Days>, side: Side, kind: ChargeKind, declaration: &Declaration) {
    let at = declaration.at;
    let mut ready: SmallVec<[(Charger, UnitId); 2]> = SmallVec::new();
    let in_group = declaration.units.len() > 1;
    for charger in &declaration.units {
        let field = umpire.state();
        if field.side_of(charger.unit) != side || !is_there(field, charger.unit) {
            continue;
        }
        let lawful = judgement::judge(field, kind, charger, at).is_legal();
        let usable = if lawful { Some(*charger) } else { way::suggest(field, kind, charger.unit, at) };
        let usable = usable.map(|found| Charger { squadron: charger.squadron, ..found });
        let upon = usable.map(|found| aimed(field, kind, found, at));
        let whom = upon.map_or(at, |(_, whom)| whom);
        declare(umpire, side, kind, charger, whom, in_group, whom != at);
        ready.extend(upon);
    }
    let occasion = |at: UnitId| Occasion { against: Some(at), ..Occasion::default() };
    let field = umpire.state();
    let score =
        |(charger, at): &&(Charger, UnitId)| morale::score(field, charger.unit, Test::ToCharge, &occasion(*at)).whole();
    // The first of the worst: equal scores are equal anyway.
    let Some((worst, at)) = ready.iter().rev().max_by_key(score).map(|(charger, at)| (charger.unit, *at)) else {
        return;
    };
    let passed = morale::roll(umpire, worst, Test::ToCharge, &occasion(at)).passed;
    for (charger, at) in ready {
        if passed {
            begin(umpire, kind, charger, at);
        } else {
            fails(umpire, kind, charger.unit);
        }
    }
}

/// A charge as it will go: at the enemy in the ranks who stands in its lane before whom it was declared at, if there is
/// one, so that he may meet it like anybody who is charged.
fn aimed(field: &Field, kind: ChargeKind, charger: Charger, at: UnitId) -> (Charger, UnitId) {
    // A squadron has another front than its regiment: it is looked at once it has been split off.
    let first = judgement::charged(field, kind, &charger, at).filter(|_| charger.squadron.is_none());
    first.map_or((charger, at), |first| (Charger { advance: None, ..charger }, first))
}

/// Says who charges whom.
fn declare(
    umpire: &mut Umpire<'_, Days>,
    side: Side,
    kind: ChargeKind,
    charger: &Charger,
    at: UnitId,
    group: bool,
    turned: bool,
) {
    let unit = charger.unit;
    if field::is_hidden(umpire.state().unit(unit)) {
        hidden::reveal(umpire, unit);
    }
    let is_first = umpire.state().ledger().initiative == side;
    let whose = match kind {
        ChargeKind::Declared if is_first => Clause::FirstPlayersCharges,
        ChargeKind::Declared => Clause::SecondPlayersCharges,
        ChargeKind::Opportunity => Clause::OpportunityCharges,
    };
    let countered = troops(umpire.state(), at).charge.is_some();
    let event = Event::own(Clause::NamingChargerAndTarget, DaysEvent::Declared { unit, at })
        .also(whose)
        .also_if(group, Clause::OneTestForAGroup)
        .also_if(charger.squadron.is_some(), Clause::ChargingWithASquadron)
        .also_if(countered, Clause::CounterCharges)
        .also_if(turned, Clause::AnInchFromTheEnemy)
        .also_if(sight::sees_by_screen(umpire.state(), unit, at), Clause::TheEyesOfAUnit);
    umpire.announce(event);
    if charger.squadron.is_none() {
        did(umpire, unit, Doing::TriedCharge, &[whose, Clause::OneChargeForFoot]);
    }
}

/// The test failed: no charge, and no step nearer (days.17.2.2-f).
fn fails(umpire: &mut Umpire<'_, Days>, kind: ChargeKind, unit: UnitId) {
    let test = match kind {
        ChargeKind::Declared => Clause::TestingToCharge,
        ChargeKind::Opportunity => Clause::TestingForTheOpportunity,
    };
    if !troops(umpire.state(), unit).turn.tried_charge {
        did(umpire, unit, Doing::TriedCharge, &[test]);
    }
    let clauses = [Clause::TheChargeThatNeverStarts, test, Clause::FailedChargersMayShoot];
    did(umpire, unit, Doing::ChargeFailed, &clauses);
}

/// The charge of one unit begins, and goes as far as it goes at once.
fn begin(umpire: &mut Umpire<'_, Days>, kind: ChargeKind, charger: Charger, at: UnitId) {
    let mut charger = charger;
    if let Some(stands) = charger.squadron.take() {
        charger.unit = detachment::split_squadron(umpire, charger.unit, stands);
        did(umpire, charger.unit, Doing::TriedCharge, &[Clause::ChargingWithASquadron]);
    }
    let unit = charger.unit;
    let field = umpire.state();
    if !is_there(field, unit) || !is_there(field, at) || field::is_routing(field, unit) {
        return;
    }
    let (charger, at) = aimed(field, kind, charger, at);
    // A squadron's front is not its regiment's, and friends may have gone ahead: the way is looked for again.
    let lawful = judgement::way_of(field, kind, &charger, at).is_legal();
    let found = if lawful { Some(charger) } else { way::find(field, kind, unit, at) };
    let laid = found.and_then(|charger| Some((charger, way::lay(field, kind, &charger, at).ok()?)));
    let Some((charger, way)) = laid else {
        did(umpire, unit, Doing::ChargeFailed, &[Clause::DeadStraightToTheEnd]);
        return;
    };
    announce(umpire, kind, &charger, at, &way);
    prepare(umpire, &charger, &way);
    let counters = troops(umpire.state(), unit).charge.as_ref().is_some_and(|charge| charge.counter);
    match kind {
        ChargeKind::Declared => first_impulse(umpire, &charger, &way),
        ChargeKind::Opportunity => run(umpire, unit, &[Clause::HalfAMoveStraightOn]),
    }
    if counters && troops(umpire.state(), unit).charge.as_ref().is_some_and(|charge| charge.at == at) {
        confront(umpire, at, unit, Clause::TheCounteredTestOnTheSpot);
    }
}

/// The record of a charge, before anything has moved.
pub(crate) fn record(field: &Field, kind: ChargeKind, charger: &Charger, at: UnitId, way: &Way) -> Charge {
    let from = field::command_pose(field, charger.unit);
    let left = match kind {
        ChargeKind::Declared => way.left(field, Length::ZERO),
        ChargeKind::Opportunity => way.allowance - way.going.toll,
    };
    Charge {
        at,
        kind,
        counter: troops(field, at).charge.is_some(),
        stage: ChargeStage::Begun,
        from,
        aspect: aspect(field, at, from.at.vec()),
        apart: way.apart,
        way: way.straight,
        gone: Length::ZERO,
        left,
        caught: kind == ChargeKind::Declared && is_caught(field, charger, way.apart),
    }
}

/// From which side a charge comes; those who make a square together have no flanks.
fn aspect(field: &Field, at: UnitId, from: Vec2) -> Aspect {
    if target::in_square(field, at) { Aspect::Front } else { field::aspect(field, at, from) }
}

/// Too near to do anything but stand (days.17.2.3-b, A-06).
pub fn is_caught(field: &Field, charger: &Charger, apart: Length) -> bool {
    let constant = &field.charts().constant;
    let within = if field::is_mounted(field, charger.unit) { constant.caught_mounted } else { constant.caught_foot };
    !matches!(charger.before, Some(Before::Form(_))) && apart <= reach(within)
}

/// Horse that charges this far is a fast target (days.13.4-a, A-33).
pub fn is_fast(field: &Field, unit: UnitId, way: Length) -> bool {
    field::is_mounted(field, unit) && way > reach(field.charts().constant.fast)
}

fn announce(umpire: &mut Umpire<'_, Days>, kind: ChargeKind, charger: &Charger, at: UnitId, way: &Way) {
    let field = umpire.state();
    let unit = charger.unit;
    let charge = record(field, kind, charger, at, way);
    let fast = is_fast(field, unit, way.straight);
    let from_wood = !drive::is_in_the_open(field, unit) || ground::disorders(field, unit);
    let fired = troops(field, unit).turn.fired > 0;
    let follows = field::part_out(field, unit, Part::Squadron).is_some();
    let (caught, counter) = (charge.caught, charge.counter);
    let event = DaysEvent::ChargeBegins { unit, charge: Box::new(charge) };
    let event = match kind {
        ChargeKind::Declared => {
            Event::own(Clause::OffAtOnce, event).also(Clause::TestingToCharge).also(Clause::WhoHasToTest)
        }
        ChargeKind::Opportunity => Event::own(Clause::OpportunityCharges, event)
            .also(Clause::TestingForTheOpportunity)
            .also(Clause::HalfAMoveStraightOn)
            .also_if(fired, Clause::FireFirstChargeLater)
            .also_if(fired, Clause::AfterFiringTwoInches)
            .also_if(follows, Clause::TheRestMayFollow)
            .also_if(follows, Clause::FollowingIntoOneFight),
    };
    let event = event
        .also_if(caught, Clause::CaughtAtShortDistance)
        .also_if(counter, Clause::CounterCharges)
        .also_if(counter, Clause::TwoWaysToCounter)
        .also_if(fast, Clause::WhatIsFast)
        .also_if(from_wood, Clause::ChargingFromAWood);
    umpire.announce(event);
    if from_wood {
        morale::worsen(umpire, unit, crate::unit::OrderState::Disordered, Clause::ChargingFromAWood);
    }
}

/// The wheel or the change of formation.
fn prepare(umpire: &mut Umpire<'_, Days>, charger: &Charger, way: &Way) {
    let unit = charger.unit;
    let from = umpire.state().unit(unit).pose();
    match charger.before {
        None => return,
        Some(Before::Wheel(leg)) => {
            let deed = Deed::Moved { unit, to: way.start, path: vec![leg] };
            umpire.announce(Event::new(Clause::TurningByWheels, deed).also(Clause::PriceOfAWheel));
        }
        Some(Before::Form(formation)) => {
            let deed = Deed::Reformed { unit, formation, to: way.start };
            let event = Event::new(Clause::WhatIsAFormationChange, deed).also(Clause::FacingAfterReForming);
            umpire.announce(event.also(Clause::The1stImpulse));
            did(umpire, unit, Doing::Reformed, &[Clause::OneChangePerTurn]);
        }
    }
    settle::moved(umpire, unit, from);
}

/// Over a quarter and up to half of the way, unless somebody is in between.
fn first_impulse(umpire: &mut Umpire<'_, Days>, charger: &Charger, way: &Way) {
    let unit = charger.unit;
    let field = umpire.state();
    let Some(charge) = troops(field, unit).charge.clone() else { return };
    let wanted = charger.advance.unwrap_or_else(|| clear_of_friends(field, unit, way));
    let advance = wanted.min(drive::room(field, unit, wanted, true));
    let standoff = field::standoff(field);
    let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
    let counts = |other: UnitId| {
        drive::is_enemy_in_the_way(field, unit, other) && drive::meets(field, unit, pose, formation, other)
    };
    let straight = drive::straight_to(field, unit, charge.at);
    let met = drive::first_ahead(field, unit, pose, formation, advance + standoff, &counts)
        .filter(|(id, off)| *id != charge.at && straight.is_none_or(|far| measured(*off) < measured(far)));
    let advance = met.map_or(advance, |(_, far)| advance.min(far - standoff).max(Length::ZERO));
    let (advance, grazed) = drive::before_grazes(field, unit, charge.at, advance, true);
    let left = way.left(field, advance);
    let clauses = [Clause::The1stImpulse, Clause::OffAtOnce];
    drive::go(umpire, unit, advance, true, &clauses);
    if let Some(grazed) = grazed {
        hidden::reveal(umpire, grazed);
    }
    if troops(umpire.state(), unit).charge.is_none() {
        return;
    }
    let goes = DaysEvent::ChargeGoes { unit, stage: ChargeStage::Begun, gone: advance, left };
    umpire.announce(Event::own(Clause::The1stImpulse, goes));
    if let Some((other, far)) = met {
        let caught = is_caught(umpire.state(), charger, far);
        turn_upon(umpire, unit, other, caught);
    }
}

/// As far as it may go; a little less where it would halt among friends it passes through.
pub(super) fn clear_of_friends(field: &Field, unit: UnitId, way: &Way) -> Length {
    let (pose, formation) = (way.start, way.formation);
    let (over, most) = (way.over(field), way.longest(field));
    let is_friend = |id: &UnitId| field.side_of(*id) == field.side_of(unit);
    let is_clear = |by: &Length| !space::crowded(field, unit, pose.ahead(*by), formation).iter().any(is_friend);
    let mut tries = (0..STEPS).map(|no| most - (most - over) * no / STEPS);
    tries.find(is_clear).unwrap_or(most)
}

/// Somebody else is in the way and becomes the target; he is tested at once unless he is caught.
fn turn_upon(umpire: &mut Umpire<'_, Days>, unit: UnitId, other: UnitId, caught: bool) {
    if !is_there(umpire.state(), other) {
        return;
    }
    if field::is_hidden(umpire.state().unit(other)) {
        hidden::reveal(umpire, other);
    }
    umpire.announce(Event::own(Clause::The2ndImpulse, DaysEvent::ChargeTurns { unit, at: other }));
    let field = umpire.state();
    let Some(charge) = troops(field, unit).charge.clone() else { return };
    let aspect = aspect(field, other, charge.from.at.vec());
    let counter = troops(field, other).charge.is_some();
    let (kind, tested) = (charge.kind, has_its_test(field, other, unit));
    if (charge.caught, charge.aspect, charge.counter) != (caught, aspect, counter) {
        let event = DaysEvent::ChargeBegins { unit, charge: Box::new(Charge { caught, aspect, counter, ..*charge }) };
        let event = Event::own(Clause::The2ndImpulse, event).also_if(caught, Clause::CaughtAtShortDistance);
        umpire.announce(event.also_if(counter, Clause::CounterCharges));
    }
    // Whoever is charged by opportunity is tested in the next step, unless he charges himself.
    if !caught && !tested && (kind == ChargeKind::Declared || counter) {
        let clause = if counter { Clause::TheCounteredTestOnTheSpot } else { Clause::TargetsTestOnceAllHaveMoved };
        confront(umpire, other, unit, clause);
    }
}

/// Whether a unit has had its test under a charge this turn, or has it before it because somebody else charges it.
fn has_its_test(field: &Field, unit: UnitId, but: UnitId) -> bool {
    let turn = &troops(field, unit).turn;
    turn.stood || turn.evaded || field::chargers(field, unit).into_iter().any(|charger| charger != but)
}

/// Being Charged on the spot; a charge of its own ends if it fails (days.17.4.13-d).
pub fn confront(umpire: &mut Umpire<'_, Days>, unit: UnitId, by: UnitId, clause: Clause) {
    let field = umpire.state();
    let exempt = !is_there(field, unit) || field::is_routing(field, unit) || !troops(field, unit).contact.is_empty();
    // Whoever holds the horses is taken, and no test of his regiment's (empire.9.3-d).
    let holds_horses = facts(field, unit).part_kind() == Some(Part::Holders);
    if exempt || holds_horses || troops(field, unit).crew_away {
        return;
    }
    let passed = morale::being_charged(umpire, unit, &Occasion { against: Some(by), ..Occasion::default() });
    let field = umpire.state();
    if !is_there(field, unit) || field::is_routing(field, unit) {
        return;
    }
    if passed && charged::must_evade(field, unit, &[by]) {
        charged::evade(umpire, unit, by, None);
        return;
    }
    did(umpire, unit, Doing::Stood, &[clause, Clause::WhoHasToTest]);
    if !passed {
        end(umpire, unit, ChargeEnd::Broken);
    }
}

/// 4.5: the rest of the way, to 1" from the target.
pub fn second_impulse(umpire: &mut Umpire<'_, Days>) {
    for side in sequence::in_turn(umpire.state()) {
        for unit in of_stage(umpire.state(), side, ChargeStage::Begun) {
            let clauses = [
                Clause::The2ndImpulse,
                Clause::HalfTheChargeLeft,
                Clause::DeadStraightToTheEnd,
                Clause::ChargersMoveAhead,
            ];
            run(umpire, unit, &clauses);
        }
    }
}

/// The charges of a side that have got so far, in roster order.
pub fn of_stage(field: &Field, side: Side, stage: ChargeStage) -> Vec<UnitId> {
    let fits = |charge: &Charge| charge.stage == stage;
    let charging = field.present(side).filter(|(_, unit)| unit.own.charge.as_deref().is_some_and(fits));
    charging.map(|(id, _)| id).collect()
}

/// Straight on with what is left: to the target, to whoever is in between, or as far as it goes.
fn run(umpire: &mut Umpire<'_, Days>, unit: UnitId, clauses: &[Clause]) {
    for _ in 0..TURNS {
        let field = umpire.state();
        let Some(charge) = troops(field, unit).charge.clone() else { return };
        if charge.stage != ChargeStage::Begun || !is_there(field, unit) {
            return;
        }
        if !troops(field, unit).contact.is_empty() {
            // Met by somebody already: it fights him where it stands.
            drive::goes(umpire, unit, ChargeStage::Home, Length::ZERO, Clause::WhatCountsAsContact);
            return;
        }
        let standoff = field::standoff(field);
        let (pose, formation) = (field.unit(unit).pose(), field::formation(field, unit));
        let counts = |other: UnitId| {
            other != charge.at
                && drive::is_enemy_to_meet(field, unit, other)
                && drive::meets(field, unit, pose, formation, other)
        };
        let straight = drive::straight_to(field, unit, charge.at);
        let far = straight.unwrap_or(charge.left + standoff).min(charge.left + standoff);
        let other = drive::first_ahead(field, unit, pose, formation, far, &counts);
        if let Some((other, off)) = other.filter(|(_, off)| straight.is_none_or(|far| *off < far)) {
            let apart = charge.gone + off;
            let plain = Charger { unit, squadron: None, before: None, advance: None };
            let caught = charge.kind == ChargeKind::Declared && is_caught(field, &plain, apart);
            turn_upon(umpire, unit, other, caught);
            continue;
        }
        finish(umpire, unit, &charge, straight, clauses);
        return;
    }
    end(umpire, unit, ChargeEnd::Blocked);
}

/// The last stretch before it goes home.
fn finish(umpire: &mut Umpire<'_, Days>, unit: UnitId, charge: &Charge, straight: Option<Length>, clauses: &[Clause]) {
    let field = umpire.state();
    let room = drive::room(field, unit, charge.left, false);
    // Whoever is merely grazed stops it all the same.
    let (room, grazed) = drive::before_grazes(field, unit, charge.at, room, false);
    let soft = drive::is_soft(field, charge.at);
    let first = clauses.first().copied().unwrap_or(Clause::The2ndImpulse);
    match straight {
        Some(far) if soft && far <= room && drive::is_clear(field, unit, far) => {
            drive::close(umpire, unit, charge.at, far, clauses)
        }
        Some(far) if !soft && measured(far - field::standoff(field)) <= measured(room) => {
            let by = (far - field::standoff(field)).max(Length::ZERO);
            drive::go(umpire, unit, by, false, clauses);
            drive::goes(umpire, unit, ChargeStage::Close, by, first);
        }
        _ => {
            let why = match straight {
                Some(_) if room < charge.left => ChargeEnd::Blocked,
                Some(_) => ChargeEnd::OutOfReach,
                None => ChargeEnd::TargetGone,
            };
            drive::go(umpire, unit, room, false, clauses);
            if let Some(grazed) = grazed {
                hidden::reveal(umpire, grazed);
            }
            end(umpire, unit, why);
        }
    }
}
