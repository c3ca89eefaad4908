//! Typed orders in many hands, sentences for everything that happens, gestures that make orders.

mod battles;
mod chronicle;
mod stage;

use super::*;
use crate::order::{
    BrigadeOrder, Decision, Marking, Matter, Move, NewOrder, Nomination, ObserverPlacement, OpeningOrder, Placement,
    Posture, Shot, Step,
};
use engine::scene::{Gesture, PlanKind};
use engine::{BySide, DecisionNo, FeatureId, Ruleset, Viewer, Who, blanks, facade};
use serde_json::{Value, json};
use stage::{BATTALION, BATTERY, BRIGADE, BRIGADIER, CHIEF, ENEMY, HORSE, SCREEN, SECOND, SQUADRON, at, cm, field};
use table::{Flank, Leg, Length, Point};

fn ask(decision: Decision) -> Asked<Guns> {
    Asked { no: DecisionNo(1), who: Who::Both, decision }
}

fn say(field: &Field, decision: &Decision, words: &str) -> Result<Order, String> {
    let view = View::new(field, Viewer::Side(Side::A));
    Guns::parse(&view, &ask(decision.clone()), Side::A, words)
}

fn march(unit: UnitId, steps: Vec<Step>) -> Move {
    Move::March { unit, steps, defend: None }
}

fn ahead(n: i32) -> Step {
    Step::March(vec![Leg::Ahead(cm(n))])
}

fn plan(moves: Vec<Move>) -> Order {
    Order::Plot { moves, groups: Vec::new() }
}

/// A question of each kind.
fn questions() -> Vec<Decision> {
    let able = BySide([vec![Shot { unit: SQUADRON, at: ENEMY }], Vec::new()]);
    vec![
        Decision::Deploy,
        Decision::Nominate,
        Decision::Allot { dice: BySide([vec![6, 4], vec![3]]), brigades: BySide([vec![BRIGADE, HORSE], Vec::new()]) },
        Decision::Mark,
        Decision::Plot,
        Decision::CounterCharge { able },
        Decision::Guns,
        Decision::Musketry,
        Decision::LieDown { units: vec![BATTALION, SECOND] },
        Decision::Abandon { battery: BATTERY },
        Decision::PressOn { unit: BATTALION, among: vec![ENEMY] },
        Decision::RideThrough { unit: SQUADRON },
    ]
}

fn plans() -> Vec<(&'static str, Order)> {
    let line = Formation::usual(Shape::Line);
    let wheel = Leg::Wheel { pivot: Flank::Left, by: Angle::whole(20) };
    let pose = Pose { at: at(50, 40), facing: Angle::EAST };
    let wall = Some(FeatureId(0));
    vec![
        ("march first ahead 12cm, form line", plan(vec![march(BATTALION, vec![ahead(12), Step::Form(line)])])),
        (
            "march 1st Battalion ahead 12 wheel left 20; march second ahead 30mm",
            plan(vec![
                march(BATTALION, vec![Step::March(vec![Leg::Ahead(cm(12)), wheel])]),
                march(SECOND, vec![ahead(3)]),
            ]),
        ),
        (
            "form first assault*3 ahead 8 defend wall",
            plan(vec![Move::March {
                unit: BATTALION,
                steps: vec![Step::Form("assault*3".parse().expect("a formation")), ahead(8)],
                defend: wall,
            }]),
        ),
        (
            "charge hussars at foe wheel left 20 led by abel; ride carl to 30cm 40cm; join abel first",
            plan(vec![
                Move::Charge { unit: SQUADRON, at: ENEMY, legs: vec![wheel], led_by: Some(BRIGADIER) },
                Move::Ride { commander: CHIEF, to: at(30, 40) },
                Move::Join { commander: BRIGADIER, unit: BATTALION },
            ]),
        ),
        (
            "limber battery ahead 20 then unlimber; observe battery 70 45",
            plan(vec![
                march(BATTERY, vec![Step::Limber, ahead(20), Step::Unlimber]),
                Move::Observe { battery: BATTERY, to: at(70, 45) },
            ]),
        ),
        (
            "screen skirmishers from first, second at 50 40 facing e; recall skirmishers",
            plan(vec![
                Move::Screen { screen: SCREEN, parents: vec![BATTALION, SECOND], pose },
                Move::Recall { screen: SCREEN },
            ]),
        ),
        (
            "dismount hussars; return battery; lie down first",
            plan(vec![
                march(SQUADRON, vec![Step::Dismount]),
                Move::Return { battery: BATTERY },
                Move::LieDown { unit: BATTALION },
            ]),
        ),
        (
            "march brigade abel-command ahead 10; together first, second",
            Order::Plot {
                moves: [BATTALION, SECOND, BATTERY].map(|unit| march(unit, vec![ahead(10)])).into(),
                groups: vec![vec![BATTALION, SECOND]],
            },
        ),
        ("done", Order::Pass),
    ]
}

fn commands() -> Vec<(usize, &'static str, Order)> {
    let goes_on = |brigade| Nomination { brigade, issuer: None, new: None, present: Vec::new() };
    let attack = BrigadeOrder { posture: Posture::Attack, objective: Matter::Unit(ENEMY) };
    let new = Some(NewOrder { issuer: Some(CHIEF), cause: Matter::Feature(FeatureId(0)), order: attack });
    let name = |brigades| Order::Nominate { brigades, stay_disordered: Vec::new() };
    let hold = BrigadeOrder { posture: Posture::Hold, objective: Matter::Point(at(60, 45)) };
    let placement = Placement {
        unit: BATTALION,
        pose: Pose { at: at(50, 20), facing: Angle::whole(10) },
        formation: Formation::usual(Shape::Loose),
        hidden: true,
        defend: Some(FeatureId(0)),
    };
    vec![
        (
            0,
            "place first 50 20 facing 10 loose hidden defend wall; observer battery 70 40; order abel-command hold 60 45",
            Order::Deploy {
                units: vec![placement],
                commanders: Vec::new(),
                observers: vec![ObserverPlacement { battery: BATTERY, at: at(70, 40) }],
                orders: vec![OpeningOrder { brigade: BRIGADE, order: hold }],
            },
        ),
        (1, "name abel-command, Light Horse", name(vec![goes_on(BRIGADE), goes_on(HORSE)])),
        (1, "name all", name(vec![goes_on(BRIGADE), goes_on(HORSE)])),
        (
            1,
            "name Line Brigade attack foe because wall by carl with carl; Light Horse through carl; stay second",
            Order::Nominate {
                brigades: vec![
                    Nomination { new, present: vec![CHIEF], ..goes_on(BRIGADE) },
                    Nomination { issuer: Some(CHIEF), ..goes_on(HORSE) },
                ],
                stay_disordered: vec![SECOND],
            },
        ),
        (2, "deal 6 to Light Horse; 4 to abel-command", Order::Allot { deal: vec![Some(1), Some(0)] }),
        (2, "deal 6 to abel-command", Order::Allot { deal: vec![Some(0), None] }),
        (
            3,
            "mark battery at foe point 50 70 blocks 0,0 1,0 -1,1",
            Order::Mark {
                shots: vec![Marking {
                    battery: BATTERY,
                    at: ENEMY,
                    point: Some(at(50, 70)),
                    blocks: vec![(0, 0), (1, 0), (-1, 1)],
                }],
            },
        ),
        (5, "counter hussars", Order::CounterCharge { units: vec![SQUADRON] }),
        (5, "counter all", Order::CounterCharge { units: vec![SQUADRON] }),
        (
            6,
            "fire battery at foe; hold first",
            Order::Fire { shots: vec![Shot { unit: BATTERY, at: ENEMY }], hold: vec![BATTALION] },
        ),
        (
            7,
            "fire first at foe; second at Grenadiers",
            Order::Fire { shots: [BATTALION, SECOND].map(|unit| Shot { unit, at: ENEMY }).into(), hold: Vec::new() },
        ),
        (7, "hold fire", Order::Pass),
        (8, "lie second", Order::LieDown { units: vec![SECOND] }),
        (8, "lie down all", Order::LieDown { units: vec![BATTALION, SECOND] }),
        (9, "run", Order::Abandon),
        (9, "stand", Order::Pass),
        (10, "press on", Order::PressOn { at: ENEMY }),
        (10, "stop", Order::Pass),
        (11, "ride through", Order::RideThrough),
        (11, "stay", Order::Pass),
    ]
}

#[test]
fn what_is_typed_is_what_is_ordered() {
    let (field, questions) = (field(), questions());
    let plots = plans().into_iter().map(|(words, order)| (4, words, order));
    for (question, words, order) in commands().into_iter().chain(plots) {
        let decision = &questions[question];
        assert_eq!(say(&field, decision, words), Ok(order.clone()), "{words}");
        let phrase = Guns::phrase(&field, &order);
        assert!(phrase.len() > 4 && !phrase.ends_with('.') && !phrase.contains("unseen"), "{phrase}");
        let draft = facade::encode::<Guns>(&field, &order);
        assert_eq!(facade::decode::<Guns>(&field, &draft), Ok(order), "{draft}");
    }
}

#[test]
fn what_is_mistyped_is_explained() {
    let (field, questions) = (field(), questions());
    for (question, words) in [
        (4, "mrch first ahead 3"),
        (4, "march nobody ahead 3"),
        (4, "march first"),
        (4, "form first triangle"),
        (4, "screen first at 3 4"),
        (2, "deal 5 to abel-command"),
        (2, "deal 6 to dorn-command"),
        (1, "name abel-command attack foe"),
        (3, "mark battery at foe blocks 1"),
        (10, "press nobody"),
        (11, "sing"),
        (7, "fire nobody at foe"),
        (0, ""),
    ] {
        let told = say(&field, &questions[question], words).expect_err(words);
        assert!(told.len() > 12, "{words}: {told}");
    }
}

/// Any heap of words is read or refused, and what is read can be told and drawn.
#[test]
fn nothing_typed_breaks_anything() {
    const WORDS: &[&str] = &[
        "march",
        "form",
        "charge",
        "ride",
        "join",
        "observe",
        "screen",
        "recall",
        "fire",
        "hold",
        "name",
        "deal",
        "mark",
        "place",
        "order",
        "first",
        "second",
        "battery",
        "skirmishers",
        "hussars",
        "foe",
        "abel",
        "carl",
        "dorn",
        "wall",
        "abel-command",
        "ahead",
        "back",
        "wheel",
        "left",
        "right",
        "to",
        "at",
        "from",
        "because",
        "by",
        "with",
        "through",
        "led",
        "line",
        "assault*0",
        "assault*200",
        "extended/0mm",
        "facing",
        "hidden",
        "defend",
        "blocks",
        "point",
        "6",
        "-4",
        "0",
        "90",
        "9999cm",
        "99999999999",
        "all",
        "together",
        ";",
        "and",
        "then",
        "unlimber",
        "limber",
        "mount",
        "é",
        "{",
        "$legs",
        "@first",
    ];
    let (field, questions) = (field(), questions());
    let view = View::new(&field, Viewer::Side(Side::A));
    let mut lots = engine::Lots::new(7);
    let mut read = 0;
    for _ in 0..20_000 {
        let length = 1 + lots.below(9);
        let words: Vec<&str> = (0..length).filter_map(|_| lots.pick(WORDS).copied()).collect();
        let asked = ask(questions[lots.below(questions.len())].clone());
        if let Ok(order) = Guns::parse(&view, &asked, Side::A, &words.join(" ")) {
            read += 1;
            assert!(!Guns::phrase(&view, &order).is_empty());
            let _ = Guns::ghosts(&view, &asked, Side::A, &order);
            let _ = Guns::aims(&view, &asked, Side::A, Some(&order));
        }
    }
    assert!(read > 100, "only {read} orders were read");
}

#[test]
fn every_question_has_its_words_and_its_clause() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    for decision in questions() {
        assert!(!Guns::usage(&ask(decision.clone())).is_empty());
        assert_eq!(say(&field, &decision, "none"), Ok(Order::Pass), "{decision:?}");
        let asked = ask(decision);
        let prompt = Guns::prompt(&view, &asked, Side::A);
        assert!(prompt.question.ends_with(['?', '.']) || prompt.question.contains('?'), "{}", prompt.question);
        assert!(prompt.clause.starts_with("guns.") && !prompt.gestures.is_empty(), "{prompt:?}");
        for gesture in &prompt.gestures {
            for draft in drafts(gesture) {
                let order = facade::decode::<Guns>(&view, &draft);
                assert!(order.is_ok(), "{order:?}: {draft}");
            }
        }
    }
}

/// Every draft a gesture can make, with small figures in its blanks.
fn drafts(gesture: &Gesture) -> Vec<Value> {
    let fill = |draft: &Value, blank: &str, with: Value| blanks::fill(draft, blank, &with);
    match gesture {
        Gesture::Button { draft, .. } => vec![draft.clone()],
        Gesture::PickUnits { from, draft, .. } => from.iter().map(|key| fill(draft, "$piece", json!(key))).collect(),
        Gesture::PickTarget { at, draft, .. } => at.iter().map(|key| fill(draft, "$target", json!(key))).collect(),
        Gesture::DrawPath { draft, .. } => {
            vec![fill(&fill(draft, "$legs", json!(["ahead 1cm"])), "$point", json!(["20cm", "20cm"]))]
        }
        Gesture::PickFormation { into, draft, .. } => {
            into.iter().map(|word| fill(draft, "$formation", json!(word))).collect()
        }
        Gesture::LayBlocks { at, draft, .. } => {
            let laid = fill(draft, "$blocks", json!([[0, 0], [1, 0]]));
            at.iter().map(|key| fill(&laid, "$target", json!(key))).collect()
        }
        Gesture::DealDice { to, draft, .. } => {
            let deal: Vec<Option<usize>> = (0..to.len()).map(|no| (no > 0).then_some(no)).collect();
            vec![fill(draft, "$deal", json!(deal))]
        }
        Gesture::Plan { kind, pieces, draft, .. } => match kind {
            PlanKind::Place { .. } => Vec::new(),
            PlanKind::Spots => vec![fill(draft, "$plan", json!([]))],
            PlanKind::Sequence | PlanKind::Subset { .. } => vec![fill(draft, "$plan", json!(pieces))],
            PlanKind::Each { options } => {
                assert_eq!(pieces, &options.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
                let entries = options.iter().flat_map(|(_, list)| list.iter().flat_map(drafts));
                let entries: Vec<Value> = entries.filter(|entry| !entry.is_null()).collect();
                entries.into_iter().map(|entry| fill(draft, "$plan", json!([entry]))).collect()
            }
        },
    }
}

#[test]
fn the_plan_lists_generals_observers_and_whom_they_join() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    let prompt = Guns::prompt(&view, &ask(Decision::Plot), Side::A);
    let Some(Gesture::Plan { pieces, draft, .. }) = prompt.gestures.first() else { panic!("{prompt:?}") };
    for key in ["@abel", "@battery-observer", "@carl", "@skirmishers"] {
        assert!(pieces.iter().any(|piece| piece == key), "{key} among {pieces:?}");
    }
    assert_eq!(draft, &json!({ "plot": { "moves": "$plan" } }));
    let scene = Guns::extras(&view);
    assert!(scene.iter().any(|piece| piece.key == "@battery-observer"));
}

#[test]
fn ghosts_show_where_a_plan_ends() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    let asked = ask(Decision::Plot);
    let order = say(&field, &Decision::Plot, "march first ahead 12; ride carl to 80 40; observe battery 70 50");
    let order = order.expect("a plan");
    let ghosts = Guns::ghosts(&view, &asked, Side::A, &order);
    let keys: Vec<&str> = ghosts.iter().map(|ghost| ghost.key.as_str()).collect();
    assert_eq!(keys, ["@first", "@carl", "@battery-observer"]);
    assert_eq!(ghosts[0].pose.at, at(40, 42));
    assert!(ghosts[0].spent.starts_with("12 ") && ghosts[0].trail.len() == 2, "{:?}", ghosts[0]);
    assert_eq!(ghosts[1].spent, "28 of 60 cm");
    assert_eq!(ghosts[2].spent, "10 of 40 cm");
    assert!(Guns::ghosts(&view, &asked, Side::B, &order).is_empty());
}

#[test]
fn badges_cards_and_sketches_tell_the_state() {
    let mut field = field();
    field.unit_mut(BATTALION).status = 4;
    field.unit_mut(SECOND).reforming = true;
    let view = View::new(&field, Viewer::Side(Side::A));
    let badges = Guns::badges(&view, BATTALION);
    assert_eq!((badges[0].sign.as_str(), badges[0].tone), ("4/8", Tone::Note), "{badges:?}");
    let card = Guns::card(&view, BATTALION).join("\n");
    assert!(card.contains("Combat status 4 of 8: · · · · 4 3 2a 1") && card.contains("Of Line Brigade"), "{card}");
    assert!(Guns::officer_card(&view, CHIEF).join("\n").contains("Divisional commander"));
    let zones = Guns::sketches(&view, BATTALION);
    assert!(zones.iter().any(|one| one.label == "Short range, 15 cm"), "{zones:?}");
    assert!(zones.iter().any(|one| one.label == "Extreme range, 50 cm"), "{zones:?}");
    assert!(Guns::sketches(&view, SECOND).iter().any(|one| one.label.contains("15 cm disturbs")));
    let zone = Guns::officer_sketches(&view, BRIGADIER);
    assert!(zone.iter().any(|one| one.label == "Zone of command, 30 cm"), "{zone:?}");
    assert_eq!(Guns::when(&view), "Bound 1 of 8: Charges");
    assert_eq!(Guns::ribbon(&view).1, Some(3));
}

/// The far edge of the zone of one element of 20 mm at 30 cm lies 183.2 mm to each side.
#[test]
fn the_combat_zone_splays_by_its_angle() {
    let mut field = field();
    let events = [Event::new(
        Clause::LinePace,
        engine::Deed::Reformed {
            unit: ENEMY,
            formation: Formation::usual(Shape::Route),
            to: Pose { at: at(90, 60), facing: Angle::NORTH },
        },
    )];
    field = field.folded(&events);
    let view = View::new(&field, Viewer::Side(Side::B));
    let zones = Guns::sketches(&view, ENEMY);
    let table::Outline::Area(points) = &zones[1].outline else { panic!("{zones:?}") };
    let west = points.iter().map(|point| point.x).min().expect("corners");
    // A Dreyse reaches 20 cm: half the element and 200 mm by the tangent.
    let expected = 900.0 - 10.0 - 200.0 * 0.577_350;
    assert!((west.as_cm() * 10.0 - expected).abs() < 0.01, "{west:?}");
}

#[test]
fn aims_show_who_goes_for_whom() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    let order = say(&field, &Decision::Plot, "charge first at foe; join carl second").expect("a plan");
    let lines = Guns::aims(&view, &ask(Decision::Plot), Side::A, Some(&order));
    let labels: Vec<&str> = lines.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels, ["1st Battalion at Grenadiers", "General Carl to 2nd Battalion"]);
    let order = say(&field, &Decision::Mark, "mark battery at foe").expect("a marking");
    let lines = Guns::aims(&view, &ask(Decision::Mark), Side::A, Some(&order));
    assert!(lines.iter().any(|line| line.label == "The observer of Battery Kern sees Grenadiers"), "{lines:?}");
}

/// Whatever the rules think of it, nothing that is asked for breaks anything.
#[test]
fn odds_and_force_may_be_asked_at_any_time() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    for decision in questions() {
        let asked = ask(decision);
        let fallback = Guns::fallback(&view, &asked, Side::A);
        let _ = Guns::odds(&view, &asked, Side::A, &fallback);
        assert!(Guns::phrase(&view, &fallback).len() > 4);
    }
    assert!(Guns::may_measure(&view).is_ok());
}

#[test]
fn who_owes_his_brigades_half_move_is_named_and_may_do_it_with_one_press() {
    let field = field();
    let view = View::new(&field, Viewer::Side(Side::A));
    let asked = ask(Decision::Plot);
    let owing = |order: &Order| {
        let verdict = Guns::check(&view, &asked, Side::A, order);
        verdict.refusals.into_iter().flat_map(|note| note.among).collect::<Vec<UnitId>>()
    };
    assert_eq!(owing(&plan(Vec::new())), [BATTALION, SECOND, SQUADRON]);
    let prompt = Guns::prompt(&view, &asked, Side::A);
    let Some(Gesture::Plan { kind: PlanKind::Each { options }, draft, .. }) = prompt.gestures.first() else {
        panic!("{prompt:?}")
    };
    let entry = |piece: &str| {
        let (_, options) = options.iter().find(|(key, _)| key == piece).expect("a piece of the plan");
        options.iter().find_map(|option| match option {
            Gesture::Button { label, draft, .. } if label == "Do its duty" => Some(draft.clone()),
            _ => None,
        })
    };
    let press = |pieces: &[&str]| {
        let entries: Vec<Value> = pieces.iter().filter_map(|piece| entry(piece)).collect();
        facade::decode::<Guns>(&view, &blanks::fill(draft, "$plan", &entries)).expect("an order")
    };
    assert_eq!(owing(&press(&["@first", "@hussars"])), [SECOND]);
    assert!(owing(&press(&["@first", "@second", "@hussars"])).is_empty());
    assert_eq!(entry("@battery"), None, "guns in action owe nothing");
}

#[test]
fn lengths_are_said_in_the_measure_of_the_figures() {
    use crate::settings::Scale;
    for (scale, unit) in
        [(Scale::Small, Unit::Centimetre), (Scale::Middle, Unit::Centimetre), (Scale::Large, Unit::Inch)]
    {
        assert_eq!(Guns::unit(&stage::field_of(scale)), unit);
    }
}
