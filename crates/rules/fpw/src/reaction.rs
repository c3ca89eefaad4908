//! Cavalry charged by cavalry: counter-charge, evade or stand. R68, R69.

use super::Fpw;
use super::approach::{Line, steps};
use super::charge::{Answer, Charging};
use super::clause::Clause;
use super::contact::relocate;
use super::event::FpwEvent;
use super::field::{
    Field, Rough, bodies, bodies_at, facts, formation, is_engaged, is_there, known, level, rough, soldiers,
};
use super::movement;
use super::order::{Decision, Order};
use super::sequence::Phase;
use super::unit::{Advance, Arm, Aspect};
use engine::{Event, Fixed, Reckoning, Source, Step, Umpire, UnitId, Verdict, View};
use table::{Angle, Length, Point, Pose, quads_overlap};

/// The next cavalry to be asked; whoever has no choice stands.
pub fn next_question(field: &Field, charging: &mut Charging) -> Option<Decision> {
    for n in 0..charging.charges.len() {
        let charge = &charging.charges[n];
        if charge.answer != Answer::Unasked {
            continue;
        }
        let (unit, line) = (charge.line.meets, charge.line.clone());
        let answered = charging
            .charges
            .iter()
            .any(|other| other.line.meets == unit && !matches!(other.answer, Answer::Unasked | Answer::Stands));
        if !charge.out && !answered && may_react(field, &line) {
            let may_evade = !facts(field, unit).heavy;
            return Some(Decision::CavalryReaction { unit, charger: line.unit, may_evade });
        }
        charging.charges[n].answer = Answer::Stands;
    }
    None
}

fn is_cavalry(field: &Field, unit: UnitId) -> bool {
    facts(field, unit).arm == Arm::Cavalry && !facts(field, unit).is_scout()
}

/// Whether a target has a choice: horse against horse, free, and the charger seen for the last part of its way.
fn may_react(field: &Field, line: &Line) -> bool {
    let unit = line.meets;
    if !is_there(field, unit) || !is_cavalry(field, unit) || !is_cavalry(field, line.unit) || is_engaged(field, unit) {
        return false;
    }
    if formation(field, unit).is_march() && facts(field, unit).heavy {
        return false;
    }
    let last = field.charts().react.seen_for_last.value.0;
    line.seen_from(field, unit, (line.gap - last).max(Length::ZERO))
}

/// Judges the answer.
pub fn check(view: &View<'_, Fpw>, unit: UnitId, may_evade: bool, order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::CounterCharge if formation(view, unit).is_march() => {
            Verdict::refused(Clause::CounterCharge, "a march column does not counter-charge")
        }
        Order::CounterCharge => Verdict::fine(),
        Order::Evade if may_evade => Verdict::fine(),
        Order::Evade => Verdict::refused(Clause::HeavyOnlyCounters, "heavy cavalry does not evade"),
        _ => Verdict::refused(Clause::CavalryReacts, "the question is to counter-charge, to evade or to stand"),
    }
}

/// Carries it out.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, order: &Order) {
    let Some(Phase::Charge(charging)) = umpire.top() else { return umpire.fault("a reaction without a charge") };
    let Some(n) = charging.charges.iter().position(|charge| charge.answer == Answer::Unasked) else {
        return umpire.fault("a reaction nobody was asked for");
    };
    let line = charging.charges[n].line.clone();
    let (answer, line) = match order {
        Order::CounterCharge => counter_charge(umpire, line),
        Order::Evade => evade(umpire, line),
        _ => (Answer::Stands, line),
    };
    if let Some(Phase::Charge(charging)) = umpire.phase() {
        charging.charges[n].answer = answer;
        charging.charges[n].line = line;
    }
}

/// The target comes a little way to meet the charger (react-d).
fn counter_charge(umpire: &mut Umpire<'_, Fpw>, line: Line) -> (Answer, Line) {
    let field = umpire.state();
    let (unit, ground) = (line.meets, level(field, line.meets));
    let most = field.charts().react.counter_charge.value.0.min(line.brink(field));
    let back = line.bearing.reversed();
    let stands = field.unit(unit).pose();
    let faces_it = super::contact::aspect(field, unit, line.start.at.vec()) == Aspect::Front;
    let turned = if faces_it { stands } else { about_centre(field, unit, back) };
    // It comes on as far as there is room, turned to the enemy if it can.
    let places = [turned, stands].into_iter().flat_map(|pose| {
        steps(Length::ZERO, most).into_iter().rev().map(move |by| pose.shifted(back.unit() * by.as_f64()))
    });
    let mut found = None;
    for pose in places {
        if movement::is_free(field, unit, &bodies_at(field, unit, pose, formation(field, unit))) {
            found = still_met(field, &line, unit, pose).map(|line| (pose, line));
        }
        if found.is_some() {
            break;
        }
    }
    umpire.announce(
        Event::own(Clause::CounterCharge, FpwEvent::CounterCharges { unit, charger: line.unit })
            .also(Clause::CavalryReacts)
            .also(Clause::ChargerSeen),
    );
    let Some((pose, line)) = found else { return (Answer::Counters(ground), line) };
    relocate(umpire, unit, pose, Vec::new(), Clause::CounterCharge);
    (Answer::Counters(ground), line)
}

/// The unit turned on its middle.
fn about_centre(field: &Field, unit: UnitId, facing: Angle) -> Pose {
    let depth = field.footprint(unit, formation(field, unit)).depth;
    let centre = field.unit(unit).quad().centre;
    Pose { at: Point::from_vec(centre + facing.unit() * (depth.as_f64() * 0.5)), facing }
}

/// The charger's line if the target stood elsewhere, where it still meets it.
fn still_met(field: &Field, line: &Line, unit: UnitId, pose: Pose) -> Option<Line> {
    let theirs = bodies_at(field, unit, pose, formation(field, unit));
    let own = bodies_at(field, line.unit, line.start, formation(field, line.unit));
    let towards = line.bearing.unit();
    let pairs = own.iter().flat_map(|one| theirs.iter().map(move |other| (one, other)));
    let gap = pairs.filter_map(|(one, other)| table::reach(one, towards, Length::MAX, other)).min()?;
    Some(Line { gap, ..line.clone() })
}

/// Whether an evader gets away: the gap and its run together exceed what the charger can do (R69).
pub fn escapes(gap: Length, run: Length, allowance: Length) -> bool {
    gap + run > allowance + table::SLACK
}

/// The target runs (react-e, react-f).
fn evade(umpire: &mut Umpire<'_, Fpw>, line: Line) -> (Answer, Line) {
    let (unit, charger) = (line.meets, line.unit);
    let side = umpire.state().side_of(unit);
    let roll = umpire.roll(umpire.charts().react.evade.value.0, side);
    let field = umpire.state();
    let run = room_to_run(field, unit, &line, Length::whole_inches(roll.total()));
    let distance = run.map_or(Length::ZERO, |(_, run)| run);
    let escapes = escapes(line.gap, distance, line.allowance);
    let figure = |length: Length| Fixed((length.as_inches() * 100.0).round() as i32);
    let mut reckoning = Reckoning::new();
    reckoning.total = figure(line.gap + distance);
    for (label, step, length) in [
        ("from charger to target", Step::Add, line.gap),
        ("run", Step::Add, distance),
        ("what the charger can do", Step::Look, line.allowance),
    ] {
        reckoning.line(Clause::EvadeEscapes.into(), label.into(), step, figure(length), Source::Derived);
    }
    let clause = if escapes { Clause::EvadeEscapes } else { Clause::EvadeCaught };
    let told = FpwEvent::Evades { unit, charger, distance, escapes };
    let told = Event::own(clause, told).also(Clause::CavalryReacts).also(Clause::ChargerSeen);
    umpire.announce(told.rolled(roll).because(reckoning));
    if let Some((pose, _)) = run {
        relocate(umpire, unit, pose, Vec::new(), clause);
    }
    if escapes {
        halt(umpire, &line);
        return (Answer::Escaped, line);
    }
    let line = line.again(umpire.state(), unit).unwrap_or(line);
    // It is caught wherever it got to, even where its turned body lies a little further off.
    let allowance = line.allowance.max(line.gap);
    (Answer::Caught, Line { allowance, ..line })
}

/// Where an evader comes to stand, and how far that is: as far as it threw, or as there is room.
fn room_to_run(field: &Field, unit: UnitId, line: &Line, score: Length) -> Option<(Pose, Length)> {
    let (away, shape) = (line.bearing.unit(), formation(field, unit));
    let turned = about_centre(field, unit, line.bearing);
    let kept = field.unit(unit).pose();
    let run = |from: Pose| {
        let mut best = None;
        for by in steps(Length::ZERO, score) {
            let pose = from.shifted(away * by.as_f64());
            let quads = bodies_at(field, unit, pose, shape);
            if is_barred(field, unit, &quads) {
                break;
            }
            if by > Length::ZERO
                && movement::is_free(field, unit, &quads)
                && still_met(field, line, unit, pose).is_some()
            {
                best = Some((pose, by));
            }
        }
        best
    };
    let (turned, kept) = (run(turned), run(kept));
    match (turned, kept) {
        (Some(turned), Some(kept)) if kept.1 > turned.1 => Some(kept),
        (turned, kept) => turned.or(kept),
    }
}

/// Whether nobody can ride on there: off the table, impassable, or into another enemy.
fn is_barred(field: &Field, unit: UnitId, quads: &[table::Quad]) -> bool {
    let ground = field.ground();
    let closed = |quad: &table::Quad| {
        !ground.holds(quad)
            || ground.features.iter().any(|f| rough(f.kind) == Rough::Impassable && f.shape.overlaps_quad(quad))
    };
    quads.iter().any(closed)
        || known(field, field.side_of(unit).other()).any(|(id, _)| {
            let theirs = bodies(field, id);
            quads.iter().any(|own| theirs.iter().any(|their| quads_overlap(own, their)))
        })
}

/// The charger stops where its target had stood, short of any other enemy there.
fn halt(umpire: &mut Umpire<'_, Fpw>, line: &Line) {
    let field = umpire.state();
    let unit = line.unit;
    let go = match line.again(field, line.meets) {
        Some(other) if other.gap <= line.gap + table::SLACK => other.brink(field),
        _ => line.gap,
    };
    let pose = line.pose_at(go);
    let Some(advance) = soldiers(field, unit).turn.advance.clone() else { return };
    if !movement::is_free(field, unit, &bodies_at(field, unit, pose, formation(field, unit))) {
        return;
    }
    relocate(umpire, unit, pose, Vec::new(), Clause::EvadeEscapes);
    let advance = Some(Box::new(Advance { legs: line.legs(go), ..*advance }));
    umpire.announce(Event::own(Clause::EvadeEscapes, FpwEvent::Advanced { unit, advance }));
}
