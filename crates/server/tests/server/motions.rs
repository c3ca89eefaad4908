//! Acts beside the rulebook: conceding, draws, take-backs, the dispute die.

use crate::desk::{Desk, Player};
use engine::{Motion, Side};
use serde_json::json;
use wire::{Created, FromServer, Standing, Welcome};

async fn duel(desk: &Desk) -> (Created, Player, Player) {
    let made = desk.duel().await;
    let house = desk.listen().await;
    let (mut a, _) = Player::sit(&house, &made.id, &made.tokens.a.clone().unwrap()).await;
    let (b, _) = Player::sit(&house, &made.id, &made.tokens.b.clone().unwrap()).await;
    assert!(matches!(a.hear().await, FromServer::Presence(_)));
    (made, a, b)
}

async fn welcomed(player: &mut Player) -> Welcome {
    loop {
        if let FromServer::Welcome(welcome) = player.hear().await {
            return *welcome;
        }
    }
}

#[tokio::test]
async fn conceding_ends_the_battle_for_both() {
    let desk = Desk::open().await;
    let (made, mut a, mut b) = duel(&desk).await;
    let seq = a.motion(Motion::Concede).await;
    let (refused, news) = a.verdict(seq).await;
    assert_eq!(refused, None);
    let over = news[0].info.clone().unwrap();
    let Standing::Over { winner: Some(1), .. } = over.standing else { panic!("{over:?}") };
    assert!(over.seed.is_some());
    assert!(b.news().await.info.is_some());
    let seq = b.motion(Motion::Concede).await;
    assert_eq!(b.verdict(seq).await.0.unwrap(), "the battle is over");
    let replay = desk.get(&format!("/api/battles/{}/replay", made.id), made.tokens.b.as_deref()).await;
    let replay = engine::replay::ReplayFile::parse(&replay.text()).unwrap();
    assert_eq!(replay.outcome.unwrap().winner, Some(Side::B));
}

#[tokio::test]
async fn a_draw_is_offered_declined_and_agreed() {
    let desk = Desk::open().await;
    let (_, mut a, mut b) = duel(&desk).await;
    let seq = a.motion(Motion::Draw).await;
    assert_eq!(a.verdict(seq).await.0, None);
    assert_eq!(b.news().await.offer, Some((Side::A, Motion::Draw)));
    let seq = b.motion(Motion::Decline).await;
    assert_eq!(b.verdict(seq).await.0, None);
    assert_eq!(a.news().await.offer, None);
    for player in [&mut a, &mut b] {
        let seq = player.motion(Motion::Draw).await;
        assert_eq!(player.verdict(seq).await.0, None);
    }
    let over = loop {
        if let Some(info) = a.news().await.info {
            break info;
        }
    };
    assert!(matches!(over.standing, Standing::Over { winner: None, .. }));
}

#[tokio::test]
async fn the_dispute_die_is_thrown_and_told() {
    let desk = Desk::open().await;
    let (_, mut a, mut b) = duel(&desk).await;
    let seq = b.motion(Motion::DisputeDie).await;
    let (_, news) = b.verdict(seq).await;
    assert_eq!(news[0].told.len(), 1);
    assert_eq!(news[0].told[0].rolls.len(), 1);
    assert_eq!(a.news().await.told[0].rolls, news[0].told[0].rolls);
}

#[tokio::test]
async fn an_order_is_taken_back_by_consent_and_everybody_begins_anew() {
    let desk = Desk::open().await;
    let (_, mut a, mut b) = duel(&desk).await;
    let first = if a.choice(1).is_some() { Side::A } else { Side::B };
    let (mover, other) = if first == Side::A { (&mut a, &mut b) } else { (&mut b, &mut a) };
    let before = mover.board().dump();
    let (no, draft) = mover.choice(1).unwrap();
    let seq = mover.order(no, draft).await;
    let (_, news) = mover.verdict(seq).await;
    assert_eq!(news[0].may_take_back, Some(first));
    let seq = mover.motion(Motion::TakeBack).await;
    assert_eq!(mover.verdict(seq).await.0, None);
    other.news().await;
    assert_eq!(other.news().await.offer, Some((first, Motion::TakeBack)));
    let seq = other.motion(Motion::TakeBack).await;
    assert_eq!(welcomed(other).await.moments, 3);
    assert_eq!(other.verdict(seq).await.0, None);
    let again = welcomed(mover).await;
    assert!(again.board.muster.is_some(), "who is welcomed anew holds nothing");
    let (new_no, draft) = mover.choice(1).unwrap();
    assert!(new_no > no, "the question comes back under a new number");
    let mut after = mover.board().dump();
    after["asked"]["no"] = before["asked"]["no"].clone();
    assert_eq!(after, before);
    let seq = mover.order(new_no, draft).await;
    assert_eq!(mover.verdict(seq).await.0, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bot_lets_a_person_take_back_and_will_not_part() {
    let desk = Desk::open().await;
    // Whoever gets the first question; the other seat is the bot's.
    for person in Side::BOTH {
        let mut seats = [json!({ "bot": "random" }), json!({ "bot": "random" })];
        seats[person.index()] = json!("human");
        let made = desk.create(json!({ "scenario": "awi/skirmish", "seed": 9, "seats": seats })).await;
        let key = made.tokens.a.clone().or(made.tokens.b.clone()).unwrap();
        let house = desk.listen().await;
        let (mut player, _) = Player::sit(&house, &made.id, &key).await;
        let seq = player.motion(Motion::Draw).await;
        let (refused, mut news) = player.verdict(seq).await;
        assert_eq!(refused, None);
        while news.last().is_none_or(|news| news.offer.is_some()) {
            news.push(player.news().await);
        }
        assert!(news.iter().any(|news| news.offer == Some((person, Motion::Draw))));
        // An order after which the person is still asked, and no die was thrown: it may be taken back.
        for n in 0..400u64 {
            let Some((no, draft)) = player.choice(n) else {
                if player.news().await.info.is_some() {
                    break;
                }
                continue;
            };
            let seq = player.order(no, draft).await;
            let (refused, news) = player.verdict(seq).await;
            assert_eq!(refused, None);
            if news[0].info.is_some() {
                break;
            }
            if news[0].may_take_back == Some(person) && player.choice(n).is_some() {
                let seq = player.motion(Motion::TakeBack).await;
                let again = loop {
                    match player.hear().await {
                        FromServer::Welcome(welcome) => break welcome,
                        FromServer::Refused { why, .. } => panic!("{why}"),
                        _ => {}
                    }
                };
                assert_eq!(again.may_take_back, None);
                assert!(player.choice(n).unwrap().0 > no);
                let _ = seq;
                return;
            }
        }
    }
    panic!("nothing could ever be taken back");
}
