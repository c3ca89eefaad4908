//! The toy speaks: just enough for a board.

use super::acts;
use super::*;
use engine::scene::{Badge, Gesture, PieceKind, Prompt, ScenePiece, Tone};
use engine::telling::Usage;
use engine::{Asked, Deed, Event as Told, Note, Odds, State, Telling, Verdict, View};
use serde_json::json;

impl Telling for Ambush {
    fn prompt(view: &View<'_, Self>, asked: &Asked<Self>, side: Side) -> Prompt {
        let keys: Vec<String> = view.present(side).map(|(id, _)| format!("@{}", view.card(id).key)).collect();
        let (question, mut gestures, label, draft) = match asked.decision {
            Decision::Plan => {
                let allowance = view.charts().march.allowance.value;
                let draw = |key: &String| Gesture::DrawPath {
                    label: "march".to_owned(),
                    unit: key.clone(),
                    allowance,
                    draft: json!({ "march": { "unit": key, "legs": "$legs" } }),
                };
                ("What is your plan?", keys.iter().map(draw).collect::<Vec<_>>(), "hold", json!("hold"))
            }
            Decision::React { mover } => {
                let at = vec![format!("@{}", view.card(mover).key)];
                let pick = |key: &String| Gesture::PickTarget {
                    label: "fire".to_owned(),
                    by: key.clone(),
                    at: at.clone(),
                    draft: json!({ "fire": { "with": key } }),
                };
                ("Will you fire?", keys.iter().map(pick).collect(), "pass", json!("pass"))
            }
        };
        gestures.push(Gesture::Button { of: None, label: label.to_owned(), key: None, draft });
        let clause = engine::ClauseId::from(Clause::Plan).to_string();
        Prompt { no: asked.no, side, question: question.to_owned(), clause, gestures }
    }

    fn when(state: &State<Self>) -> String {
        format!("round {}", state.turn())
    }

    fn kind(state: &State<Self>, unit: UnitId) -> PieceKind {
        match state.card(unit).facts.arm {
            Arm::Foot => PieceKind::Foot,
            Arm::Horse => PieceKind::Horse,
        }
    }

    fn formation(formation: Formation) -> &'static str {
        match formation {
            Formation::Line => "line",
            Formation::Column => "column",
        }
    }

    fn badges(state: &State<Self>, unit: UnitId) -> Vec<Badge> {
        let hits = state.unit(unit).own.hits;
        vec![Badge { sign: hits.to_string(), text: format!("{hits} hits"), tone: Tone::Note }]
    }

    fn card(view: &View<'_, Self>, unit: UnitId) -> Vec<String> {
        vec![format!("{}: {:?}, {} hits", view.card(unit).name, view.card(unit).facts, view.unit(unit).own.hits)]
    }

    fn extras(_: &View<'_, Self>) -> Vec<ScenePiece> {
        Vec::new()
    }

    fn is_chief(officer: &Officer) -> bool {
        officer.chief
    }

    fn tell(state: &State<Self>, event: &Told<Self>) -> String {
        let name = |unit: &UnitId| state.card(*unit).name.clone();
        match &event.deed {
            Deed::Committed { side } => format!("{} have made their plan", state.muster().sides[*side].name),
            Deed::Moved { unit, to, .. } => format!("{} march to {}, {}", name(unit), to.at.x, to.at.y),
            Deed::Revealed { unit } => format!("{} are seen", name(unit)),
            Deed::Own(Event::Shot { by, at, hit, .. }) => format!("{} fire at {}: {hit}", name(by), name(at)),
            other => format!("{other:?}"),
        }
    }

    fn phrase(state: &State<Self>, order: &Order) -> String {
        match order {
            Order::March { unit, legs } => {
                let legs: Vec<String> = legs.iter().map(ToString::to_string).collect();
                format!("march {} {}", state.card(*unit).key, legs.join("; "))
            }
            Order::Fire { with } => format!("fire {}", state.card(*with).key),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn parse(view: &View<'_, Self>, _: &Asked<Self>, _: Side, words: &str) -> Result<Order, String> {
        let unit = |key: &str| {
            let found = view.muster().unit_ids().find(|id| view.card(*id).key == key);
            found.ok_or_else(|| format!("nothing on the table is called `{key}`"))
        };
        match words.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["hold"] => Ok(Order::Hold),
            ["pass"] => Ok(Order::Pass),
            ["fire", key] => Ok(Order::Fire { with: unit(key)? }),
            ["march", key, legs @ ..] => {
                let legs =
                    legs.join(" ").split(';').map(|leg| leg.parse().map_err(|error| format!("{error}"))).collect();
                Ok(Order::March {
                    unit: unit(key)?,
                    legs: {
                        let legs: Result<Vec<Leg>, String> = legs;
                        legs?
                    },
                })
            }
            _ => Err("expected hold, march, fire or pass".to_owned()),
        }
    }

    fn usage(asked: &Asked<Self>) -> Vec<Usage> {
        match asked.decision {
            Decision::Plan => vec![Usage { words: "march UNIT LEGS", what: "marches" }],
            Decision::React { .. } => vec![Usage { words: "fire UNIT", what: "fires" }],
        }
    }

    fn odds(view: &View<'_, Self>, asked: &Asked<Self>, side: Side, order: &Order) -> Option<Odds> {
        use engine::Ruleset;
        match (&asked.decision, order) {
            (Decision::React { mover }, Order::Fire { with }) => {
                Self::check(view, asked, side, order).is_legal().then(|| acts::odds(view, *with, *mover))
            }
            _ => None,
        }
    }

    fn may_measure(view: &View<'_, Self>) -> Result<(), Note> {
        let mut verdict = Verdict::fine();
        if view.settings().no_tape {
            return Err(verdict.refuse(Clause::Custom, "no measuring beforehand").clone());
        }
        Ok(())
    }
}
