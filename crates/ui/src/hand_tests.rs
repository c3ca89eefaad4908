use super::*;
use engine::game::Game;
use engine::{Seed, Side, Viewer};
use serde_json::json;

fn game() -> Box<dyn Game> {
    rules::start(rules::scenario("awi/skirmish").unwrap().text, None, Seed::from_number(4)).unwrap()
}

/// Answers with the first candidate until a question has a gesture of the wanted kind.
fn until(game: &mut dyn Game, wanted: impl Fn(&Gesture) -> bool) -> (Side, usize) {
    for _ in 0..400 {
        let (no, side) = game.awaited().unwrap();
        let (draft, found) = {
            let board = game.board(Viewer::Side(side));
            let prompt = board.prompt().unwrap();
            (board.candidates(7, 3).pop().unwrap(), prompt.gestures.iter().position(&wanted))
        };
        if let Some(found) = found {
            return (side, found);
        }
        game.submit(side, no, &draft).unwrap();
    }
    panic!("no such gesture in a whole battle");
}

#[test]
fn the_first_question_is_answered_by_setting_up() {
    let mut game = game();
    let (side, no) = until(game.as_mut(), |gesture| matches!(gesture, Gesture::Plan { .. }));
    let board = game.board(Viewer::Side(side));
    let (prompt, scene) = (board.prompt().unwrap(), board.scene());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, no);
    let judged = hand.judged.clone().expect("a plan is judged at once");
    assert!(judged.is_legal(), "{:?}", judged.verdict);
}

/// A gesture that has everything it needs from the start is a whole order, and a legal or plainly refused one.
#[test]
fn choosing_a_facing_begins_with_the_facing_there_is() {
    let mut game = rules::start(rules::scenario("awi/lesson").unwrap().text, None, Seed::from_number(4)).unwrap();
    let (side, no) = until(
        game.as_mut(),
        |gesture| matches!(gesture, Gesture::PickFormation { draft, .. } if !fill::has(draft, blank::FORMATION)),
    );
    let board = game.board(Viewer::Side(side));
    let (prompt, scene) = (board.prompt().unwrap(), board.scene());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, no);
    let judged = hand.judged.expect("nothing is missing");
    assert!(judged.is_legal(), "{:?}", judged.verdict);
}

#[test]
fn a_path_is_steered_judged_and_kept() {
    let mut game = game();
    let (side, no) = until(
        game.as_mut(),
        |gesture| matches!(gesture, Gesture::DrawPath { draft, .. } if fill::has(draft, blank::LEGS)),
    );
    let board = game.board(Viewer::Side(side));
    let (prompt, scene) = (board.prompt().unwrap(), board.scene());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, no);
    assert!(hand.draft(&prompt).is_none(), "no legs, no order");
    let (pose, _, left) = hand.path_end(&prompt, &scene).unwrap();
    let place = Point::from_vec(pose.at.vec() + pose.forward() * left.half().as_f64());
    hand.steer(&prompt, &scene, place);
    hand.keep_legs();
    hand.judge(board.as_ref(), &prompt);
    assert!(hand.judged.is_some());
    let (end, _, _) = hand.path_end(&prompt, &scene).unwrap();
    assert!(end.at.distance(place) < Length::inches(0.2));
    assert!(hand.drop_leg() && hand.draft(&prompt).is_none());
}

#[test]
fn keyboard_steps_add_up() {
    let mut hand = Hand {
        making: Some((0, Making::Path { legs: Vec::new(), live: Vec::new(), tool: Tool::March })),
        ..Hand::default()
    };
    for _ in 0..3 {
        hand.add_leg(Leg::Ahead(Length::inches(0.5)));
    }
    hand.add_leg(Leg::Back(Length::inches(0.5)));
    let Some((_, Making::Path { legs, .. })) = &hand.making else { panic!("still a path") };
    assert_eq!(*legs, vec![Leg::Ahead(Length::inches(1.5)), Leg::Back(Length::inches(0.5))]);
}

#[test]
fn places_and_spots_can_be_set_without_a_pointer() {
    let game = game();
    let scene = game.board(Viewer::Umpire).scene();
    let half = Length::inches(0.5);
    let mut hand = Hand { making: Some((0, Making::Place(None))), ..Hand::default() };
    hand.nudge(&scene, half, -half);
    let middle = Point::new(scene.size.0.half(), scene.size.1.half());
    let Some((_, Making::Place(Some(place)))) = hand.making else { panic!("a place is in hand") };
    assert_eq!(place, Point::new(middle.x + half, middle.y - half));
    hand.making = Some((0, Making::Spots(Vec::new())));
    let prompt = Prompt {
        no: engine::DecisionNo(1),
        side: Side::A,
        question: String::new(),
        clause: String::new(),
        gestures: vec![Gesture::Plan {
            label: String::new(),
            kind: PlanKind::Spots,
            pieces: vec!["@a".to_owned(), "@b".to_owned()],
            draft: Value::Null,
        }],
    };
    for _ in 0..4 {
        hand.add_spot(&prompt, &scene);
    }
    let Some((_, Making::Spots(spots))) = hand.making else { panic!("spots are in hand") };
    assert_eq!(spots.len(), 2, "as many spots as pieces");
    assert_ne!(spots[0], spots[1]);
}

fn asking(gestures: Vec<Gesture>) -> Prompt {
    Prompt { no: engine::DecisionNo(1), side: Side::A, question: String::new(), clause: String::new(), gestures }
}

fn keys(of: &[&str]) -> Vec<String> {
    of.iter().map(|key| (*key).to_owned()).collect()
}

#[test]
fn a_choice_of_many_begins_with_all_and_keeps_their_order() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let scene = board.scene();
    let prompt = asking(vec![Gesture::Plan {
        label: String::new(),
        kind: PlanKind::Subset { notes: keys(&["near", "far", "further"]) },
        pieces: keys(&["@a", "@b", "@c"]),
        draft: json!({ "react": { "units": "$plan" } }),
    }]);
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    assert_eq!(hand.draft(&prompt), Some(json!({ "react": { "units": ["@a", "@b", "@c"] } })));
    hand.toggle(&prompt, "@a");
    hand.toggle(&prompt, "@c");
    assert_eq!(hand.draft(&prompt), Some(json!({ "react": { "units": ["@b"] } })));
    hand.toggle(&prompt, "@a");
    hand.toggle(&prompt, "@nobody");
    assert_eq!(hand.draft(&prompt), Some(json!({ "react": { "units": ["@a", "@b"] } })));
}

#[test]
fn each_piece_of_a_plan_may_have_a_path_of_its_own() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let mut scene = board.scene();
    let here = Pose::new(Point::new(Length::whole_inches(9), Length::whole_inches(8)), Angle::NORTH);
    let quad = Footprint::new(Length::whole_inches(2), Length::whole_inches(1)).quad(here);
    let kind = engine::scene::PieceKind::Foot;
    scene.pieces = vec![engine::facade::single("a", "First", Side::A, kind, here, &quad)];
    let key = scene.pieces[0].key.clone();
    let stay = Gesture::Button { of: Some(key.clone()), label: "Stay".to_owned(), key: None, draft: Value::Null };
    let go = Gesture::DrawPath {
        label: "Go".to_owned(),
        unit: key.clone(),
        allowance: Length::whole_inches(8),
        draft: json!({ "unit": key, "legs": "$legs" }),
    };
    let options = vec![(key.clone(), vec![stay.clone(), go]), ("@b".to_owned(), vec![stay])];
    let prompt = asking(vec![Gesture::Plan {
        label: String::new(),
        kind: PlanKind::Each { options },
        pieces: vec![key.clone(), "@b".to_owned()],
        draft: json!({ "march": { "moves": "$plan" } }),
    }]);
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    assert_eq!(hand.draft(&prompt), Some(json!({ "march": { "moves": [] } })), "nobody need do anything");
    hand.open_option(board.as_ref(), &prompt, &scene, 0, 1);
    let nobody = Some(json!({ "march": { "moves": [] } }));
    assert_eq!(hand.draft(&prompt), nobody, "a path without legs is none");
    assert_eq!(hand.selected.as_deref(), Some(key.as_str()));
    hand.add_leg(Leg::Ahead(Length::whole_inches(2)));
    hand.judge(board.as_ref(), &prompt);
    assert_eq!(hand.draft(&prompt), Some(json!({ "march": { "moves": [{ "unit": key, "legs": ["ahead 2in"] }] } })));
    let (end, _, left) = hand.path_end(&prompt, &scene).expect("a path is drawn");
    assert_eq!(left, Length::whole_inches(6));
    assert!(end.at.y > here.at.y);
    hand.open_option(board.as_ref(), &prompt, &scene, 0, 0);
    assert_eq!(hand.draft(&prompt), Some(json!({ "march": { "moves": [] } })));
}

#[test]
fn placements_are_found_and_moved() {
    let mut draft = json!({ "deploy": {
        "units": [{ "unit": "@a", "pose": ["1in", "2in", 0], "formation": "line" }],
        "commanders": [{ "commander": "@c", "pose": ["3in", "2in", 90] }] } });
    let found = placements(&draft);
    assert_eq!(found.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["@a", "@c"]);
    let there = Pose::new(Point::new(Length::whole_inches(9), Length::whole_inches(8)), Angle::whole(45));
    put_at(&mut draft, "@c", there);
    assert_eq!(placements(&draft)[1].1, there);
    assert_ne!(placements(&draft)[0].1, there);
}

#[test]
fn the_nearest_piece_is_hit() {
    let quad = |x: i32| {
        let at = |dx: i32, dy: i32| Point::new(Length::whole_inches(x + dx), Length::whole_inches(10 + dy));
        [at(0, 1), at(2, 1), at(2, 0), at(0, 0)]
    };
    let (a, b) = ([quad(0)], [quad(6)]);
    let pieces = || [("@a", a.as_slice()), ("@b", b.as_slice())].into_iter();
    let place = |x: f64, y: f64| Point::new(Length::inches(x), Length::inches(y));
    let near = Length::inches(0.5);
    assert_eq!(hit(pieces(), place(1.0, 10.5), near).as_deref(), Some("@a"));
    assert_eq!(hit(pieces(), place(5.7, 10.5), near).as_deref(), Some("@b"));
    assert_eq!(hit(pieces(), place(4.0, 10.5), near), None);
}

#[test]
fn whoever_hangs_on_another_piece_is_carried_alone() {
    let pose = json!(["10cm", "10cm", 0]);
    let unit = json!({ "unit": "@guns", "pose": pose, "formation": "deployed" });
    let mut draft =
        json!({ "deploy": { "units": [unit], "observers": [{ "battery": "@guns", "at": ["12cm", "20cm"] }] } });
    let keys = |draft: &Value| placements(draft).into_iter().map(|(key, _)| key).collect::<Vec<String>>();
    assert_eq!(keys(&draft), ["@guns", "@guns-observer"]);
    let there = Point::new(Length::cm(30.0), Length::cm(40.0));
    put_at(&mut draft, "@guns-observer", Pose { at: there, facing: Angle::EAST });
    assert_eq!(draft["deploy"]["units"][0]["pose"], pose, "the guns stay");
    let observer = &draft["deploy"]["observers"][0];
    assert_eq!(serde_json::from_value::<Point>(observer["at"].clone()).unwrap(), there);
    assert_eq!(observer.as_object().unwrap().len(), 2, "and he has no facing");
}

/// What the rulebook itself would set up can be taken in hand, piece by piece.
#[test]
fn every_ghost_of_a_set_up_can_be_carried() {
    for id in ["awi/skirmish", "guns/le-cateau", "guns/magenta"] {
        let game = rules::start(rules::scenario(id).unwrap().text, None, Seed::from_number(4)).unwrap();
        let (_, side) = game.awaited().unwrap();
        let board = game.board(Viewer::Side(side));
        let (prompt, scene) = (board.prompt().unwrap(), board.scene());
        let no = prompt
            .gestures
            .iter()
            .position(|gesture| matches!(gesture, Gesture::Plan { kind: PlanKind::Place { .. }, .. }));
        let mut hand = Hand::default();
        hand.arm(board.as_ref(), &prompt, &scene, no.expect("the first question is where they stand"));
        let judged = hand.judged.expect("a plan is judged at once");
        let placed = placements(&judged.draft);
        assert!(judged.is_legal() && !judged.ghosts.is_empty(), "{id}: {:?}", judged.verdict);
        for ghost in &judged.ghosts {
            let found = placed.iter().find(|(key, _)| *key == ghost.key).map(|(_, pose)| pose.at);
            assert_eq!(found, Some(ghost.pose.at), "{id}: {}", ghost.key);
        }
    }
}
