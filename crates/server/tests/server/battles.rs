//! Battles without a socket: calling them into being, looking, ordering, and every refusal on the way.

use crate::desk::Desk;
use serde_json::{Value, json};
use wire::{BattleInfo, BoardAnswer, OrderAnswer, Standing};

#[tokio::test]
async fn a_wish_that_cannot_be_met_is_told_why() {
    let desk = Desk::open().await;
    let two = json!(["human", "human"]);
    let text = rules::scenario("awi/skirmish").unwrap().text;
    for (wish, status, why) in [
        (json!({}), 400, "missing field"),
        (json!({ "seats": ["human"] }), 400, "cannot be read"),
        (json!({ "seats": two, "scenario": "awi/skirmish", "colour": 1 }), 400, "colour"),
        (json!({ "seats": two }), 422, "either a scenario or a set-up"),
        (json!({ "seats": two, "scenario": "awi/skirmish", "setup": text }), 422, "either a scenario or a set-up"),
        (json!({ "seats": two, "scenario": "awi/waterloo" }), 422, "waterloo"),
        (json!({ "seats": ["human", { "bot": "genius" }], "scenario": "awi/skirmish" }), 422, "genius"),
        (json!({ "seats": two, "scenario": "awi/skirmish", "seed": 1 }), 422, "knows the dice"),
        (json!({ "seats": two, "setup": "ruleset = \"awi\"" }), 422, "faults"),
        (json!({ "seats": two, "setup": "ruleset = \"chess\"" }), 422, "chess"),
        (json!({ "seats": two, "setup": "" }), 422, "faults"),
        (json!({ "seats": two, "scenario": "awi/skirmish", "house": "nonsense" }), 422, "faults"),
        (json!({ "seats": two, "setup": "#".repeat(wire::MOST_FILE + 1) }), 413, "at most"),
        (json!({ "seats": two, "setup": "#".repeat(5 * wire::MOST_FILE) }), 413, "too large"),
    ] {
        let answer = desk.post("/api/battles", None, wish.to_string()).await;
        let problem = answer.problem(status);
        assert!(problem.why.contains(why), "{why}: {problem:?}");
    }
    desk.post("/api/battles", None, "not json").await.problem(400);
    let faulty = text.replacen("kind", "kinds", 1).replacen("name", "nams", 1);
    let problem =
        desk.post("/api/battles", None, json!({ "seats": two, "setup": faulty }).to_string()).await.problem(422);
    assert!(problem.faults.len() > 1, "{problem:?}");
}

#[tokio::test]
async fn keys_are_hard_to_guess_and_kept_only_as_hashes() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let keys = [made.tokens.a.unwrap(), made.tokens.b.unwrap(), made.tokens.watch];
    assert!(keys.iter().all(|key| key.len() == 32));
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);
    desk.house.close().await;
    let mut looked = 0;
    for entry in std::fs::read_dir(&desk.folder.0).unwrap() {
        // The database clears its journal away when the last reader is gone, which may be now.
        let bytes = match std::fs::read(entry.unwrap().path()) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            read => read.unwrap(),
        };
        for key in &keys {
            assert!(!bytes.windows(key.len()).any(|window| window == key.as_bytes()), "a key is on the disk");
        }
        looked += 1;
    }
    assert!(looked > 0, "nothing is on the disk");
}

#[tokio::test]
async fn only_a_key_of_the_battle_opens_it() {
    let desk = Desk::open().await;
    let (made, other) = (desk.duel().await, desk.duel().await);
    let strange = other.tokens.a.as_deref();
    for path in ["", "/board", "/frames", "/replay"] {
        let path = |id: &str| format!("/api/battles/{id}{path}");
        desk.get(&path(&made.id), None).await.problem(401);
        desk.get(&path(&made.id), strange).await.problem(403);
        desk.get(&path(&made.id), Some("")).await.problem(403);
        desk.get(&path("nothing"), strange).await.problem(404);
    }
    for (path, body) in [("/orders", "{\"no\":0,\"draft\":1}"), ("/motions", "{\"motion\":\"concede\"}")] {
        let path = |id: &str| format!("/api/battles/{id}{path}");
        desk.post(&path(&made.id), None, body).await.problem(401);
        desk.post(&path(&made.id), strange, body).await.problem(403);
        desk.post(&path(&made.id), Some(&made.tokens.watch), body).await.problem(403);
        desk.post(&path("nothing"), strange, body).await.problem(404);
    }
    desk.get(&format!("/api/battles/{}/live", made.id), None).await.problem(426);
    let info: BattleInfo = desk.get(&format!("/api/battles/{}", made.id), Some(&made.tokens.watch)).await.json();
    assert_eq!((info.standing, info.watchers, info.seed), (Standing::Playing, 0, None));
    assert_eq!(info.id, made.id);
}

/// The question and the key of the seat it is put to.
async fn asked(desk: &Desk, id: &str, keys: &[String; 2]) -> (usize, BoardAnswer) {
    for (n, key) in keys.iter().enumerate() {
        let board: BoardAnswer = desk.get(&format!("/api/battles/{id}/board"), Some(key)).await.json();
        if board.prompt.is_some() {
            return (n, board);
        }
    }
    panic!("nobody is asked");
}

#[tokio::test]
async fn a_program_plays_by_requests_alone() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let keys = [made.tokens.a.clone().unwrap(), made.tokens.b.clone().unwrap()];
    let orders = format!("/api/battles/{}/orders", made.id);
    let (n, board) = asked(&desk, &made.id, &keys).await;
    assert!(board.scene["pieces"].is_array() && board.pieces["units"].is_object());
    let no = board.pieces["asked"]["no"].as_u64().unwrap();
    // The laboratory's own board of the same beginning tells a legal draft.
    let text = rules::scenario("awi/skirmish").unwrap().text;
    let game = rules::start(text, None, engine::Seed::from_number(0)).unwrap();
    let side = engine::Side::BOTH[n];
    let draft = game.board(engine::Viewer::Side(side)).fallback().unwrap();

    let give = |key: String, no: u64, draft: Value| {
        let body = json!({ "no": no, "draft": draft }).to_string();
        let (desk, orders) = (&desk, &orders);
        async move { desk.post(orders, Some(&key), body).await }
    };
    give(keys[n].clone(), no + 5, draft.clone()).await.problem(409);
    give(keys[1 - n].clone(), no, draft.clone()).await.problem(409);
    assert!(give(keys[n].clone(), no, json!("nonsense")).await.problem(422).why.contains("cannot be read"));
    desk.post(&orders, Some(&keys[n]), "{}").await.problem(400);
    desk.post(&orders, Some(&keys[n]), "x".repeat(wire::MOST_MESSAGE + 1)).await.problem(413);
    let answer: OrderAnswer = give(keys[n].clone(), no, draft.clone()).await.json();
    assert!(answer.accepted, "{answer:?}");
    give(keys[n].clone(), no, draft).await.problem(409);

    let motions = format!("/api/battles/{}/motions", made.id);
    desk.post(&motions, Some(&keys[0]), "{\"motion\":\"win\"}").await.problem(400);
    desk.post(&motions, Some(&keys[0]), "{\"motion\":\"decline\"}").await.problem(409);
    let answer: OrderAnswer = desk.post(&motions, Some(&keys[0]), "{\"motion\":\"concede\"}").await.json();
    assert!(answer.accepted);
    desk.post(&motions, Some(&keys[1]), "{\"motion\":\"draw\"}").await.problem(409);
    let info: BattleInfo = desk.get(&format!("/api/battles/{}", made.id), Some(&keys[1])).await.json();
    assert!(matches!(info.standing, Standing::Over { winner: Some(1), .. }) && info.seed.is_some());
}
