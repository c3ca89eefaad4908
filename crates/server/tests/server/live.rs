//! Live play over real sockets.

use crate::desk::{Desk, Player};
use engine::{Motion, Side, Viewer};
use serde_json::json;
use std::sync::Arc;
use wire::{BattleInfo, FromBrowser, FromServer, Standing, Welcome};

/// The question's number and an order for it, where this board is asked one.
fn choice(board: &dyn engine::facade::Board, seed: u64) -> Option<(u32, serde_json::Value)> {
    let prompt = board.prompt()?;
    let no = board.awaited()?.0.0;
    let found = board.candidates(seed, 3);
    let _ = prompt;
    Some((no, found.into_iter().next().or_else(|| board.fallback())?))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_fights_the_bot_to_the_end() {
    let desk = Desk::open().await;
    let made =
        desk.create(json!({ "scenario": "awi/skirmish", "seed": 7, "seats": ["human", { "bot": "careful" }] })).await;
    assert_eq!(made.tokens.b, None);
    let key = made.tokens.a.clone().unwrap();
    let house = desk.listen().await;
    let (mut player, welcome) = Player::sit(&house, &made.id, &key).await;
    assert_eq!(welcome.viewer, Viewer::Side(Side::A));
    assert_eq!(welcome.info.seed, None);
    let mut board = player.unpacker.board(&welcome.board);
    let (mut orders, mut bot_news, mut over) = (0u64, 0, None::<BattleInfo>);
    while over.is_none() {
        if let Some((no, draft)) = choice(board.as_ref(), orders) {
            orders += 1;
            let seq = player.order(no, draft).await;
            let (refused, news) = player.verdict(seq).await;
            assert_eq!(refused, None);
            assert_eq!(news.len(), 1, "the news of an order come before its acceptance, and once");
            over = news[0].info.clone();
            board = player.unpacker.board(&news[0].board);
        } else {
            let news = player.news().await;
            bot_news += 1;
            over = news.info.clone();
            board = player.unpacker.board(&news.board);
        }
    }
    assert!(orders > 5 && bot_news > 5, "{orders} orders, {bot_news} of the bot");
    let over = over.unwrap();
    assert!(matches!(over.standing, Standing::Over { .. }));
    assert!(over.seed.is_some());
    let replay = desk.get(&format!("/api/battles/{}/replay", made.id), Some(&key)).await;
    let replay = engine::replay::ReplayFile::parse(&replay.text()).unwrap();
    assert!(replay.outcome.is_some());
    assert_eq!(replay.entries.len() as u64, orders + bot_news);
    rules::resume(&replay, None).unwrap();
}
