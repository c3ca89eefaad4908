//! The lines along which skirmishers screen what is behind them. A-36.

use crate::charts::reach;
use crate::field::{self, Field};
use crate::unit::Part;
use engine::UnitId;
use smallvec::SmallVec;
use table::Vec2;

/// A share of a unit's stands that is enough to screen its whole front: one in so many.
// tidy: allow(ruling 36 of the house)
const SCREENING_SHARE: u32 = 4;

/// The screens that could hide a unit from small arms: enemy-facing lines of skirmishers of its side.
pub(super) fn screens(field: &Field, target: UnitId) -> SmallVec<[(UnitId, [Vec2; 2]); 2]> {
    if field::skirmishes(field, target) {
        return SmallVec::new();
    }
    let loose = |id: UnitId| field::skirmishes(field, id) && !field::is_routing(field, id);
    let all = field::known(field, field.side_of(target)).map(|(id, _)| id).filter(|id| *id != target && loose(*id));
    all.map(|id| (id, screen_line(field, id, target))).collect()
}

/// The line along which a screen hides what is behind it.
fn screen_line(field: &Field, screen: UnitId, behind: UnitId) -> [Vec2; 2] {
    let (unit, footprint) = (field.unit(screen), field.footprint(screen, field::formation(field, screen)));
    let pose = unit.pose();
    let beside = reach(field.charts().constant.screen_beside).as_f64();
    let half = footprint.width.as_f64() * 0.5 + beside;
    let (mut left, mut right) = (-half, half);
    let back = -footprint.depth.as_f64() * 0.5;
    let enough = u32::from(field::count(field, screen)) * SCREENING_SHARE >= field::strength(field, behind);
    if field::facts(field, screen).part == Some((Part::Screen, behind)) && enough {
        // Seen from the screen, its parent lies behind it; it hides as much of it as there is.
        let corners = field.unit(behind).quad().corners.map(|corner| pose.to_local(corner));
        if corners.iter().all(|corner| corner.y < 0.0) {
            left = corners.iter().map(|corner| corner.x).fold(left, f64::min);
            right = corners.iter().map(|corner| corner.x).fold(right, f64::max);
        }
    }
    [left, right].map(|x| pose.to_world(Vec2 { x, y: back }))
}
