//! Holding a replay against what its players were told.

use engine::game::TypedGame;
use engine::names;
use engine::replay::ReplayFile;
use engine::{DecisionNo, Motion, Side, Telling};
use serde_json::Value;

/// An act the server said it had written down.
#[derive(Clone, PartialEq, Debug)]
pub enum Acknowledged {
    /// An answer to a question.
    Order(Side, u32, Value),
    /// A motion.
    Motion(Side, Motion),
}

/// Every way in which a replay is not what was acknowledged. Acts nobody got an answer to may be in it or not.
pub fn faults(text: &str, acknowledged: &[Acknowledged]) -> Vec<String> {
    let replay = match ReplayFile::parse(text) {
        Ok(replay) => replay,
        Err(faults) => return vec![format!("the replay cannot be read: {faults}")],
    };
    let mut found = Vec::new();
    if let Err(error) = rules::resume(&replay, None) {
        found.push(format!("the replay does not verify: {error}"));
    }
    if replay.outcome.is_none() {
        found.push("the replay has no ending".to_owned());
    }
    let wanted = rules::dispatch!(replay.header.ruleset.as_str(), R => inward::<R>(&replay, acknowledged));
    let mut rest = replay.entries.iter();
    for act in wanted.unwrap_or_default() {
        // Acknowledged acts stand in the record in the order in which they were acknowledged.
        let kept = match &act {
            Acknowledged::Order(side, no, order) => rest.any(|entry| {
                entry.side == *side && entry.no == Some(DecisionNo(*no)) && entry.order.as_ref() == Some(order)
            }),
            Acknowledged::Motion(side, motion) => {
                rest.any(|entry| entry.side == *side && entry.motion == Some(*motion))
            }
        };
        if !kept {
            found.push(format!("acknowledged and lost: {act:?}"));
            break;
        }
    }
    found
}

/// The acts with the house's ids in place of keys, as the record has them.
fn inward<R: Telling>(replay: &ReplayFile, acts: &[Acknowledged]) -> Vec<Acknowledged> {
    let header = &replay.header;
    let Ok(game) = TypedGame::<R>::start(&header.setup, header.house.as_deref(), header.seed) else {
        return acts.to_vec();
    };
    let muster = game.battle.state().muster();
    let named = |draft: &Value| names::inward(muster, draft).unwrap_or(Value::Null);
    let turned = acts.iter().map(|act| match act {
        Acknowledged::Order(side, no, draft) => Acknowledged::Order(*side, *no, named(draft)),
        motion => motion.clone(),
    });
    turned.collect()
}

#[cfg(test)]
mod checks {
    use super::*;
    use engine::Viewer;
    use engine::facade::Draft;

    /// A short battle with all its acts, given up at the end.
    fn fought() -> (String, Vec<Acknowledged>) {
        let scenario = rules::scenario("awi/skirmish").unwrap();
        let mut game = rules::start(scenario.text, None, engine::Seed::from_number(5)).unwrap();
        let mut acts = Vec::new();
        for seed in 0..30 {
            let (no, side) = game.awaited().unwrap();
            let draft: Draft = game.board(Viewer::Side(side)).candidates(seed, 3).swap_remove(0);
            game.submit(side, no, &draft).unwrap();
            acts.push(Acknowledged::Order(side, no.0, draft));
        }
        game.motion(Side::B, Motion::Concede).unwrap();
        acts.push(Acknowledged::Motion(Side::B, Motion::Concede));
        (game.replay().to_text(), acts)
    }

    #[test]
    fn a_whole_record_is_found_whole() {
        let (text, acts) = fought();
        assert_eq!(faults(&text, &acts), Vec::<String>::new());
    }

    #[test]
    fn a_lost_a_changed_and_a_spoiled_order_are_found() {
        let (text, mut acts) = fought();
        let without: Vec<&str> = text.lines().enumerate().filter(|(n, _)| *n != 31).map(|(_, line)| line).collect();
        let found = faults(&(without.join("\n") + "\n"), &acts);
        assert!(found.iter().any(|what| what.contains("acknowledged and lost: Motion")), "{found:?}");
        if let Acknowledged::Order(side, ..) = &mut acts[3] {
            *side = side.other();
        }
        let found = faults(&text, &acts);
        assert!(found.iter().any(|what| what.contains("acknowledged and lost: Order")), "{found:?}");
        let spoiled = text.replacen("\"hash\":\"", "\"hash\":\"0", 1);
        assert!(!faults(&spoiled, &[]).is_empty());
    }
}
