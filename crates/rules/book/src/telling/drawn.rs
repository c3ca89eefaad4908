//! What is drawn around pieces: ways with what they cost, and areas cut off at the edge of the table.

use engine::scene::Ghost;
use engine::{CommanderId, Ruleset, State, UnitId, facade};
use table::{Length, Motion, Point, Pose, Quad, Stage, Track, Unit, Vec2};

/// The flag's way round a wheel is drawn in so many pieces.
const PIECES_OF_A_WHEEL: u8 = 8;

/// A unit in a pose, its way not told.
pub fn stands<R: Ruleset>(state: &State<R>, unit: UnitId, formation: R::Formation, pose: Pose) -> Ghost {
    let (piece, card) = (state.unit(unit), state.card(unit));
    let layout = R::layout(&card.facts, formation, piece.body.stands);
    let from = piece.pose().at;
    let trail = if from == pose.at || !piece.is_present() { Vec::new() } else { vec![from, pose.at] };
    Ghost {
        key: format!("@{}", card.key),
        pose,
        stands: layout.quads(pose).map(|quad| facade::corners(&quad)).collect(),
        trail,
        spent: String::new(),
    }
}

/// A commander in a pose.
pub fn officer<R: Ruleset>(state: &State<R>, id: CommanderId, pose: Pose) -> Ghost {
    let (card, old) = (state.muster().commander(id), state.commander(id));
    let trail = if old.is_present() && old.pose.at != pose.at { vec![old.pose.at, pose.at] } else { Vec::new() };
    let stands = vec![facade::corners(&R::officer_footprint(&card.facts).quad(pose))];
    Ghost { key: format!("@{}", card.key), pose, stands, trail, spent: String::new() }
}

/// The way of the flag: straight from stage to stage, round in a wheel.
pub fn trail(track: &Track) -> Vec<Point> {
    let mut trail = vec![track.start().at];
    for stage in track.stages() {
        if let Motion::Swing { .. } = stage.motion {
            trail.extend(swing(stage));
        }
        trail.push(stage.to.at);
    }
    trail.dedup();
    trail
}

fn swing(stage: &Stage) -> impl Iterator<Item = Point> {
    (1..PIECES_OF_A_WHEEL).map(|n| stage.at(f64::from(n) / f64::from(PIECES_OF_A_WHEEL)).at)
}

/// `3½ of 6 inches`; the cost alone where nobody knows yet how far it may go.
pub fn spent(cost: Length, most: Option<Length>) -> String {
    match most {
        Some(most) => format!("{} of {} inches", figure(cost), figure(most)),
        None => format!("{} inches", figure(cost)),
    }
}

/// The same in the measure of the battle: `12.5 of 20 cm`.
pub fn spent_in(cost: Length, most: Option<Length>, unit: Unit) -> String {
    let Some(most) = most.filter(|_| unit == Unit::Centimetre) else {
        return if unit == Unit::Inch { spent(cost, most) } else { cost.show(unit) };
    };
    let (cost, most) = (cost.show(unit), most.show(unit));
    format!("{} of {most}", cost.strip_suffix(" cm").unwrap_or(&cost))
}

/// Inches with a quarter, half or three quarters where they are that, else to the tenth above.
fn figure(length: Length) -> String {
    let hundredths = (length.as_inches() * 100.0).round() as i64;
    let near = |part: i64| (hundredths.rem_euclid(100) - part).abs() <= 1;
    let (whole, tenths) = (hundredths.div_euclid(100), (hundredths + 9).div_euclid(10));
    match () {
        _ if near(0) => whole.to_string(),
        _ if near(100) => (whole + 1).to_string(),
        _ if near(25) => quarter(whole, '¼'),
        _ if near(50) => quarter(whole, '½'),
        _ if near(75) => quarter(whole, '¾'),
        _ if tenths % 10 == 0 => (tenths / 10).to_string(),
        _ => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

fn quarter(whole: i64, part: char) -> String {
    if whole == 0 { part.to_string() } else { format!("{whole}{part}") }
}

/// What of it lies on the table.
pub fn clipped<R: Ruleset>(field: &State<R>, area: Vec<Vec2>) -> Vec<Point> {
    let (width, height) = field.ground().size;
    let borders: [&dyn Fn(Vec2) -> f64; 4] =
        [&|at| -at.x, &|at| at.x - width.as_f64(), &|at| -at.y, &|at| at.y - height.as_f64()];
    let kept = borders.into_iter().fold(area, |area, beyond| within(&area, beyond));
    let mut points: Vec<Point> = kept.into_iter().map(Point::from_vec).collect();
    points.dedup();
    points
}

/// The part of an area that is not beyond a line.
fn within(area: &[Vec2], beyond: &dyn Fn(Vec2) -> f64) -> Vec<Vec2> {
    let mut kept = Vec::with_capacity(area.len() + 2);
    for (n, &here) in area.iter().enumerate() {
        let next = area.get(n + 1).or(area.first()).copied().unwrap_or(here);
        let (a, b) = (beyond(here), beyond(next));
        if a <= 0.0 {
            kept.push(here);
        }
        if (a <= 0.0) != (b <= 0.0) {
            kept.push(here.lerp(next, a / (a - b)));
        }
    }
    kept
}

/// Everything within a distance of a rectangle.
pub fn around(quad: &Quad, reach: Length) -> Vec<Vec2> {
    let mut area = Vec::new();
    for (n, corner) in quad.corners.iter().enumerate() {
        let after = quad.corners[(n + 1) % 4];
        let before = quad.corners[(n + 3) % 4];
        // From the outward normal of the side that ends here to that of the side that begins here.
        let from = outward(before, *corner, quad.centre);
        let to = outward(*corner, after, quad.centre);
        for step in 0..=6 {
            let way = from.lerp(to, f64::from(step) / 6.0);
            let length = way.length();
            if length > 0.0 {
                area.push(*corner + way * (reach.as_f64() / length));
            }
        }
    }
    area
}

/// The direction square to a side, away from the middle.
fn outward(a: Vec2, b: Vec2, centre: Vec2) -> Vec2 {
    let along = b - a;
    let length = along.length();
    let square = Vec2::new(along.y, -along.x) * (1.0 / length.max(1.0));
    if square.dot((a + b) * 0.5 - centre) < 0.0 { square * -1.0 } else { square }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Angle, Footprint};

    #[test]
    fn figures_as_people_say_them() {
        for (inches, said) in [
            (0.0, "0"),
            (3.5, "3½"),
            (0.25, "¼"),
            (5.995, "6"),
            (6.02, "6.1"),
            (2.34, "2.4"),
            (1.96, "2"),
            (4.75, "4¾"),
        ] {
            assert_eq!(figure(Length::inches(inches)), said);
        }
        assert_eq!(spent(Length::inches(3.5), Some(Length::whole_inches(6))), "3½ of 6 inches");
        assert_eq!(spent(Length::inches(3.5), None), "3½ inches");
    }

    #[test]
    fn the_zone_keeps_its_distance_from_the_body() {
        let inch = Length::whole_inches;
        let quad = Footprint::new(inch(4), inch(1))
            .quad(Pose { at: Point::new(inch(20), inch(20)), facing: Angle::whole(30) });
        for point in around(&quad, inch(8)) {
            let off = table::convex::distance(quad.points(), point) - inch(8).as_f64();
            assert!(off.abs() < 2.0, "{off}");
        }
    }

    #[test]
    fn moves_are_told_in_the_measure_of_the_battle() {
        let cm = Length::cm;
        assert_eq!(spent_in(cm(12.5), Some(cm(20.0)), Unit::Centimetre), "12.5 of 20 cm");
        assert_eq!(spent_in(cm(12.0), None, Unit::Centimetre), "12 cm");
        assert_eq!(spent_in(Length::inches(3.5), None, Unit::Inch), "3½ inches");
    }
}
