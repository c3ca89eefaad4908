//! A battery's cycle (R63): which runs of steps its class allows, what happens before and after fire.

use super::Guns;
use super::clause::Clause;
use super::event::GunsEvent;
use super::field::{Field, facts, is_there, troops};
use super::order::{Move, Step};
use super::plot::{self, limits};
use super::quarters;
use super::unit::{Cycle, GunClass};
use engine::{Event, Side, Umpire, UnitId, Verdict};

/// Steps horse guns take in a bound.
const HORSE_STEPS: usize = 3;
/// Steps field guns take in a bound.
const FIELD_STEPS: usize = 2;

/// Steps of the cycle in their order; after the last comes the first again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Move,
    Unlimber,
    Fire,
    Limber,
}

impl Turn {
    fn of(step: &Step) -> Option<Turn> {
        match step {
            Step::March(_) => Some(Turn::Move),
            Step::Unlimber => Some(Turn::Unlimber),
            Step::Fire => Some(Turn::Fire),
            Step::Limber => Some(Turn::Limber),
            Step::Form(_) | Step::Mount | Step::Dismount => None,
        }
    }

    fn next(self) -> Turn {
        match self {
            Turn::Move => Turn::Unlimber,
            Turn::Unlimber => Turn::Fire,
            Turn::Fire => Turn::Limber,
            Turn::Limber => Turn::Move,
        }
    }
}

/// Steps a class takes in one bound, and the clause that says so.
fn most_steps(class: Option<GunClass>) -> (usize, Clause) {
    match class {
        Some(GunClass::Horse) => (HORSE_STEPS, Clause::HorseGunsThreeSteps),
        // Carriage-mounted rapid-fire weapons are worked as field guns (R12).
        Some(GunClass::Field) | None => (FIELD_STEPS, Clause::FieldGunsTwoSteps),
        Some(GunClass::Medium) => (1, Clause::MediumGunsOneStep),
        Some(GunClass::Heavy | GunClass::SuperHeavy) => (1, Clause::HeavyGunsTwoBounds),
    }
}

/// The clause that says how many steps a battery takes in a bound.
pub fn class_clause(field: &Field, battery: UnitId) -> Clause {
    most_steps(facts(field, battery).class).1
}

/// Why a run of steps is no run of the cycle from this state, for this class.
fn objections(cycle: Cycle, class: Option<GunClass>, steps: &[Step]) -> Vec<(Clause, String)> {
    let mut reasons = Vec::new();
    let turns: Vec<Turn> = steps.iter().filter_map(Turn::of).collect();
    if turns.len() < steps.len() {
        reasons.push((Clause::GunCycle, "guns move, unlimber, fire and limber, nothing else".to_owned()));
        return reasons;
    }
    let possible: &[Turn] = match cycle {
        Cycle::Limbered => &[Turn::Move, Turn::Unlimber],
        Cycle::Deployed => &[Turn::Fire, Turn::Limber],
        Cycle::Unlimbering => &[Turn::Unlimber],
        Cycle::Limbering => &[Turn::Limber],
        Cycle::Abandoned => &[],
    };
    if let Some(first) = turns.first()
        && !possible.contains(first)
    {
        let text = format!("a {} battery cannot begin with that", cycle.word());
        reasons.push((Clause::GunCycle, text));
    }
    let in_order = turns.windows(2).all(|pair| matches!(pair, [one, other] if one.next() == *other));
    if !in_order {
        reasons.push((Clause::GunCycle, "the steps are not consecutive: move, unlimber, fire, limber".to_owned()));
    }
    let (most, clause) = most_steps(class);
    if turns.len() > most {
        let plural = if most == 1 { "step" } else { "steps" };
        reasons.push((clause, format!("guns of this class take {most} {plural} of their cycle in a bound")));
    }
    reasons
}

/// Whether a run of steps is legal for a battery as it is.
pub fn check(field: &Field, battery: UnitId, steps: &[Step], verdict: &mut Verdict) {
    let (facts, own) = (facts(field, battery), troops(field, battery));
    for (clause, text) in objections(own.cycle, facts.class, steps) {
        verdict.refuse(clause, text).about(battery);
    }
    let asks_order = steps.iter().any(|step| matches!(step, Step::March(_) | Step::Limber));
    let reason = if asks_order {
        limits::idle(field, battery)
    } else {
        limits::helpless(field, battery)
            .or_else(|| own.disorder.combat.then(|| (Clause::DisorderedDeaf, "it is disordered".to_owned())))
    };
    if let Some((clause, text)) = reason {
        verdict.refuse(clause, text).about(battery);
    }
}

/// The steps of a plan before its battery fires, and those after.
pub fn split(steps: &[Step]) -> (&[Step], &[Step]) {
    match steps.iter().position(|step| *step == Step::Fire) {
        Some(at) => (steps.get(..at).unwrap_or_default(), steps.get(at + 1..).unwrap_or_default()),
        None => (steps, &[]),
    }
}

/// Says which batteries may fire this bound: those whose plan says so, and those in action without a plan. One that
/// has still to unlimber fires once it has.
pub fn announce_fire(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let ready: Vec<UnitId> = field
        .units()
        .filter(|(id, unit)| unit.is_present() && facts(field, *id).is_battery() && unit.own.cycle == Cycle::Deployed)
        .map(|(id, _)| id)
        .filter(|id| plan_of(field, *id).is_none_or(|steps| steps.first() == Some(&Step::Fire) || steps.is_empty()))
        .collect();
    for battery in ready {
        may_fire(umpire, battery);
    }
}

/// A battery may fire this bound.
pub fn may_fire(umpire: &mut Umpire<'_, Guns>, battery: UnitId) {
    let event = Event::own(Clause::GunCycle, GunsEvent::MayFire { battery, fires: true });
    super::hidden::announce(umpire, battery, event);
}

/// The plan of a battery this bound.
pub fn plan_of(field: &Field, battery: UnitId) -> Option<&[Step]> {
    field.ledger().plots[field.side_of(battery)].iter().find_map(|line| match line {
        Move::March { unit, steps, .. } if *unit == battery => Some(steps.as_slice()),
        _ => None,
    })
}

/// P6.3: steps plotted to follow fire.
pub fn after_fire(umpire: &mut Umpire<'_, Guns>) {
    follow_fire(umpire, true);
}

/// The same for rapid-fire weapons on carriages, which fire with the musketry (R12).
pub fn after_musketry(umpire: &mut Umpire<'_, Guns>) {
    follow_fire(umpire, false);
}

fn follow_fire(umpire: &mut Umpire<'_, Guns>, artillery: bool) {
    let field = umpire.state();
    let mut movers = Vec::new();
    for side in [Side::A, Side::B] {
        for (id, unit) in field.present(side) {
            let fires_now = facts(field, id).is_battery() && facts(field, id).weapon.artillery == artillery;
            let is_free = fires_now && unit.own.cycle == Cycle::Deployed && !unit.own.broken;
            let steps = plan_of(field, id).map(|steps| split(steps).1).unwrap_or_default();
            if is_free && !steps.is_empty() && is_there(field, id) && unit.own.locked.is_empty() {
                movers.push(quarters::Mover::new(id, plot::route_of(field, id, steps, None)));
            }
        }
    }
    if movers.is_empty() {
        return;
    }
    quarters::run(umpire, movers);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal(cycle: Cycle, class: GunClass, plan: &str) -> bool {
        let steps: Vec<Step> = plan
            .chars()
            .map(|letter| match letter {
                'M' => Step::March(Vec::new()),
                'U' => Step::Unlimber,
                'F' => Step::Fire,
                _ => Step::Limber,
            })
            .collect();
        objections(cycle, Some(class), &steps).is_empty()
    }

    #[test]
    fn a_field_battery_takes_two_steps() {
        // V03.
        for plan in ["M", "U", "MU", "UF"] {
            assert!(legal(Cycle::Limbered, GunClass::Field, plan), "{plan}");
        }
        for plan in ["MUF", "F", "L", "UM", "MF", "MM"] {
            assert!(!legal(Cycle::Limbered, GunClass::Field, plan), "{plan}");
        }
        for plan in ["F", "L", "FL", "LM"] {
            assert!(legal(Cycle::Deployed, GunClass::Field, plan), "{plan}");
        }
    }

    #[test]
    fn a_horse_battery_takes_three() {
        // V27.
        assert!(legal(Cycle::Limbered, GunClass::Horse, "MUF") && legal(Cycle::Limbered, GunClass::Horse, "UFL"));
        assert!(legal(Cycle::Deployed, GunClass::Horse, "FLM") && legal(Cycle::Deployed, GunClass::Horse, "LMU"));
        assert!(!legal(Cycle::Deployed, GunClass::Horse, "LMF") && !legal(Cycle::Limbered, GunClass::Horse, "MUFL"));
    }

    #[test]
    fn heavy_guns_take_their_time() {
        assert!(legal(Cycle::Limbered, GunClass::Heavy, "U") && legal(Cycle::Unlimbering, GunClass::Heavy, "U"));
        assert!(!legal(Cycle::Unlimbering, GunClass::Heavy, "M") && !legal(Cycle::Limbered, GunClass::Heavy, "MU"));
        assert!(!legal(Cycle::Limbered, GunClass::Medium, "MU") && legal(Cycle::Deployed, GunClass::Medium, "F"));
    }
}
