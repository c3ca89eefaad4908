//! Keeps the figures of convex polygons and of the shapes of terrain.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use proptest::prelude::*;
use table::{
    Footprint, Length, Outline, Point, Quad, Shape, ShapeError, Vec2, convex, gap, quads_overlap, quads_touch,
};

use crate::given::{
    any_area, any_point, any_quad, any_shape, area, disc, inches, line, near_point, place, point, quad, rectangle,
};

#[test]
fn gaps_of_rectangles() {
    let a = quad(4.5, 1.0, 30.0, 20.0, 0.0);
    assert_eq!(gap(&a, &quad(4.5, 1.0, 30.0, 26.0, 0.0)), inches(5.0));
    assert_eq!(gap(&a, &quad(4.5, 1.0, 34.5, 20.0, 0.0)), Length::ZERO);
    assert_eq!(gap(&a, &quad(4.5, 1.0, 30.5, 20.0, 40.0)), Length::ZERO);
    // Corner to corner: 3in across and 4in up.
    assert_eq!(gap(&a, &quad(4.5, 1.0, 37.5, 25.0, 0.0)), inches(5.0));
    // A square of 2in on its corner, its middle 5in above our front: the corner hangs √2 below the middle.
    let diamond = quad(2.0, 2.0, 30.0 + FRAC_1_SQRT_2, 25.0 + FRAC_1_SQRT_2, 45.0);
    assert!((gap(&a, &diamond) - inches(5.0 - SQRT_2)).abs() <= Length::um(1));
    assert_eq!(gap(&a, &Quad::of_square(place(30.0, 25.0), inches(2.0))), inches(4.0));
}

#[test]
fn touching_and_overlapping_differ_by_the_slack() {
    let a = quad(4.5, 1.0, 30.0, 20.0, 0.0);
    let up = |um: i32| {
        Footprint { width: inches(4.5), depth: inches(1.0) }.quad(table::Pose {
            at: Point::new(inches(30.0), inches(21.0) + Length::um(um)),
            facing: table::Angle::NORTH,
        })
    };
    assert!(quads_touch(&a, &up(0)) && !quads_overlap(&a, &up(0)));
    assert!(quads_touch(&a, &up(100)) && !quads_touch(&a, &up(101)));
    assert!(!quads_overlap(&a, &up(-100)) && quads_overlap(&a, &up(-101)));
    assert_eq!(convex::penetration(a.points(), up(-300).points()), 300.0);
    assert_eq!(convex::penetration(a.points(), up(300).points()), -300.0);
}

#[test]
fn nearest_points_of_two_rectangles() {
    let (on_a, on_b) =
        convex::nearest_points(quad(4.0, 1.0, 30.0, 20.0, 0.0).points(), quad(4.0, 1.0, 37.0, 25.0, 0.0).points());
    assert_eq!((on_a, on_b), (place(32.0, 20.0), place(35.0, 24.0)));
    let a = quad(4.0, 1.0, 30.0, 20.0, 0.0);
    let b = quad(1.0, 4.0, 30.0, 22.0, 0.0);
    let (shared, same) = convex::nearest_points(a.points(), b.points());
    assert_eq!(shared, same);
    assert!(convex::contains(a.points(), shared) && convex::contains(b.points(), shared));
}

#[test]
fn a_sweep_knows_when_contact_begins_and_ends() {
    let a = quad(4.0, 1.0, 30.0, 20.0, 0.0);
    let b = quad(4.0, 1.0, 30.0, 25.0, 0.0);
    assert_eq!(convex::sweep(a.points(), place(0.0, 16.0), b.points()), Some((0.25, 0.375)));
    assert_eq!(convex::sweep(a.points(), place(0.0, 3.0), b.points()), None);
    assert_eq!(convex::sweep(a.points(), place(0.0, -16.0), b.points()), None);
    assert_eq!(convex::sweep(a.points(), place(0.0, 4.0), b.points()), Some((1.0, 1.0)));
    assert_eq!(convex::sweep(a.points(), Vec2::ZERO, a.points()), Some((0.0, 1.0)));
}

#[test]
fn a_segment_is_clipped_to_what_lies_inside() {
    let b = quad(4.0, 2.0, 30.0, 20.0, 0.0);
    let across = (place(24.0, 19.0), place(40.0, 19.0));
    assert_eq!(convex::clip(across, b.points()), Some((0.25, 0.5)));
    assert_eq!(convex::clip((place(24.0, 21.0), place(40.0, 21.0)), b.points()), None);
    assert_eq!(convex::clip((place(29.0, 19.0), place(31.0, 19.0)), b.points()), Some((0.0, 1.0)));
    let mut reversed = b.corners;
    reversed.reverse();
    assert_eq!(convex::clip(across, &reversed), Some((0.25, 0.5)));
    assert_eq!(
        convex::clip((place(0.0, 0.0), place(4.0, 4.0)), &[place(0.0, 2.0), place(2.0, 0.0)]),
        Some((0.25, 0.25))
    );
    assert_eq!(
        convex::clip((place(0.0, 0.0), place(4.0, 4.0)), &[place(1.0, 1.0), place(3.0, 3.0)]),
        Some((0.25, 0.75))
    );
}

#[test]
fn a_rectangle_stays_one_part_and_an_l_takes_two() {
    assert_eq!(rectangle(0.0, 0.0, 4.0, 2.0).parts().count(), 1);
    // A corner on a straight side makes no difference.
    assert_eq!(area(&[(0.0, 0.0), (2.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)]).parts().count(), 1);
    let l = area(&[(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]);
    assert_eq!(l.parts().count(), 2);
    assert!(l.contains(place(0.5, 2.5)) && l.contains(place(3.5, 0.5)) && l.contains(place(1.0, 1.0)));
    assert!(!l.contains(place(2.0, 2.0)));
    assert_eq!(l.distance(place(2.0, 2.0)), 25_400.0);
    assert_eq!(l.gap_to(&quad(0.5, 0.5, 2.0, 2.5, 0.0)), 0.75 * 25_400.0);
    assert!(l.overlaps_quad(&quad(0.5, 0.5, 1.0, 2.5, 0.0)));
    assert!(!l.overlaps_quad(&quad(0.5, 0.5, 1.25, 2.5, 0.0)));
    assert_eq!(l.clip((place(-1.0, 2.0), place(5.0, 2.0))).as_slice(), [(1.0 / 6.0, 2.0 / 6.0)]);
}

#[test]
fn lines_have_width_and_filled_bends() {
    let road = line(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], 2.0);
    assert!(road.contains(place(5.0, 1.0)) && !road.contains(place(5.0, 1.1)));
    assert!(road.contains(place(10.4, -0.4)), "the outside of the bend");
    assert!(!road.contains(place(10.9, -0.9)));
    assert_eq!(road.centre(), place(10.0, 0.0));
    assert_eq!(road.corners(), [place(0.0, 0.0), place(10.0, 0.0), place(10.0, 10.0)]);
    assert!(road.is_line() && !road.is_thin());
    assert_eq!(road.bounds().max, place(11.0, 10.0));
    let hedge = line(&[(0.0, 0.0), (10.0, 0.0)], 0.0);
    assert!(hedge.is_thin());
    assert_eq!(hedge.distance(place(5.0, 2.0)), 50_800.0);
}

#[test]
fn discs_measure_by_their_own_mathematics() {
    let pond = disc(10.0, 10.0, 3.0);
    assert!(pond.contains(place(13.0, 10.0)) && !pond.contains(place(12.5, 12.5)));
    assert_eq!(pond.distance(place(10.0, 15.0)), 50_800.0);
    assert_eq!(pond.gap_to(&quad(4.0, 1.0, 10.0, 5.0, 0.0)), 50_800.0);
    assert!(pond.overlaps_quad(&quad(20.0, 20.0, 10.0, 20.0, 0.0)));
    assert!(!pond.overlaps_quad(&quad(4.0, 1.0, 10.0, 7.0, 0.0)));
    assert_eq!(pond.clip((place(5.0, 10.0), place(25.0, 10.0))).as_slice(), [(0.1, 0.4)]);
    assert!(pond.clip((place(5.0, 14.0), place(25.0, 14.0))).is_empty());
    assert_eq!(pond.centre(), place(10.0, 10.0));
    assert_eq!(pond.bounds().min, place(7.0, 7.0));
    assert!(pond.corners().iter().all(|corner| (corner.distance(place(10.0, 10.0)) - 76_200.0).abs() < 1e-6));
}

#[test]
fn outlines_that_are_no_shape_are_refused_with_the_reason() {
    let refused = |corners: &[(f64, f64)]| {
        Shape::new(Outline::Area(corners.iter().map(|&(x, y)| point(x, y)).collect())).expect_err("no shape")
    };
    assert_eq!(refused(&[]), ShapeError::TooFewPoints { got: 0, need: 3 });
    assert_eq!(refused(&[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)]), ShapeError::TooFewPoints { got: 2, need: 3 });
    assert_eq!(refused(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]), ShapeError::ZeroArea);
    let bow_tie = [(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)];
    assert!(matches!(refused(&bow_tie), ShapeError::SelfCrossing { .. }));
    let pinched = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)];
    assert!(matches!(refused(&pinched), ShapeError::SelfCrossing { .. }));
    let spike = [(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 4.0)];
    assert!(matches!(refused(&spike), ShapeError::SelfCrossing { .. }));
    let text = refused(&bow_tie).to_string();
    assert!(text.contains("crosses or touches itself near ("), "{text}");
    let many = Outline::Area((0..600).map(|no| point(f64::from(no), f64::from(no * no))).collect());
    assert_eq!(Shape::new(many), Err(ShapeError::TooManyPoints { got: 600 }));
    let one = Outline::Line { points: vec![point(1.0, 1.0), point(1.0, 1.0)], width: Length::ZERO };
    assert_eq!(Shape::new(one), Err(ShapeError::TooFewPoints { got: 1, need: 2 }));
    let negative = Outline::Line { points: vec![point(1.0, 1.0), point(2.0, 1.0)], width: inches(-1.0) };
    assert_eq!(Shape::new(negative), Err(ShapeError::NegativeWidth { width: inches(-1.0) }));
    let flat = Outline::Disc { centre: point(1.0, 1.0), radius: Length::ZERO };
    assert_eq!(Shape::new(flat), Err(ShapeError::ZeroArea));
}

#[test]
fn a_comb_of_512_points_is_cut_in_reasonable_time() {
    let teeth = 255;
    let mut ring = vec![point(0.0, -1.0)];
    ring.push(point(f64::from(teeth), -1.0));
    for tooth in (0..teeth).rev() {
        ring.push(point(f64::from(tooth) + 0.5, 5.0));
        ring.push(point(f64::from(tooth), 0.0));
    }
    assert_eq!(ring.len(), 512);
    let comb = Shape::new(Outline::Area(ring)).expect("simple");
    assert!(comb.contains(place(100.5, 4.9)) && !comb.contains(place(101.0, 4.9)));
}

/// The winding rule, as a second opinion on what lies inside.
fn winds_around(ring: &[Point], place: Vec2) -> bool {
    let mut inside = false;
    for (no, corner) in ring.iter().enumerate() {
        let (a, b) = (corner.vec(), ring[(no + 1) % ring.len()].vec());
        if (a.y > place.y) != (b.y > place.y) && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y) {
            inside = !inside;
        }
    }
    inside
}

fn polygon_area(ring: &[Vec2]) -> f64 {
    (0..ring.len()).map(|no| ring[no].cross(ring[(no + 1) % ring.len()])).sum::<f64>() * 0.5
}

proptest! {
    #[test]
    fn the_parts_of_an_area_are_convex_and_fill_it(ring in any_area(), probes in prop::collection::vec(near_point(), 20)) {
        let shape = Shape::new(Outline::Area(ring.clone())).expect("star-shaped");
        let whole: Vec<Vec2> = ring.iter().map(|point| point.vec()).collect();
        let parts: f64 = shape.parts().map(polygon_area).sum();
        prop_assert!((parts - polygon_area(&whole).abs()).abs() < 1e-3 * parts);
        for part in shape.parts() {
            for no in 0..part.len() {
                let (a, b, c) = (part[no], part[(no + 1) % part.len()], part[(no + 2) % part.len()]);
                prop_assert!((b - a).cross(c - b) >= 0.0);
            }
        }
        for probe in probes {
            let probe = probe.vec();
            if shape.distance(probe) > 1.0 || shape.contains(probe) {
                let on_border = (0..whole.len())
                    .any(|no| convex::distance(&[whole[no], whole[(no + 1) % whole.len()]], probe) < 1.0);
                prop_assert!(on_border || shape.contains(probe) == winds_around(&ring, probe));
            }
        }
    }

    #[test]
    fn a_clipped_line_agrees_with_sampling(shape in any_shape(), from in any_point(), to in near_point()) {
        let (from, to) = (from.vec(), to.vec());
        let intervals = shape.clip((from, to));
        for pair in intervals.windows(2) {
            prop_assert!(pair[0].1 < pair[1].0);
        }
        for no in 0..=100 {
            let fraction = f64::from(no) / 100.0;
            let place = from.lerp(to, fraction);
            let clipped = intervals.iter().any(|(enter, leave)| (*enter..=*leave).contains(&fraction));
            let close = intervals.iter().any(|(enter, leave)| (enter - fraction).abs().min((leave - fraction).abs()) < 1e-6);
            prop_assert!(close || clipped == shape.contains(place));
        }
    }

    #[test]
    fn a_swept_rectangle_agrees_with_sampling(shape in any_shape(), start in any_quad(), by in near_point()) {
        let by = by.vec();
        let intervals = shape.sweep(&start, by);
        for no in 0..=60 {
            let fraction = f64::from(no) / 60.0;
            let swept = intervals.iter().any(|(enter, leave)| (*enter..=*leave).contains(&fraction));
            let close = intervals.iter().any(|(enter, leave)| (enter - fraction).abs().min((leave - fraction).abs()) < 1e-4);
            prop_assert!(close || swept == shape.overlaps_quad(&start.shifted(by * fraction)));
        }
    }

    #[test]
    fn a_sweep_of_rectangles_agrees_with_sampling(a in any_quad(), b in any_quad(), by in near_point()) {
        let by = by.vec();
        let swept = convex::sweep(a.points(), by, b.points());
        for no in 0..=60 {
            let fraction = f64::from(no) / 60.0;
            let depth = convex::penetration(a.shifted(by * fraction).points(), b.points());
            let during = swept.is_some_and(|(enter, leave)| (enter..=leave).contains(&fraction));
            prop_assert!(depth.abs() < 1e-6 || during == (depth > 0.0));
        }
    }

    #[test]
    fn gap_penetration_and_nearest_points_agree(a in any_quad(), b in any_quad()) {
        let (gap, depth) = (convex::gap(a.points(), b.points()), convex::penetration(a.points(), b.points()));
        prop_assert!(gap == 0.0 || depth <= 0.0);
        prop_assert!(depth <= 0.0 || gap == 0.0);
        prop_assert!(-depth <= gap + 1e-6);
        let (on_a, on_b) = convex::nearest_points(a.points(), b.points());
        prop_assert!((on_a.distance(on_b) - gap).abs() < 1e-6);
        prop_assert!(convex::distance(a.points(), on_a) < 1e-6 && convex::distance(b.points(), on_b) < 1e-6);
        prop_assert_eq!(quads_overlap(&a, &b), depth > 100.0);
        prop_assert_eq!(quads_touch(&a, &b), gap <= 100.0);
        prop_assert_eq!(table::gap(&a, &b), Length::from_um(gap));
        // Parted by their depth, they no longer overlap.
        if depth > 0.0 {
            let parted = (0..360).any(|degree| {
                let out = table::Angle::whole(degree).unit() * (depth * 1.001 + 1.0);
                convex::penetration(a.shifted(out).points(), b.points()) <= depth * 0.01 + 1.0
            });
            prop_assert!(parted);
        }
    }

    #[test]
    fn gaps_to_shapes_agree_with_distances(shape in any_shape(), quad in any_quad(), probe in near_point()) {
        let gap = shape.gap_to(&quad);
        let nearest = quad.corners.iter().map(|&corner| shape.distance(corner)).fold(f64::INFINITY, f64::min);
        prop_assert!(gap <= nearest + 1e-6);
        if shape.overlaps_quad(&quad) {
            prop_assert!(gap == 0.0);
        }
        prop_assert_eq!(shape.contains(probe.vec()), shape.distance(probe.vec()) == 0.0);
    }
}
