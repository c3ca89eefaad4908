//! What the house remembers: after a sleep, after a stop, after a sudden death, and when the disk fails.

use crate::desk::{Desk, Player};
use server::Limits;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::sync::Arc;
use std::time::Duration;
use wire::{BattleInfo, FromServer, Standing};

/// Plays some orders and returns what the mover of the last one was shown.
async fn play(desk: &Desk, orders: u64) -> (wire::Created, String, u32) {
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    go_on(&mut a, &mut b, orders).await;
    let (_, shown) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    (made, shown.board.state.get().to_owned(), shown.moments)
}

async fn go_on(a: &mut Player, b: &mut Player, orders: u64) {
    for n in 0..orders {
        let (mover, other) = if a.choice(n).is_some() { (&mut *a, &mut *b) } else { (&mut *b, &mut *a) };
        let (no, draft) = mover.choice(n).unwrap();
        let seq = mover.order(no, draft).await;
        assert_eq!(mover.verdict(seq).await.0, None);
        other.news().await;
    }
}

#[tokio::test]
async fn a_house_that_dies_suddenly_loses_nothing_it_acknowledged() {
    let desk = Desk::open().await;
    let (made, state, moments) = play(&desk, 25).await;
    assert_eq!(moments, 25);
    // Dropped without a word: no closing, no farewell, the database left as it lies.
    let folder = Arc::clone(&desk.folder);
    drop(desk);
    let desk = Desk::over(folder, Limits::default()).await;
    let house = desk.listen().await;
    let (mut a, welcome) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    assert_eq!((welcome.board.state.get(), welcome.moments), (state.as_str(), 25));
    assert!(!welcome.chronicle.is_empty());
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    go_on(&mut a, &mut b, 10).await;
}

#[tokio::test]
async fn closing_sends_everybody_home_with_the_advice_to_come_back() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let mut silent = Player::connect(&house, &made.id).await;
    let closing = Arc::clone(&desk.house);
    let closed = tokio::spawn(async move { closing.close().await });
    for player in [&mut a, &mut silent] {
        let FromServer::Farewell { again: true, why } = player.hear().await else { panic!("no farewell") };
        assert_eq!(why, "the house is closing");
        assert!(player.hear_or_end().await.is_none());
    }
    tokio::time::timeout(Duration::from_secs(4), closed).await.expect("closing waits for nobody").unwrap();
    assert_eq!(desk.get("/healthz", None).await.problem(503).why, "the house is closing");
}

#[tokio::test]
async fn a_battle_sleeps_when_nobody_is_there_and_wakes_as_it_was() {
    let desk = Desk::with(Limits { idle: Duration::from_millis(50), ..Limits::default() }).await;
    let (made, state, moments) = play(&desk, 12).await;
    let mut tries = 0;
    while desk.get("/healthz", None).await.json::<serde_json::Value>()["awake"] != 0 {
        tries += 1;
        assert!(tries < 100, "it never sleeps");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let path = format!("/api/battles/{}", made.id);
    let info: BattleInfo = desk.get(&path, Some(&made.tokens.watch)).await.json();
    assert_eq!(info.standing, Standing::Playing);
    let house = desk.listen().await;
    let (_, welcome) = Player::sit(&house, &made.id, &made.tokens.a.unwrap()).await;
    assert_eq!((welcome.board.state.get(), welcome.moments), (state.as_str(), moments));
}

#[tokio::test]
async fn an_order_the_disk_does_not_take_is_not_taken() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    go_on(&mut a, &mut b, 3).await;
    let before = a.board().dump();

    let file = SqliteConnectOptions::new().filename(desk.folder.0.join(server::FILE));
    let mut disk = file.connect().await.unwrap();
    let fail = "create trigger full before insert on entries begin select raise(abort, 'the disk is full'); end";
    sqlx::query(fail).execute(&mut disk).await.unwrap();
    let (mover, other) = if a.choice(1).is_some() { (&mut a, &mut b) } else { (&mut b, &mut a) };
    let (no, draft) = mover.choice(1).unwrap();
    let seq = mover.order(no, draft.clone()).await;
    let (refused, news) = mover.verdict(seq).await;
    assert!(refused.unwrap().contains("could not be written down"));
    assert!(news.is_empty());
    // Both begin anew from what is written; nobody heard of the order.
    let again = loop {
        match other.hear().await {
            FromServer::Welcome(welcome) => break welcome,
            FromServer::News(_) => panic!("news of an order that was not taken"),
            _ => {}
        }
    };
    assert_eq!(again.moments, 3);
    assert_eq!(mover.board().dump()["units"], before["units"]);

    sqlx::query("drop trigger full").execute(&mut disk).await.unwrap();
    disk.close().await.unwrap();
    let seq = mover.order(no, draft).await;
    assert_eq!(mover.verdict(seq).await.0, None);
    assert_eq!(other.news().await.moments, 4);
}
