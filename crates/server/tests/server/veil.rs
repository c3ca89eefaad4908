//! Nothing hidden leaves the house: every byte sent to the other seat and to those who watch is searched for the keys,
//! names and places of hidden units, and for sealed orders.

use crate::desk::{Desk, Player};
use engine::{Side, Viewer};
use serde_json::{Value, json};
use wire::FromServer;

/// Keys, names and poses of a side's hidden units, as its own board has them.
fn secrets(owner: &Player) -> Vec<String> {
    let pieces = owner.board().dump();
    let roster = owner.board().roster();
    let mut found = Vec::new();
    for (key, unit) in pieces["units"].as_object().unwrap() {
        if unit["whereabouts"] == "hidden" {
            found.push(format!("\"@{key}\""));
            found.push(format!("\"{key}\""));
            found.push(unit["pose"].to_string());
            let own = format!("@{key}");
            found.extend(roster.iter().filter(|line| line.key.as_deref() == Some(&own)).map(|line| line.name.clone()));
        }
    }
    found
}

fn assert_veiled(who: &str, texts: &[String], secrets: &[String]) {
    for text in texts {
        for secret in secrets {
            assert!(!text.contains(secret.as_str()), "{who} was sent {secret}: {}", &text[..text.len().min(400)]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_seat_and_the_watchers_learn_nothing_of_hidden_units() {
    let desk = Desk::open().await;
    let made = desk.create(json!({ "scenario": "awi/freemans-farm", "seats": ["human", "human"] })).await;
    let house = desk.listen().await;
    let keys = [made.tokens.a.clone().unwrap(), made.tokens.b.clone().unwrap()];
    let (a, _) = Player::sit(&house, &made.id, &keys[0]).await;
    let (b, _) = Player::sit(&house, &made.id, &keys[1]).await;
    let mut players = [a, b];
    let (mut watcher, _) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    let (mut hidden_seen, mut orders) = (0, 0u64);
    while orders < 160 {
        let Some(n) = (0..2).find(|n| players[*n].choice(orders).is_some()) else { panic!("nobody is asked") };
        let (no, draft) = players[n].choice(orders).unwrap();
        // As soon as the other side has hidden something, its place must be in nobody's mail.
        let heard = [players[0].heard.len(), players[1].heard.len(), watcher.heard.len()];
        let seq = players[n].order(no, draft).await;
        assert_eq!(players[n].verdict(seq).await.0, None);
        let news = players[1 - n].news().await;
        let over = news.info.is_some();
        watcher.news().await;
        orders += 1;
        for owner in 0..2 {
            let secrets = secrets(&players[owner]);
            hidden_seen += usize::from(!secrets.is_empty());
            assert_veiled("the other seat", &players[1 - owner].heard[heard[1 - owner]..], &secrets);
            assert_veiled("a watcher", &watcher.heard[heard[2]..], &secrets);
            if orders.is_multiple_of(40) && !secrets.is_empty() {
                for key in [&keys[1 - owner], &made.tokens.watch] {
                    let board = desk.get(&format!("/api/battles/{}/board", made.id), Some(key)).await.text();
                    let path = format!("/api/battles/{}/frames?from={}&count=2", made.id, orders - 1);
                    let frames = desk.get(&path, Some(key)).await.text();
                    assert_veiled("a program", &[board, frames], &secrets);
                }
            }
        }
        if over {
            break;
        }
    }
    assert!(hidden_seen > 20, "nothing was ever hidden: the test shows nothing ({hidden_seen})");
}

/// What nobody else may have heard of a side's troops that were not found yet: keys, names and places. Who leads them
/// is known to everybody, but not where he is.
fn undiscovered(owner: &Player, side: &str) -> Vec<String> {
    let pieces = owner.board().dump();
    let names = owner.board().roster();
    let mut found = Vec::new();
    for kind in ["units", "commanders"] {
        let own = pieces[kind].as_object().unwrap().iter().filter(|(_, piece)| piece["side"] == side);
        for (key, piece) in own {
            if piece["whereabouts"] == "hidden" {
                found.push(piece["pose"].to_string());
            }
            if kind == "units" && (piece["whereabouts"] == "hidden" || piece["whereabouts"] == "off_table") {
                // Bare keys may be words of the charts as well: a battery is called after its weapon.
                found.extend([format!("\"@{key}\""), format!("\"key\":\"{key}\"")]);
                let line = names.iter().find(|line| line.key.as_deref() == Some(&format!("@{key}")));
                found.extend(line.map(|line| format!("\"{}\"", line.name)));
            }
        }
    }
    found
}

/// Both sides of this battle set up in secret. Whoever has not been found must be in nobody's mail, from the first
/// welcome to the last order: not in the boards, not in the chronicle, not in what programs ask for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_army_set_up_in_secret_stays_secret() {
    let desk = Desk::open().await;
    let made = desk.create(json!({ "scenario": "fpw/outposts", "seats": ["human", "human"] })).await;
    let house = desk.listen().await;
    let keys = [made.tokens.a.clone().unwrap(), made.tokens.b.clone().unwrap()];
    let (a, _) = Player::sit(&house, &made.id, &keys[0]).await;
    let (b, _) = Player::sit(&house, &made.id, &keys[1]).await;
    let mut players = [a, b];
    let (mut watcher, _) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    let sides = ["prussian", "french"];
    let (mut orders, mut in_hiding) = (0u64, [0; 2]);
    while orders < 90 {
        let Some(n) = (0..2).find(|n| players[*n].choice(orders).is_some()) else { panic!("nobody is asked") };
        let (no, draft) = players[n].choice(orders).unwrap();
        let seq = players[n].order(no, draft).await;
        assert_eq!(players[n].verdict(seq).await.0, None);
        let over = players[1 - n].news().await.info.is_some();
        watcher.news().await;
        orders += 1;
        for owner in 0..2 {
            let secrets = undiscovered(&players[owner], sides[owner]);
            in_hiding[owner] += usize::from(players[owner].board().dump().to_string().contains("\"hidden\""));
            // What nobody has found by now, nobody can have been told at any time before.
            if orders.is_multiple_of(15) || orders < 4 {
                assert_veiled("the other seat", &players[1 - owner].heard, &secrets);
                assert_veiled("a watcher", &watcher.heard, &secrets);
                for key in [&keys[1 - owner], &made.tokens.watch] {
                    let mut texts = Vec::new();
                    for what in ["board", "frames?from=0&count=64", "replay"] {
                        let path = format!("/api/battles/{}/{what}", made.id);
                        texts.push(desk.get(&path, Some(key)).await.text());
                    }
                    assert_veiled("a program", &texts, &secrets);
                }
            }
            // Without this the search would show nothing.
            for secret in secrets.iter().filter(|secret| secret.starts_with("\"key\":")) {
                assert!(
                    players[owner].heard.iter().any(|text| text.contains(secret.as_str())),
                    "nobody heard {secret}"
                );
            }
        }
        if over {
            break;
        }
    }
    assert!(in_hiding.iter().all(|orders| *orders > 8), "hardly anybody hid: the test shows nothing {in_hiding:?}");
}

#[tokio::test]
async fn a_sealed_answer_is_told_only_as_committed() {
    let desk = Desk::open().await;
    let made = desk.create(json!({ "scenario": "awi/freemans-farm", "seats": ["human", "human"] })).await;
    let house = desk.listen().await;
    let (a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    let mut players = [a, b];
    for n in 0..40u64 {
        let both = players.iter().all(|player| player.choice(n).is_some());
        let mover = usize::from(players[0].choice(n).is_none());
        let (no, draft) = players[mover].choice(n).unwrap();
        let before = players[1 - mover].board().dump();
        let seq = players[mover].order(no, draft.clone()).await;
        assert_eq!(players[mover].verdict(seq).await.0, None);
        let news = players[1 - mover].news().await;
        if !both {
            continue;
        }
        assert_eq!(news.told.len(), 1, "{:?}", news.told);
        assert_eq!(news.told[0].event["event"], "committed");
        assert_eq!(players[1 - mover].board().dump(), before, "nothing but the seal has changed");
        let text = players[1 - mover].heard.last().unwrap();
        let heard: FromServer = serde_json::from_str(text).unwrap();
        let FromServer::News(heard) = heard else { panic!("{text}") };
        let state: Value = serde_json::from_str(heard.board.state.get()).unwrap();
        assert_eq!(state["sealed"], json!([null, null]));
        // A second answer is refused, and the first stays sealed.
        let seq = players[mover].order(no, draft).await;
        assert_eq!(players[mover].verdict(seq).await.0.unwrap(), "your answer is sealed already");
        return;
    }
    panic!("both sides were never asked at once");
}

#[tokio::test]
async fn while_a_battle_lasts_nobody_is_sent_seed_or_hash() {
    let desk = Desk::open().await;
    let wish = json!({ "scenario": "awi/skirmish", "seed": 42, "seats": ["human", { "bot": "random" }] });
    let made = desk.create(wish).await;
    let seed = engine::Seed::from_number(42);
    let house = desk.listen().await;
    let key = made.tokens.a.clone().unwrap();
    let (mut player, welcome) = Player::sit(&house, &made.id, &key).await;
    assert_eq!(welcome.viewer, Viewer::Side(Side::A));
    assert_eq!(welcome.info.seed_hash, seed.commitment());
    let mut orders = 0;
    while orders < 20 {
        match player.choice(orders) {
            Some((no, draft)) => {
                let seq = player.order(no, draft).await;
                assert_eq!(player.verdict(seq).await.0, None);
                orders += 1;
            }
            None => drop(player.news().await),
        }
    }
    let info = desk.get(&format!("/api/battles/{}", made.id), Some(&key)).await.text();
    let frames = desk.get(&format!("/api/battles/{}/frames?from=0&count=24", made.id), Some(&key)).await.text();
    for text in player.heard.iter().chain([&info, &frames]) {
        assert!(!text.contains(&seed.to_string()), "the seed was sent");
        assert!(!text.contains("\"hash\""), "a hash was sent");
        assert!(!text.contains(&key), "the key was sent back");
    }
}
