use super::*;
use engine::game::Game;
use engine::scene::PieceKind;
use engine::{DecisionNo, Seed, Side, Viewer};
use serde_json::json;
use table::{Angle, Footprint, Length, Pose};

fn game() -> Box<dyn Game> {
    rules::start(rules::scenario("awi/skirmish").unwrap().text, None, Seed::from_number(4)).unwrap()
}

fn inches(x: i32, y: i32) -> Point {
    Point::new(Length::whole_inches(x), Length::whole_inches(y))
}

/// Two battalions and a general of one brigade, a battalion of another, and an enemy.
fn army(board: &dyn Board) -> (Scene, Prompt) {
    let mut scene = board.scene();
    let piece = |key: &str, side: Side, kind: PieceKind, at: Point, command: &str| {
        let pose = Pose::new(at, Angle::NORTH);
        let quad = Footprint::new(Length::whole_inches(2), Length::whole_inches(1)).quad(pose);
        let mut piece = engine::facade::single(key, key, side, kind, pose, &quad);
        piece.command = Some(command.to_owned());
        piece
    };
    scene.pieces = vec![
        piece("a", Side::A, PieceKind::Foot, inches(9, 8), "Left"),
        piece("b", Side::A, PieceKind::Foot, inches(14, 8), "Left"),
        piece("g", Side::A, PieceKind::General, inches(12, 5), "Left"),
        piece("c", Side::A, PieceKind::Foot, inches(24, 8), "Right"),
        piece("foe", Side::B, PieceKind::Foot, inches(9, 30), "Enemy"),
    ];
    let stay = |key: &str| Gesture::Button {
        of: Some(key.to_owned()),
        label: "Stay".to_owned(),
        key: None,
        draft: Value::Null,
    };
    let march = |key: &str| Gesture::DrawPath {
        label: "March".to_owned(),
        unit: key.to_owned(),
        allowance: Length::whole_inches(8),
        draft: json!({ "march": { "unit": key, "steps": [{ "march": "$legs" }] } }),
    };
    let charge = |key: &str| Gesture::PickTarget {
        label: "Charge".to_owned(),
        by: key.to_owned(),
        at: vec!["@foe".to_owned()],
        draft: json!({ "charge": { "unit": key, "at": "$target" } }),
    };
    let form = |key: &str| Gesture::PickFormation {
        label: "Form".to_owned(),
        unit: key.to_owned(),
        into: vec!["line".to_owned(), "column".to_owned()],
        draft: json!({ "march": { "unit": key, "steps": [{ "form": "$formation" }] } }),
    };
    let ride = Gesture::DrawPath {
        label: "Ride".to_owned(),
        unit: "@g".to_owned(),
        allowance: Length::whole_inches(10),
        draft: json!({ "ride": { "commander": "@g", "to": "$point" } }),
    };
    let foot = |key: &str| (key.to_owned(), vec![stay(key), march(key), charge(key), form(key)]);
    let options = vec![foot("@a"), foot("@b"), ("@g".to_owned(), vec![stay("@g"), ride]), foot("@c")];
    let pieces = options.iter().map(|(key, _)| key.clone()).collect();
    let plan = Gesture::Plan {
        label: "The plan".to_owned(),
        kind: PlanKind::Each { options },
        pieces,
        draft: json!({ "plot": { "moves": "$plan" } }),
    };
    let pass = Gesture::Button { of: None, label: "Pass".to_owned(), key: None, draft: json!("pass") };
    let prompt = Prompt {
        no: DecisionNo(3),
        side: Side::A,
        question: String::new(),
        clause: String::new(),
        gestures: vec![plan, pass],
    };
    (scene, prompt)
}

fn moves(hand: &Hand, prompt: &Prompt) -> Value {
    hand.draft(prompt).expect("a plan is whole at any time")["plot"]["moves"].clone()
}

#[test]
fn a_plan_is_taken_up_at_once_and_is_whole_from_the_start() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    assert_eq!(at_once(&prompt.gestures), Some(0));
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    assert_eq!(moves(&hand, &prompt), json!([]));
    assert_eq!(hand.tally(&prompt), Tally { able: 4, moving: 0, owing: 0 });
}

#[test]
fn a_drag_draws_a_path_which_the_ghost_goes_on_with_and_the_piece_begins_anew() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    let drag = |hand: &mut Hand, ghost: bool, to: Point| {
        assert_eq!(hand.seize(board.as_ref(), &prompt, &scene, "@a", ghost), Some(true));
        hand.steer(&prompt, &scene, to);
        hand.keep_legs();
        hand.judge(board.as_ref(), &prompt);
    };
    drag(&mut hand, false, inches(9, 11));
    let entry = json!({ "march": { "unit": "@a", "steps": [{ "march": ["ahead 3in"] }] } });
    assert_eq!(moves(&hand, &prompt), json!([entry]));
    // Another is looked at meanwhile.
    hand.take_up(&prompt, Some("@c".to_owned()));
    assert_eq!(moves(&hand, &prompt), json!([entry]));
    drag(&mut hand, true, inches(9, 12));
    let legs = |hand: &Hand| moves(hand, &prompt)[0]["march"]["steps"][0]["march"].clone();
    assert_eq!(legs(&hand), json!(["ahead 3in", "ahead 1in"]));
    assert!(hand.drop_leg());
    hand.take_in(&prompt);
    assert_eq!(legs(&hand), json!(["ahead 3in"]));
    drag(&mut hand, false, inches(9, 10));
    assert_eq!(legs(&hand), json!(["ahead 2in"]));
    assert!(hand.drop_leg());
    hand.take_in(&prompt);
    assert_eq!(moves(&hand, &prompt), json!([]), "a path without legs is staying");
}

#[test]
fn a_move_is_copied_to_the_brigade_and_cleared_again() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    hand.open_option(board.as_ref(), &prompt, &scene, 0, 1);
    hand.add_leg(Leg::Ahead(Length::whole_inches(4)));
    assert_eq!(hand.copy_to_brigade(&prompt, &scene), 1, "the general cannot march, the other brigade is not asked");
    let march = |key: &str| json!({ "march": { "unit": key, "steps": [{ "march": ["ahead 4in"] }] } });
    assert_eq!(moves(&hand, &prompt), json!([march("@a"), march("@b")]));
    assert_eq!(hand.next_idle(&prompt, true).as_deref(), Some("@g"));
    let mut brigade = hand.brigade_of(&prompt, &scene, "@a");
    brigade.push("@a".to_owned());
    hand.stay(&prompt, &brigade);
    assert_eq!(moves(&hand, &prompt), json!([]));
    // A change of formation is copied too.
    hand.open_option(board.as_ref(), &prompt, &scene, 1, 3);
    if let Some(Making::Form { into, .. }) = hand.work_mut() {
        *into = 1;
    }
    assert_eq!(hand.copy_to_brigade(&prompt, &scene), 1);
    assert_eq!(moves(&hand, &prompt)[0], json!({ "march": { "unit": "@a", "steps": [{ "form": "column" }] } }));
}

#[test]
fn an_enemy_pointed_at_is_charged_and_a_general_rides_no_farther_than_he_may() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    assert!(!hand.aim_at(board.as_ref(), &prompt, &scene, "@foe"), "nobody is in hand");
    hand.take_up(&prompt, Some("@c".to_owned()));
    assert_eq!(hand.targets(&prompt), ["@foe"]);
    assert!(hand.aim_at(board.as_ref(), &prompt, &scene, "@foe"));
    assert_eq!(moves(&hand, &prompt), json!([{ "charge": { "unit": "@c", "at": "@foe" } }]));
    assert_eq!(hand.seize(board.as_ref(), &prompt, &scene, "@g", false), Some(false));
    hand.ride_to(&prompt, &scene, "@g", inches(12, 40));
    assert_eq!(moves(&hand, &prompt)[0], json!({ "ride": { "commander": "@g", "to": inches(12, 15) } }));
    assert_eq!(hand.seize(board.as_ref(), &prompt, &scene, "@foe", false), None, "the enemy is not ours to move");
}

#[test]
fn a_plan_half_made_is_kept_and_taken_up_again() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    hand.open_option(board.as_ref(), &prompt, &scene, 0, 1);
    hand.add_leg(Leg::Ahead(Length::whole_inches(4)));
    hand.take_up(&prompt, Some("@c".to_owned()));
    hand.aim_at(board.as_ref(), &prompt, &scene, "@foe");
    let (was, text) = (moves(&hand, &prompt), serde_json::to_string(&hand.kept(&prompt)).unwrap());
    let mut again = Hand::default();
    again.arm(board.as_ref(), &prompt, &scene, 0);
    again.take_back_up(&prompt, &serde_json::from_str::<Vec<KeptEntry>>(&text).unwrap());
    assert_eq!(moves(&again, &prompt), was);
    // An option that has changed its meaning meanwhile is not taken up.
    let mut kept = hand.kept(&prompt);
    kept[0].label = "Something else".to_owned();
    let mut again = Hand::default();
    again.arm(board.as_ref(), &prompt, &scene, 0);
    again.take_back_up(&prompt, &kept);
    assert_eq!(moves(&again, &prompt).as_array().unwrap().len(), 1);
}

#[test]
fn a_whole_order_is_taken_over_entry_by_entry() {
    let game = game();
    let board = game.board(Viewer::Side(Side::A));
    let (scene, prompt) = army(board.as_ref());
    let mut hand = Hand::default();
    hand.arm(board.as_ref(), &prompt, &scene, 0);
    let march = json!({ "march": { "unit": "@b", "steps": [{ "march": ["ahead 2in", "wheel left 30"] }] } });
    let charge = json!({ "charge": { "unit": "@c", "at": "@foe" } });
    let strange = json!({ "fly": { "unit": "@a" } });
    let order = json!({ "plot": { "moves": [charge, strange, march] } });
    assert_eq!(hand.adopt(&prompt, &order), 3);
    assert_eq!(moves(&hand, &prompt), json!([strange, march, charge]), "in the order of the question");
    let kept = hand.kept(&prompt);
    hand.stay(&prompt, &["@a".to_owned(), "@b".to_owned(), "@c".to_owned()]);
    hand.take_back_up(&prompt, &kept);
    assert_eq!(moves(&hand, &prompt), json!([strange, march, charge]), "what is on no card is kept as well");
    assert_eq!(hand.adopt(&prompt, &json!("pass")), 0);
    assert_eq!(moves(&hand, &prompt), json!([]));
}

/// An aide's plan is legal, and stays so when it is taken over piece by piece.
#[test]
fn what_an_aide_suggests_can_be_sealed() {
    let text = rules::scenario("guns/magenta").unwrap().text;
    let mut game = rules::start(text, None, Seed::from_number(5)).unwrap();
    let mut seen = 0;
    for _ in 0..120 {
        let (no, side) = game.awaited().unwrap();
        let answer = {
            let board = game.board(Viewer::Side(side));
            let (prompt, scene) = (board.prompt().unwrap(), board.scene());
            let plan = at_once(&prompt.gestures).filter(|no| is_planner(&prompt.gestures[*no]));
            for (seed, plan) in (1..4).zip(std::iter::repeat(plan)).filter_map(|(seed, plan)| Some((seed, plan?))) {
                let mut hand = Hand::default();
                hand.arm(board.as_ref(), &prompt, &scene, plan);
                for order in board.candidates(seed, 4) {
                    if hand.adopt(&prompt, &order) > 0 {
                        hand.judge(board.as_ref(), &prompt);
                        let judged = hand.judged.as_ref().expect("a plan is whole at any time");
                        assert!(judged.is_legal(), "{}: {order}: {:?}", prompt.question, judged.verdict);
                        seen += 1;
                    }
                }
            }
            board.candidates(11, 3).into_iter().next().expect("an answer")
        };
        game.submit(side, no, &answer).unwrap();
    }
    assert!(seen > 50, "{seen} plans");
}
