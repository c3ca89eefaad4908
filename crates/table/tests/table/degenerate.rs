//! Keeps what must never panic, hang or surprise: points, segments, empty slices, nothing and everything.

use proptest::prelude::*;
use table::{
    Angle, Footprint, Ground, Layout, Length, Outline, Point, Pose, Quad, Shape, Vec2, conform, convex, gap, reach,
};

use crate::given::{any_angle, inches, place, pose, quad};

#[test]
fn points_and_segments_are_polygons_too() {
    let (a, b) = (place(0.0, 0.0), place(3.0, 4.0));
    assert_eq!(convex::gap(&[a], &[b]), 5.0 * 25_400.0);
    assert_eq!(convex::gap(&[a], &[a]), 0.0);
    assert!(convex::penetration(&[a], &[b]) < 0.0);
    assert_eq!(convex::distance(&[place(0.0, 1.0), place(9.0, 1.0)], place(3.0, 0.0)), 25_400.0);
    // Two segments on one line are apart by the gap between their ends.
    let (west, east) = ([place(0.0, 0.0), place(1.0, 0.0)], [place(3.0, 0.0), place(4.0, 0.0)]);
    assert_eq!(convex::gap(&west, &east), 50_800.0);
    assert!(convex::penetration(&west, &east) < 0.0);
    assert!(convex::contains(&west, place(0.5, 0.0)));
    assert!(!convex::contains(&west, place(1.5, 0.0)));
    assert_eq!(convex::nearest_points(&west, &east), (place(1.0, 0.0), place(3.0, 0.0)));
    assert_eq!(convex::sweep(&[a], b, &[b]), Some((1.0, 1.0)));
    assert_eq!(convex::sweep(&west, place(4.0, 0.0), &east), Some((0.5, 1.0)));
    assert_eq!(convex::clip((a, b), &[b]), Some((1.0, 1.0)));
}

#[test]
fn crossing_segments_overlap_and_parallel_ones_do_not() {
    let cross = [place(0.0, -1.0), place(0.0, 1.0)];
    assert!(convex::overlaps(&[place(-1.0, 0.0), place(1.0, 0.0)], &cross));
    assert!(!convex::overlaps(&[place(-1.0, -1.0), place(-1.0, 1.0)], &cross));
}

#[test]
fn an_empty_slice_is_infinitely_far() {
    let square = quad(1.0, 1.0, 0.0, 0.0, 0.0);
    assert_eq!(convex::gap(&[], square.points()), f64::INFINITY);
    assert_eq!(convex::distance(&[], Vec2::ZERO), f64::INFINITY);
    assert!(!convex::contains(&[], Vec2::ZERO));
    assert!(!convex::overlaps(&[], square.points()));
    assert_eq!(convex::sweep(&[], place(1.0, 1.0), square.points()), None);
    assert_eq!(convex::clip((Vec2::ZERO, place(1.0, 1.0)), &[]), None);
    assert_eq!(convex::nearest_points(&[], &[]), (Vec2::ZERO, Vec2::ZERO));
}

#[test]
fn a_stand_without_depth_is_a_segment() {
    let flat = quad(4.0, 0.0, 10.0, 10.0, 30.0);
    assert!(convex::overlaps(flat.points(), quad(1.0, 1.0, 10.0, 10.5, 0.0).points()));
    let further = flat.shifted(Angle::whole(120).unit() * (5.0 * 25_400.0));
    assert_eq!(gap(&flat, &further), inches(1.0));
    assert!(convex::penetration(flat.points(), further.points()) < 0.0);
}

#[test]
fn a_stand_of_nothing_is_a_point() {
    let nothing = Footprint::default().quad(pose(10.0, 10.0, 45.0));
    assert_eq!(nothing.radius, 0.0);
    assert_eq!(gap(&nothing, &quad(2.0, 2.0, 10.0, 8.0, 0.0)), inches(2.0));
    let negative = Footprint { width: inches(-3.0), depth: inches(-2.0) }.quad(pose(10.0, 10.0, 45.0));
    assert_eq!(negative, nothing);
    let charger = quad(4.5, 1.0, 10.0, 5.0, 0.0);
    assert_eq!(reach(&charger, Vec2::new(0.0, 1.0), inches(8.0), &nothing), Some(inches(5.0)));
    assert_eq!(conform(pose(1.0, 1.0, 7.0), Footprint::default(), &nothing), pose(1.0, 1.0, 7.0));
}

#[test]
fn a_million_stands_are_cut_down() {
    assert_eq!(Layout::line(usize::MAX, Footprint::default(), Length::MAX).stands().len(), table::layout::MOST_STANDS);
    assert_eq!(Layout::blocks(usize::MAX, Footprint::default(), 0, Length::MAX).stands().len(), 1_000);
}

#[test]
fn a_table_of_nothing_holds_nothing_but_a_point() {
    let ground = Ground::default();
    assert!(ground.holds(&Footprint::default().quad(Pose::default())));
    assert!(!ground.holds(&quad(1.0, 1.0, 0.0, 0.0, 0.0)));
}

proptest! {
    #[test]
    fn wild_numbers_give_sane_answers(values in prop::array::uniform8(any::<f64>()), facing in any_angle(), um in any::<i32>()) {
        let [a, b, c, d, e, f, g, h] = values;
        let polygon = [Vec2::new(a, b), Vec2::new(c, d), Vec2::new(e, f), Vec2::new(g, h)];
        let square = Quad::of_square(Vec2::new(a, b), Length::um(um));
        let wild = Quad { corners: polygon, centre: Vec2::new(e, f), radius: g };
        let _ = (convex::gap(&polygon, square.points()), convex::penetration(&polygon, square.points()));
        let _ = (convex::sweep(&polygon, Vec2::new(g, h), square.points()), convex::contains(&polygon, square.centre));
        let _ = (convex::clip((polygon[0], polygon[1]), &polygon), convex::nearest_points(&polygon, square.points()));
        let _ = (reach(&wild, Vec2::new(a, b), Length::um(um), &square), reach(&square, Vec2::new(a, b), Length::um(um), &wild));
        let at = Pose { at: Point::from_vec(Vec2::new(a, b)), facing };
        let _ = (conform(at, Footprint { width: Length::um(um), depth: Length::um(um) }, &wild), at.about(Length::um(um)));
        let _ = (Angle::of(Vec2::new(a, b)), Angle::degrees(a), at.ahead(Length::um(um)));
        let _ = table::zone(at, Footprint::default(), Vec2::new(c, d));
    }

    #[test]
    fn any_ring_is_a_shape_or_a_reason(ring in prop::collection::vec((0..8_i32, 0..8_i32), 0..9)) {
        let ring: Vec<Point> = ring.iter().map(|&(x, y)| Point::new(Length::um(x), Length::um(y))).collect();
        if let Ok(shape) = Shape::new(Outline::Area(ring.clone())) {
            prop_assert!(shape.parts().count() >= 1);
            for corner in ring {
                prop_assert!(shape.contains(corner.vec()));
            }
        }
    }
}
