//! Keys for people, ids for the house, both ways.

use crate::toy::*;
use engine::game::{Game, TypedGame};
use engine::names::{inward, outward};
use engine::{CommandId, CommanderId, FeatureId, Muster, Seed, Side, UnitId, Viewer};
use serde_json::{Value, json};

fn muster() -> Muster<Ambush> {
    state(MEADOW).muster().clone()
}

#[test]
fn every_kind_of_piece_has_its_key_both_ways() {
    let muster = muster();
    let pairs =
        [("@alpha", "u0"), ("@creepers", "u5"), ("@ney", "c0"), ("@rear", "g1"), ("@wood", "f0"), ("@lane", "f1")];
    for (key, id) in pairs {
        assert_eq!(inward(&muster, &json!(key)), Ok(json!(id)));
        assert_eq!(outward(&muster, &json!(id)), json!(key));
        assert_eq!(inward(&muster, &json!(id)), Ok(json!(id)), "an id is a name too");
    }
    let draft = json!({ "march": { "unit": "@beta", "legs": ["ahead 3in"], "with": ["@ney", { "@van": [1, 2.5, true, null] }] } });
    let house =
        json!({ "march": { "unit": "u1", "legs": ["ahead 3in"], "with": ["c0", { "g0": [1, 2.5, true, null] }] } });
    assert_eq!(inward(&muster, &draft), Ok(house.clone()));
    assert_eq!(outward(&muster, &house), draft);
}

#[test]
fn unknown_names_are_all_reported() {
    let draft = json!({ "a": "@nobody", "b": ["@alpha", "@nothing", "u6", "c2", "g2", "f2", "u5"], "@noone": 1, "c": "u99999999999999999999999" });
    let wrong = inward(&muster(), &draft).unwrap_err();
    assert_eq!(
        wrong,
        [
            "nothing on the table is called `nobody`",
            "nothing on the table is called `nothing`",
            "there is no `u6`",
            "there is no `c2`",
            "there is no `g2`",
            "there is no `f2`",
            "nothing on the table is called `noone`",
            "there is no `u99999999999999999999999`",
        ]
    );
}

#[test]
fn words_that_only_look_like_ids_are_left_alone() {
    let muster = muster();
    for word in ["u", "uhlans", "f1a", "@", "c-1", "U0", "ü0", "x0", "u 0", ""] {
        if !word.starts_with('@') {
            assert_eq!(inward(&muster, &json!(word)), Ok(json!(word)));
        }
        assert_eq!(outward(&muster, &json!(word)), json!(word));
    }
    assert!(inward(&muster, &json!("@")).is_err());
    assert_eq!(outward(&muster, &json!("u77")), json!("u77"), "an id of nobody stays as it is");
}

#[test]
fn nothing_that_is_no_plain_id_reads_as_one() {
    let unit = |text: &str| serde_json::from_value::<UnitId>(json!(text)).ok();
    assert_eq!((unit("u0"), unit("u65535")), (Some(UnitId(0)), Some(UnitId(65535))));
    // Whatever reads as an id must look like one to the check of names, or it would get past the bounds.
    for text in ["u+5", "u-5", "u", "u 5", "5", "c5", "u65536", "u5 ", "u٣", "@alpha"] {
        assert_eq!(unit(text), None, "{text}");
    }
    assert!(serde_json::from_value::<UnitId>(json!(5)).is_err());
    assert_eq!(
        serde_json::to_value((UnitId(3), CommanderId(2), CommandId(1), FeatureId(0))).unwrap(),
        json!(["u3", "c2", "g1", "f0"])
    );
    assert_eq!(postcard::to_allocvec(&UnitId(3)).unwrap(), [3], "a bare number in the hash");
}

#[test]
fn oversized_drafts_are_refused_and_own_dumps_are_not() {
    let muster = muster();
    let long = json!(vec!["u0"; 30_000]);
    assert_eq!(inward(&muster, &long), Err(vec!["the order is too large".to_owned()]));
    assert_eq!(outward(&muster, &long), json!(vec!["@alpha"; 30_000]), "a large battle has large dumps");
    assert!(inward(&muster, &json!(vec!["u0"; 19_000])).is_ok());
    let deep = |depth: usize| (0..depth).fold(json!("u0"), |inner, _| json!([inner]));
    assert!(inward(&muster, &deep(40)).is_ok());
    assert_eq!(inward(&muster, &deep(500)), Err(vec!["the order is too large".to_owned()]));
    let wide: Value = (0..30_000).map(|n| (format!("k{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into();
    assert!(inward(&muster, &wide).is_err());
}

#[test]
fn pieces_that_share_a_key_do_not_change_places() {
    // A wood and a unit of one name: the unit has the name, the wood keeps its number.
    let text = swapped(&[("[table.features.wood]", "[table.features.alpha]")]);
    let muster = state(&text).muster().clone();
    assert_eq!(inward(&muster, &json!("@alpha")), Ok(json!("u0")));
    for id in ["u0", "f0", "f1"] {
        let told = outward(&muster, &json!(id));
        assert_eq!(inward(&muster, &told), Ok(json!(id)), "{told}");
    }
}

#[test]
fn a_unit_may_be_called_like_an_id() {
    // `u1` is the key of unit u0 here; `alpha` stands second.
    let text = swapped(&[("[units.alpha]", "[units.u1]"), ("[units.beta]", "[units.alpha]")]);
    let mut game = TypedGame::<Ambush>::start(&text, None, Seed::from_number(1)).unwrap();
    let dump = game.board(Viewer::Side(Side::A)).dump();
    let keys: Vec<&String> = dump["units"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["u1", "alpha", "lurkers", "gamma", "delta"]);
    assert_eq!(dump["units"]["u1"]["pose"][0], "12in");
    let no = game.awaited().unwrap().0;
    game.submit(Side::A, no, &json!({ "march": { "unit": "@u1", "legs": ["ahead 1in"] } })).unwrap();
    assert_eq!(game.battle.state().sealed(Side::A).map(|order| format!("{order:?}").contains("UnitId(0)")), Some(true));
}

#[test]
fn boards_speak_in_keys() {
    let mut game = game(MEADOW, 1);
    let no = game.awaited().unwrap().0;
    let north = game.board(Viewer::Side(Side::A));
    let march = json!({ "march": { "unit": "@alpha", "legs": ["ahead 5in"] } });
    assert_eq!(north.parse("march alpha ahead 5in"), Ok(march.clone()));
    assert_eq!(north.phrase(&march), "march alpha ahead 5in");
    assert_eq!(
        north.phrase(&json!({ "march": { "unit": "@nobody", "legs": [] } })),
        "nothing on the table is called `nobody`"
    );
    let named = |draft: &Value| draft["march"]["unit"].as_str().is_none_or(|unit| unit.starts_with('@'));
    assert!(north.candidates(1, 9).iter().all(named));
    assert_eq!(north.fallback(), Some(json!("hold")));
    assert_eq!(north.card("@alpha"), north.card("alpha"));
    assert_eq!(north.usage(), [("march UNIT LEGS".to_owned(), "marches".to_owned())]);
    drop(north);
    game.submit(Side::B, no, &json!("hold")).unwrap();
    game.submit(Side::A, no, &march).unwrap();
    let moved = game.chronicle(Viewer::Spectator, 0).into_iter().find(|told| told.event["event"] == "moved").unwrap();
    assert_eq!(moved.event["unit"], "@alpha");
    assert_eq!(game.board(Viewer::Umpire).dump()["asked"]["decision"], json!({ "react": { "mover": "@alpha" } }));
    assert_eq!(
        game.sides(),
        [("north", "Northerners"), ("south", "Southerners")].map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

#[test]
fn the_tape_stays_rolled_up_where_measuring_is_bad_manners() {
    use table::{Length, Point};
    let (a, b) = (Point::default(), Point::new(Length::whole_inches(3), Length::whole_inches(4)));
    assert_eq!(game(MEADOW, 1).board(Viewer::Side(Side::A)).measure(a, b), Ok(Length::whole_inches(5)));
    let strict = swapped(&[("[table]\n", "[settings]\nno_tape = true\n[table]\n")]);
    let note = game(&strict, 1).board(Viewer::Side(Side::A)).measure(a, b).unwrap_err();
    assert_eq!((note.clause.as_str(), note.text.as_ref()), ("ambush.custom", "no measuring beforehand"));
}
