//! Passage of lines: a fresh unit goes through a worn one. Section 17.4.9 of `iron`, A-97.

use super::limits::Reasons;
use crate::charts::{count as figure, reach};
use crate::clause::Clause;
use crate::field::{self, Field, facts, measured, stands, stands_at};
use crate::formation::{Formation, Shape};
use crate::ground::{self, Land};
use crate::settings::Weight;
use crate::unit::OrderState;
use engine::UnitId;
use table::{Angle, Pose, SLACK};

/// Half a right angle: how far facings may differ.
const SAME_WAY: Angle = Angle::whole(45); // tidy: allow(what "facing the same way" means, a ruling of the house)

/// Why a unit may not pass through a line from one pose to another; none if it may.
pub fn objections(field: &Field, unit: UnitId, line: UnitId, start: Pose, end: (Pose, Formation)) -> Reasons {
    let mut reasons = Reasons::new();
    let mut say = |applies: bool, clause: Clause, text: &'static str| {
        if applies {
            reasons.push((clause, text));
        }
    };
    let constant = &field.charts().constant;
    let formed = field::is_formed(field, unit) && field::is_formed(field, line);
    let passable = field.charts().switch.passage_of_lines.value && field::shape(field, line) == Shape::Line;
    say(!passable || !formed, Clause::RelievingATiredLine, "formed troops pass through a friendly line only");
    let pose = field.unit(line).pose();
    let footprint = field.footprint(line, field::formation(field, line));
    let at = pose.to_local(start.at.vec());
    let behind = at.y <= -footprint.depth.as_f64() + SLACK.as_f64() && at.x.abs() <= footprint.width.half().as_f64();
    let same_way = pose.facing.apart(start.facing) <= SAME_WAY;
    say(
        !behind || !same_way,
        Clause::RelievingATiredLine,
        "it has to start straight behind the line, facing as it does",
    );
    let class = |id: UnitId| u32::from(facts(field, id).class) >= figure(constant.passage_class);
    say(!class(unit) || !class(line), Clause::WhoMayPassLines, "raw troops cannot pass through each other's lines");
    let blocked = [unit, line].iter().any(|id| stands(field, *id).iter().any(|stand| is_close(field, stand)));
    say(blocked, Clause::WhoMayPassLines, "lines are passed in the open or in light wood only");
    let before = |stand: &table::Quad| stand.corners.iter().all(|corner| pose.to_local(*corner).y >= -SLACK.as_f64());
    let through = stands_at(field, unit, end.0, end.1).iter().all(before);
    say(!through, Clause::RelievingATiredLine, "it has to end wholly in front of the line it relieves");
    reasons
}

/// Whether a stand is among heavy trees, houses or other ground that is neither open nor light wood.
fn is_close(field: &Field, stand: &table::Quad) -> bool {
    let area = ground::area_at(field, stand.centre);
    area.is_some_and(|(id, weight)| weight == Weight::Heavy || ground::land(field, id) == Land::Urban)
        || ground::patches_near(field, ground::spot(stand.centre))
            .any(|patch| matches!(patch.land, Land::Swamp | Land::Difficult) && patch.shape.contains(stand.centre))
}

/// Whether two lines stand so close after a relief that the leading one is crowded (iron.17.4.9-d).
pub fn is_crowded(field: &Field, unit: UnitId, line: UnitId) -> bool {
    measured(field::gap(field, unit, line)) <= reach(field.charts().constant.passage_gap)
}

/// Whether going through these men breaks a unit's order (iron.17.4.9-f).
pub fn is_broken_by(field: &Field, unit: UnitId, line: UnitId) -> bool {
    field::order(field, line) == OrderState::Shaken && facts(field, line).class > facts(field, unit).class
}
