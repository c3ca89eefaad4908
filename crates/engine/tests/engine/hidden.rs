//! Law 4: what a viewer cannot see changes nothing he is shown, told or allowed.

use crate::toy::*;
use engine::game::{Game, TypedGame};
use engine::{Deed, Lots, Ruleset, Side, SubmitError, UnitId, Viewer, Whereabouts};
use serde_json::{Value, json};
use table::{Length, Point};

const CREEPERS: &str = "[units.creepers]
side = \"south\"
name = \"The Creepers\"
arm = \"foot\"
pose = [\"20in\", \"15in\", 0]
hidden = true
";

/// The meadow with other Creepers, all of them out of everybody's sight.
fn worlds() -> Vec<String> {
    let creepers = |key: &str, name: &str, arm: &str, pose: &str| {
        let text = format!(
            "[units.{key}]\nside = \"south\"\nname = \"{name}\"\narm = \"{arm}\"\npose = {pose}\nhidden = true\n"
        );
        swapped(&[(CREEPERS, &text)])
    };
    let mut worlds = vec![
        MEADOW.to_owned(),
        creepers("creepers", "The Creepers", "foot", r#"["44in", "3in", 90]"#),
        creepers("zouaves", "The Zouaves", "foot", r#"["20in", "15in", 0]"#),
        creepers("creepers", "The Creepers", "horse", r#"["20in", "15in", 0]"#),
        swapped(&[("south = 22", "south = 23")]),
    ];
    let mut lots = Lots::new(41);
    for _ in 0..12 {
        let pose = format!(r#"["{}in", "{}in", {}]"#, 18 + lots.below(26), 2 + lots.below(8), lots.below(360));
        worlds.push(creepers("elsewhere", "Elsewhere", "horse", &pose));
    }
    worlds
}

/// Drafts a curious player may try: good ones, bad ones, and ones that name what she should not know.
fn drafts() -> Vec<Value> {
    let march = |unit: &str, leg: &str| json!({ "march": { "unit": unit, "legs": [leg] } });
    let mut drafts = vec![json!("hold"), json!("pass"), json!("nonsense"), json!(null)];
    for unit in
        ["@alpha", "@beta", "@gamma", "@creepers", "@zouaves", "@elsewhere", "@unseen-5", "u5", "u99", "@lurkers"]
    {
        drafts.push(march(unit, "ahead 4in"));
        drafts.push(march(unit, "oblique left 40 6in"));
        drafts.push(march(unit, "ahead 40in"));
        drafts.push(json!({ "fire": { "with": unit } }));
    }
    for x in (1..48).step_by(4) {
        for y in (1..36).step_by(4) {
            drafts.push(march("@alpha", &format!("to {x}in {y}in")));
        }
    }
    drafts
}

/// Everything a viewer can get out of a board, as one text.
fn everything(game: &TypedGame<Ambush>, viewer: Viewer) -> String {
    let board = game.board(viewer);
    let view = game.battle.view(viewer);
    let tries: Vec<Value> = drafts()
        .iter()
        .map(|draft| json!([format!("{:?}", board.check(draft)), board.odds(draft), board.phrase(draft)]))
        .collect();
    let cards: Vec<_> = ["alpha", "gamma", "creepers", "zouaves", "unseen-5"].map(|key| board.card(key)).into();
    let words: Vec<_> =
        ["hold", "march creepers ahead 1in", "march alpha ahead 1in"].map(|words| board.parse(words)).into();
    let lots: Vec<_> = (0..4).map(|seed| board.candidates(seed, 30)).collect();
    let measured = board.measure(Point::default(), Point::new(Length::whole_inches(3), Length::whole_inches(4)));
    let scene = serde_json::to_string(&board.scene()).unwrap();
    let prompt = serde_json::to_string(&board.prompt()).unwrap();
    let told = serde_json::to_string(&game.chronicle(viewer, 0)).unwrap();
    let state = serde_json::to_string(view.state()).unwrap();
    let packed = serde_json::to_string(&game.dump(viewer, &mut engine::dump::Held::default()).unwrap()).unwrap();
    let roster = board.roster();
    format!(
        "{packed}\n{roster:?}\n{scene}\n{prompt}\n{}\n{tries:?}\n{cards:?}\n{words:?}\n{lots:?}\n{measured:?}\n{:?}\n{:?}\n{told}\n{state}\n{:?}",
        board.dump(),
        board.fallback(),
        board.usage(),
        view.muster()
    )
}

fn submit(game: &mut TypedGame<Ambush>, side: Side, draft: &Value) {
    let no = game.awaited().unwrap().0;
    game.submit(side, no, draft).unwrap();
}

#[test]
fn worlds_that_differ_behind_the_veil_look_alike() {
    let blind = [Viewer::Side(Side::A), Viewer::Spectator];
    let mut games: Vec<TypedGame<Ambush>> = worlds().iter().map(|text| game(text, 5)).collect();
    let alike = |games: &[TypedGame<Ambush>], when: &str| {
        for viewer in blind {
            let first = everything(&games[0], viewer);
            for (n, game) in games.iter().enumerate() {
                assert!(everything(game, viewer) == first, "{when}: world {n} looks different to {viewer:?}");
            }
        }
        // The owner and the umpire do see the difference, or the test would prove nothing.
        for viewer in [Viewer::Side(Side::B), Viewer::Umpire] {
            assert!(games[1..].iter().all(|game| everything(game, viewer) != everything(&games[0], viewer)));
        }
    };
    alike(&games, "at the start");
    games.iter_mut().for_each(|game| submit(game, Side::B, &json!("hold")));
    alike(&games, "once the south has sealed");
    games
        .iter_mut()
        .for_each(|game| submit(game, Side::A, &json!({ "march": { "unit": "@alpha", "legs": ["ahead 5in"] } })));
    alike(&games, "while the south may fire");
    games.iter_mut().for_each(|game| submit(game, Side::B, &json!({ "fire": { "with": "@gamma" } })));
    alike(&games, "after a volley");
    games
        .iter_mut()
        .for_each(|game| submit(game, Side::A, &json!({ "march": { "unit": "@beta", "legs": ["ahead 1in"] } })));
    games
        .iter_mut()
        .for_each(|game| submit(game, Side::B, &json!({ "march": { "unit": "@gamma", "legs": ["back 1in"] } })));
    alike(&games, "in the second round");
}

#[test]
fn a_hidden_march_looks_like_standing_still() {
    let run = |draft: Value| {
        let mut game = game(MEADOW, 5);
        submit(&mut game, Side::B, &draft);
        submit(&mut game, Side::A, &json!("hold"));
        [Viewer::Side(Side::A), Viewer::Spectator].map(|viewer| everything(&game, viewer))
    };
    let stood = run(json!("hold"));
    assert_eq!(run(json!({ "march": { "unit": "@creepers", "legs": ["right 2in"] } })), stood);
    assert_eq!(run(json!({ "reform": { "unit": "@creepers", "into": "column" } })), stood);
    assert_ne!(run(json!({ "march": { "unit": "@gamma", "legs": ["right 2in"] } })), stood);
    // Whoever leaves unseen was never there; whoever leaves in the open is seen to go.
    assert_eq!(run(json!({ "withdraw": { "unit": "@creepers" } })), stood);
    assert_ne!(run(json!({ "withdraw": { "unit": "@gamma" } })), stood);
    let mut game = game(MEADOW, 5);
    submit(&mut game, Side::B, &json!({ "withdraw": { "unit": "@gamma" } }));
    submit(&mut game, Side::A, &json!("hold"));
    assert_eq!(game.board(Viewer::Side(Side::A)).dump()["units"]["gamma"]["whereabouts"], "gone");
}

#[test]
fn the_name_of_a_hidden_enemy_is_as_unknown_as_any_other() {
    for (n, text) in worlds().iter().enumerate() {
        let mut game = game(text, 5);
        let no = game.awaited().unwrap().0;
        for key in ["creepers", "zouaves", "nobody"] {
            let draft = json!({ "march": { "unit": format!("@{key}"), "legs": ["ahead 1in"] } });
            let error = game.submit(Side::A, no, &draft).unwrap_err();
            assert_eq!(error, SubmitError::Unreadable(format!("nothing on the table is called `{key}`")), "world {n}");
        }
        // The owner may name it, and so may she who guesses its number; the guess is refused as any blank would be.
        let guess = json!({ "march": { "unit": "u5", "legs": ["ahead 1in"] } });
        assert!(matches!(game.submit(Side::A, no, &guess), Err(SubmitError::Refused(_))));
        if n == 0 {
            game.submit(Side::B, no, &guess).unwrap();
        }
    }
}

/// Right in the Alphas' way, and just too far off to be seen.
fn in_the_way(hidden: bool) -> String {
    let text = CREEPERS.replace("[\"20in\", \"15in\", 0]", "[\"12in\", \"21in\", 0]");
    swapped(&[(CREEPERS, &text.replace("hidden = true", &format!("hidden = {hidden}")))])
}

#[test]
fn an_order_through_a_hidden_enemy_is_legal_and_turns_out_badly() {
    let (alpha, creepers) = (UnitId(0), UnitId(5));
    let through = json!({ "march": { "unit": "@alpha", "legs": ["ahead 6in"] } });
    let seen = game(&in_the_way(false), 1);
    assert!(!seen.board(Viewer::Side(Side::A)).check(&through).unwrap().is_legal());

    let mut game = game(&in_the_way(true), 1);
    game.battle.set_dice(script(&["2d6: 6 5"]));
    assert!(game.board(Viewer::Side(Side::A)).check(&through).unwrap().is_legal());
    submit(&mut game, Side::A, &through);
    let from = game.events();
    submit(&mut game, Side::B, &json!("hold"));
    let deeds: Vec<_> = game.battle.events()[from..].iter().map(|event| &event.deed).collect();
    let [Deed::Committed { .. }, Deed::Own(_), Deed::Moved { unit, to, .. }, rest @ ..] = deeds.as_slice() else {
        panic!("{deeds:?}")
    };
    assert_eq!(*unit, alpha);
    let short = Length::whole_inches(21) - to.at.y;
    assert!(short.abs() <= table::SLACK, "halts where it touches the enemy, not at {}", to.at.y);
    assert!(matches!(
        rest,
        [
            Deed::Revealed { unit: seen },
            Deed::Own(Event::Shot { by, at, hit: true, .. }),
            Deed::StandsLost { .. },
        ] if (*seen, *by, *at) == (creepers, creepers, alpha)
    ));
    assert_eq!(game.battle.state().unit(creepers).whereabouts, Whereabouts::OnTable);
    assert_eq!(game.battle.state().unit(alpha).own.hits, 1);
    let north = game.board(Viewer::Side(Side::A)).dump();
    assert_eq!(north["units"]["creepers"]["whereabouts"], "on_table");
    let told = game.chronicle(Viewer::Side(Side::A), from);
    assert!(told.iter().any(|told| told.text == "The Creepers are seen" && told.clause == "ambush.sight-a"));
}

#[test]
fn only_the_owner_hears_of_hidden_deployment() {
    let game = game(MEADOW, 1);
    let placed = |viewer| {
        let told = game.chronicle(viewer, 0);
        told.iter().filter(|told| told.event["event"] == "placed").count()
    };
    assert_eq!(
        [Viewer::Side(Side::A), Viewer::Side(Side::B), Viewer::Spectator, Viewer::Umpire].map(placed),
        [5, 5, 4, 6]
    );
    let dump = game.board(Viewer::Side(Side::A)).dump();
    assert!(dump["units"].get("lurkers").is_some() && dump["units"].get("creepers").is_none());
    let keys: Vec<String> =
        game.board(Viewer::Spectator).scene().pieces.iter().map(|piece| piece.key.clone()).collect();
    assert_eq!(keys, ["@alpha", "@beta", "@gamma", "@delta", "@ney", "@ord"]);
}

#[test]
fn candidates_and_checks_of_a_veiled_side_never_touch_the_hidden() {
    let game = game(MEADOW, 1);
    let view = game.battle.view(Viewer::Side(Side::A));
    assert!(view.units().filter(|(_, unit)| unit.whereabouts == Whereabouts::Unseen).map(|(id, _)| id).eq([UnitId(5)]));
    assert_eq!((view.card(UnitId(5)).key.as_str(), view.card(UnitId(5)).name.as_str()), ("unseen-5", "unseen"));
    let asked = view.asked().unwrap();
    for order in Ambush::candidates(&view, asked, Side::A, &mut Lots::new(2), 50) {
        assert!(Ambush::check(&view, asked, Side::A, &order).is_legal());
        assert!(!format!("{order:?}").contains("UnitId(5)"));
    }
}
