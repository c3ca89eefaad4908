//! Guns: up to where they can shoot, into action, and there they stay while there is something to shoot at.

use super::scene::Scene;
use super::ways::{off_front, placed, wheel};
use engine::UnitId;
use rules::guns::field::{Field, distance, facts, is_deployed, troops};
use rules::guns::order::{Move, Step};
use rules::guns::plot;
use rules::guns::plot::space::Bodies;
use rules::guns::unit::{Cycle, GunClass};
use table::march::Leg;
use table::{Length, Point};

/// Half the arc in which guns are laid, a little less than it is.
const ARC: f64 = 26.0;

/// What a battery does.
pub fn wish(scene: &Scene<'_, '_>, battery: UnitId, bodies: &mut Bodies) -> Option<Move> {
    let field = scene.field();
    match troops(field, battery).cycle {
        Cycle::Abandoned => return plot::post::may_return(field, battery).then_some(Move::Return { battery }),
        Cycle::Unlimbering => return Some(march(battery, vec![Step::Unlimber])),
        Cycle::Limbering => return Some(march(battery, vec![Step::Limber])),
        _ => {}
    }
    let (enemy, gap) = scene.nearest(battery)?;
    let reach = reach(field, battery);
    let quick = matches!(facts(field, battery).class, Some(GunClass::Horse | GunClass::Field));
    let obeys = plot::allowance(field, battery).is_ok();
    if is_deployed(field, battery) {
        // Nobody to shoot at, and nobody coming: it is time to move up.
        let idle = gap > reach && obeys && !facts(field, battery).indirect;
        return idle.then(|| march(battery, vec![Step::Limber]));
    }
    let by = off_front(field, battery, enemy);
    if gap <= reach && by.abs() < ARC {
        let steps = if quick { vec![Step::Unlimber, Step::Fire] } else { vec![Step::Unlimber] };
        return Some(march(battery, steps));
    }
    let full = plot::allowance(field, battery).ok()?;
    if by.abs() >= ARC && gap <= reach * 2 {
        let turned = vec![Step::March(vec![wheel(by.clamp(-60.0, 60.0))])];
        return placed(scene, battery, turned, None, bodies);
    }
    let from = field.unit(battery).pose().at.vec();
    let ahead = (field.unit(enemy).quad().centre - from).normalised();
    let go = (gap - reach + Length::cm(3.0)).min(full);
    [1.0, 0.75, 0.5, 0.25].into_iter().find_map(|share| {
        let to = Point::from_vec(from + ahead * (go.as_f64() * share));
        let mut steps = vec![Step::March(vec![Leg::Straight(to)])];
        if quick && gap - go.times(share) <= reach {
            steps.push(Step::Unlimber);
        }
        placed(scene, battery, steps, None, bodies)
    })
}

/// How near a battery goes: well inside its range, and outside that of rifles where it can.
pub fn reach(field: &Field, battery: UnitId) -> Length {
    let limit = distance(field, &field.charts().combat.direct_limit);
    facts(field, battery).weapon.extreme.min(limit) * 9 / 10
}

fn march(unit: UnitId, steps: Vec<Step>) -> Move {
    Move::March { unit, steps, defend: None }
}
