//! Keeps the figures of marching: legs, tracks, meetings, ground crossed.

use proptest::prelude::*;
use table::{Angle, Flank, Footprint, Leg, Length, Motion, Pose, Track, convex, is_touching};

use crate::given::{
    any_angle, any_area, any_footprint, any_quad, any_shape, battalion, disc, footprint, ground, inches, line,
    near_point, near_pose, place, point, pose, quad, rectangle,
};

#[test]
fn a_wheel_of_a_line_by_30_degrees() {
    let track =
        Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) }]);
    // The left front corner (27.75, 20) stands still; the flag swings round it on 2.25in.
    let stage = track.stages()[0];
    assert_eq!(stage.motion, Motion::Swing { pivot: place(27.75, 20.0), by: -30_000 });
    assert_eq!(track.end().facing, Angle::whole(330));
    assert_eq!(track.end().at, point(27.75 + 2.25 * 0.866_025_403_784_438_6, 20.0 + 1.125));
    // The outer corner goes 2 × 4.5in × sin 15° straight, and 4.5in × π/6 along its arc.
    assert_eq!(stage.travelled, inches(2.329_371_4));
    assert_eq!(stage.outer_arc, inches(2.356_194_5));
    let quad = battalion().quad(track.end());
    assert!(quad.corners[0].distance(place(27.75, 20.0)) < 1.0);
    let right =
        Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Wheel { pivot: Flank::Right, by: Angle::whole(30) }]);
    assert_eq!(right.end().facing, Angle::whole(30));
    assert!(battalion().quad(right.end()).corners[1].distance(place(32.25, 20.0)) < 1.0);
}

#[test]
fn an_about_turn_leaves_the_footprint_where_it_is() {
    let track = Track::plot(pose(50.0, 12.0, 0.0), battalion(), &[Leg::About]);
    assert_eq!(track.end(), pose(50.0, 11.0, 180.0));
    assert_eq!(track.length(), Length::ZERO);
    let (before, after) = (battalion().quad(track.start()), battalion().quad(track.end()));
    assert_eq!(before.centre, after.centre);
    assert_eq!(before.corners[0], after.corners[2]);
    assert_eq!(pose(50.0, 12.0, 0.0).about(inches(1.0)).about(inches(1.0)), pose(50.0, 12.0, 0.0));
}

#[test]
fn straight_legs_go_where_they_say() {
    let end = |leg: Leg| Track::plot(pose(30.0, 20.0, 90.0), battalion(), &[leg]).end();
    assert_eq!(end(Leg::Ahead(inches(4.0))), pose(34.0, 20.0, 90.0));
    assert_eq!(end(Leg::Back(inches(2.0))), pose(28.0, 20.0, 90.0));
    assert_eq!(end(Leg::Sideways(inches(1.0))), pose(30.0, 19.0, 90.0));
    assert_eq!(end(Leg::Sideways(inches(-1.0))), pose(30.0, 21.0, 90.0));
    assert_eq!(end(Leg::Turn(Angle::whole(-90))), pose(30.0, 20.0, 0.0));
    assert_eq!(end(Leg::Oblique { by: Angle::whole(-30), go: inches(2.0) }).at.y, inches(21.0));
    assert_eq!(end(Leg::Straight(point(3.0, 4.0))), pose(3.0, 4.0, 90.0));
}

#[test]
fn lengths_of_legs_are_exact() {
    let legs = [
        Leg::Ahead(inches(4.0)),
        Leg::Turn(Angle::whole(60)),
        Leg::Back(inches(1.5)),
        Leg::About,
        Leg::Oblique { by: Angle::whole(45), go: inches(3.0) },
    ];
    let track = Track::plot(pose(30.0, 20.0, 11.3), battalion(), &legs);
    // A turn on the flag by 60° takes each front corner 2.25in straight.
    let lengths: Vec<_> = track.stages().iter().map(|stage| stage.travelled).collect();
    assert_eq!(lengths, [inches(4.0), inches(2.25), inches(1.5), Length::ZERO, inches(3.0)]);
    assert_eq!(track.length(), inches(10.75));
}

#[test]
fn the_pose_at_a_quarter_of_a_track() {
    let legs = [Leg::Ahead(inches(4.0)), Leg::Sideways(inches(4.0))];
    let track = Track::plot(pose(30.0, 20.0, 0.0), battalion(), &legs);
    assert_eq!(track.at(0.0), pose(30.0, 20.0, 0.0));
    assert_eq!(track.at(0.25), pose(30.0, 22.0, 0.0));
    assert_eq!(track.at(0.5), pose(30.0, 24.0, 0.0));
    assert_eq!(track.at(0.75), pose(32.0, 24.0, 0.0));
    assert_eq!(track.at(1.0), pose(34.0, 24.0, 0.0));
    assert_eq!(track.at(7.0), pose(34.0, 24.0, 0.0));
    assert_eq!(track.at(-7.0), pose(30.0, 20.0, 0.0));
    assert_eq!(track.at(f64::NAN), pose(30.0, 20.0, 0.0));
    let turn = Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Turn(Angle::whole(-90))]);
    assert_eq!(turn.at(0.5), pose(30.0, 20.0, 315.0));
    assert_eq!(Track::plot(pose(1.0, 2.0, 3.0), battalion(), &[]).at(0.5), pose(1.0, 2.0, 3.0));
}

#[test]
fn a_straight_march_meets_what_is_in_the_way() {
    let track = Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Ahead(inches(10.0))]);
    let enemy = quad(4.5, 1.0, 30.0, 25.0, 180.0);
    let meeting = track.meets(enemy.points()).expect("in the way");
    assert_eq!(meeting.stage, 0);
    // It halts half the slack deep: touching, and not overlapping.
    assert_eq!(
        meeting.at,
        Pose { at: table::Point::new(inches(30.0), inches(25.0) + Length::um(50)), facing: Angle::NORTH }
    );
    assert!((meeting.fraction - 0.5).abs() < 0.001);
    assert!(track.meets(quad(4.5, 1.0, 34.5, 25.0, 180.0).points()).is_none());
    assert!(track.meets(quad(4.5, 1.0, 30.0, 30.0, 180.0).points()).is_none());
    assert_eq!(track.meets(quad(4.5, 1.0, 30.0, 19.5, 0.0).points()).map(|meeting| meeting.fraction), Some(0.0));
}

#[test]
fn a_wheel_meets_a_neighbour_in_its_sweep() {
    let track =
        Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Wheel { pivot: Flank::Left, by: Angle::whole(90) }]);
    let post = quad(0.5, 0.5, 31.0, 23.0, 0.0);
    let meeting = track.meets(post.points()).expect("in the way");
    let halted = battalion().quad(meeting.at);
    assert!(is_touching(&halted, &post));
    assert!(!convex::overlaps(halted.points(), post.points()));
    assert!(track.meets(quad(0.5, 0.5, 33.5, 24.0, 0.0).points()).is_none());
}

#[test]
fn a_march_through_a_wood_counts_from_first_touch_to_last() {
    let wood = rectangle(28.0, 24.0, 40.0, 26.0);
    let track = Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Ahead(inches(10.0))]);
    // The front enters at 4in, the rear leaves at 7in; each border takes its slack.
    assert_eq!(track.inside(&wood), inches(3.0) - Length::um(200));
    assert!(track.crosses(&wood));
    let beside = rectangle(32.25, 24.0, 40.0, 26.0);
    assert_eq!(track.inside(&beside), Length::ZERO);
    assert!(!track.crosses(&beside));
    let pond = disc(30.0, 26.0, 1.0);
    // The disc spans 25in to 27in on the way of the front.
    assert_eq!(track.inside(&pond), inches(3.0) - Length::um(200));
    let hedge = line(&[(20.0, 24.0), (40.0, 24.0)], 0.0);
    assert_eq!(track.inside(&hedge), inches(1.0) - Length::um(200));
    assert!(track.crosses(&hedge));
    assert!(!Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Ahead(inches(4.0))]).crosses(&hedge));
}

#[test]
fn a_swing_in_a_wood_counts_too() {
    let wood = rectangle(0.0, 0.0, 60.0, 60.0);
    let track =
        Track::plot(pose(30.0, 20.0, 0.0), battalion(), &[Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) }]);
    assert_eq!(track.inside(&wood), track.length());
    let corner_of_wood = rectangle(31.0, 21.0, 33.0, 23.0);
    assert!(track.crosses(&corner_of_wood));
    assert!(track.inside(&corner_of_wood) < track.length());
}

#[test]
fn nobody_marches_off_the_table() {
    let ground = ground(vec![]);
    let stays = |x: f64, y: f64, leg: Leg| Track::plot(pose(x, y, 0.0), battalion(), &[leg]).stays_on(&ground);
    assert!(stays(30.0, 40.0, Leg::Ahead(inches(8.0))));
    assert!(!stays(30.0, 40.0, Leg::Ahead(inches(8.01))));
    assert!(stays(2.25, 1.0, Leg::Ahead(inches(8.0))));
    assert!(!stays(2.0, 1.0, Leg::Ahead(inches(8.0))));
    // Both ends of this turn lie on the table, but the swing does not.
    assert!(!stays(70.5, 46.5, Leg::Turn(Angle::whole(180))));
    let near = Track::plot(pose(2.0, 24.0, 90.0), battalion(), &[Leg::Turn(Angle::whole(180))]);
    assert!(!near.stays_on(&ground));
}

#[test]
fn legs_are_read_as_orders_write_them() {
    for (text, leg) in [
        ("ahead 4in", Leg::Ahead(inches(4.0))),
        ("back 2in", Leg::Back(inches(2.0))),
        ("right 1in", Leg::Sideways(inches(1.0))),
        ("left 1in", Leg::Sideways(inches(-1.0))),
        ("wheel left 30", Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) }),
        ("wheel right 22.5", Leg::Wheel { pivot: Flank::Right, by: Angle::degrees(22.5) }),
        ("oblique right 45 3in", Leg::Oblique { by: Angle::whole(45), go: inches(3.0) }),
        ("oblique left 45 3in", Leg::Oblique { by: Angle::whole(315), go: inches(3.0) }),
        ("turn right 90", Leg::Turn(Angle::EAST)),
        ("turn left 90", Leg::Turn(Angle::WEST)),
        ("turn right 180", Leg::Turn(Angle::SOUTH)),
        ("about", Leg::About),
        ("to 12in 30in", Leg::Straight(point(12.0, 30.0))),
    ] {
        assert_eq!(text.parse(), Ok(leg));
        assert_eq!(leg.to_string(), text);
    }
    assert_eq!("  ahead  4 in ".parse(), Ok(Leg::Ahead(inches(4.0))));
    assert_eq!("to 12 in 30 cm".parse::<Leg>().map(|leg| leg.to_string()), Ok("to 12in 300mm".to_owned()));
    assert_eq!("turn right 45°".parse(), Ok(Leg::Turn(Angle::whole(45))));
}

#[test]
fn what_is_no_leg_is_refused_and_named() {
    for text in [
        "",
        "charge",
        "ahead",
        "ahead 4",
        "wheel 30",
        "wheel up 30",
        "wheel left 200",
        "turn left -5",
        "turn left x",
        "about 4in",
        "to 12in",
        "oblique left 45",
        "to 1in 2in 3in",
    ] {
        let error = text.parse::<Leg>().expect_err(text).to_string();
        assert!(error.contains(&format!("`{text}`")), "{error}");
    }
}

pub fn any_leg() -> impl Strategy<Value = Leg> {
    let length = || (-300_000..300_000_i32).prop_map(Length::um);
    prop_oneof![
        length().prop_map(Leg::Ahead),
        length().prop_map(Leg::Back),
        length().prop_map(Leg::Sideways),
        (any::<bool>(), 0..=180_000_i32).prop_map(|(left, by)| Leg::Wheel {
            pivot: if left { Flank::Left } else { Flank::Right },
            by: Angle::millidegrees(by)
        }),
        (any_angle(), length()).prop_map(|(by, go)| Leg::Oblique { by, go }),
        any_angle().prop_map(Leg::Turn),
        Just(Leg::About),
        near_point().prop_map(Leg::Straight),
    ]
}

fn any_track() -> impl Strategy<Value = Track> {
    (near_pose(), any_footprint(), prop::collection::vec(any_leg(), 0..4))
        .prop_map(|(start, footprint, legs)| Track::plot(start, footprint, &legs))
}

fn footprint_of(track: &Track) -> Footprint {
    track.stages().first().map_or(footprint(1.0, 1.0), |stage| stage.footprint)
}

proptest! {
    #[test]
    fn legs_come_back_from_their_words(leg in any_leg()) {
        prop_assert_eq!(leg.to_string().parse::<Leg>(), Ok(leg));
    }

    #[test]
    fn a_meeting_is_the_first_overlap(track in any_track(), other in any_quad()) {
        let footprint = footprint_of(&track);
        let overlaps_at = |pose: Pose| convex::penetration(footprint.quad(pose).points(), other.points());
        prop_assume!(!track.stages().is_empty());
        let meeting = track.meets(other.points());
        let last_stage = meeting.map_or(track.stages().len() - 1, |meeting| meeting.stage);
        for (no, stage) in track.stages().iter().enumerate().take(last_stage + 1) {
            let end = meeting.filter(|meeting| meeting.stage == no).map_or(1.0, |meeting| meeting.fraction);
            let by = if let Motion::Swing { .. } = stage.motion { 4_000.0 } else { 102.0 };
            for part in 0..32 {
                prop_assert!(overlaps_at(stage.at(end * f64::from(part) / 32.0)) < by || end == 0.0);
            }
        }
        if let Some(meeting) = meeting.filter(|meeting| meeting.stage > 0 || meeting.fraction > 0.0) {
            prop_assert!(overlaps_at(meeting.at) <= 102.0);
            prop_assert!(is_touching(&footprint.quad(meeting.at), &other));
        }
    }

    #[test]
    fn ground_crossed_agrees_with_sampling(start in near_pose(), footprint in any_footprint(), leg in any_leg(), shape in any_shape()) {
        let track = Track::plot(start, footprint, &[leg]);
        let stage = track.stages()[0];
        prop_assume!(stage.motion != Motion::Flip && track.length() > Length::ZERO);
        let samples = 400;
        let inside = (0..samples)
            .filter(|no| shape.overlaps_quad(&footprint.quad(stage.at((f64::from(*no) + 0.5) / f64::from(samples)))))
            .count();
        let sampled = inside as f64 / f64::from(samples);
        let measured = track.inside(&shape).as_f64() / track.length().as_f64();
// A swing is stepped, so what juts in between two steps may be missed.
        let missed = if let Motion::Swing { by, .. } = stage.motion { 2_200.0 / f64::from(by).abs() } else { 0.0 };
        prop_assert!((sampled - measured).abs() < 0.01 + missed, "sampled {sampled}, measured {measured}");
        if sampled > 0.01 + missed {
            prop_assert!(track.crosses(&shape));
        }
        prop_assert!(track.inside(&shape) <= track.length() + Length::um(1));
    }

    #[test]
    fn a_track_never_panics_on_wild_numbers(x in any::<i32>(), y in any::<i32>(), width in any::<i32>(), depth in any::<i32>(),
                                            by in any::<i32>(), turn in any_angle(), ring in any_area()) {
        let footprint = Footprint { width: Length::um(width), depth: Length::um(depth) };
        let legs = [
            Leg::Ahead(Length::um(by)),
            Leg::Wheel { pivot: Flank::Right, by: turn },
            Leg::Oblique { by: turn, go: Length::um(by) },
            Leg::About,
            Leg::Turn(turn),
        ];
        let pose = Pose { at: table::Point::new(Length::um(x), Length::um(y)), facing: turn };
        let track = Track::plot(pose, footprint, &legs);
        let corners: Vec<_> = ring.iter().map(|point| point.vec()).collect();
        let _ = (track.meets(&corners), track.at(0.3), track.length(), track.stays_on(&ground(vec![])));
    }
}
