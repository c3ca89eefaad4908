//! Whole battles, with every question, card and sentence looked at on the way.

use super::*;
use engine::setup::{self, Mode};
use engine::{Battle, Lots, Seed};

/// So many answers are looked at in each battle.
const ANSWERS: usize = 150;

#[test]
fn battles_are_told_from_beginning_to_end() {
    let texts = [
        include_str!("../../../../scenarios/guns/swiepwald.toml"),
        include_str!("../../../../scenarios/guns/le-cateau.toml"),
    ];
    for text in texts {
        let mustered = setup::muster::<Guns>(text, None, Mode::Battle).expect("a sound set-up");
        let mut battle = Battle::seeded(mustered.state, Seed::from_number(3), engine::battle::Keep::Events);
        let mut lots = Lots::new(5);
        let mut told = 0;
        for answer in 0..ANSWERS {
            let Some(side) = battle.awaited() else { break };
            let view = battle.view(Viewer::Side(side));
            let asked = view.asked().expect("a question").clone();
            let prompt = Guns::prompt(&view, &asked, side);
            assert!(!prompt.gestures.is_empty() && prompt.question.len() > 8, "{:?}", asked.decision);
            look_at(&view, &asked, side, &prompt);
            if answer % 7 == 0 {
                for (unit, _) in view.units() {
                    assert!(!Guns::card(&view, unit).is_empty());
                    let _ = (Guns::badges(&view, unit), Guns::looks(&view, unit), Guns::sketches(&view, unit));
                }
                for (general, _) in view.commanders() {
                    assert!(Guns::officer_card(&view, general).len() > 2);
                    let _ = Guns::officer_sketches(&view, general);
                }
            }
            let orders = Guns::candidates(&view, &asked, side, &mut lots, 6);
            let order = lots.pick(&orders).cloned().unwrap_or(Order::Pass);
            assert!(!Guns::phrase(&view, &order).is_empty());
            let _ = Guns::ghosts(&view, &asked, side, &order);
            let _ = Guns::aims(&view, &asked, side, Some(&order));
            let _ = Guns::aims(&view, &asked, side, None);
            let _ = Guns::odds(&view, &asked, side, &order);
            battle.submit(side, asked.no, order).expect("a candidate is legal");
            for event in &battle.events()[told..] {
                super::chronicle::check_sentence(&Guns::tell(battle.state(), event));
            }
            told = battle.events().len();
        }
        assert!(told > 300, "only {told} events");
    }
}

/// Every draft of a gesture can be read; presses are legal.
fn look_at(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, prompt: &Prompt) {
    for gesture in &prompt.gestures {
        for draft in drafts(gesture) {
            let order = facade::decode::<Guns>(view, &draft).unwrap_or_else(|error| panic!("{error}: {draft}"));
            let _ = Guns::ghosts(view, asked, side, &order);
            if let Gesture::Button { label, .. } = gesture {
                let verdict = Guns::check(view, asked, side, &order);
                assert!(verdict.is_legal(), "{label}: {verdict:?}");
            }
        }
    }
}
