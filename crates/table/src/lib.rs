//! The tape measure of Grognard: lengths, angles, poses, shapes, terrain, sight and marching.
//!
//! The crate knows no rule and no die; it measures, turns, overlaps and sweeps.
//! The origin is the south-west corner of the table, x runs east and y north; facing 0° is north and turns clockwise,
//! as on a compass.
//!
//! Values that rest in a state are whole numbers by type: [`Length`] counts micrometres and [`Angle`] millidegrees, so
//! an inch is exactly 25 400, equality is honest and nothing needs settling.
//! Geometry in between works on [`Vec2`] (`f64` micrometres), and only what rests is rounded back.
//! Plain arithmetic and `sqrt` round alike on every target and everything else goes through `trig`, so the same
//! question has the same bits for an answer natively and in WASM.
//!
//! ```
//! use table::{Angle, Flank, Footprint, Leg, Length, Point, Pose, Track, gap};
//!
//! let battalion = Footprint { width: Length::inches(4.5), depth: Length::whole_inches(1) };
//! let start = Pose { at: Point::new("30in".parse()?, "20in".parse()?), facing: Angle::NORTH };
//! let enemy = battalion.quad(Pose { at: Point::new("30in".parse()?, "26in".parse()?), facing: Angle::SOUTH });
//! assert_eq!(gap(&battalion.quad(start), &enemy), Length::whole_inches(6));
//!
//! let track = Track::plot(start, battalion, &["ahead 4in".parse()?, "wheel left 30".parse()?]);
//! assert_eq!(track.end().facing, Angle::whole(330));
//! assert!(track.meets(enemy.points()).is_some(), "the outer corner swings into the enemy");
//! # assert_eq!("wheel left 30".parse(), Ok(Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod angle;
pub mod arc;
pub mod contact;
pub mod layout;
pub mod length;
pub mod march;
#[doc(hidden)]
pub mod parity;
pub mod pose;
pub mod shape;
pub mod sight;
pub mod terrain;
pub mod trig;
pub mod vec2;

pub use angle::{Angle, AngleError};
pub use arc::{Flank, FrontArc, Zone, within_arc, zone};
pub use contact::{conform, is_touching, reach};
pub use layout::{Gaps, Layout, LocalStand};
pub use length::{Length, LengthError, SLACK, Unit};
pub use march::{Leg, LegError, Meeting, Motion, Stage, Track};
pub use pose::{Point, Pose};
pub use shape::convex;
pub use shape::{Bounds, Footprint, Intervals, Outline, Quad, Shape, ShapeError, gap, quads_overlap, quads_touch};
pub use sight::{Block, Blocker, Ray, Sight, SightRule, Sightline, is_clear, look};
pub use terrain::{Edge, Feature, FeatureId, Ground, TerrainKind, UnknownTerrain};
pub use vec2::Vec2;
