//! Live play over real sockets.

use crate::desk::{Desk, Player};
use engine::{Side, Viewer};
use serde_json::json;
use wire::{FromBrowser, FromServer, Standing};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_fights_the_bot_to_the_end() {
    let desk = Desk::open().await;
    let wish = json!({ "scenario": "awi/skirmish", "seed": 7, "seats": ["human", { "bot": "careful" }] });
    let made = desk.create(wish).await;
    assert_eq!(made.tokens.b, None);
    let key = made.tokens.a.clone().unwrap();
    let house = desk.listen().await;
    let (mut player, welcome) = Player::sit(&house, &made.id, &key).await;
    assert_eq!(welcome.viewer, Viewer::Side(Side::A));
    assert_eq!(welcome.info.seed, None);
    let (mut orders, mut bot_news, mut over) = (0u64, 0, None);
    while over.is_none() {
        if let Some((no, draft)) = player.choice(orders) {
            orders += 1;
            let seq = player.order(no, draft).await;
            let (refused, news) = player.verdict(seq).await;
            assert_eq!(refused, None);
            assert_eq!(news.len(), 1, "the news of an order come before its acceptance, and once");
            over = news[0].info.clone();
        } else {
            bot_news += 1;
            over = player.news().await.info;
        }
    }
    assert!(orders > 5 && bot_news > 5, "{orders} orders, {bot_news} of the bot");
    let over = over.unwrap();
    assert!(matches!(over.standing, Standing::Over { .. }));
    assert!(over.seed.is_some());
    let replay = desk.get(&format!("/api/battles/{}/replay", made.id), Some(&key)).await;
    let replay = engine::replay::ReplayFile::parse(&replay.text()).unwrap();
    assert!(replay.outcome.is_some());
    assert_eq!(replay.entries.len() as u64, orders + bot_news, "every order of the bot is news of its own");
    rules::resume(&replay, None).unwrap();
}

#[tokio::test]
async fn two_people_and_a_watcher_share_a_table() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, first) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    assert!(first.info.seats[0].present && !first.info.seats[1].present);
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    let FromServer::Presence(info) = a.hear().await else { panic!("no presence") };
    assert!(info.seats[1].present);
    let (mut watcher, welcome) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    assert_eq!((welcome.viewer, welcome.info.watchers), (Viewer::Spectator, 1));
    assert!(welcome.board.muster.is_some());

    let (mover, other) = if a.choice(1).is_some() { (&mut a, &mut b) } else { (&mut b, &mut a) };
    let (no, draft) = mover.choice(1).unwrap();
    let seq = mover.order(no, draft.clone()).await;
    let (refused, news) = mover.verdict(seq).await;
    assert_eq!(refused, None);
    assert_eq!(news[0].moments, 1);
    assert!(news[0].board.muster.is_none(), "the muster is sent once");
    for witness in [&mut *other, &mut watcher] {
        let heard = witness.news().await;
        assert_eq!(heard.moments, 1);
        assert_eq!(heard.told.len(), news[0].told.len());
    }
    // The same again is stale, and what the other side is asked is not for this one.
    let seq = mover.order(no, draft).await;
    let (refused, news) = mover.verdict(seq).await;
    assert!(refused.unwrap().contains("answered already") && news.is_empty());

    drop(watcher);
    let FromServer::Presence(info) = other.hear().await else { panic!("no presence") };
    assert_eq!(info.watchers, 0);
}

#[tokio::test]
async fn what_cannot_be_taken_is_refused_and_changes_nothing() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, welcome) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    let (mut watcher, _) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    let before = welcome.board.state.get().to_owned();
    let (mover, other) = if a.choice(1).is_some() { (&mut a, &mut b) } else { (&mut b, &mut a) };
    let (no, draft) = mover.choice(1).unwrap();

    for (text, seq, why) in [
        ("", None, "cannot be read"),
        ("hello", None, "cannot be read"),
        ("[1,2]", None, "cannot be read"),
        ("{\"order\":{\"seq\":4,\"no\":-1,\"draft\":1}}", Some(4), "cannot be read"),
        ("{\"order\":{\"seq\":5,\"no\":1,\"draft\":1,\"extra\":2}}", Some(5), "cannot be read"),
        ("{\"motion\":{\"seq\":6,\"motion\":\"surrender\"}}", Some(6), "cannot be read"),
        ("{\"hello\":{\"token\":\"x\"}}", None, "seated already"),
        (&format!("{{\"order\":{{\"seq\":7,\"no\":{no},\"draft\":{{\"no\":\"such\"}}}}}}"), Some(7), "cannot be read"),
        (&format!("{{\"order\":{{\"seq\":8,\"no\":{no},\"draft\":\"@nobody\"}}}}"), Some(8), "nobody"),
        (&format!("{{\"order\":{{\"seq\":9,\"no\":{},\"draft\":{draft}}}}}", no + 1), Some(9), "number"),
        ("{\"motion\":{\"seq\":10,\"motion\":\"take_back\"}}", Some(10), "change nothing"),
        ("{\"motion\":{\"seq\":11,\"motion\":\"decline\"}}", Some(11), "change nothing"),
    ] {
        mover.say_text(text).await;
        let refused = loop {
            match mover.hear().await {
                FromServer::Presence(_) => {}
                other => break other,
            }
        };
        let FromServer::Refused { seq: found, why: said, .. } = refused else { panic!("{text}: {refused:?}") };
        assert_eq!(found, seq, "{text}");
        assert!(said.contains(why), "{text}: {said}");
    }
    let seq = other.order(no, draft.clone()).await;
    assert_eq!(other.verdict(seq).await.0.unwrap(), "the question is put to the other side");
    let seq = watcher.order(no, draft).await;
    assert_eq!(watcher.verdict(seq).await.0.unwrap(), "who watches gives no orders");
    mover.say(&FromBrowser::Ping).await;
    assert!(matches!(mover.hear().await, FromServer::Pong));

    let (_, welcome) = Player::sit(&house, &made.id, &made.tokens.a.unwrap()).await;
    assert_eq!(welcome.board.state.get(), before);
    assert_eq!(welcome.moments, 0);
}

#[tokio::test]
async fn the_rules_refuse_with_every_reason() {
    let desk = Desk::open().await;
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (mut b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    // Through deployment and the first turn, until somebody may move; then a move off the table.
    for n in 0..200u64 {
        let (mover, other) = if a.choice(n).is_some() { (&mut a, &mut b) } else { (&mut b, &mut a) };
        let (no, draft) = mover.choice(n).unwrap();
        if let Some(unit) = draft.pointer("/move/unit") {
            let march = json!({ "move": { "unit": unit, "half": false, "by_road": false, "legs": ["ahead 400in"] } });
            mover.say(&FromBrowser::Order { seq: 77, no, draft: march }).await;
            let refused = loop {
                match mover.hear().await {
                    FromServer::Refused { seq, reasons, .. } => break (seq, reasons),
                    FromServer::Accepted { .. } => panic!("taken"),
                    _ => {}
                }
            };
            assert_eq!(refused.0, Some(77));
            assert!(!refused.1.is_empty());
            assert!(refused.1.iter().all(|reason| reason.clause.starts_with("awi.") && !reason.text.is_empty()));
            return;
        }
        let seq = mover.order(no, draft).await;
        assert_eq!(mover.verdict(seq).await.0, None);
        other.news().await;
    }
    panic!("nobody ever moved");
}

#[tokio::test]
async fn nobody_sits_down_without_the_key() {
    let desk = Desk::open().await;
    let (made, other) = (desk.duel().await, desk.duel().await);
    let house = desk.listen().await;
    let hello = |key: &str| serde_json::to_string(&FromBrowser::Hello { token: key.to_owned() }).unwrap();
    let strange = "0".repeat(32);
    for (battle, text, why) in [
        (&made.id, hello(&strange), "opens no seat"),
        (&made.id, hello(""), "opens no seat"),
        (&made.id, hello(&other.tokens.a.clone().unwrap()), "opens no seat"),
        (&"nowhere".to_owned(), hello(&made.tokens.watch), "no such battle"),
        (&made.id, "{}".to_owned(), "must be hello"),
        (&made.id, "\"ping\"".to_owned(), "must be hello"),
    ] {
        let mut guest = Player::connect(&house, battle).await;
        guest.say_text(&text).await;
        let FromServer::Farewell { why: said, again } = guest.hear().await else { panic!("{text}") };
        assert!(said.contains(why) && !again, "{text}: {said}");
        assert!(guest.hear_or_end().await.is_none());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_alone_fight_while_people_watch() {
    let limits = server::Limits { bots_alone: std::time::Duration::from_millis(1), ..server::Limits::default() };
    let desk = Desk::with(limits).await;
    let seats = json!([{ "bot": "random" }, { "bot": "careful" }]);
    let made = desk.create(json!({ "scenario": "awi/skirmish", "seed": 3, "seats": seats })).await;
    assert_eq!((made.tokens.a.clone(), made.tokens.b.clone()), (None, None));
    let house = desk.listen().await;
    let (mut watcher, welcome) = Player::sit(&house, &made.id, &made.tokens.watch).await;
    let mut moments = welcome.moments;
    loop {
        let news = watcher.news().await;
        assert_eq!(news.moments, moments + 1);
        moments = news.moments;
        if let Some(info) = news.info {
            assert!(matches!(info.standing, Standing::Over { .. }));
            break;
        }
    }
}
