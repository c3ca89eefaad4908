//! Moves of both sides played one part after the other. Where a bound is told in quarters, every event named `quarter`
//! opens a frame; where charges go home in impulses, every step of the turn in which something moved is one. The moves
//! told in a frame carry the pieces on from where they stood.

use engine::scene::{Scene, ScenePiece, Told};
use serde_json::Value;
use std::rc::Rc;
use table::{Point, Pose};

/// Why a piece stopped, where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Flag {
    pub at: Point,
    /// A word or two for the map.
    pub why: String,
    /// The whole sentence.
    pub says: String,
}

/// One part of the moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Shot {
    pub title: String,
    pub scene: Rc<Scene>,
    pub flags: Vec<Flag>,
}

/// The moves of both sides, part by part.
#[derive(Clone, PartialEq, Debug)]
pub struct Film {
    pub shots: Vec<Shot>,
}

/// The film of what was told, where it tells of moves in parts.
pub fn film(before: &Scene, told: &[Rc<Told>], after: &Scene) -> Option<Film> {
    in_quarters(before, told, after).or_else(|| in_impulses(before, told, after))
}

/// Charges, from where they set out to where they end: a shot for every step of the turn in which somebody moved.
fn in_impulses(before: &Scene, told: &[Rc<Told>], after: &Scene) -> Option<Film> {
    told.iter().find(|told| name(told) == "charge_goes")?;
    let mut reel = Reel::of(before, after);
    reel.cut("As they stood".to_owned());
    // What is told first still belongs to the step in which the charge was declared.
    let mut title = "The charge".to_owned();
    for told in told {
        if name(told) == "step" {
            reel.cut_if_moved(&title);
            title = told.text.trim_end_matches('.').to_owned();
        } else {
            reel.take(told);
        }
    }
    reel.cut_if_moved(&title);
    (reel.shots.len() > 1).then_some(Film { shots: reel.shots })
}

fn in_quarters(before: &Scene, told: &[Rc<Told>], after: &Scene) -> Option<Film> {
    let first = told.iter().position(|told| name(told) == "quarter")?;
    let mut reel = Reel::of(before, after);
    reel.cut("As they stood".to_owned());
    let mut title: Option<String> = None;
    for (n, told) in told.iter().enumerate() {
        match name(told) {
            "quarter" => {
                // Whatever moved before the first part, charges say, is a part of its own.
                let opening = (n == first && reel.has_moved()).then(|| "Before the first quarter".to_owned());
                if let Some(title) = title.take().or(opening) {
                    reel.cut(title);
                }
                match told.event.get("quarter").and_then(Value::as_u64) {
                    Some(0) => break,
                    Some(number) => title = Some(format!("Quarter {number}")),
                    None => title = Some(told.text.clone()),
                }
            }
            // The next step of the turn begins: what moves now is no part of these moves.
            "step" if title.is_some() => break,
            _ => reel.take(told),
        }
    }
    if let Some(title) = title {
        reel.cut(title);
    }
    (reel.shots.len() > 1).then_some(Film { shots: reel.shots })
}

fn name(told: &Told) -> &str {
    told.event.get("event").and_then(Value::as_str).unwrap_or_default()
}

struct Reel<'s> {
    before: &'s Scene,
    after: &'s Scene,
    pieces: Vec<ScenePiece>,
    flags: Vec<Flag>,
    shots: Vec<Shot>,
}

impl<'s> Reel<'s> {
    fn of(before: &'s Scene, after: &'s Scene) -> Reel<'s> {
        Reel { before, after, pieces: before.pieces.clone(), flags: Vec::new(), shots: Vec::new() }
    }

    /// Ends a shot, unless nothing has changed since the last one.
    fn cut_if_moved(&mut self, title: &str) {
        if self.shots.last().is_none_or(|shot| shot.scene.pieces != self.pieces) {
            self.cut(title.to_owned());
        }
    }

    fn has_moved(&self) -> bool {
        self.pieces != self.before.pieces
    }

    fn cut(&mut self, title: String) {
        let scene = Scene { pieces: self.pieces.clone(), ..self.after.clone() };
        self.shots.push(Shot { title, scene: Rc::new(scene), flags: std::mem::take(&mut self.flags) });
    }

    fn take(&mut self, told: &Told) {
        let event = &told.event;
        let text = |field: &str| event.get(field).and_then(Value::as_str);
        let pose = |field: &str| event.get(field).and_then(|pose| serde_json::from_value::<Pose>(pose.clone()).ok());
        match (name(told), text("unit").or_else(|| text("commander")), pose("to").or_else(|| pose("pose"))) {
            ("moved" | "commander_moved", Some(key), Some(to)) => self.put(key, to, false),
            ("reformed" | "placed", Some(key), Some(to)) => self.put(key, to, true),
            ("removed" | "commander_lost", Some(key), _) => self.pieces.retain(|piece| piece.key != key),
            ("halted", Some(key), _) => {
                let Some(piece) = self.pieces.iter().find(|piece| piece.key == key) else { return };
                let why = text("why").unwrap_or_default().replace('_', " ");
                self.flags.push(Flag { at: piece.pose.at, why, says: told.text.clone() });
            }
            _ => {}
        }
    }

    /// Puts a piece somewhere; drawn up anew it looks as it will in the end.
    fn put(&mut self, key: &str, to: Pose, anew: bool) {
        let last = self.after.pieces.iter().find(|piece| piece.key == key);
        match self.pieces.iter_mut().find(|piece| piece.key == key) {
            Some(piece) => {
                let shape = last.filter(|_| anew).unwrap_or(piece).clone();
                *piece = there(&shape, to);
            }
            // It was not seen before.
            None => self.pieces.extend(last.map(|last| there(last, to))),
        }
    }
}

/// A piece drawn elsewhere.
fn there(piece: &ScenePiece, to: Pose) -> ScenePiece {
    let carry = |corner: Point| Point::from_vec(to.to_world(piece.pose.to_local(corner.vec())));
    let stands = piece.stands.iter().map(|stand| stand.map(carry)).collect();
    ScenePiece { pose: to, stands, ..piece.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Side;
    use engine::scene::PieceKind;
    use serde_json::json;
    use table::{Angle, Footprint, Length, Unit};

    fn pose(x: f64, y: f64) -> Pose {
        Pose::new(Point::new(Length::cm(x), Length::cm(y)), Angle::NORTH)
    }

    fn scene(places: &[(&str, Pose)]) -> Scene {
        let piece = |(key, pose): &(&str, Pose)| {
            let quad = Footprint::new(Length::cm(6.0), Length::cm(3.0)).quad(*pose);
            engine::facade::single(key, key, Side::A, PieceKind::Foot, *pose, &quad)
        };
        Scene {
            title: String::new(),
            when: String::new(),
            size: (Length::cm(120.0), Length::cm(120.0)),
            unit: Unit::Centimetre,
            sides: [String::new(), String::new()],
            features: Vec::new(),
            pieces: places.iter().map(piece).collect(),
        }
    }

    fn told(text: &str, event: Value) -> Rc<Told> {
        let (clause, also, rolls) = (String::new(), Vec::new(), Vec::new());
        Rc::new(Told { text: text.to_owned(), clause, also, rolls, reckoning: None, event })
    }

    #[test]
    fn every_quarter_is_a_shot_and_halts_are_flagged_where_they_happen() {
        let before = scene(&[("a", pose(20.0, 10.0)), ("b", pose(60.0, 10.0))]);
        let after = scene(&[("a", pose(20.0, 16.0)), ("b", pose(60.0, 13.0))]);
        let quarter = |number: u8| told("", json!({ "event": "quarter", "quarter": number }));
        let moved = |key: &str, to: Pose| told("", json!({ "event": "moved", "unit": key, "to": to, "path": [] }));
        let news = [
            quarter(1),
            moved("@a", pose(20.0, 13.0)),
            moved("@b", pose(60.0, 13.0)),
            told("b halts before c", json!({ "event": "halted", "unit": "@b", "why": "enemy_near", "by": "@c" })),
            quarter(2),
            moved("@a", pose(20.0, 16.0)),
            quarter(0),
            told("", json!({ "event": "step", "step": "artillery" })),
            moved("@a", pose(20.0, 2.0)),
        ];
        let film = film(&before, &news, &after).unwrap();
        assert_eq!(
            film.shots.iter().map(|shot| shot.title.as_str()).collect::<Vec<_>>(),
            ["As they stood", "Quarter 1", "Quarter 2"]
        );
        let at =
            |shot: usize, key: &str| film.shots[shot].scene.pieces.iter().find(|piece| piece.key == key).unwrap().pose;
        assert_eq!((at(1, "@a"), at(2, "@a")), (pose(20.0, 13.0), pose(20.0, 16.0)));
        assert_eq!(film.shots[2].scene.pieces[0].stands, after.pieces[0].stands, "stands go with the flag");
        let [flag] = &film.shots[1].flags[..] else { panic!("one halt") };
        assert_eq!((flag.at, flag.why.as_str()), (pose(60.0, 13.0).at, "enemy near"));
        assert!(film.shots[2].flags.is_empty());
    }

    #[test]
    fn charges_are_shown_step_by_step_of_the_turn() {
        let before = scene(&[("a", pose(20.0, 10.0)), ("b", pose(20.0, 40.0))]);
        let after = scene(&[("a", pose(20.0, 36.0)), ("b", pose(20.0, 40.0))]);
        let step = |text: &str| told(text, json!({ "event": "step", "step": text }));
        let moved = |key: &str, to: Pose| told("", json!({ "event": "moved", "unit": key, "to": to, "path": [] }));
        let goes = told("", json!({ "event": "charge_goes", "unit": "@a" }));
        let news = [
            moved("@a", pose(20.0, 20.0)),
            Rc::clone(&goes),
            step("Rally."),
            step("Second impulse."),
            moved("@a", pose(20.0, 30.0)),
            goes,
            step("Charging home."),
            moved("@a", pose(20.0, 36.0)),
        ];
        let film = film(&before, &news, &after).unwrap();
        let titles: Vec<&str> = film.shots.iter().map(|shot| shot.title.as_str()).collect();
        assert_eq!(titles, ["As they stood", "The charge", "Second impulse", "Charging home"]);
        let at = |shot: usize| film.shots[shot].scene.pieces[0].pose;
        assert_eq!([at(0), at(1), at(2), at(3)], [10.0, 20.0, 30.0, 36.0].map(|y| pose(20.0, y)));
        let march = [step("Movement."), moved("@a", pose(20.0, 12.0))];
        assert_eq!(super::film(&before, &march, &after), None, "an ordinary march needs no film");
    }

    #[test]
    fn charges_before_the_first_quarter_have_a_shot_and_other_news_has_no_film() {
        let before = scene(&[("a", pose(20.0, 10.0))]);
        let after = scene(&[("a", pose(20.0, 20.0))]);
        let charge = told("", json!({ "event": "moved", "unit": "@a", "to": pose(20.0, 20.0), "path": [] }));
        let quarter = told("", json!({ "event": "quarter", "quarter": 1 }));
        assert_eq!(film(&before, &[Rc::clone(&charge)], &after), None);
        assert_eq!(film(&before, &[charge, quarter], &after).unwrap().shots.len(), 3);
    }
}
