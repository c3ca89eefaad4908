//! What is drawn around pieces: ways with what they cost, and areas cut off at the edge of the table.

use engine::scene::Ghost;
use engine::{CommanderId, Ruleset, State, UnitId, facade};
use table::{Length, Motion, Point, Pose, Stage, Track, Vec2};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
