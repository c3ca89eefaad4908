//! From a pointer to legs: what a body does to bring its flag to a place.

use table::march::{Leg, Track};
use table::{Angle, Flank, Footprint, Length, Point, Pose, Unit, Vec2};

/// How the pointer is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Wheel towards the place, then straight ahead.
    #[default]
    March,
    /// Straight to the place, facing kept.
    Slide,
    /// Wheel on a flank until the front looks at the place.
    Wheel,
    /// Turn on the flag until the front looks at the place.
    Turn,
}

impl Tool {
    /// All, in the order of the buttons.
    pub const ALL: [Tool; 4] = [Tool::March, Tool::Slide, Tool::Wheel, Tool::Turn];

    /// On the button.
    pub fn label(self) -> &'static str {
        match self {
            Tool::March => "March",
            Tool::Slide => "Slide",
            Tool::Wheel => "Wheel",
            Tool::Turn => "Turn",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Tool::March => "wheel towards the place, then straight ahead",
            Tool::Slide => "straight to the place, keeping the facing",
            Tool::Wheel => "wheel on a flank to face the place",
            Tool::Turn => "turn on the flag to face the place",
        }
    }
}

/// A turn smaller than this is not worth ordering.
const STRAIGHT: f64 = 4.0;
/// The widest wheel a drag will order by itself.
const WIDEST: f64 = 150.0;

/// Hands are not steadier than a twentieth of an inch, or a millimetre.
pub fn grain(unit: Unit) -> Length {
    match unit {
        Unit::Inch => Length::inches(0.05),
        Unit::Centimetre => Length::mm(1.0),
    }
}

/// What one press of a key moves: half an inch, or a centimetre.
pub fn pace(unit: Unit) -> Length {
    match unit {
        Unit::Inch => Length::inches(0.5),
        Unit::Centimetre => Length::cm(1.0),
    }
}

/// A leg as it is said at the table.
pub fn leg_words(leg: &Leg, unit: Unit) -> String {
    match leg {
        leg if unit == Unit::Inch => leg.to_string(),
        Leg::Ahead(go) => format!("ahead {}", go.show(unit)),
        Leg::Back(go) => format!("back {}", go.show(unit)),
        Leg::Sideways(go) if go.is_negative() => format!("left {}", go.abs().show(unit)),
        Leg::Sideways(go) => format!("right {}", go.show(unit)),
        Leg::Oblique { by, go } => {
            let by = f64::from(by.signed()) / 1_000.0;
            let side = if by < 0.0 { "left" } else { "right" };
            format!("oblique {side} {:.0}° {}", by.abs(), go.show(unit))
        }
        other => other.to_string(),
    }
}

/// Legs that bring a body towards a place, at most `most` long in all.
pub fn towards(tool: Tool, from: Pose, footprint: Footprint, place: Point, most: Length, unit: Unit) -> Vec<Leg> {
    let gap = place.vec() - from.at.vec();
    let grain = grain(unit);
    let legs = match tool {
        Tool::Slide => slide(from, gap, grain),
        Tool::March => march(from, footprint, place.vec(), grain),
        Tool::Wheel => wheel_to_face(from, footprint, place.vec()),
        Tool::Turn => turn_to_face(from, gap),
    };
    shortened(from, footprint, legs, most, grain)
}

fn slide(from: Pose, gap: Vec2, grain: Length) -> Vec<Leg> {
    let go = rounded(gap.length(), grain);
    if go <= Length::ZERO {
        return Vec::new();
    }
    match sharp(off(from, gap)) {
        by if by.abs() < STRAIGHT => vec![Leg::Ahead(go)],
        by if by.abs() > 180.0 - STRAIGHT => vec![Leg::Back(go)],
        by if (by - 90.0).abs() < STRAIGHT => vec![Leg::Sideways(go)],
        by if (by + 90.0).abs() < STRAIGHT => vec![Leg::Sideways(-go)],
        by => vec![Leg::Oblique { by: Angle::degrees(by), go }],
    }
}

fn turn_to_face(from: Pose, gap: Vec2) -> Vec<Leg> {
    match off(from, gap).round() {
        by if by.abs() < 1.0 => Vec::new(),
        by => vec![Leg::Turn(Angle::degrees(by))],
    }
}

/// How far a body turns by a wheel so that its flag then looks at the place.
fn wheel_angle(from: Pose, footprint: Footprint, place: Vec2) -> f64 {
    let miss = |by: f64| {
        let end = Track::plot(from, footprint, &[wheel(by)]).end();
        off(end, place - end.at.vec())
    };
    let sign = if off(from, place - from.at.vec()) < 0.0 { -1.0 } else { 1.0 };
    let (mut low, mut high) = (0.0, WIDEST);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        // While the place still lies on the side wheeled to, the wheel must go on.
        if miss(sign * middle) * sign > 0.0 { low = middle } else { high = middle }
    }
    (sign * low).round()
}

fn wheel(by: f64) -> Leg {
    let pivot = if by < 0.0 { Flank::Left } else { Flank::Right };
    Leg::Wheel { pivot, by: Angle::degrees(by.abs()) }
}

fn wheel_to_face(from: Pose, footprint: Footprint, place: Vec2) -> Vec<Leg> {
    match wheel_angle(from, footprint, place) {
        by if by.abs() < 1.0 => Vec::new(),
        by => vec![wheel(by)],
    }
}

fn march(from: Pose, footprint: Footprint, place: Vec2, grain: Length) -> Vec<Leg> {
    let gap = place - from.at.vec();
    if rounded(gap.length(), grain) <= Length::ZERO {
        return Vec::new();
    }
    let by = off(from, gap);
    if by.abs() < STRAIGHT {
        return vec![Leg::Ahead(rounded(gap.length(), grain))];
    }
    if by.abs() > 180.0 - STRAIGHT * 3.0 {
        return vec![Leg::Back(rounded(gap.length(), grain))];
    }
    let mut legs = wheel_to_face(from, footprint, place);
    let end = Track::plot(from, footprint, &legs).end();
    let ahead = end.forward().dot(place - end.at.vec());
    let go = rounded(ahead, grain);
    if go > Length::ZERO {
        legs.push(Leg::Ahead(go));
    }
    legs
}

/// From the facing to a direction in degrees, right positive.
fn off(from: Pose, gap: Vec2) -> f64 {
    f64::from((Angle::of(gap) - from.facing).signed()) / 1_000.0
}

fn sharp(by: f64) -> f64 {
    by.round()
}

fn rounded(length: f64, grain: Length) -> Length {
    Length::from_um((length / grain.as_f64()).round() * grain.as_f64())
}

/// Takes the end off a path that is too long.
fn shortened(from: Pose, footprint: Footprint, mut legs: Vec<Leg>, most: Length, grain: Length) -> Vec<Leg> {
    let floored = |length: Length| Length::from_um((length.as_f64() / grain.as_f64()).floor() * grain.as_f64());
    while !legs.is_empty() {
        let over = Track::plot(from, footprint, &legs).length() - most;
        if over <= Length::ZERO {
            break;
        }
        let Some(last) = legs.pop() else { break };
        let cut = |go: Length| go - over;
        let shorter = match last {
            Leg::Ahead(go) if cut(go) > Length::ZERO => Some(Leg::Ahead(floored(cut(go)))),
            Leg::Back(go) if cut(go) > Length::ZERO => Some(Leg::Back(floored(cut(go)))),
            Leg::Oblique { by, go } if cut(go) > Length::ZERO => Some(Leg::Oblique { by, go: floored(cut(go)) }),
            Leg::Sideways(go) if cut(go.abs()) > Length::ZERO => {
                let left = floored(cut(go.abs()));
                Some(Leg::Sideways(if go.is_negative() { -left } else { left }))
            }
            _ => None,
        };
        if let Some(shorter) = shorter {
            legs.push(shorter);
            break;
        }
    }
    legs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> (Pose, Footprint) {
        let at = Point::new(Length::whole_inches(20), Length::whole_inches(20));
        let footprint = Footprint { width: Length::whole_inches(4), depth: Length::whole_inches(1) };
        (Pose { at, facing: Angle::NORTH }, footprint)
    }

    fn place(x: f64, y: f64) -> Point {
        Point::new(Length::inches(x), Length::inches(y))
    }

    const FAR: Length = Length::whole_inches(60);

    #[test]
    fn straight_on_is_straight_on() {
        let (from, footprint) = body();
        let legs = towards(Tool::March, from, footprint, place(20.1, 25.0), FAR, Unit::Inch);
        assert_eq!(legs, vec![Leg::Ahead(Length::inches(5.0))]);
    }

    #[test]
    fn a_march_ends_near_the_place_whatever_the_direction() {
        let (from, footprint) = body();
        for (x, y) in [(28.0, 28.0), (12.0, 29.0), (30.0, 21.0), (9.0, 20.0), (26.0, 34.0)] {
            let legs = towards(Tool::March, from, footprint, place(x, y), FAR, Unit::Inch);
            let end = Track::plot(from, footprint, &legs).end();
            assert!(end.at.distance(place(x, y)) < Length::inches(0.6), "{legs:?} ends at {:?}", end.at);
        }
    }

    #[test]
    fn a_slide_keeps_the_facing_and_arrives() {
        let (from, footprint) = body();
        for (x, y) in [(24.0, 23.0), (15.0, 19.0), (20.0, 14.0), (26.0, 20.0)] {
            let legs = towards(Tool::Slide, from, footprint, place(x, y), FAR, Unit::Inch);
            let end = Track::plot(from, footprint, &legs).end();
            assert!(end.at.distance(place(x, y)) < Length::inches(0.2) && end.facing == from.facing, "{legs:?}");
        }
    }

    #[test]
    fn no_path_is_longer_than_the_allowance() {
        let (from, footprint) = body();
        let most = Length::whole_inches(6);
        for tool in Tool::ALL {
            for (x, y) in [(40.0, 40.0), (2.0, 22.0), (20.0, 2.0), (20.0, 45.0), (38.0, 20.0)] {
                let legs = towards(tool, from, footprint, place(x, y), most, Unit::Inch);
                let length = Track::plot(from, footprint, &legs).length();
                assert!(length <= most, "{tool:?} {legs:?} is {length} long");
            }
        }
    }

    #[test]
    fn where_lengths_are_centimetres_paths_are_whole_millimetres() {
        let (from, footprint) = body();
        let most = Length::cm(24.0);
        for (x, y) in [(20.1, 24.0), (28.0, 28.0), (20.0, 60.0)] {
            for leg in towards(Tool::March, from, footprint, place(x, y), most, Unit::Centimetre) {
                if let Leg::Ahead(go) = leg {
                    assert_eq!(go.as_um() % 1_000, 0, "{go}");
                }
            }
        }
        let straight = towards(Tool::March, from, footprint, place(20.0, 60.0), most, Unit::Centimetre);
        assert_eq!(straight, vec![Leg::Ahead(most)], "the whole move can be used");
        assert_eq!(leg_words(&straight[0], Unit::Centimetre), "ahead 24 cm");
    }

    #[test]
    fn turning_looks_at_the_place() {
        let (from, footprint) = body();
        let legs = towards(Tool::Turn, from, footprint, place(30.0, 20.0), FAR, Unit::Inch);
        assert_eq!(legs, vec![Leg::Turn(Angle::degrees(90.0))]);
    }
}
