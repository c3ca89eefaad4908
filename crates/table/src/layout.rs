//! Keeps layouts: the stands of a body as they hang behind its flag, whatever the rulebook calls the formation.
//!
//! Every layout has its flag at local (0, 0) facing north, and no stand reaches ahead of it.
//! Layouts are made for the stands that are left, so losses need no holes.

use smallvec::SmallVec;

use crate::angle::Angle;
use crate::length::Length;
use crate::pose::{Point, Pose};
use crate::shape::{Footprint, Quad};
use crate::vec2::{Vec2, greater};

/// More stands than any body has; larger numbers are cut down to it.
pub const MOST_STANDS: usize = 1_000;

/// One stand in the frame of its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalStand {
    /// The middle of the stand's own front edge, and its facing, relative to the flag of the body.
    pub pose: Pose,
    /// The rectangle of the stand.
    pub footprint: Footprint,
}

/// The room between stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// Between neighbours in a rank.
    pub files: Length,
    /// Between one rank and the next.
    pub ranks: Length,
}

impl From<Length> for Gaps {
    fn from(both: Length) -> Self {
        Gaps { files: both, ranks: both }
    }
}

impl From<(Length, Length)> for Gaps {
    fn from((files, ranks): (Length, Length)) -> Self {
        Gaps { files, ranks }
    }
}

/// The arrangement of the stands of one body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    stands: SmallVec<[LocalStand; 12]>,
    footprint: Footprint,
}

impl Layout {
    /// Stands side by side.
    pub fn line(n: usize, stand: Footprint, gap: Length) -> Layout {
        Layout::blocks(n, stand, n, gap)
    }

    /// Stands one behind another.
    pub fn column(n: usize, stand: Footprint, gap: Length) -> Layout {
        Layout::blocks(n, stand, 1, gap)
    }

    /// Ranks of `files` stands each; the last rank may be shorter and stands in the middle.
    pub fn blocks(n: usize, stand: Footprint, files: usize, gaps: impl Into<Gaps>) -> Layout {
        let (n, gaps) = (n.min(MOST_STANDS), gaps.into());
        Layout::of((0..n).map(|no| Layout::block(n, stand, files, gaps, no)).collect())
    }

    /// One of these stands alone, for whoever does not ask for the others.
    pub fn block(n: usize, stand: Footprint, files: usize, gaps: impl Into<Gaps>, no: usize) -> LocalStand {
        let (n, gaps) = (n.min(MOST_STANDS), gaps.into());
        let files = files.clamp(1, MOST_STANDS);
        let (rank, file) = (no / files, no % files);
        let in_rank = files.min(n.saturating_sub(rank * files));
        let back = offset(rank, stand.depth + gaps.ranks);
        LocalStand {
            pose: local(across(file, in_rank, stand.width, gaps.files), 0.0 - back.as_f64(), Angle::NORTH),
            footprint: stand,
        }
    }

    /// Stands one behind another with their long sides along the road.
    pub fn march_column(n: usize, stand: Footprint, gap: Length) -> Layout {
        Layout::column(n, Footprint { width: stand.depth, depth: stand.width }, gap)
    }

    /// A hollow square whose four faces look outward; the front face takes the first odd stand, then rear, left, right.
    pub fn square(n: usize, stand: Footprint) -> Layout {
        let n = n.min(MOST_STANDS);
        let face = |odd: usize| n / 4 + usize::from(n % 4 > odd);
        let (front, rear, left, right) = (face(0), face(1), face(2), face(3));
        let longest = offset(front, stand.width);
        // The faces to the sides stand behind the front face and before the rear one, so no corner overlaps.
        let half = longest.half() + stand.depth;
        let middle = -half;
        let mut stands = SmallVec::new();
        for (count, facing) in [(front, Angle::NORTH), (right, Angle::EAST), (rear, Angle::SOUTH), (left, Angle::WEST)]
        {
            for no in 0..count {
                let place = Vec2 { x: across(no, count, stand.width, Length::ZERO), y: half.as_f64() }.turned(facing);
                let pose = local(place.x, place.y + middle.as_f64(), facing);
                stands.push(LocalStand { pose, footprint: stand });
            }
        }
        Layout::of(stands)
    }

    /// A line with one wing swung back at the joint before stand `at` (counted from the left, from zero).
    ///
    /// A clockwise angle refuses the right wing (the stands from `at` on), an anticlockwise one the left wing (the
    /// stands before `at`). The flag is the middle of the front edge of the wing that stays.
    pub fn bent_line(n: usize, stand: Footprint, at: usize, by: Angle) -> Layout {
        let n = n.min(MOST_STANDS);
        let at = at.min(n);
        let (staying, swung) = if by.signed() >= 0 { (at, n - at) } else { (n - at, at) };
        if staying == 0 || swung == 0 {
            return Layout::line(n, stand, Length::ZERO);
        }
        let side = if by.signed() >= 0 { 1.0 } else { -1.0 };
        let straight = (0..staying).map(|no| local(across(no, staying, stand.width, Length::ZERO), 0.0, Angle::NORTH));
        // The joint is the rear corner, so that the wing opens outward instead of overlapping its neighbour.
        let width = stand.width.as_f64();
        let joint = Vec2 { x: side * width * 0.5 * staying as f64, y: -stand.depth.as_f64() };
        let wing = (0..swung).map(|no| {
            let flag = Vec2 { x: side * width * (no as f64 + 0.5), y: stand.depth.as_f64() };
            let place = joint + flag.turned(by);
            local(place.x, place.y, by)
        });
        Layout::of(straight.chain(wing).map(|pose| LocalStand { pose, footprint: stand }).collect())
    }

    /// Stands as a rulebook arranges them, moved so that the flag is in the middle of the front of them all.
    pub fn arranged(stands: impl IntoIterator<Item = LocalStand>) -> Layout {
        let mut stands: SmallVec<[LocalStand; 12]> = stands.into_iter().take(MOST_STANDS).collect();
        let mut corners = stands.iter().flat_map(|stand| stand.footprint.quad(stand.pose).corners);
        let Some(first) = corners.next() else { return Layout::default() };
        let (mut least, mut most, mut front) = (first.x, first.x, first.y);
        for corner in corners {
            (least, most, front) = (-greater(-corner.x, -least), greater(corner.x, most), greater(corner.y, front));
        }
        let middle = (least + most) * 0.5;
        for stand in &mut stands {
            let place = stand.pose.at.vec();
            stand.pose = local(place.x - middle, place.y - front, stand.pose.facing);
        }
        Layout::of(stands)
    }

    fn of(stands: SmallVec<[LocalStand; 12]>) -> Layout {
        let (mut half_width, mut depth) = (0.0, 0.0);
        for stand in &stands {
            for corner in stand.footprint.quad(stand.pose).corners {
                half_width = greater(corner.x.abs(), half_width);
                depth = greater(-corner.y, depth);
            }
        }
        let footprint = Footprint { width: Length::from_um(half_width * 2.0), depth: Length::from_um(depth) };
        Layout { stands, footprint }
    }

    /// The stands in the frame of the body.
    pub fn stands(&self) -> &[LocalStand] {
        &self.stands
    }

    /// The least rectangle behind the flag that holds all stands.
    pub fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// The rectangle of one stand on the table; without such a stand, that of the whole body.
    pub fn stand_quad(&self, pose: Pose, i: usize) -> Quad {
        self.stands.get(i).map_or_else(|| self.footprint.quad(pose), |stand| placed(pose, pose.forward(), stand))
    }

    /// The rectangles of all stands on the table, in their order.
    pub fn quads(&self, pose: Pose) -> impl ExactSizeIterator<Item = Quad> + '_ {
        self.quads_along(pose, pose.forward())
    }

    /// The same for a pose whose forward direction is known already.
    pub fn quads_along(&self, pose: Pose, forward: Vec2) -> impl ExactSizeIterator<Item = Quad> + '_ {
        self.stands.iter().map(move |stand| placed(pose, forward, stand))
    }
}

/// The rectangle of a stand, given the forward direction of its body.
fn placed(pose: Pose, forward: Vec2, stand: &LocalStand) -> Quad {
    let place = stand.pose.at.vec();
    let flag = pose.at.vec() + forward.perp_right() * place.x + forward * place.y;
    // Most stands face as their body does, and need no sine of their own.
    let facing = if stand.pose.facing == Angle::NORTH { forward } else { (pose.facing + stand.pose.facing).unit() };
    stand.footprint.quad_along(flag, facing)
}

fn local(x: f64, y: f64, facing: Angle) -> Pose {
    Pose { at: Point::from_vec(Vec2 { x, y }), facing }
}

/// The middle of one of several stands side by side, seen from the middle of them all.
fn across(no: usize, count: usize, width: Length, gap: Length) -> f64 {
    (no as f64 - (count as f64 - 1.0) * 0.5) * (width.as_f64() + gap.as_f64())
}

fn offset(count: usize, step: Length) -> Length {
    step.times(count as f64)
}
