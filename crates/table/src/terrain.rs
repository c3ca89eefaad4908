//! Keeps the ground: kinds of terrain, features and the table they lie on. What a wood does is a rule, not kept here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::angle::Angle;
use crate::length::Length;
use crate::pose::Point;
use crate::shape::{Bounds, Quad, SLACK_UM, Shape};
use crate::vec2::Vec2;

/// Writes the enum, the list of all kinds and their names from one table.
macro_rules! kinds {
    ($($kind:ident $name:literal $doc:literal)*) => {
        /// What a piece of terrain is.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum TerrainKind {
            $(#[doc = $doc] $kind,)*
        }

        impl TerrainKind {
            /// Every kind, in order.
            pub const ALL: [TerrainKind; [$($name),*].len()] = [$(TerrainKind::$kind),*];

            /// The name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(TerrainKind::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Clearing "clearing" "Open ground inside something else."
    Woods "woods" "Trees."
    Scrub "scrub" "Bushes."
    Orchard "orchard" "Fruit trees in rows."
    Crops "crops" "Standing corn and the like."
    Difficult "difficult" "Rough or broken ground."
    Marsh "marsh" "Soft ground."
    Hedge "hedge" "A hedge."
    Fence "fence" "A wooden fence."
    Wall "wall" "A stone wall."
    Abatis "abatis" "Felled trees with sharpened boughs."
    Earthwork "earthwork" "A thrown-up bank."
    Redoubt "redoubt" "A closed earthwork."
    Building "building" "A single building."
    Town "town" "Several buildings as one piece."
    Hill "hill" "High ground."
    Road "road" "A made road."
    Track "track" "An unmade road."
    Railway "railway" "A railway line."
    Stream "stream" "Water that can be waded."
    River "river" "Water that cannot be waded."
    Lake "lake" "Standing water."
    Ford "ford" "A shallow place of a river."
    Bridge "bridge" "A bridge."
    Pontoon "pontoon" "A bridge of boats."
    Swamp "swamp" "Ground too wet to stand on."
    Cliff "cliff" "A drop that cannot be climbed."
}

/// A word that names no kind of terrain.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no kind of terrain: expected a word such as woods, hill or wall")]
pub struct UnknownTerrain(String);

impl TerrainKind {
    /// Whether pieces of this kind are usually drawn as a line.
    pub const fn is_linear(self) -> bool {
        use TerrainKind::{Abatis, Cliff, Earthwork, Fence, Hedge, Railway, River, Road, Stream, Track, Wall};
        matches!(self, Hedge | Fence | Wall | Abatis | Earthwork | Road | Track | Railway | Stream | River | Cliff)
    }
}

impl fmt::Display for TerrainKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TerrainKind {
    type Err = UnknownTerrain;

    fn from_str(text: &str) -> Result<Self, UnknownTerrain> {
        let word = text.trim();
        TerrainKind::ALL.into_iter().find(|kind| kind.name() == word).ok_or_else(|| UnknownTerrain(text.to_owned()))
    }
}

/// The number of a feature: its place in [`Ground::features`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FeatureId(pub u16);

/// A piece of terrain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Feature {
    /// The short name in files, unique on its table.
    pub key: String,
    /// The name people read.
    #[serde(default)]
    pub name: String,
    /// What it is.
    pub kind: TerrainKind,
    /// Where it lies.
    pub shape: Shape,
    /// How high it is; zero is the level of the table.
    #[serde(default)]
    pub level: u8,
    /// Lines along which the ground is highest.
    #[serde(default)]
    pub crests: Vec<Vec<Point>>,
    /// What else a rulebook wants to know of it: `heavy`, `steep` and the like.
    #[serde(default)]
    pub nature: Vec<String>,
}

/// An edge of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// Along the greatest y.
    North,
    /// Along the greatest x.
    East,
    /// Along y = 0.
    South,
    /// Along x = 0.
    West,
}

impl Edge {
    /// Every edge, clockwise from the north.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];
}

/// The table: its size, its terrain and the wind over it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ground {
    /// From west to east and from south to north.
    pub size: (Length, Length),
    /// The terrain; a feature's number is its place here.
    #[serde(default)]
    pub features: Vec<Feature>,
    /// Where the wind blows to, if there is one.
    #[serde(default)]
    pub wind: Option<Angle>,
}

impl Ground {
    /// The highest level of any area with a level that covers the place, and zero elsewhere.
    pub fn level_at(&self, place: Vec2) -> u8 {
        let raised = self.features.iter().filter(|feature| feature.level > 0 && !feature.shape.is_line());
        raised.filter(|feature| feature.shape.contains(place)).map(|feature| feature.level).max().unwrap_or(0)
    }

    /// The features that cover a place, in their order.
    pub fn at(&self, place: Vec2) -> impl Iterator<Item = (FeatureId, &Feature)> {
        self.numbered().filter(move |(_, feature)| feature.shape.contains(place))
    }

    /// The features with their numbers; a table has room for 65 536 of them.
    pub fn numbered(&self) -> impl Iterator<Item = (FeatureId, &Feature)> {
        (0..=u16::MAX).map(FeatureId).zip(&self.features)
    }

    /// The feature with this number.
    pub fn feature(&self, id: FeatureId) -> Option<&Feature> {
        self.features.get(usize::from(id.0))
    }

    /// The table as a box.
    pub fn bounds(&self) -> Bounds {
        Bounds { min: Vec2::ZERO, max: Vec2 { x: self.size.0.as_f64(), y: self.size.1.as_f64() } }
    }

    /// Whether a rectangle lies wholly on the table, [`SLACK`](crate::SLACK) allowed.
    pub fn holds(&self, quad: &Quad) -> bool {
        let bounds = self.bounds().grown(SLACK_UM);
        quad.corners.iter().all(|&corner| bounds.contains(corner))
    }

    /// How far inside an edge a place lies; negative beyond it.
    pub fn edge_distance(&self, edge: Edge, place: Vec2) -> f64 {
        match edge {
            Edge::North => self.size.1.as_f64() - place.y,
            Edge::East => self.size.0.as_f64() - place.x,
            Edge::South => place.y,
            Edge::West => place.x,
        }
    }
}
