//! Typed orders in many hands.

mod prompts;

use super::*;
use crate::order::{BrigadeOrder, Decision, Objective, Piece, Standing, Verb};
use engine::setup::{self, Mode};
use engine::{Battle, CommandId, CommanderId, DecisionNo, FeatureId, Seed, Viewer, Who};
use table::terrain::Edge;
use table::{Flank, Leg, Point};

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/awi");

fn scenario_text(name: &str) -> String {
    std::fs::read_to_string(format!("{SCENARIOS}/{name}.toml")).expect("a scenario")
}

fn scenario_names() -> Vec<String> {
    let files = std::fs::read_dir(SCENARIOS).expect("the folder of scenarios");
    let names =
        files.map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned());
    names.collect()
}

fn battle(scenario: &str) -> Battle<Awi> {
    let mustered = setup::muster::<Awi>(&scenario_text(scenario), None, Mode::Battle).expect("a sound set-up");
    let mut battle = Battle::seeded(mustered.state, Seed::from_number(1), engine::battle::Keep::Events);
    while matches!(
        battle.asked().expect("a question").decision,
        Decision::Deploy | Decision::PlaceSharpshooters { .. } | Decision::FirstOrders | Decision::ChooseFirst
    ) {
        let (side, no) = (battle.awaited().expect("somebody"), battle.asked().expect("a question").no);
        battle.submit(side, no, Order::Pass).expect("passing is legal");
    }
    battle
}

fn ask(decision: Decision) -> Asked<Awi> {
    Asked { no: DecisionNo(1), who: Who::Both, decision }
}

fn inch(n: i32) -> Length {
    Length::whole_inches(n)
}

struct Desk {
    battle: Battle<Awi>,
    side: Side,
}

impl Desk {
    fn new(scenario: &str) -> Desk {
        Desk { battle: battle(scenario), side: Side::A }
    }

    fn field(&self) -> &Field {
        self.battle.state()
    }

    fn say(&self, decision: Decision, words: &str) -> Result<Order, String> {
        let view = self.battle.view(Viewer::Side(self.side));
        Awi::parse(&view, &ask(decision), self.side, words)
    }

    fn unit(&self, key: &str) -> UnitId {
        self.field().muster().unit_ids().find(|id| self.field().card(*id).key == key).expect(key)
    }

    fn commander(&self, name: &str) -> CommanderId {
        let muster = self.field().muster();
        muster.commander_ids().find(|id| muster.commander(*id).name == name).expect(name)
    }

    fn brigade(&self, key: &str) -> CommandId {
        let muster = self.field().muster();
        muster.command_ids().find(|id| muster.command(*id).key == key).expect(key)
    }

    fn feature(&self, key: &str) -> FeatureId {
        let features = &self.field().ground().features;
        FeatureId(features.iter().position(|feature| feature.key == key).expect(key) as u16)
    }
}

#[test]
fn moves_in_many_hands() {
    let desk = Desk::new("skirmish");
    let unit = desk.unit("regulars");
    let moved = |half: bool, legs: Vec<Leg>| Order::Move { unit, half, by_road: false, legs, with: Vec::new() };
    let ahead = moved(false, vec![Leg::Ahead(inch(4))]);
    for words in [
        "move regulars ahead 4in",
        "move regulars ahead 4",
        "MOVE Regulars Ahead 4 inches",
        "move @regulars ahead 4\"",
        "move reg ahead 4",
        "move 40th ahead 4",
        "move 40th foot ahead 4",
        "move foot ahead 4",
        "march  40th   Foot forward 4 in",
        "move regulars; ahead 4",
    ] {
        assert_eq!(desk.say(Decision::Activate, words), Ok(ahead.clone()), "{words}");
    }
    let way = vec![
        Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) },
        Leg::Turn(Angle::whole(45)),
        Leg::Sideways(-inch(2)),
        Leg::About,
        Leg::Straight(Point::new(inch(12), inch(30))),
        Leg::Oblique { by: Angle::whole(-45), go: inch(3) },
    ];
    let words = "move regulars half wheel left 30, turn right 45°, left 2, then about; to 12 30 oblique left 45 3";
    assert_eq!(desk.say(Decision::Activate, words), Ok(moved(true, way)));
    let guns = desk.unit("grasshopper");
    let by_road = Order::Move { unit: guns, half: false, by_road: true, legs: Vec::new(), with: Vec::new() };
    for words in ["move grasshopper road", "move grass by road", "move Grasshopper gun by the road"] {
        assert_eq!(desk.say(Decision::Activate, words), Ok(by_road.clone()), "{words}");
    }
    let with = vec![desk.commander("Major Ashcombe")];
    let along = Order::Move { unit, half: false, by_road: false, legs: vec![Leg::Ahead(inch(2))], with: with.clone() };
    assert_eq!(desk.say(Decision::Activate, "move regulars ahead 2 with ashcombe"), Ok(along));
    let path = Order::Path { legs: vec![Leg::Ahead(inch(2))], with };
    for words in ["go ahead 2 with major ashcombe", "ahead 2 with Major"] {
        let asked = Decision::Path {
            unit,
            going: crate::order::Going::Full,
            allowance: crate::order::Allowance { anywhere: inch(6), by_road: inch(6), road_only: false },
        };
        assert_eq!(desk.say(asked, words), Ok(path.clone()), "{words}");
    }
}

#[test]
fn programmes_in_many_hands() {
    let desk = Desk::new("skirmish");
    let (unit, at) = (desk.unit("regulars"), desk.unit("militia"));
    let guns = desk.unit("grasshopper");
    let with = vec![desk.commander("Major Ashcombe")];
    let facing = Some(Angle::whole(90));
    for (words, order) in [
        ("hold regulars", Order::Hold { unit }),
        ("end", Order::Pass),
        ("done", Order::Pass),
        ("pass", Order::Pass),
        ("no", Order::Pass),
        ("fire regulars at militia", Order::Fire { unit, at, grape: false }),
        ("fire 40th on morris county", Order::Fire { unit, at, grape: false }),
        ("fire grass at militia grape", Order::Fire { unit: guns, at, grape: true }),
        ("fire grass grape at militia", Order::Fire { unit: guns, at, grape: true }),
        ("fire-move regulars at militia", Order::FireThenMove { unit, at, grape: false }),
        ("charge regulars at militia", Order::Charge { unit, at, bearing: None, with: Vec::new() }),
        ("charge regulars militia", Order::Charge { unit, at, bearing: None, with: Vec::new() }),
        (
            "charge regulars at militia bearing 190",
            Order::Charge { unit, at, bearing: Some(Angle::whole(190)), with: Vec::new() },
        ),
        ("charge regulars at militia with ashcombe", Order::Charge { unit, at, bearing: None, with }),
        ("reform regulars column", Order::Reform { unit, formation: Formation::Column, facing: None, to_fire: false }),
        (
            "form regulars into column facing 90 fire",
            Order::Reform { unit, formation: Formation::Column, facing, to_fire: true },
        ),
        (
            "reform regulars skirmish order facing e",
            Order::Reform { unit, formation: Formation::Skirmish, facing, to_fire: false },
        ),
        ("limber grass", Order::Limber { unit: guns, facing: None }),
        ("unlimber grass facing east", Order::Unlimber { unit: guns, facing }),
        ("load regulars", Order::Load { unit }),
        ("break regulars", Order::BreakOff { unit, half: false }),
        ("break off regulars half", Order::BreakOff { unit, half: true }),
        ("face regulars militia", Order::TurnInMelee { unit, face: at }),
        ("shell grass bearing 10 range 18", Order::Shell { unit: guns, bearing: Angle::whole(10), estimate: inch(18) }),
        ("shell grass range 18in bearing n", Order::Shell { unit: guns, bearing: Angle::NORTH, estimate: inch(18) }),
        ("snipe regulars at whitlock", Order::Snipe { unit, at: Piece::Commander(desk.commander("Colonel Whitlock")) }),
        ("snipe regulars at militia", Order::Snipe { unit, at: Piece::Unit(at) }),
        (
            "ride ashcombe to 30 20",
            Order::Ride { commander: desk.commander("Major Ashcombe"), to: Point::new(inch(30), inch(20)) },
        ),
        (
            "ride major (30, 20)",
            Order::Ride { commander: desk.commander("Major Ashcombe"), to: Point::new(inch(30), inch(20)) },
        ),
        ("pick militia", Order::Pick { piece: Piece::Unit(at) }),
        ("fight regulars", Order::Fight { unit }),
        ("strike militia", Order::Strike { unit: at }),
        ("support regulars", Order::Support { unit }),
        ("sequence regulars grass", Order::Sequence { units: vec![unit, guns] }),
        ("facing 90", Order::Face { facing: Angle::EAST }),
        ("{\"hold\":{\"unit\":\"@regulars\"}}", Order::Hold { unit }),
    ] {
        assert_eq!(desk.say(Decision::Activate, words), Ok(order.clone()), "{words}");
        let view = desk.battle.view(Viewer::Side(Side::A));
        let phrase = Awi::phrase(&view, &order);
        assert!(!phrase.is_empty() && !phrase.ends_with('.'), "{phrase}");
    }
}

#[test]
fn short_answers_mean_what_the_question_means() {
    let desk = Desk::new("skirmish");
    let (unit, at) = (desk.unit("regulars"), desk.unit("militia"));
    let on = desk.commander("Colonel Whitlock");
    for (decision, words, order) in [
        (Decision::ChooseFirst, "begin", Order::Begin { me: true }),
        (Decision::ChooseFirst, "wait", Order::Begin { me: false }),
        (Decision::ChooseFirst, "yes", Order::Begin { me: true }),
        (Decision::ChooseFirst, "no", Order::Begin { me: false }),
        (Decision::Pursuer { unit }, "halt", Order::TryHalt),
        (Decision::Pursuer { unit }, "on", Order::GoOn),
        (Decision::Pursuer { unit }, "go on", Order::GoOn),
        (Decision::Pursuer { unit }, "ride on", Order::GoOn),
        (Decision::Pursue { unit, quarry: at }, "pursue", Order::Pursue),
        (Decision::Pursue { unit, quarry: at }, "yes", Order::Pursue),
        (Decision::Pursue { unit, quarry: at }, "hold", Order::Pass),
        (Decision::FailedChargeVolley { unit, at }, "shoot", Order::Shoot),
        (Decision::FailedChargeVolley { unit, at }, "fire", Order::Shoot),
        (Decision::DefensiveGrape { unit, at }, "grape", Order::Grape),
        (Decision::DefensiveGrape { unit, at }, "shot", Order::Pass),
        (Decision::Support { charger: at, target: unit, able: vec![unit] }, "yes", Order::Support { unit }),
        (Decision::Support { charger: at, target: unit, able: vec![unit] }, "fire regulars", Order::Support { unit }),
        (Decision::OfficerAttempt { by: unit, able: vec![on] }, "kill whitlock", Order::Attempt { on }),
        (Decision::OfficerAttempt { by: unit, able: vec![on] }, "yes", Order::Attempt { on }),
        (
            Decision::DivertHits { hits: 2, able: vec![on] },
            "kill whitlock whitlock",
            Order::Divert { on: vec![on, on] },
        ),
        (
            Decision::DivertHits { hits: 2, able: vec![on] },
            "kill Colonel Whitlock twice",
            Order::Divert { on: vec![on, on] },
        ),
        (Decision::RallyFacing { unit }, "face 90", Order::Face { facing: Angle::EAST }),
        (Decision::RallyFacing { unit }, "facing south", Order::Face { facing: Angle::SOUTH }),
    ] {
        assert_eq!(desk.say(decision, words), Ok(order), "{words}");
    }
    let places = vec![Point::new(inch(12), inch(20)), Point::new(inch(30), inch(8))];
    let hide = Decision::PlaceSharpshooters { most: 2 };
    assert_eq!(desk.say(hide.clone(), "hide 12 20; 30 8"), Ok(Order::Sharpshooters { at: places }));
    assert_eq!(desk.say(hide, "none"), Ok(Order::Pass));
    let placed = desk.say(Decision::Deploy, "place regulars 22 30 facing 180 column; ashcombe 20 32");
    assert!(matches!(placed, Ok(Order::Deploy { units, commanders }) if units.len() == 1 && commanders.len() == 1));
}

#[test]
fn orders_to_brigades() {
    let desk = Desk::new("birmingham-hill");
    let to = desk.brigade("light-brigade");
    let guards = desk.brigade("guards-and-grenadiers");
    let hill = desk.feature("H1");
    let order = |verb: Verb, objective: Objective| Standing { verb, objective };
    for (words, order) in [
        ("advance H1", order(Verb::Advance, Objective::Feature(hill))),
        ("advance on birmingham hill", order(Verb::Advance, Objective::Feature(hill))),
        ("advance to 30 20", order(Verb::Advance, Objective::Point(Point::new(inch(30), inch(20))))),
        ("attack virginia-3", order(Verb::Attack, Objective::Unit(desk.unit("virginia-3")))),
        ("attack h1", order(Verb::Attack, Objective::Feature(hill))),
        ("hold 30in 20in", order(Verb::Hold, Objective::Point(Point::new(inch(30), inch(20))))),
        ("withdraw to the north edge", order(Verb::Withdraw, Objective::Edge(Edge::North))),
        ("withdraw south", order(Verb::Withdraw, Objective::Edge(Edge::South))),
        ("support guards", order(Verb::Support, Objective::Brigade(guards))),
        ("reserve", order(Verb::Reserve, Objective::Nothing)),
    ] {
        for name in ["light-brigade", "light", "Light brigade to"] {
            let said = desk.say(Decision::SendCourier, &format!("send {name} {words}"));
            assert_eq!(said, Ok(Order::Send { to, order }), "{name} {words}");
        }
    }
    let orders = vec![
        BrigadeOrder { to, order: order(Verb::Advance, Objective::Feature(hill)) },
        BrigadeOrder { to: guards, order: order(Verb::Reserve, Objective::Nothing) },
    ];
    let said = desk.say(Decision::FirstOrders, "orders light advance H1; guards reserve");
    assert_eq!(said, Ok(Order::FirstOrders { orders }));
}

#[test]
fn mistakes_are_explained() {
    let desk = Desk::new("skirmish");
    for (words, part) in [
        ("", "say what to do"),
        ("mvoe regulars ahead 4", "did you mean `move`"),
        ("hold", "a unit of yours is missing"),
        ("hold regulrs", "did you mean `regulars`"),
        ("hold xyzzy", "is not a unit of yours"),
        ("move regulars ahead", "a length is missing"),
        ("move regulars ahead far", "`far` is no length"),
        ("move regulars wheel left 400", "0 to 180"),
        ("move regulars sideways 4", "is no leg"),
        ("reform regulars square", "is no formation"),
        ("charge regulars at milita", "did you mean `militia`"),
        ("fire regulars at militia nonsense", "`nonsense` is not understood"),
        ("shell grasshopper bearing 10", "expected a direction and a guess"),
        ("yes", "no question of yes or no"),
        ("{\"hold\":{\"unit\":\"@nobody\"}}", "nobody"),
    ] {
        let said = desk.say(Decision::Activate, words).expect_err(words);
        assert!(said.contains(part), "{words}: {said}");
    }
    let desk = Desk::new("birmingham-hill");
    let said = desk.say(Decision::Activate, "hold foot-3").expect_err("two of them");
    assert!(said.contains("`foot-33` or `foot-37`"), "{said}");
    assert!(desk.say(Decision::SendCourier, "send light dance").is_err_and(|said| said.contains("advance, attack")));
}

#[test]
fn hostile_words_never_panic() {
    let desk = Desk::new("cowpens");
    let unit = desk.unit("fusiliers-7");
    let decisions = [
        Decision::Deploy,
        Decision::PlaceSharpshooters { most: 0 },
        Decision::FirstOrders,
        Decision::ChooseFirst,
        Decision::RallyOrder { units: Vec::new() },
        Decision::RallyFacing { unit },
        Decision::Pursuer { unit },
        Decision::SendCourier,
        Decision::Activate,
        Decision::Support { charger: unit, target: unit, able: Vec::new() },
        Decision::OfficerAttempt { by: unit, able: Vec::new() },
        Decision::DivertHits { hits: 0, able: Vec::new() },
        Decision::Fire,
    ];
    let verbs = parse::VERBS.iter().copied().chain(["{", "{}", "\"", "@", ";"]);
    let tails = [
        String::new(),
        " ".repeat(500),
        "@".to_owned(),
        "@ @ @".to_owned(),
        "; ; ;".to_owned(),
        "7th fusiliers".to_owned(),
        "fusiliers-7 at".to_owned(),
        "fusiliers-7 ahead 1e400".to_owned(),
        "fusiliers-7 ahead -99999999999999999999in".to_owned(),
        "fusiliers-7 wheel left NaN".to_owned(),
        "fusiliers-7 to 1 2 3 4 5".to_owned(),
        "٣ ½ Ⅻ İstanbul ǅ ﬁ 👩‍👩‍👧 \u{202e}\u{0}".to_owned(),
        "é".repeat(900),
        "a ".repeat(990),
        "ahead 1 ".repeat(240),
        "x".repeat(100_000),
        "[".repeat(1_900),
    ];
    for decision in &decisions {
        for verb in verbs.clone() {
            for tail in &tails {
                let _ = desk.say(decision.clone(), &format!("{verb} {tail}"));
            }
        }
    }
}
