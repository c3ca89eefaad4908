//! What the house would do, and what its bots thought.

use crate::desk::{Desk, Player};
use serde_json::json;
use wire::{Hint, Minds};

fn path(id: &str, what: &str) -> String {
    format!("/api/battles/{id}/{what}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hint_is_an_order_one_can_give() {
    let desk = Desk::open().await;
    let wish = json!({ "scenario": "awi/skirmish", "seed": 7, "seats": ["human", { "bot": "random" }] });
    let made = desk.create(wish).await;
    let key = made.tokens.a.clone().unwrap();
    let mut weighed = 0;
    for _ in 0..60 {
        let answer = desk.post(&path(&made.id, "hint"), Some(&key), "").await;
        if answer.status == 409 {
            // The bot is asked.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            continue;
        }
        let hint: Hint = answer.json();
        let best = &hint.thoughts.ways[0];
        assert!(hint.thoughts.ways.len() <= 3 && !best.words.is_empty());
        if !hint.thoughts.is_idle() {
            weighed += 1;
            assert!(best.tried > 0 && (0.0..=1.0).contains(&best.worth), "{best:?}");
            assert!(!hint.thoughts.plan.is_empty(), "the best way comes with a plan");
        }
        let order = json!({ "no": hint.no, "draft": best.draft });
        let answer = desk.post(&path(&made.id, "orders"), Some(&key), order.to_string()).await;
        assert!(answer.status.is_success() && answer.text().contains("\"accepted\":true"), "{}", answer.text());
        if weighed >= 3 {
            return;
        }
    }
    panic!("nothing was weighed");
}

#[tokio::test]
async fn between_two_people_there_are_no_hints_unless_they_agreed() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let key = made.tokens.a.clone().unwrap();
    let refused = desk.post(&path(&made.id, "hint"), Some(&key), "").await.problem(409);
    assert!(refused.why.contains("without hints"), "{}", refused.why);
    let wish = json!({ "scenario": "awi/skirmish", "seats": ["human", "human"], "hints": true });
    let made = desk.create(wish).await;
    let keys = [made.tokens.a.clone().unwrap(), made.tokens.b.clone().unwrap()];
    let mut told = 0;
    for key in &keys {
        told += u32::from(desk.post(&path(&made.id, "hint"), Some(key), "").await.status.is_success());
    }
    assert!(told > 0, "whoever is asked may ask");
    desk.post(&path(&made.id, "hint"), Some(&made.tokens.watch), "").await.problem(403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_are_kept_and_told_afterwards() {
    let desk = Desk::open().await;
    for open in [false, true] {
        let seats = json!(["human", { "bot": "veteran" }]);
        let wish = json!({ "scenario": "awi/lesson", "seed": 7, "seats": seats, "open_minds": open });
        let made = desk.create(wish).await;
        let key = made.tokens.a.clone().unwrap();
        let house = desk.listen().await;
        let (mut player, welcome) = Player::sit(&house, &made.id, &key).await;
        assert_eq!((welcome.info.hints, welcome.info.open_minds), (true, open));
        let minds = path(&made.id, "minds?from=0&count=200");
        let mut orders = 0;
        for _ in 0..24 {
            if player.board().outcome().is_some() {
                break;
            }
            if let Some((no, draft)) = player.choice(orders) {
                orders += 1;
                let seq = player.order(no, draft).await;
                assert_eq!(player.verdict(seq).await.0, None);
            } else {
                player.news().await;
            }
        }
        let lasts = player.board().outcome().is_none();
        if open {
            assert!(desk.get(&minds, Some(&key)).await.status.is_success());
        } else if lasts {
            desk.get(&minds, Some(&key)).await.problem(409);
        }
        if lasts {
            let seq = player.motion(engine::Motion::Concede).await;
            assert_eq!(player.verdict(seq).await.0, None);
        }
        let told: Minds = desk.get(&minds, Some(&key)).await.json();
        assert!(!told.minds.is_empty(), "a veteran thinks");
        assert!(told.minds.iter().all(|mind| mind.by == 1 && mind.moment > 0 && mind.thoughts.ways.len() > 1));
        desk.get(&path(&made.id, "minds?count=0"), Some(&key)).await.problem(400);
    }
}
