//! Too much of anything is answered with the reason.

use crate::desk::{Desk, Player};
use serde_json::json;
use server::Limits;
use std::time::Duration;
use wire::{FromBrowser, FromServer, OrderAnswer};

#[tokio::test]
async fn too_many_messages_are_refused_and_far_too_many_end_it() {
    let desk = Desk::with(Limits { messages: (3, 1), patience: 4, ..Limits::default() }).await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    for _ in 0..8 {
        a.say(&FromBrowser::Ping).await;
    }
    let (mut pongs, mut refused) = (0, 0);
    loop {
        match a.hear().await {
            FromServer::Pong => pongs += 1,
            FromServer::Refused { why, .. } => {
                assert!(why.contains("too many messages"));
                refused += 1;
            }
            FromServer::Farewell { why, again } => {
                assert!(why.contains("far too many") && !again);
                break;
            }
            _ => {}
        }
    }
    assert_eq!((pongs, refused), (3, 3));
    let motions = format!("/api/battles/{}/motions", made.id);
    let mut last = None;
    for _ in 0..5 {
        last = Some(desk.post(&motions, made.tokens.b.as_deref(), "{\"motion\":\"dispute_die\"}").await);
    }
    last.unwrap().problem(429);
}

#[tokio::test]
async fn a_message_too_long_is_refused() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let long = json!({ "order": { "seq": 1, "no": 1, "draft": "x".repeat(wire::MOST_MESSAGE) } }).to_string();
    a.say_text(&long).await;
    let FromServer::Refused { why, .. } = a.hear().await else { panic!("taken") };
    assert!(why.contains("at most"));
    a.say_text(&"x".repeat(3 * wire::MOST_MESSAGE)).await;
    let FromServer::Farewell { why, again: false } = a.hear().await else { panic!("taken") };
    assert!(why.contains("at most"));
}

#[tokio::test]
async fn a_table_a_house_and_a_lobby_can_be_full() {
    let limits =
        Limits { connections_per_battle: 2, connections: 3, live_battles: 1, new_battles: (4, 0), ..Limits::default() };
    let desk = Desk::with(limits).await;
    let (made, other) = (desk.duel().await, desk.duel().await);
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (_b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    // The table is full.
    let mut third = Player::connect(&house, &made.id).await;
    third.say(&FromBrowser::Hello { token: made.tokens.watch.clone() }).await;
    let FromServer::Farewell { why, again: true } = third.hear().await else { panic!("seated") };
    assert!(why.contains("at this table"));
    while third.hear_or_end().await.is_some() {}
    // Only one battle may be awake.
    let mut elsewhere = Player::connect(&house, &other.id).await;
    elsewhere.say(&FromBrowser::Hello { token: other.tokens.watch.clone() }).await;
    let FromServer::Farewell { why, again: true } = elsewhere.hear().await else { panic!("seated") };
    assert!(why.contains("full"));
    while elsewhere.hear_or_end().await.is_some() {}
    let wish = json!({ "scenario": "awi/skirmish", "seats": ["human", "human"] }).to_string();
    assert!(desk.post("/api/battles", None, wish.clone()).await.problem(503).why.contains("full"));
    let board = desk.get(&format!("/api/battles/{}/board", other.id), other.tokens.a.as_deref()).await;
    assert!(board.problem(503).why.contains("full"));
    // Only three sockets may be open, and two are.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let _silent = Player::connect(&house, &made.id).await;
    let address = format!("{house}/api/battles/{}/live", made.id);
    let refused = tokio_tungstenite::connect_async(address).await.unwrap_err().to_string();
    assert!(refused.contains("503"), "{refused}");
    // The first at the table is not disturbed by any of it.
    a.say(&FromBrowser::Ping).await;
    loop {
        if matches!(a.hear().await, FromServer::Pong) {
            break;
        }
    }
}

#[tokio::test]
async fn battles_are_called_into_being_at_a_rate() {
    let desk = Desk::with(Limits { new_battles: (2, 0), ..Limits::default() }).await;
    desk.duel().await;
    desk.duel().await;
    let wish = json!({ "scenario": "awi/skirmish", "seats": ["human", "human"] }).to_string();
    assert!(desk.post("/api/battles", None, wish).await.problem(429).why.contains("wait"));
    desk.post("/api/replays", None, "{}").await.problem(429);
}

#[tokio::test]
async fn who_says_nothing_is_sent_away_and_may_come_back() {
    let limits = Limits { hello: Duration::from_millis(80), silence: Duration::from_millis(300), ..Limits::default() };
    let desk = Desk::with(limits).await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let mut mute = Player::connect(&house, &made.id).await;
    let FromServer::Farewell { why, again: true } = mute.hear().await else { panic!("kept") };
    assert_eq!(why, "nobody said hello");
    // Whoever answers the server's pings, as every browser does by itself, may stay as long as he likes.
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (mut deaf, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    assert!(matches!(a.hear().await, FromServer::Presence(_)));
    let left = a.hear().await;
    let FromServer::Presence(info) = left else { panic!("{left:?}") };
    assert!(info.seats[0].present && !info.seats[1].present, "{info:?}");
    while deaf.hear_or_end().await.is_some() {}
}

#[tokio::test]
async fn a_reader_who_is_too_slow_is_let_go_and_the_others_play_on() {
    let desk = Desk::with(Limits { waiting: 1, ..Limits::default() }).await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (_asleep, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    // The room for waiting messages is one; the kernel's own buffers take many more before the socket fills, so this
    // shows only that a full outbox never holds the battle up.
    let motions = format!("/api/battles/{}/motions", made.id);
    for _ in 0..20 {
        let answer = desk.post(&motions, made.tokens.b.as_deref(), "{\"motion\":\"dispute_die\"}").await;
        let answer: OrderAnswer = answer.json();
        assert!(answer.accepted);
    }
}
