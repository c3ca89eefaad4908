//! Fire and movement: pulling an advance back under fire. R55 to R57.

use super::Fpw;
use super::clause::Clause;
use super::event::{FpwEvent, MarkCause};
use super::field::{self, Field, bodies_at, gap_between, is_engaged, is_there, known, reactive_range, soldiers};
use super::order::{Decision, Order};
use super::sequence::Phase;
use super::unit::Advance;
use super::{generals, hidden, march, markers, movement};
use engine::{Deed, Event, Flow, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use table::march::Track;
use table::{Length, Pose, SLACK};

/// Units that took fire while advancing, each asked in turn whether it falls back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pullback {
    /// Who is still to be asked.
    pub units: Vec<UnitId>,
}

/// Asks the next unit that took markers.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, mut pullback: Pullback) -> Flow<Fpw> {
    while let Some(&unit) = pullback.units.first() {
        if let Some((back, markers)) = offer(umpire.state(), unit) {
            umpire.replace(Phase::Pullback(pullback));
            let side = umpire.state().side_of(unit);
            return Flow::Ask(Who::One(side), Decision::FallBack { unit, back, markers });
        }
        pullback.units.remove(0);
    }
    Flow::Done
}

/// By how much a unit may be pulled back and how many markers that takes off; nothing where it may not be (R57).
pub fn offer(field: &Field, unit: UnitId) -> Option<(u8, u8)> {
    let own = soldiers(field, unit);
    let advanced = own.turn.advance.as_ref().is_some_and(|advance| advance.toward);
    if !is_there(field, unit) || !advanced || own.turn.inflicted == 0 || is_engaged(field, unit) {
        return None;
    }
    let back = own.turn.inflicted.div_ceil(2);
    let markers = back.min(own.disruption().min(255) as u8);
    let step = pulled_back(field, unit).is_some_and(|(_, to)| to != field.unit(unit).pose());
    (markers > 0 || step).then_some((back, markers))
}

/// The record of the advance after pulling back, and where the unit then stands (R55, R56).
pub fn pulled_back(field: &Field, unit: UnitId) -> Option<(Advance, Pose)> {
    let own = soldiers(field, unit);
    let advance = own.turn.advance.as_ref()?;
    let formation = field::formation(field, unit);
    let track = Track::plot(advance.from, field.footprint(unit, formation), &advance.legs);
    let (length, back) = (track.length(), Length::whole_inches(i32::from(own.turn.inflicted.div_ceil(2))));
    let fire = &field.charts().fire;
    let mut stay = (length - back).max(Length::ZERO);
    if advance.within {
        // A unit without a stand in order loses all it has won.
        let kept = if own.all_degraded() { Length::ZERO } else { fire.keep_advance.value.0 };
        stay = stay.max(kept.min(length));
    } else {
        let inside = reactive_range(field) - fire.keep_inside.value.0;
        stay = stay.max(last_inside(field, unit, &track, stay, inside));
    }
    let share = |walked: Length| if length > Length::ZERO { walked.as_f64() / length.as_f64() } else { 1.0 };
    // Whoever followed may stand in the way; then it stops short of him.
    let mut walked = stay;
    let clear =
        |walked: Length| movement::is_free(field, unit, &bodies_at(field, unit, track.at(share(walked)), formation));
    while walked < length && !clear(walked) {
        // tidy: allow(how finely room is looked for)
        walked = (walked + Length::whole_inches(1) / 4).min(length);
    }
    // A hair's breadth is no step.
    if length - walked <= SLACK {
        walked = length;
    }
    let legs = march::cut(&advance.legs, &track, share(walked));
    Some((Advance { legs, ..(**advance).clone() }, track.at(share(walked))))
}

/// How much of a path must be kept so that the nearest enemy is no further than a distance.
fn last_inside(field: &Field, unit: UnitId, track: &Track, from: Length, inside: Length) -> Length {
    let length = track.length();
    let formation = field::formation(field, unit);
    let near = |walked: Length| {
        let share = if length > Length::ZERO { walked.as_f64() / length.as_f64() } else { 1.0 };
        let quads = bodies_at(field, unit, track.at(share), formation);
        known(field, field.side_of(unit).other())
            .any(|(id, _)| gap_between(&quads, &field::bodies(field, id)) <= inside + SLACK)
    };
    if near(from) {
        return from;
    }
    if !near(length) {
        return length;
    }
    let (mut out, mut within) = (from, length);
    for _ in 0..16 {
        let middle = (out + within) / 2;
        if near(middle) { within = middle } else { out = middle }
    }
    within
}

/// Judges the answer.
pub fn check(order: &Order) -> Verdict {
    match order {
        Order::Pass | Order::FallBack => Verdict::fine(),
        _ => Verdict::refused(Clause::MayFallBack, "the question is whether the unit falls back or stays"),
    }
}

/// Pulls the unit back, or lets it stay.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, order: &Order) {
    if let Some(Phase::Pullback(pullback)) = umpire.phase() {
        pullback.units.retain(|other| *other != unit);
    }
    let (Order::FallBack, Some((advance, to))) = (order, pulled_back(umpire.state(), unit)) else {
        let event = Event::own(Clause::MayFallBack, FpwEvent::Settled { unit });
        return hidden::announce(umpire, unit, event);
    };
    let own = soldiers(umpire.state(), unit);
    let (count, within) = (own.turn.inflicted.div_ceil(2), advance.within);
    let limit = if within { Clause::KeepsAnInch } else { Clause::KeepsInside };
    let from = umpire.state().unit(unit).pose();
    if to != from {
        let deed = Deed::Moved { unit, to, path: Vec::new() };
        hidden::announce(umpire, unit, Event::new(Clause::MayFallBack, deed).also(limit));
        generals::follow(umpire, unit, from, to);
    }
    markers::take_off(umpire, unit, count, MarkCause::FallBack);
    let record = FpwEvent::Advanced { unit, advance: Some(Box::new(advance)) };
    hidden::announce(umpire, unit, Event::own(Clause::HalfRemoved, record).also(limit));
}
