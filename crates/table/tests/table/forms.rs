//! Keeps the forms in which values rest: words for people, whole numbers for the hash.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use table::{
    Angle, Block, Edge, FeatureId, Flank, Footprint, Ground, Leg, Length, Outline, Point, Pose, Shape, Sight,
    TerrainKind, Unit, Zone,
};

use crate::given::{any_angle, any_footprint, any_outline, any_point, feature, ground, inches, point, pose, rectangle};
use crate::marching::any_leg;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let words = serde_json::to_string(value).expect("words");
    assert_eq!(&serde_json::from_str::<T>(&words).expect(&words), value);
    let bytes = postcard::to_allocvec(value).expect("bytes");
    assert_eq!(&postcard::from_bytes::<T>(&bytes).expect("bytes"), value);
}

fn words<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("words")
}

#[test]
fn poses_are_written_as_in_a_case_file() {
    assert_eq!(words(&pose(36.0, 30.0, 180.0)), r#"["36in","30in",180]"#);
    assert_eq!(words(&pose(36.0, 30.0, 22.5)), r#"["36in","30in",22.5]"#);
    assert_eq!(words(&point(36.0, 30.0)), r#"["36in","30in"]"#);
    assert_eq!(serde_json::from_str::<Pose>(r#"["3ft", "30in", -90.0]"#).expect("a pose"), pose(36.0, 30.0, 270.0));
    assert_eq!(words(&inches(4.5)), r#""4.5in""#);
    assert_eq!(words(&Leg::Ahead(inches(4.0))), r#""ahead 4in""#);
    assert_eq!(words(&Footprint { width: inches(4.5), depth: inches(1.0) }), r#"{"width":"4.5in","depth":"1in"}"#);
    assert_eq!(words(&Zone::Flank(Flank::Left)), r#"{"flank":"left"}"#);
    assert_eq!(
        words(&rectangle(0.0, 0.0, 1.0, 1.0)),
        r#"{"area":[["0in","0in"],["1in","0in"],["1in","1in"],["0in","1in"]]}"#
    );
}

#[test]
fn the_binary_form_is_whole_numbers() {
    let two_inches = postcard::to_allocvec(&inches(2.0)).expect("bytes");
    assert_eq!(two_inches, postcard::to_allocvec(&50_800_i32).expect("bytes"));
    let bytes = postcard::to_allocvec(&pose(1.0, 2.0, 90.0)).expect("bytes");
    assert_eq!(bytes, postcard::to_allocvec(&(25_400_i32, 50_800_i32, 90_000_i32)).expect("bytes"));
    let about = postcard::to_allocvec(&Leg::About).expect("bytes");
    assert_eq!(about, [6]);
}

#[test]
fn lengths_are_read_from_texts_only_and_angles_from_numbers_only() {
    assert!(serde_json::from_str::<Length>("8").is_err());
    let error = serde_json::from_str::<Length>("\"8\"").expect_err("no unit").to_string();
    assert!(error.contains("`8` is no length"), "{error}");
    assert!(serde_json::from_str::<Angle>("\"8\"").is_err());
    assert!(serde_json::from_str::<Angle>("1000001").is_err());
    assert!(serde_json::from_str::<Angle>("1e300").is_err());
    let error = serde_json::from_str::<Leg>("\"ahead 4\"").expect_err("no unit").to_string();
    assert!(error.contains("`ahead 4`"), "{error}");
    let error = serde_json::from_str::<Shape>(r#"{"area":[["0in","0in"],["1in","0in"]]}"#)
        .expect_err("two corners")
        .to_string();
    assert!(error.contains("at least 3"), "{error}");
}

#[test]
fn a_line_may_leave_out_its_width() {
    let outline: Outline =
        serde_json::from_str(r#"{"line":{"points":[["0in","0in"],["4in","0in"]]}}"#).expect("a line");
    assert_eq!(outline, Outline::Line { points: vec![point(0.0, 0.0), point(4.0, 0.0)], width: Length::ZERO });
}

#[test]
fn a_table_comes_back_from_both_forms() {
    let mut hill = feature("H1", TerrainKind::Hill, 1, rectangle(18.0, 14.0, 42.0, 20.0));
    hill.crests.push(vec![point(20.0, 17.0), point(40.0, 17.0)]);
    comes_back(&Ground { wind: Some(Angle::whole(30)), ..ground(vec![hill]) });
    let short = r#"{"size":["6ft","4ft"],"features":[{"key":"W","kind":"woods","shape":{"disc":{"centre":["1in","2in"],"radius":"3in"}}}]}"#;
    let read: Ground = serde_json::from_str(short).expect("a table");
    assert_eq!((read.features.len(), read.features[0].level, read.wind), (1, 0, None));
    for kind in TerrainKind::ALL {
        comes_back(&kind);
        assert_eq!(words(&kind), format!("\"{kind}\""));
    }
    comes_back(&Edge::ALL);
    comes_back(&Unit::Centimetre);
    let block = Block::Feature { id: FeatureId(3), from: point(1.0, 1.0), to: point(2.0, 1.0) };
    comes_back(&Sight {
        blocks: [block, Block::Body { no: 9, from: Point::default(), to: Point::default() }].into_iter().collect(),
    });
}

proptest! {
    #[test]
    fn everything_comes_back_from_both_forms(at in any_point(), facing in any_angle(), leg in any_leg(),
                                             footprint in any_footprint(), outline in any_outline()) {
        comes_back(&at);
        comes_back(&facing);
        comes_back(&Pose { at, facing });
        comes_back(&leg);
        comes_back(&footprint);
        comes_back(&outline);
        if let Ok(shape) = Shape::new(outline) {
            comes_back(&shape);
        }
    }

    #[test]
    fn any_whole_number_is_a_length_in_the_binary_form(um in any::<i32>()) {
        let bytes = postcard::to_allocvec(&Length::um(um)).expect("bytes");
        prop_assert_eq!(postcard::from_bytes::<Length>(&bytes), Ok(Length::um(um)));
    }
}
