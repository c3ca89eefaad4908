//! The ground under a charge: what it takes off the allowance, and what nobody charges over. C-13, A-80, A-130.

use crate::field::Field;
use crate::formation::Formation;
use crate::ground::{self, Land, Tolls};
use engine::UnitId;
use engine::verdict::Note;
use table::march::{Leg, Track};
use table::{Footprint, Length, Pose, SLACK, convex};

/// The ground under a straight run.
#[derive(Clone, Debug, Default)]
pub struct Going {
    /// What it takes off the allowance.
    pub toll: Length,
    /// What nobody like this may enter.
    pub barred: Vec<Note>,
}

/// A straight run of a body.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From where.
    pub from: Pose,
    /// The body that runs.
    pub body: Footprint,
    /// How far.
    pub far: Length,
}

impl Run {
    fn track(&self, more: Length) -> Track {
        Track::plot(self.from, self.body, &[Leg::Ahead(self.far + more)])
    }
}

/// What a run costs a unit in a formation.
pub fn over(field: &Field, unit: UnitId, formation: Formation, run: Run) -> Going {
    let tolls = ground::toll(field, unit, formation, &run.track(Length::ZERO));
    let toll = tolls.total() + met(field, unit, formation, run, &tolls);
    let mut barred = tolls.refusals;
    for line in tolls.lines.iter().filter(|line| line.cost == Length::MAX) {
        let mut note = Note::new(line.clause, format!("{} is no ground to charge over", line.name));
        note.about(unit);
        barred.push(note);
    }
    Going { toll, barred }
}

/// What an obstacle costs that is met across its line, not crossed: he who defends it stands on it.
fn met(field: &Field, unit: UnitId, formation: Formation, run: Run, crossed: &Tolls) -> Length {
    let hair = SLACK * 2;
    let end = run.body.quad(run.from.ahead(run.far));
    let is_met = |patch: ground::Patch<'_>| patch.land == Land::Obstacle && patch.shape.gap_to(&end) <= hair.as_f64();
    if !ground::patches_near(field, end.bounds().grown(hair.as_f64())).any(is_met) {
        return Length::ZERO;
    }
    let beyond = ground::toll(field, unit, formation, &run.track(hair));
    let fresh = |line: &&ground::TollLine| {
        line.land == Land::Obstacle && crossed.lines.iter().all(|known| known.piece != line.piece)
    };
    beyond.lines.iter().filter(fresh).map(|line| line.cost).sum()
}

/// Whether a run climbs an obstacle. Whoever halts with his front on it has not crossed it: he meets its defenders across
/// it, however thick it is.
pub fn climbs(field: &Field, run: Run) -> bool {
    let track = run.track(Length::ZERO);
    let [left, right, ..] = run.body.quad(run.from.ahead(run.far)).corners;
    let halts_on = |patch: &ground::Patch<'_>| patch.shape.parts().any(|part| convex::touches(part, &[left, right]));
    ground::patches(field)
        .filter(|patch| patch.land == Land::Obstacle && track.crosses(&patch.shape))
        .any(|patch| !halts_on(&patch))
}
