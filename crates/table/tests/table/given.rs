//! Keeps what the tests are given: short ways to write places, poses and terrain, and strategies for any of them.

use proptest::prelude::*;
use table::{Angle, Feature, Footprint, Ground, Length, Outline, Point, Pose, Quad, Shape, TerrainKind, Vec2};

pub fn inches(inches: f64) -> Length {
    Length::inches(inches)
}

pub fn point(x: f64, y: f64) -> Point {
    Point::new(inches(x), inches(y))
}

pub fn place(x: f64, y: f64) -> Vec2 {
    Vec2::new(x * 25_400.0, y * 25_400.0)
}

pub fn pose(x: f64, y: f64, degrees: f64) -> Pose {
    Pose { at: point(x, y), facing: Angle::degrees(degrees) }
}

pub fn footprint(width: f64, depth: f64) -> Footprint {
    Footprint { width: inches(width), depth: inches(depth) }
}

/// A line battalion of three stands.
pub fn battalion() -> Footprint {
    footprint(4.5, 1.0)
}

pub fn quad(width: f64, depth: f64, x: f64, y: f64, degrees: f64) -> Quad {
    footprint(width, depth).quad(pose(x, y, degrees))
}

pub fn area(corners: &[(f64, f64)]) -> Shape {
    Shape::new(Outline::Area(corners.iter().map(|&(x, y)| point(x, y)).collect())).expect("a simple polygon")
}

pub fn rectangle(west: f64, south: f64, east: f64, north: f64) -> Shape {
    area(&[(west, south), (east, south), (east, north), (west, north)])
}

pub fn line(points: &[(f64, f64)], width: f64) -> Shape {
    let points = points.iter().map(|&(x, y)| point(x, y)).collect();
    Shape::new(Outline::Line { points, width: inches(width) }).expect("a line")
}

pub fn disc(x: f64, y: f64, radius: f64) -> Shape {
    Shape::new(Outline::Disc { centre: point(x, y), radius: inches(radius) }).expect("a disc")
}

pub fn feature(key: &str, kind: TerrainKind, level: u8, shape: Shape) -> Feature {
    Feature { key: key.to_owned(), name: key.to_owned(), kind, shape, level, crests: Vec::new(), nature: Vec::new() }
}

pub fn ground(features: Vec<Feature>) -> Ground {
    Ground { size: (inches(72.0), inches(48.0)), features, wind: None }
}

/// Any place within a metre or so of the origin.
pub fn any_point() -> impl Strategy<Value = Point> {
    (-1_000_000..1_000_000_i32, -1_000_000..1_000_000_i32).prop_map(|(x, y)| Point::new(Length::um(x), Length::um(y)))
}

/// A place close enough to the origin that things often meet there.
pub fn near_point() -> impl Strategy<Value = Point> {
    (-200_000..200_000_i32, -200_000..200_000_i32).prop_map(|(x, y)| Point::new(Length::um(x), Length::um(y)))
}

pub fn any_angle() -> impl Strategy<Value = Angle> {
    (0..360_000_i32).prop_map(Angle::millidegrees)
}

pub fn near_pose() -> impl Strategy<Value = Pose> {
    (near_point(), any_angle()).prop_map(|(at, facing)| Pose { at, facing })
}

pub fn any_footprint() -> impl Strategy<Value = Footprint> {
    (10_000..200_000_i32, 10_000..100_000_i32)
        .prop_map(|(width, depth)| Footprint { width: Length::um(width), depth: Length::um(depth) })
}

pub fn any_quad() -> impl Strategy<Value = Quad> {
    (near_pose(), any_footprint()).prop_map(|(pose, footprint)| footprint.quad(pose))
}

/// A star-shaped polygon, which is always simple and usually concave.
pub fn any_area() -> impl Strategy<Value = Vec<Point>> {
    (near_point(), prop::collection::vec(20_000.0..150_000.0_f64, 5..12)).prop_map(|(centre, spokes)| {
        let count = spokes.len() as f64;
        let corner = |(no, spoke): (usize, f64)| {
            let bearing = Angle::degrees(360.0 * no as f64 / count);
            Point::from_vec(centre.vec() + bearing.unit() * spoke)
        };
        spokes.into_iter().enumerate().map(corner).collect()
    })
}

pub fn any_outline() -> impl Strategy<Value = Outline> {
    let chain = (prop::collection::vec(near_point(), 2..5), 1_000..40_000_i32)
        .prop_map(|(points, width)| Outline::Line { points, width: Length::um(width) });
    let disc = (near_point(), 10_000..120_000_i32)
        .prop_map(|(centre, radius)| Outline::Disc { centre, radius: Length::um(radius) });
    prop_oneof![any_area().prop_map(Outline::Area), chain, disc]
}

pub fn any_shape() -> impl Strategy<Value = Shape> {
    any_outline().prop_filter_map("two points of a chain may coincide", |outline| Shape::new(outline).ok())
}
