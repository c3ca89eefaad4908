//! What is typed is what is ordered, and what is ordered can be typed again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::stage::{field, general, unit};
use crate::Days;
use crate::field::Field;
use crate::formation::{Formation, Shape};
use crate::order::{
    Arrival, Arson, Before, Charger, Decision, Declaration, ForcedMarch, Help, Order, Placement, Reform, Reserve, Shot,
    Step, WorkPlacement,
};
use crate::unit::{Crest, Task};
use book::placement::OfficerPlacement;
use engine::{Asked, BySide, CommandId, DecisionNo, FeatureId, Lots, Side, Telling, View, Viewer, Who};
use table::terrain::Edge;
use table::{Angle, Flank, Leg, Length, Point, Pose};

fn brigade(field: &Field, key: &str) -> CommandId {
    field.muster().command_ids().find(|id| field.muster().command(*id).key == key).unwrap()
}

fn feature(field: &Field, key: &str) -> FeatureId {
    let no = field.ground().features.iter().position(|one| one.key == key).unwrap();
    FeatureId(no as u16)
}

fn at(x: f64, y: f64) -> Point {
    Point::new(Length::inches(x), Length::inches(y))
}

fn ask(decision: Decision) -> Asked<Days> {
    Asked { no: DecisionNo(1), who: Who::Both, decision }
}

fn say(field: &Field, decision: &Decision, words: &str) -> Result<Order, String> {
    let view = View::new(field, Viewer::Side(Side::A));
    Days::parse(&view, &ask(decision.clone()), Side::A, words)
}

fn form(text: &str) -> Formation {
    text.parse().unwrap()
}

/// A question of each kind.
fn questions(field: &Field) -> Vec<Decision> {
    let (first, second, foe) = (unit(field, "first"), unit(field, "second"), unit(field, "ligne2"));
    vec![
        Decision::Reserves,
        Decision::Deploy,
        Decision::DeployBrigade { left: vec![None] },
        Decision::Replace { lost: vec![general(field, "kirchbach")] },
        Decision::Arrive { absent: vec![brigade(field, "kirchbach-command")] },
        Decision::Charges,
        Decision::Rally,
        Decision::Fire,
        Decision::React { unit: first, by: vec![foe] },
        Decision::Feint { among: vec![first, second] },
        Decision::Opportunity,
        Decision::Defend,
        Decision::Move,
        Decision::Assault { stay: BySide([vec![first], vec![]]), follow: BySide([vec![second], vec![]]) },
        Decision::GoOn { unit: first },
        Decision::Surrender { units: vec![first, foe] },
    ]
}

fn setting_up(field: &Field) -> Vec<(Decision, Order)> {
    let (first, second) = (unit(field, "first"), unit(field, "second"));
    let (kirchbach, command) = (general(field, "kirchbach"), brigade(field, "kirchbach-command"));
    let pose = Pose { at: at(10.123, 7.0), facing: Angle::degrees(22.5) };
    let place = |unit, text: &str, hidden, crest| Placement { unit, pose, formation: form(text), hidden, crest };
    let works = vec![WorkPlacement { from: at(10.0, 5.0), to: at(14.0, 5.5) }];
    let deploy = |brigade, units, commanders| Order::Deploy { brigade, units, commanders };
    let staff = || vec![OfficerPlacement { commander: kirchbach, pose }];
    let hidden = vec![place(first, "line", true, Some(Crest::Behind)), place(second, "march*1", false, None)];
    vec![
        (Decision::Reserves, Order::Reserve { off: vec![command], hidden, works }),
        (Decision::Reserves, Order::Reserve { off: vec![], hidden: vec![], works: vec![] }),
        (Decision::Deploy, deploy(None, vec![place(first, "line^4:-30^8:30", true, Some(Crest::Over))], staff())),
        (Decision::Deploy, deploy(None, vec![], vec![])),
        (
            Decision::DeployBrigade { left: vec![] },
            deploy(Some(command), vec![place(second, "manoeuvre", false, None)], staff()),
        ),
        (Decision::DeployBrigade { left: vec![] }, deploy(Some(command), vec![], vec![])),
        (Decision::Replace { lost: vec![] }, Order::Replace { generals: vec![kirchbach] }),
        (Decision::Replace { lost: vec![] }, Order::Replace { generals: vec![] }),
        (
            Decision::Arrive { absent: vec![] },
            Order::Arrive { brigades: vec![Arrival { brigade: command, edge: Edge::West, at: at(0.0, 9.7) }] },
        ),
        (Decision::Arrive { absent: vec![] }, Order::Arrive { brigades: vec![] }),
    ]
}

fn fighting(field: &Field) -> Vec<(Decision, Order)> {
    let (first, second, hussars) = (unit(field, "first"), unit(field, "second"), unit(field, "hussars"));
    let (foe, other) = (unit(field, "ligne2"), unit(field, "chasseurs"));
    let (kirchbach, frossard) = (general(field, "kirchbach"), general(field, "frossard"));
    let plain = |unit| Charger { unit, squadron: None, before: None, advance: None };
    let wheel = Leg::Wheel { pivot: Flank::Left, by: Angle::degrees(12.25) };
    let charger = Charger {
        squadron: Some(4),
        before: Some(Before::Wheel(wheel)),
        advance: Some(Length::inches(3.5)),
        unit: hussars,
    };
    let forms = Charger { before: Some(Before::Form(form("line"))), ..plain(second) };
    let charge = Order::Charge {
        declarations: vec![
            Declaration { units: vec![plain(first), forms], at: foe },
            Declaration { units: vec![charger], at: other },
        ],
    };
    let shot = |unit, at, general, stands, passing| Shot { unit, at, general, stands, passing };
    let fire = Order::Fire {
        shots: vec![
            shot(first, Some(foe), None, Some(4), true),
            shot(second, None, Some(frossard), None, false),
            shot(hussars, None, None, None, false),
        ],
        reserve: vec![Reserve { unit: first, stands: Some(2) }, Reserve { unit: second, stands: None }],
        arson: vec![Arson { feature: feature(field, "wood"), units: vec![first, second] }],
    };
    let defend = Order::Fire { shots: vec![shot(first, Some(foe), None, None, false)], reserve: vec![], arson: vec![] };
    let react = || Decision::React { unit: first, by: vec![foe] };
    let rally = Order::Rally {
        help: vec![Help { general: kirchbach, unit: first }],
        decline: vec![hussars, second],
        form: vec![Reform { unit: second, formation: form("march") }],
    };
    let feint = || Decision::Feint { among: vec![] };
    let assault = || Decision::Assault { stay: BySide([vec![], vec![]]), follow: BySide([vec![], vec![]]) };
    vec![
        (Decision::Charges, charge.clone()),
        (Decision::Opportunity, charge),
        (Decision::Charges, Order::Charge { declarations: vec![] }),
        (Decision::Charges, Order::Charge { declarations: vec![Declaration { units: vec![], at: foe }] }),
        (Decision::Rally, rally),
        (Decision::Rally, Order::Rally { help: vec![], decline: vec![], form: vec![] }),
        (Decision::Fire, fire),
        (Decision::Fire, Order::Fire { shots: vec![], reserve: vec![], arson: vec![] }),
        (Decision::Defend, defend),
        (react(), Order::Stand),
        (react(), Order::Reform { formation: form("square"), facing: None }),
        (react(), Order::Reform { formation: form("line"), facing: Some(Angle::WEST) }),
        (react(), Order::Evade { to: None }),
        (react(), Order::Evade { to: Some(at(20.0, 4.001)) }),
        (feint(), Order::Feint { units: vec![first, second] }),
        (feint(), Order::Feint { units: vec![] }),
        (assault(), Order::Assault { stay: vec![first, second], decline: vec![hussars] }),
        (assault(), Order::Assault { stay: vec![], decline: vec![hussars] }),
        (assault(), Order::Assault { stay: vec![], decline: vec![] }),
        (Decision::GoOn { unit: first }, Order::GoOn { by: Angle::degrees(-17.5) }),
        (Decision::GoOn { unit: first }, Order::GoOn { by: Angle::NORTH }),
        (Decision::Surrender { units: vec![] }, Order::Surrender { units: vec![second, hussars] }),
    ]
}

fn moving(field: &Field) -> Vec<Order> {
    let (first, second, guns) = (unit(field, "first"), unit(field, "second"), unit(field, "krupps"));
    let (hussars, party) = (unit(field, "hussars"), unit(field, "pioneers"));
    let kirchbach = general(field, "kirchbach");
    let march = |unit, steps| Order::March { unit, steps, crest: None };
    let ahead = |n: f64| Leg::Ahead(Length::inches(n));
    let legs = vec![
        ahead(3.25),
        Leg::Wheel { pivot: Flank::Right, by: Angle::degrees(33.333) },
        Leg::Turn(Angle::whole(-90)),
        Leg::Turn(Angle::whole(180)),
        Leg::About,
        Leg::Back(Length::from_um(1_234_567.0)),
        Leg::Sideways(Length::inches(-2.0)),
        Leg::Sideways(Length::inches(2.0)),
        Leg::Oblique { by: Angle::whole(-45), go: Length::inches(4.0) },
        Leg::Straight(at(12.5, 13.0)),
    ];
    let steps = vec![Step::March(legs.clone()), Step::March(vec![ahead(1.0)]), Step::Form(form("line^4:30"))];
    let work = |task| Order::Work { unit: party, task };
    let (river, wall, bridge) = (feature(field, "moselle"), feature(field, "wall"), feature(field, "bridge"));
    vec![
        Order::March { unit: first, steps, crest: Some(Crest::Over) },
        march(first, vec![]),
        march(first, vec![Step::March(vec![]), Step::Form(form("skirmish")), Step::March(vec![ahead(2.0)])]),
        march(hussars, vec![Step::Mount, Step::March(vec![ahead(2.0)])]),
        march(hussars, vec![Step::Dismount(form("line"))]),
        march(guns, vec![Step::Limber, Step::March(vec![ahead(2.0)]), Step::Unlimber(Shape::Massed)]),
        Order::ForcedMarch {
            brigade: brigade(field, "kirchbach-command"),
            marches: vec![ForcedMarch { unit: first, legs }, ForcedMarch { unit: second, legs: vec![] }],
        },
        Order::Screen { unit: first, stands: 4, pose: None },
        Order::Screen { unit: first, stands: 3, pose: Some(Pose { at: at(10.0, 11.0), facing: Angle::SOUTH }) },
        Order::Recall { unit: unit(field, "first-skirmishers") },
        Order::Ride { general: kirchbach, to: at(30.0, 8.0) },
        Order::Join { general: kirchbach, unit: second },
        Order::Attach { party, to: Some(first) },
        Order::Attach { party, to: None },
        work(Task::Demolish { bridge }),
        work(Task::Clear { obstacle: wall, at: at(48.0, 34.0) }),
        work(Task::Bridge { water: river, at: at(64.5, 9.0), to: at(67.5, 9.0), hands: vec![first, second] }),
        work(Task::Bridge { water: river, at: at(64.5, 9.0), to: at(67.5, 9.0), hands: vec![] }),
        work(Task::Barricade),
        Order::SearchFord { unit: first, river },
        Order::ToGround { unit: first },
        Order::Man { battery: guns },
        Order::Regroup { battery: guns, crew: vec![3, 2] },
        Order::Return { unit: hussars },
        Order::Reveal { unit: first },
    ]
}

#[test]
fn every_order_can_be_typed_again() {
    let field = field();
    let moves = moving(&field).into_iter().map(|order| (Decision::Move, order));
    let passes = questions(&field).into_iter().map(|decision| (decision, Order::Pass));
    let all = setting_up(&field).into_iter().chain(fighting(&field)).chain(moves).chain(passes);
    for (decision, order) in all {
        let phrase = Days::phrase(&field, &order);
        assert!(phrase.len() > 4 && !phrase.ends_with('.') && !phrase.contains("unseen"), "{phrase}");
        assert_eq!(say(&field, &decision, &phrase), Ok(order.clone()), "{phrase}");
        let draft = engine::facade::encode::<Days>(&field, &order);
        assert_eq!(engine::facade::decode::<Days>(&field, &draft), Ok(order), "{draft}");
    }
}

#[test]
fn a_passed_question_reads_as_what_it_means() {
    let field = field();
    for decision in questions(&field) {
        let phrase = super::super::phrase::declined(Some(&decision));
        assert_eq!(say(&field, &decision, phrase), Ok(Order::Pass), "{phrase}");
        for words in ["pass", "Done", "none"] {
            assert_eq!(say(&field, &decision, words), Ok(Order::Pass), "{decision:?}");
        }
        assert!(!Days::usage(&ask(decision)).is_empty());
    }
}

#[test]
fn many_ways_to_say_it() {
    let field = field();
    let (first, guns, hussars) = (unit(&field, "first"), unit(&field, "krupps"), unit(&field, "hussars"));
    let march = |unit, steps| Order::March { unit, steps, crest: None };
    let two = Step::March(vec![Leg::Ahead(Length::whole_inches(2))]);
    for (words, order) in [
        ("march I/7th ahead 2", march(first, vec![two.clone()])),
        ("MARCH @first, ahead 2in", march(first, vec![two.clone()])),
        ("form first line ahead 2 in", march(first, vec![Step::Form(form("line")), two.clone()])),
        ("form first into line^4:30", march(first, vec![Step::Form(form("line^4:30"))])),
        ("limber up krupps", march(guns, vec![Step::Limber])),
        ("unlimber krupps", march(guns, vec![Step::Unlimber(Shape::Deployed)])),
        ("dismount hussars", march(hussars, vec![Step::Dismount(form("skirmish"))])),
        ("screen first 4 stands", Order::Screen { unit: first, stands: 4, pose: None }),
        ("ride kirchbach to first", Order::Join { general: general(&field, "kirchbach"), unit: first }),
        ("barricade first", Order::Work { unit: first, task: Task::Barricade }),
        ("{\"to_ground\": {\"unit\": \"@first\"}}", Order::ToGround { unit: first }),
    ] {
        assert_eq!(say(&field, &Decision::Move, words), Ok(order), "{words}");
    }
    assert_eq!(say(&field, &Decision::Fire, "hold fire"), Ok(Order::Pass));
    let face = Order::Reform { formation: form("line"), facing: Some(Angle::EAST) };
    let react = Decision::React { unit: first, by: vec![] };
    assert_eq!(say(&field, &react, "face east"), Ok(face));
    let feint = Decision::Feint { among: vec![first] };
    assert_eq!(say(&field, &feint, "feint all"), Ok(Order::Feint { units: vec![first] }));
}

#[test]
fn what_is_mistyped_is_explained() {
    let (field, react) = (field(), |unit| Decision::React { unit, by: vec![] });
    let first = unit(&field, "first");
    for (decision, words, told) in [
        (Decision::Move, "mrch first ahead 3", "did you mean `march`"),
        (Decision::Move, "march nobody ahead 3", "is not a unit of yours"),
        (Decision::Move, "march first", "which way?"),
        (Decision::Move, "march first sideways", "is no leg"),
        (Decision::Move, "form first triangle", "is no formation"),
        (Decision::Move, "form first line bent 95 after 4", "is no formation"),
        (Decision::Move, "march first ahead 3; march second ahead 3", "one move at a time"),
        (Decision::Move, "work pioneers sing", "is no work"),
        (Decision::Move, "screen first with many stands", "is no number of stands"),
        (Decision::Charges, "charge first", "at whom?"),
        (Decision::Charges, "ride first", "is no order here"),
        (Decision::Arrive { absent: vec![] }, "announce kirchbach-command up", "is no edge"),
        (Decision::GoOn { unit: first }, "go on sideways", "expected left or right"),
        (react(first), "dance", "evade"),
        (Decision::Fire, "fire nobodyelse at ligne2", "is not a unit of yours"),
        (Decision::Reserves, "", "say what to do"),
    ] {
        let error = say(&field, &decision, words).expect_err(words);
        assert!(error.contains(told), "{words}: {error}");
    }
}

/// Any heap of words is read or refused, and whatever is read can be typed again.
#[test]
fn nothing_typed_breaks_anything() {
    const WORDS: &[&str] = &[
        "march",
        "form",
        "charge",
        "ride",
        "join",
        "screen",
        "recall",
        "fire",
        "hold",
        "reserve",
        "burn",
        "place",
        "keep",
        "hide",
        "help",
        "leave",
        "stay",
        "halt",
        "work",
        "bridge",
        "clear",
        "search",
        "regroup",
        "go",
        "on",
        "evade",
        "first",
        "second",
        "krupps",
        "hussars",
        "ligne2",
        "kirchbach",
        "frossard",
        "wood",
        "wall",
        "moselle",
        "kirchbach-command",
        "ahead",
        "back",
        "wheel",
        "turn",
        "left",
        "right",
        "to",
        "at",
        "by",
        "with",
        "stands",
        "line",
        "line^4",
        "30",
        "march*9",
        "bent",
        "after",
        "facing",
        "hidden",
        "behind",
        "over",
        "6",
        "-4",
        "0",
        "90",
        "9999in",
        "99999999999",
        "all",
        "nobody",
        ";",
        "and",
        "then",
        "unlimber",
        "limber",
        "dismount",
        "é",
        "{",
        "@first",
        "north",
        "as",
        "3",
        "going",
        "passing",
        "general",
    ];
    let field = field();
    let questions = questions(&field);
    let view = View::new(&field, Viewer::Side(Side::A));
    let mut lots = Lots::new(11);
    let mut read = 0;
    for _ in 0..40_000 {
        let length = 1 + lots.below(9);
        let words: Vec<&str> = (0..length).filter_map(|_| lots.pick(WORDS).copied()).collect();
        let asked = ask(questions[lots.below(questions.len())].clone());
        if let Ok(order) = Days::parse(&view, &asked, Side::A, &words.join(" ")) {
            read += 1;
            let phrase = Days::phrase(&view, &order);
            let again = Days::parse(&view, &asked, Side::A, &phrase);
            assert_eq!(again, Ok(order), "{} / {phrase}", words.join(" "));
        }
    }
    assert!(read > 100, "only {read} orders were read");
}
