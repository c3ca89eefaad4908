//! Those who look ahead: they keep to their limits, play the same way twice, and take up a battle where it was left.
#![allow(clippy::expect_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

use bots::{Bot, Leash, Level, Opponents};
use engine::battle::Keep;
use engine::setup::{Mode, muster};
use engine::{Battle, Seed, State, Viewer};
use rules::awi::Awi;
use rules::days::Days;
use rules::fpw::Fpw;
use rules::guns::Guns;
use std::cell::Cell;

/// Orders in imagined battles for each question of these tests.
const NODES: u32 = 120;

fn start<R: Opponents>(id: &str) -> State<R> {
    let scenario = rules::scenario(id).expect("a scenario of the house");
    match muster::<R>(scenario.text, None, Mode::Battle) {
        Ok(mustered) => mustered.state,
        Err(faults) => panic!("{id}: {faults}"),
    }
}

/// Plays so many orders between two veterans; each is legal, and the most that was spent on one is told.
fn orders<R: Opponents>(id: &str, count: usize) -> (Vec<R::Order>, u32) {
    let mut battle = Battle::seeded(start::<R>(id), Seed::from_number(5), Keep::Events);
    let mut players = [R::bot(Level::Veteran, 1), R::bot(Level::Veteran, 2)];
    let (mut given, mut most) = (Vec::new(), 0);
    while let (Some(side), true) = (battle.awaited(), given.len() < count) {
        let Some(asked) = battle.asked() else { break };
        let (no, mut leash) = (asked.no, Leash::nodes(NODES));
        let order = players[side.index()].ponder(&battle.view(Viewer::Side(side)), asked, side, &mut leash);
        most = most.max(leash.spent());
        given.push(order.clone());
        if let Err(error) = battle.submit(side, no, order) {
            panic!("{id}: {:?}: {error}", given.last());
        }
    }
    (given, most)
}

fn plays_the_same_twice<R: Opponents>(id: &str, count: usize) {
    let (first, most) = orders::<R>(id, count);
    let (second, _) = orders::<R>(id, count);
    assert_eq!(first, second, "{id}");
    assert_eq!(first.len(), count, "{id}");
    assert!(most > 0, "{id}: nothing was ever weighed");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_orders() {
    plays_the_same_twice::<Awi>("awi/skirmish", 24);
    plays_the_same_twice::<Fpw>("fpw/brigade", 16);
    plays_the_same_twice::<Guns>("guns/alma", 6);
    plays_the_same_twice::<Days>("iron/lesson", 16);
    plays_the_same_twice::<Days>("empire/lesson", 16);
}

#[test]
fn whoever_has_no_time_answers_at_once_and_legally() {
    let battle = Battle::seeded(start::<Awi>("awi/lesson"), Seed::from_number(3), Keep::Events);
    let (side, asked) = (battle.awaited().expect("somebody is asked"), battle.asked().expect("something"));
    let rung = || true;
    let mut leash = Leash::watched(&rung);
    let order = Awi::bot(Level::General, 9).ponder(&battle.view(Viewer::Side(side)), asked, side, &mut leash);
    assert!(battle.check(side, &order).is_legal());
    assert_eq!(leash.spent(), 0);
}

#[test]
fn a_watch_that_rings_stops_the_thinking_within_an_order() {
    let mut battle = Battle::seeded(start::<Awi>("awi/skirmish"), Seed::from_number(3), Keep::Events);
    let mut player = Awi::bot(Level::General, 9);
    let mut rang = false;
    for _ in 0..30 {
        let Some(side) = battle.awaited() else { break };
        let Some(asked) = battle.asked() else { break };
        let looks = Cell::new(0_u32);
        let watch = || {
            looks.set(looks.get() + 1);
            looks.get() > 40
        };
        let mut leash = Leash::watched(&watch);
        let (no, order) = (asked.no, player.ponder(&battle.view(Viewer::Side(side)), asked, side, &mut leash));
        assert!(leash.spent() <= 60, "{leash:?}");
        rang |= looks.get() > 40;
        battle.submit(side, no, order).map(|_| ()).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(rang, "nothing took long enough to be stopped");
}

#[test]
fn a_break_changes_nothing() {
    let (given, _) = orders::<Awi>("awi/skirmish", 30);
    let mut battle = Battle::seeded(start::<Awi>("awi/skirmish"), Seed::from_number(5), Keep::Events);
    let mut players = [Awi::bot(Level::Veteran, 1), Awi::bot(Level::Veteran, 2)];
    for (n, order) in given.iter().enumerate() {
        let (side, asked) = (battle.awaited().expect("asked"), battle.asked().expect("asked"));
        let (no, view) = (asked.no, battle.view(Viewer::Side(side)));
        let player = &mut players[side.index()];
        if n < 20 {
            player.recall(&view, asked, side, order);
        } else {
            assert_eq!(player.ponder(&view, asked, side, &mut Leash::nodes(NODES)), *order, "order {n}");
        }
        drop(view);
        battle.submit(side, no, order.clone()).map(|_| ()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_mind_tells_what_it_weighed() {
    let mut battle = Battle::seeded(start::<Awi>("awi/skirmish"), Seed::from_number(5), Keep::Events);
    let mut players = [Awi::bot(Level::Veteran, 1), Awi::bot(Level::Veteran, 2)];
    for _ in 0..40 {
        let (Some(side), Some(asked)) = (battle.awaited(), battle.asked()) else { break };
        let (no, mut leash) = (asked.no, Leash::nodes(NODES));
        let player: &mut Box<dyn Bot<Awi>> = &mut players[side.index()];
        let order = player.ponder(&battle.view(Viewer::Side(side)), asked, side, &mut leash);
        let mind = player.mind().expect("a veteran thinks");
        assert_eq!(mind.ways[0].order, order, "what was ordered comes first");
        if mind.ways.len() > 1 {
            assert!(mind.ways.iter().all(|way| (0.0..=1.0).contains(&way.worth())));
            assert!(mind.ways.iter().any(|way| way.tried > 0) && mind.spent > 0);
            assert!(mind.ways[0].marched().count() > 0, "brigades go somewhere, or stand");
            return;
        }
        battle.submit(side, no, order).map(|_| ()).unwrap_or_else(|error| panic!("{error}"));
    }
    panic!("nothing was weighed in forty orders");
}
