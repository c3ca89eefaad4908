//! Who sees whom, whole bodies, generals and places.

use super::{End, Lane};
use crate::charts::reach;
use crate::field::{self, Field, is_there, surely_beyond};
use crate::unit::Part;
use engine::{CommanderId, Side, UnitId};
use table::{Footprint, Quad, Vec2};

/// Whether a unit sees another: some stand of it, or its skirmishers, some stand of the other.
pub fn sees(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    if !is_there(field, target) {
        return false;
    }
    let own = is_there(field, viewer) && body_sees(field, viewer, target);
    own || field::part_out(field, viewer, Part::Screen).is_some_and(|screen| body_sees(field, screen, target))
}

/// Whether a unit sees another through the eyes of its skirmishers alone (days.16.3-f).
pub fn sees_by_screen(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    field::part_out(field, viewer, Part::Screen).is_some() && !body_sees(field, viewer, target)
}

fn body_sees(field: &Field, viewer: UnitId, target: UnitId) -> bool {
    let far = reach(field.charts().constant.sight);
    if surely_beyond(field.unit(viewer).quad(), field.unit(target).quad(), far) {
        return false;
    }
    any_sees(&Lane::between(field, viewer, target), field::stands(field, viewer), field::stands(field, target))
}

/// Command stands look at each other first: they see each other more often than not.
fn any_sees(lane: &Lane<'_>, eyes: &[Quad], targets: &[Quad]) -> bool {
    if let (Some(eye), Some(target)) = (eyes.get(eyes.len() / 2), targets.get(targets.len() / 2))
        && lane.stand_sees(eye, target)
    {
        return true;
    }
    eyes.iter().any(|eye| targets.iter().any(|target| lane.stand_sees(eye, target)))
}

/// Whether one stand of a unit sees one stand of another. For many pairs of the same two units make a [`Lane`] once.
pub fn stand_sees(field: &Field, viewer: UnitId, from: &Quad, target: UnitId, stand: &Quad) -> bool {
    let ends = (End::of(field, viewer), End::of(field, target));
    let stands = (std::slice::from_ref(from), std::slice::from_ref(stand));
    Lane::within(field, ends, [Some(viewer), Some(target)], stands).stand_sees(from, stand)
}

/// Whether anybody of a side sees a unit.
pub fn seen_by(field: &Field, side: Side, target: UnitId) -> bool {
    is_there(field, target)
        && (field.present(side).any(|(viewer, _)| viewer != target && body_sees(field, viewer, target))
            || staff_see(field, side, End::of(field, target), Some(target), field::stands(field, target)))
}

/// Whether a general of a side sees any of these stands: staff look all round.
fn staff_see(field: &Field, side: Side, seen: End, target: Option<UnitId>, stands: &[Quad]) -> bool {
    let present = field.muster().commander_ids().filter(|id| field.muster().commander(*id).side == side);
    present.filter(|id| field.commander(*id).is_present() && field.commander(*id).own.is_fit()).any(|id| {
        let eye = field.commander(id).quad();
        let but = [field.commander(id).own.attached, target];
        let lane = Lane::within(field, (End::STAFF, seen), but, (std::slice::from_ref(eye), stands));
        stands.iter().any(|stand| lane.sees_all_round(eye, stand))
    })
}

/// Whether anybody of a side sees a place on the table as an open stand would be seen.
pub fn place_seen_by(field: &Field, side: Side, place: Vec2) -> bool {
    let stand = &field.charts().stand.infantry;
    let footprint = Footprint { width: reach(stand.width), depth: reach(stand.depth) };
    let middle = Quad::of_square(place, footprint.width.max(footprint.depth));
    let far = reach(field.charts().constant.sight);
    let by_units = field.present(side).any(|(viewer, unit)| {
        if surely_beyond(unit.quad(), &middle, far) {
            return false;
        }
        let stands = field::stands(field, viewer);
        let ends = (End::of(field, viewer), End::PLAIN);
        let lane = Lane::within(field, ends, [Some(viewer), None], (stands, std::slice::from_ref(&middle)));
        stands.iter().any(|eye| lane.stand_sees(eye, &middle))
    });
    by_units || staff_see(field, side, End::PLAIN, None, &[middle])
}

/// The lane from a unit to a general on his own.
pub fn lane_to_general(field: &Field, viewer: UnitId, general: CommanderId) -> Lane<'_> {
    let stands = (field::stands(field, viewer), std::slice::from_ref(field.commander(general).quad()));
    Lane::within(field, (End::of(field, viewer), End::STAFF), [Some(viewer), None], stands)
}

/// Whether a unit sees a general on his own.
pub fn sees_general(field: &Field, viewer: UnitId, general: CommanderId) -> bool {
    if !field.commander(general).is_present() || !is_there(field, viewer) {
        return false;
    }
    let lane = lane_to_general(field, viewer, general);
    let target = field.commander(general).quad();
    field::stands(field, viewer).iter().any(|eye| lane.stand_sees(eye, target))
}
