//! Keeps the figures of lengths and angles.

use std::f64::consts::FRAC_1_SQRT_2;

use proptest::prelude::*;
use table::{Angle, Length, LengthError, SLACK, Unit, Vec2};

use crate::given::{any_angle, inches, place};

#[test]
fn an_inch_is_exactly_25_400_micrometres() {
    assert_eq!(Length::whole_inches(1), Length::um(25_400));
    assert_eq!(inches(4.5), Length::um(114_300));
    assert_eq!(Length::cm(20.0), Length::um(200_000));
    assert_eq!(Length::mm(0.1), SLACK);
    assert_eq!(inches(8.0).as_inches(), 8.0);
    assert_eq!(Length::cm(20.0).as_cm(), 20.0);
}

#[test]
fn lengths_are_read_with_every_unit() {
    for (text, um) in [
        ("8in", 203_200),
        ("8\"", 203_200),
        ("8″", 203_200),
        (" 8 in ", 203_200),
        ("20cm", 200_000),
        ("150mm", 150_000),
        ("6ft", 1_828_800),
        ("-1.5in", -38_100),
        ("+.5in", 12_700),
        ("0in", 0),
        ("100000mm", 100_000_000),
    ] {
        assert_eq!(text.parse(), Ok(Length::um(um)), "{text}");
    }
}

#[test]
fn what_is_no_length_is_refused_and_named() {
    for text in ["", "8", "in", "NaNin", "infin", "1e3in", "8 in long", "8m", "--8in", "0x10in", "1.2.3in", "-in"] {
        let error = text.parse::<Length>().expect_err(text).to_string();
        assert!(error.contains(&format!("`{text}`")) && error.contains("expected"), "{error}");
    }
    assert_eq!("100.001ft".parse::<Length>().map(Length::as_um), Ok(30_480_305));
    assert!(matches!("101000mm".parse::<Length>(), Err(LengthError::TooLong(_))));
    assert!(matches!("-400ft".parse::<Length>(), Err(LengthError::TooLong(_))));
    assert!(matches!("8".parse::<Length>(), Err(LengthError::NoUnit(_))));
}

#[test]
fn lengths_are_written_in_inches_where_that_is_exact() {
    assert_eq!(inches(4.5).to_string(), "4.5in");
    assert_eq!(inches(12.0).to_string(), "12in");
    assert_eq!(inches(-0.125).to_string(), "-0.125in");
    assert_eq!(Length::ZERO.to_string(), "0in");
    assert_eq!(Length::um(152_401).to_string(), "152.401mm");
    assert_eq!(Length::cm(20.0).to_string(), "200mm");
    assert_eq!(Length::um(-1).to_string(), "-0.001mm");
}

#[test]
fn lengths_are_shown_to_people_with_one_decimal() {
    assert_eq!(inches(4.5).show(Unit::Inch), "4.5″");
    assert_eq!(inches(12.04).show(Unit::Inch), "12″");
    assert_eq!(Length::cm(20.0).show(Unit::Centimetre), "20 cm");
    assert_eq!(Length::cm(-2.55).show(Unit::Centimetre), "-2.6 cm");
    assert_eq!(Length::um(-10).show(Unit::Inch), "0″");
}

#[test]
fn length_arithmetic_saturates_and_never_divides_by_zero() {
    let most = Length::MAX;
    assert_eq!(most + most, most);
    assert_eq!(-(Length::um(i32::MIN)), most);
    assert_eq!(Length::um(i32::MIN).abs(), most);
    assert_eq!(most * 3, most);
    assert_eq!(inches(3.0) / 0, Length::ZERO);
    assert_eq!(inches(3.0) / 2, inches(1.5));
    assert_eq!(Length::um(i32::MIN) / -1, most);
    assert_eq!(inches(3.0).half(), inches(1.5));
    assert_eq!(inches(3.0).times(f64::NAN), Length::ZERO);
    assert_eq!(inches(3.0).times(1e300), most);
    assert_eq!(Length::from_um(2.5), Length::um(3));
    assert_eq!(Length::from_um(-2.5), Length::um(-3));
    assert_eq!([inches(1.0), inches(2.0)].iter().sum::<Length>(), inches(3.0));
    let mut length = inches(1.0);
    length += inches(2.0);
    length -= inches(0.5);
    assert_eq!(length, inches(2.5));
}

#[test]
fn angles_wrap_and_know_their_sign() {
    assert_eq!(Angle::degrees(-90.0), Angle::WEST);
    assert_eq!(Angle::whole(450), Angle::EAST);
    assert_eq!(Angle::degrees(359.999_9), Angle::NORTH);
    assert_eq!(Angle::WEST.signed(), -90_000);
    assert_eq!(Angle::SOUTH.signed(), 180_000);
    assert_eq!(Angle::whole(350).apart(Angle::whole(20)), Angle::whole(30));
    assert_eq!(Angle::whole(20).apart(Angle::whole(200)), Angle::SOUTH);
    assert_eq!(Angle::whole(200).reversed(), Angle::whole(20));
    assert_eq!(Angle::whole(200) + Angle::whole(200), Angle::whole(40));
    assert_eq!(Angle::whole(20) - Angle::whole(30), Angle::whole(350));
    assert_eq!(-Angle::whole(30), Angle::whole(330));
    assert_eq!(-Angle::NORTH, Angle::NORTH);
    assert_eq!(Angle::degrees(22.5).to_string(), "22.5°");
    assert_eq!("22.5°".parse(), Ok(Angle::degrees(22.5)));
    assert_eq!(Angle::degrees(f64::NAN), Angle::NORTH);
    assert_eq!(Angle::degrees(f64::INFINITY), Angle::NORTH);
    assert_eq!(Angle::millidegrees(i32::MIN).as_millidegrees(), i32::MIN.rem_euclid(360_000));
}

#[test]
fn the_well_known_sines_are_exact() {
    assert_eq!(Angle::NORTH.sin_cos(), (0.0, 1.0));
    assert_eq!(Angle::EAST.sin_cos(), (1.0, 0.0));
    assert_eq!(Angle::SOUTH.sin_cos(), (0.0, -1.0));
    assert_eq!(Angle::WEST.sin_cos(), (-1.0, 0.0));
    assert_eq!(Angle::whole(30).sin_cos().0, 0.5);
    assert_eq!(Angle::whole(60).sin_cos().1, 0.5);
    assert_eq!(Angle::whole(45).sin_cos(), (FRAC_1_SQRT_2, FRAC_1_SQRT_2));
}

#[test]
fn bearings_of_vectors_are_those_of_the_compass() {
    assert_eq!(Angle::of(place(0.0, 5.0)), Angle::NORTH);
    assert_eq!(Angle::of(place(5.0, 0.0)), Angle::EAST);
    assert_eq!(Angle::of(place(0.0, -5.0)), Angle::SOUTH);
    assert_eq!(Angle::of(place(-5.0, 0.0)), Angle::WEST);
    assert_eq!(Angle::of(place(-5.0, 5.0)), Angle::whole(315));
    assert_eq!(Angle::of(Vec2::ZERO), Angle::NORTH);
    assert_eq!(Angle::of(Vec2::new(f64::NAN, f64::NAN)), Angle::NORTH);
}

proptest! {
    #[test]
    fn sines_keep_every_symmetry_to_the_bit(angle in any_angle()) {
        let bits = |(sin, cos): (f64, f64)| ((sin + 0.0).to_bits(), (cos + 0.0).to_bits());
        let (sin, cos) = angle.sin_cos();
        prop_assert_eq!(bits((-angle).sin_cos()), bits((-sin, cos)));
        prop_assert_eq!(bits((angle + Angle::EAST).sin_cos()), bits((cos, -sin)));
        prop_assert_eq!(bits(angle.reversed().sin_cos()), bits((-sin, -cos)));
        prop_assert_eq!(bits((Angle::EAST - angle).sin_cos()), bits((cos, sin)));
        prop_assert!((sin * sin + cos * cos - 1.0).abs() < 4e-16);
        let plain = angle.as_degrees().to_radians();
        prop_assert!((sin - table::trig::sin(plain)).abs() < 2e-15);
    }

    #[test]
    fn a_bearing_comes_back_from_its_unit_vector(angle in any_angle(), length in 10.0..1e7_f64) {
        prop_assert_eq!(Angle::of(angle.unit() * length), angle);
        let quarter = angle.unit().perp_right();
        prop_assert_eq!(Angle::of(quarter), angle + Angle::EAST);
    }

    #[test]
    fn written_lengths_are_read_back(um in -100_000_000..=100_000_000_i32) {
        let length = Length::um(um);
        prop_assert_eq!(length.to_string().parse::<Length>(), Ok(length));
    }

    #[test]
    fn no_text_makes_a_length_panic(text in "\\PC*") {
        let _ = text.parse::<Length>();
        let _ = text.parse::<Angle>();
        let _ = text.parse::<table::Leg>();
        let _ = text.parse::<table::TerrainKind>();
    }
}
