//! Ground all rulebooks share: ways over what cannot be crossed.

use table::march::Track;
use table::terrain::{Ground, TerrainKind};
use table::{Pose, Vec2};

/// How finely a path is looked at where a feature under the flag matters.
const LOOKS: i32 = 16;

/// Whether a ford, bridge or pontoon lies under the flag wherever the ground under it could not be crossed otherwise.
pub fn is_bridged(
    ground: &Ground,
    track: &Track,
    closed: impl Fn(TerrainKind) -> bool,
    crossing: impl Fn(TerrainKind) -> bool,
) -> bool {
    let has = |place: Vec2, what: &dyn Fn(TerrainKind) -> bool| ground.at(place).any(|(_, feature)| what(feature.kind));
    let over = |pose: Pose| !has(pose.at.vec(), &closed) || has(pose.at.vec(), &crossing);
    ground.features.iter().any(|feature| crossing(feature.kind))
        && (0..=LOOKS).all(|n| over(track.at(f64::from(n) / f64::from(LOOKS))))
}

/// Whether the flag never leaves ground of a kind.
pub fn keeps_to(ground: &Ground, track: &Track, kind: impl Fn(TerrainKind) -> bool) -> bool {
    let on =
        |pose: Pose| ground.features.iter().any(|feature| kind(feature.kind) && feature.shape.contains(pose.at.vec()));
    (0..=LOOKS).all(|n| on(track.at(f64::from(n) / f64::from(LOOKS))))
}
