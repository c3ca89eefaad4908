//! Keeps the figures of layouts.

use proptest::prelude::*;
use table::{Angle, Footprint, Gaps, Layout, Length, Pose, convex};

use crate::given::{any_angle, footprint, inches, place, point, pose};

fn stand() -> Footprint {
    footprint(1.5, 1.0)
}

#[test]
fn a_battalion_in_line_in_column_and_skirmishing() {
    assert_eq!(Layout::line(3, stand(), Length::ZERO).footprint(), footprint(4.5, 1.0));
    assert_eq!(Layout::column(3, stand(), Length::ZERO).footprint(), footprint(1.5, 3.0));
    assert_eq!(Layout::line(3, stand(), inches(0.75)).footprint(), footprint(6.0, 1.0));
    assert_eq!(Layout::line(0, stand(), Length::ZERO).footprint(), footprint(0.0, 0.0));
}

#[test]
fn a_dense_formation_and_a_march_column_of_three() {
    let stand = footprint(1.6, 0.8);
    assert_eq!(Layout::line(3, stand, Length::ZERO).footprint(), footprint(4.8, 0.8));
    assert_eq!(Layout::blocks(3, stand, 2, Length::ZERO).footprint(), footprint(3.2, 1.6));
    assert_eq!(Layout::blocks(3, stand, 1, Length::ZERO).footprint(), footprint(1.6, 2.4));
    assert_eq!(Layout::march_column(3, stand, Length::ZERO).footprint(), footprint(0.8, 4.8));
}

#[test]
fn stands_of_a_line_stand_from_left_to_right() {
    let line = Layout::line(3, stand(), Length::ZERO);
    let places: Vec<_> = line.stands().iter().map(|stand| stand.pose.at).collect();
    assert_eq!(places, [point(-1.5, 0.0), point(0.0, 0.0), point(1.5, 0.0)]);
    let second = line.stand_quad(pose(10.0, 10.0, 90.0), 2);
    assert_eq!(second.front_edge(), (place(10.0, 9.25), place(10.0, 7.75)));
    assert_eq!(line.stand_quad(pose(10.0, 10.0, 90.0), 99), line.footprint().quad(pose(10.0, 10.0, 90.0)));
    assert_eq!(line.quads(pose(10.0, 10.0, 90.0)).len(), 3);
}

#[test]
fn ranks_have_their_own_gaps_and_the_last_stands_in_the_middle() {
    let blocks = Layout::blocks(5, stand(), 3, Gaps { files: inches(0.5), ranks: inches(1.0) });
    let places: Vec<_> = blocks.stands().iter().map(|stand| stand.pose.at).collect();
    assert_eq!(places, [point(-2.0, 0.0), point(0.0, 0.0), point(2.0, 0.0), point(-1.0, -2.0), point(1.0, -2.0)]);
    assert_eq!(blocks.footprint(), footprint(5.5, 3.0));
    assert_eq!(Layout::blocks(5, stand(), 3, (inches(0.5), inches(1.0))), blocks);
}

#[test]
fn a_square_looks_all_ways() {
    let square = Layout::square(8, stand());
    assert_eq!(square.footprint(), footprint(5.0, 5.0));
    let facings: Vec<_> = square.stands().iter().map(|stand| stand.pose.facing.as_degrees()).collect();
    assert_eq!(facings, [0.0, 0.0, 90.0, 90.0, 180.0, 180.0, 270.0, 270.0]);
    let outward = |no: usize| square.stands()[no].pose.at;
    assert_eq!(outward(2).x, inches(2.5));
    assert_eq!(outward(4).y, inches(-5.0));
    assert_eq!(outward(6).x, inches(-2.5));
}

#[test]
fn a_bent_line_refuses_one_wing() {
    let right = Layout::bent_line(4, stand(), 2, Angle::whole(90));
    assert_eq!(right.stands()[1].pose, pose(0.75, 0.0, 0.0));
    assert_eq!(right.stands()[2].pose, pose(2.5, -1.75, 90.0));
    let left = Layout::bent_line(4, stand(), 2, Angle::whole(-90));
    assert_eq!(left.stands()[2].pose, pose(-2.5, -1.75, -90.0));
    assert_eq!(right.footprint(), left.footprint());
    assert_eq!(Layout::bent_line(4, stand(), 9, Angle::whole(30)), Layout::line(4, stand(), Length::ZERO));
}

fn any_layout() -> impl Strategy<Value = Layout> {
    let stand = (5_000..50_000_i32, 5_000..50_000_i32)
        .prop_map(|(width, depth)| Footprint { width: Length::um(width), depth: Length::um(depth) });
    (0..6_u8, 0..14_usize, stand, 0..20_000_i32, 1..5_usize, -90_000..=90_000_i32).prop_map(
        |(kind, n, stand, gap, files, by)| match kind {
            0 => Layout::line(n, stand, Length::um(gap)),
            1 => Layout::column(n, stand, Length::um(gap)),
            2 => Layout::blocks(n, stand, files, Length::um(gap)),
            3 => Layout::march_column(n, stand, Length::um(gap)),
            4 => Layout::square(n, stand),
            _ => Layout::bent_line(n, stand, files, Angle::millidegrees(by)),
        },
    )
}

proptest! {
    #[test]
    fn stands_never_overlap_and_lie_in_the_footprint(layout in any_layout(), facing in any_angle()) {
        let pose = Pose { at: point(30.0, 20.0), facing };
        let quads: Vec<_> = layout.quads(pose).collect();
        let whole = layout.footprint().quad(pose);
        for (no, quad) in quads.iter().enumerate() {
            for other in &quads[no + 1..] {
                prop_assert!(convex::penetration(quad.points(), other.points()) < 3.0);
            }
            for &corner in quad.points() {
                prop_assert!(convex::distance(whole.points(), corner) < 2.0);
            }
            for stand in layout.stands() {
                prop_assert!(stand.footprint.quad(stand.pose).corners.iter().all(|corner| corner.y < 1.0));
            }
        }
    }
}
