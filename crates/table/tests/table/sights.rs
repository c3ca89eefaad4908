//! Keeps the figures of sight and of the ground.

use proptest::prelude::*;
use table::{
    Block, Edge, Feature, FeatureId, Ground, Length, Quad, SLACK, SightRule, Sightline, TerrainKind, Vec2, convex,
    is_clear, look,
};

use crate::given::{
    any_point, any_quad, area, disc, feature, ground, inches, line, near_point, place, point, quad, rectangle,
};

/// Buildings and walls block, more than two inches of wood do, bodies do unless somebody stands higher.
struct Plain;

impl SightRule for Plain {
    fn feature_blocks(&self, feature: &Feature, inside: Length, line: &Sightline) -> bool {
        match feature.kind {
            TerrainKind::Building | TerrainKind::Wall => true,
            TerrainKind::Woods => inside > inches(2.0),
            TerrainKind::Hill => feature.level > line.from_level.max(line.to_level),
            _ => false,
        }
    }

    fn body_blocks(&self, level: u8, line: &Sightline) -> bool {
        line.from_level.max(line.to_level) <= level
    }

    fn pooled(&self, kind: TerrainKind) -> bool {
        kind == TerrainKind::Woods
    }
}

fn from_to(from: Vec2, to: Vec2) -> Sightline {
    Sightline { from, to, from_level: 0, to_level: 0 }
}

fn clear(ground: &Ground, line: &Sightline, bodies: &[Quad]) -> bool {
    let quick = is_clear(ground, line, &Plain, bodies.iter().enumerate().map(|(no, quad)| (no, quad, 0)));
    let named = look(ground, line, &Plain, bodies.iter().enumerate().map(|(no, quad)| (no, *quad, 0)));
    assert_eq!(quick, named.is_clear(), "the quick answer and the named one");
    quick
}

fn wood(west: f64, east: f64) -> Feature {
    feature("W", TerrainKind::Woods, 0, rectangle(west, 0.0, east, 40.0))
}

#[test]
fn two_inches_of_wood_are_seen_through_and_a_hair_more_are_not() {
    let line = from_to(place(1.0, 20.0), place(60.0, 20.0));
    assert!(clear(&ground(vec![wood(10.0, 12.0)]), &line, &[]));
    assert!(!clear(&ground(vec![wood(10.0, 12.001)]), &line, &[]));
    // Two woods of 1.5in each add up, and both are named.
    let two = ground(vec![wood(10.0, 11.5), wood(30.0, 31.5)]);
    assert!(!clear(&two, &line, &[]));
    let sight = look(&two, &line, &Plain, []);
    assert_eq!(
        sight.blocks.as_slice(),
        [
            Block::Feature { id: FeatureId(0), from: point(10.0, 20.0), to: point(11.5, 20.0) },
            Block::Feature { id: FeatureId(1), from: point(30.0, 20.0), to: point(31.5, 20.0) },
        ]
    );
}

#[test]
fn somebody_inside_a_wood_looks_out_over_what_is_left_of_it() {
    let ground = ground(vec![wood(10.0, 20.0)]);
    assert!(clear(&ground, &from_to(place(18.0, 20.0), place(60.0, 20.0)), &[]));
    assert!(!clear(&ground, &from_to(place(17.9, 20.0), place(60.0, 20.0)), &[]));
}

#[test]
fn a_concave_wood_counts_every_stretch() {
    // A U whose arms are 1.25in wide: no single stretch blocks, both together do.
    let arms = area(&[
        (10.0, 0.0),
        (20.0, 0.0),
        (20.0, 30.0),
        (18.75, 30.0),
        (18.75, 5.0),
        (11.25, 5.0),
        (11.25, 30.0),
        (10.0, 30.0),
    ]);
    let ground = ground(vec![feature("U", TerrainKind::Woods, 0, arms)]);
    assert!(!clear(&ground, &from_to(place(1.0, 20.0), place(60.0, 20.0)), &[]));
    assert!(clear(&ground, &from_to(place(15.0, 20.0), place(60.0, 20.0)), &[]));
}

#[test]
fn a_wall_blocks_when_crossed_and_not_from_behind_it() {
    let ground = ground(vec![feature("wall", TerrainKind::Wall, 0, line(&[(10.0, 10.0), (30.0, 10.0)], 0.0))]);
    assert!(!clear(&ground, &from_to(place(20.0, 5.0), place(20.0, 15.0)), &[]));
    assert!(clear(&ground, &from_to(place(20.0, 10.0), place(20.0, 15.0)), &[]));
    assert!(clear(&ground, &from_to(place(20.0, 5.0), place(20.0, 10.0)), &[]));
    assert!(clear(&ground, &from_to(place(31.0, 5.0), place(31.0, 15.0)), &[]));
    assert!(!clear(&ground, &from_to(place(30.0, 5.0), place(30.0, 15.0)), &[]));
}

#[test]
fn a_building_is_not_in_the_way_of_a_line_that_touches_its_corner() {
    let ground = ground(vec![feature("B", TerrainKind::Building, 0, rectangle(10.0, 10.0, 12.0, 12.0))]);
    assert!(clear(&ground, &from_to(place(8.0, 12.0), place(12.0, 8.0)), &[]));
    assert!(clear(&ground, &from_to(place(8.0, 10.0), place(12.0, 14.0)), &[]));
    assert!(!clear(&ground, &from_to(place(9.0, 11.1), place(11.1, 9.0)), &[]));
    assert!(clear(&ground, &from_to(place(10.0, 14.0), place(14.0, 10.0)), &[]));
}

#[test]
fn bodies_block_where_they_are_crossed() {
    let ground = ground(vec![]);
    let body = quad(4.5, 1.0, 30.0, 20.0, 0.0);
    let line = from_to(place(30.0, 10.0), place(30.0, 30.0));
    assert!(!clear(&ground, &line, &[body]));
    let sight = look(&ground, &line, &Plain, [(7, body, 0)]);
    assert_eq!(sight.blocks.as_slice(), [Block::Body { no: 7, from: point(30.0, 19.0), to: point(30.0, 20.0) }]);
    // Along the edge, up to the edge and past the corner are clear.
    assert!(clear(&ground, &from_to(place(20.0, 20.0), place(40.0, 20.0)), &[body]));
    assert!(clear(&ground, &from_to(place(30.0, 10.0), place(30.0, 19.0)), &[body]));
    assert!(clear(&ground, &from_to(place(32.25, 10.0), place(32.25, 30.0)), &[body]));
    assert!(!clear(&ground, &from_to(place(32.2, 10.0), place(32.2, 30.0)), &[body]));
    let from_above = Sightline { from_level: 1, ..line };
    assert!(clear(&ground, &from_above, &[body]));
}

#[test]
fn a_line_of_no_length_is_clear() {
    let ground =
        ground(vec![wood(10.0, 20.0), feature("B", TerrainKind::Building, 0, rectangle(10.0, 10.0, 12.0, 12.0))]);
    let line = from_to(place(11.0, 11.0), place(11.0, 11.0));
    assert!(clear(&ground, &line, &[quad(4.5, 4.5, 11.0, 12.0, 0.0)]));
}

#[test]
fn levels_and_features_of_a_place() {
    let ground = ground(vec![
        feature("low", TerrainKind::Hill, 1, disc(20.0, 20.0, 10.0)),
        feature("high", TerrainKind::Hill, 2, disc(20.0, 20.0, 3.0)),
        feature("road", TerrainKind::Road, 3, line(&[(0.0, 20.0), (72.0, 20.0)], 1.0)),
        wood(0.0, 5.0),
    ]);
    assert_eq!(ground.level_at(place(20.0, 20.0)), 2);
    assert_eq!(ground.level_at(place(26.0, 20.0)), 1);
    assert_eq!(ground.level_at(place(40.0, 20.0)), 0);
    let keys: Vec<_> = ground.at(place(26.0, 20.2)).map(|(id, feature)| (id.0, feature.key.as_str())).collect();
    assert_eq!(keys, [(0, "low"), (2, "road")]);
    assert_eq!(ground.feature(FeatureId(3)).map(|feature| feature.kind), Some(TerrainKind::Woods));
    assert_eq!(ground.feature(FeatureId(9)), None);
}

#[test]
fn edges_of_the_table() {
    let ground = ground(vec![]);
    let here = place(50.0, 11.0);
    let distances = Edge::ALL.map(|edge| ground.edge_distance(edge, here) / 25_400.0);
    assert_eq!(distances, [37.0, 22.0, 11.0, 50.0]);
    assert!(ground.holds(&quad(4.5, 1.0, 2.25, 48.0, 0.0)));
    assert!(!ground.holds(&quad(4.5, 1.0, 2.25, 48.01, 0.0)));
    assert_eq!(ground.bounds().max, place(72.0, 48.0));
}

proptest! {
    #[test]
    fn the_quick_look_at_a_body_is_the_overlap_of_line_and_rectangle(a in any_point(), b in near_point(), body in any_quad()) {
        let depth = convex::penetration(&[a.vec(), b.vec()], body.points());
        prop_assume!((depth - SLACK.as_f64()).abs() > 1e-3);
        let line = from_to(a.vec(), b.vec());
        prop_assert_eq!(clear(&ground(vec![]), &line, &[body]), depth <= SLACK.as_f64());
    }

    #[test]
    fn sight_is_mutual(a in any_point(), b in near_point(), bodies in prop::collection::vec(any_quad(), 0..4),
                       shape in crate::given::any_shape()) {
        let ground = ground(vec![feature("F", TerrainKind::Woods, 0, shape)]);
        let there = clear(&ground, &from_to(a.vec(), b.vec()), &bodies);
        let back = clear(&ground, &from_to(b.vec(), a.vec()), &bodies);
        prop_assert_eq!(there, back);
    }
}

#[test]
fn terrain_kinds_have_names() {
    for kind in TerrainKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert_eq!(TerrainKind::ALL.len(), 27);
    assert!("wodos".parse::<TerrainKind>().is_err());
    assert!(TerrainKind::Hedge.is_linear() && !TerrainKind::Woods.is_linear());
}
