//! What a browser table is shown, over random play of every scenario: gestures that make orders, ghosts that keep
//! their word, plans that are complete.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests fail by panicking, as tests do

mod common;

use common::{each_battle, play};
use engine::blanks::fill as filled;
use engine::facade::{self, Board, TypedBoard};
use engine::scene::{Gesture, Ghost, PlanKind, Prompt, Scene, SketchStroke};
use engine::{Battle, Deed, Lots, Side, State, Telling, UnitId, Viewer};
use rules::awi::Awi;
use rules::awi::fire;
use rules::awi::order::Order;
use rules::days::Days;
use rules::fpw::Fpw;
use rules::guns::Guns;
use serde_json::{Value, json};
use table::{Angle, Length, Point, Pose, SLACK, Shape};

in_every_game! {
    every_gesture_makes_an_order
    ghosts_keep_their_word
    nothing_hidden_is_drawn
}

/// What a game's ghosts promise.
trait Witnessed: Telling {
    /// How many ghosts random play must see keep their word.
    const LEAST_KEPT: usize;
    /// Whether the ghost of an order is drawn on the table from end to end.
    fn stays_on_table(_order: &Self::Order) -> bool {
        true
    }
    /// Whether the ghost is where the piece first goes when the order is carried out.
    fn is_promise(order: &Self::Order, side: Side) -> bool;
}

impl Witnessed for Awi {
    const LEAST_KEPT: usize = 1_000;
    // A charge may turn its rear over the edge before it runs.
    fn stays_on_table(order: &Order) -> bool {
        !matches!(order, Order::Charge { .. })
    }
    fn is_promise(order: &Order, side: Side) -> bool {
        // Hiding is done when both sides have answered.
        let waits = matches!(order, Order::Sharpshooters { .. }) && side == Side::A;
        !waits && !matches!(order, Order::Charge { .. })
    }
}

impl Witnessed for Fpw {
    const LEAST_KEPT: usize = 300;
    // A charge may turn its rear over the edge before it runs.
    fn stays_on_table(order: &rules::fpw::order::Order) -> bool {
        use rules::fpw::order::Order;
        !matches!(order, Order::Charge(_) | Order::Charges { .. } | Order::FollowUp { .. })
    }
    fn is_promise(order: &rules::fpw::order::Order, _side: Side) -> bool {
        use rules::fpw::order::Order;
        // Fire, halts in sight of the enemy and reforms at the end come between an order and its end.
        matches!(order, Order::Deploy { .. } | Order::Ride { .. } | Order::Join { .. } | Order::FallBack)
    }
}

impl Witnessed for Guns {
    const LEAST_KEPT: usize = 100;
    // What a plan promises may be halted, and a charge may turn its rear over the edge before it runs.
    fn stays_on_table(order: &rules::guns::order::Order) -> bool {
        !matches!(order, rules::guns::order::Order::Plot { .. })
    }
    fn is_promise(order: &rules::guns::order::Order, side: Side) -> bool {
        // Both sides set up at once, when the second has answered.
        matches!(order, rules::guns::order::Order::Deploy { .. }) && side == Side::B
    }
}

impl Witnessed for Days {
    const LEAST_KEPT: usize = 100;
    // A charge may turn its rear over the edge before it runs, and the tail of whoever comes on is still beyond it.
    fn stays_on_table(order: &rules::days::order::Order) -> bool {
        use rules::days::order::Order;
        !matches!(order, Order::Charge { .. } | Order::Arrive { .. } | Order::March { .. } | Order::ForcedMarch { .. })
    }
    fn is_promise(order: &rules::days::order::Order, _side: Side) -> bool {
        use rules::days::order::Order;
        // Ground, fire and the enemy may stop or disorder a march before its end.
        matches!(order, Order::Deploy { brigade: Some(_), .. } | Order::Ride { .. } | Order::Screen { .. })
    }
}

fn pose_of(scene: &Scene, key: &str) -> Pose {
    scene.pieces.iter().find(|piece| piece.key == key).map(|piece| piece.pose).unwrap_or_default()
}

/// A draft as a hand without thought would fill it: the first target, half an inch ahead, the piece's own facing.
fn by_hand(gesture: &Gesture, scene: &Scene, first: &Value) -> Value {
    match gesture {
        Gesture::Button { draft, .. } => draft.clone(),
        Gesture::PickUnits { from, draft, .. } => filled(draft, "$piece", &json!(from[0])),
        Gesture::PickTarget { at, draft, .. } => filled(draft, "$target", &json!(at[0])),
        Gesture::DrawPath { unit, draft, .. } => {
            let draft = filled(draft, "$legs", &json!(["ahead 0.5in"]));
            filled(&draft, "$point", &json!(pose_of(scene, unit).at))
        }
        Gesture::PickFormation { unit, into, draft, .. } => {
            let draft = filled(draft, "$formation", &json!(into[0]));
            filled(&draft, "$facing", &json!(pose_of(scene, unit).facing))
        }
        Gesture::LayBlocks { at, draft, .. } if !at.is_empty() => {
            filled(&filled(draft, "$target", &json!(at[0])), "$blocks", &json!([[0, 0]]))
        }
        Gesture::LayBlocks { unit, draft, .. } => {
            let draft = filled(draft, "$bearing", &json!(pose_of(scene, unit).facing));
            filled(&draft, "$distance", &json!("12in"))
        }
        Gesture::DealDice { to, draft, .. } => filled(draft, "$deal", &json!(vec![Value::Null; to.len()])),
        Gesture::Plan { kind, pieces, draft, .. } => match kind {
            PlanKind::Place { .. } => first.clone(),
            PlanKind::Spots => filled(draft, "$plan", &json!([])),
            PlanKind::Sequence | PlanKind::Subset { .. } => filled(draft, "$plan", &json!(pieces)),
            PlanKind::Each { options } => {
                let entries = options.iter().map(|(_, gestures)| by_hand(&gestures[0], scene, first));
                let entries = entries.filter(|entry| !entry.is_null());
                filled(draft, "$plan", &json!(entries.collect::<Vec<_>>()))
            }
        },
    }
}

/// Whom a gesture is about must be a piece on the table; who acts is one's own, hits may be dealt to anybody.
fn check_subject(gesture: &Gesture, scene: &Scene, side: Side) {
    let about = match gesture {
        Gesture::Button { of, .. } => of.as_ref(),
        Gesture::PickTarget { by, .. } => Some(by),
        Gesture::DrawPath { unit, .. } | Gesture::PickFormation { unit, .. } | Gesture::LayBlocks { unit, .. } => {
            Some(unit)
        }
        _ => None,
    };
    if let Some(key) = about {
        let piece = scene.pieces.iter().find(|piece| piece.key == *key);
        let draft = &json!(gesture)["button"]["draft"];
        let deals_hits = draft.get("pick").is_some() || draft.get("divert").is_some();
        assert!(piece.is_some_and(|piece| piece.side == side || deals_hits), "{gesture:?} {piece:?}");
    }
}

fn check_plan(gesture: &Gesture) {
    let Gesture::Plan { kind, pieces, .. } = gesture else { return };
    match kind {
        PlanKind::Place { formations, zones } => {
            assert!(!zones.is_empty());
            let listed: Vec<&String> = formations.iter().map(|(key, _)| key).collect();
            assert_eq!(listed, pieces.iter().collect::<Vec<_>>(), "every piece has its formations");
        }
        PlanKind::Each { options } => {
            let listed: Vec<&String> = options.iter().map(|(key, _)| key).collect();
            assert_eq!(listed, pieces.iter().collect::<Vec<_>>(), "every piece has its options");
            assert!(options.iter().all(|(_, gestures)| !gestures.is_empty()));
        }
        PlanKind::Subset { notes } => assert_eq!(notes.len(), pieces.len(), "every piece has its note"),
        PlanKind::Spots | PlanKind::Sequence => assert!(!pieces.is_empty()),
    }
}

fn check_prompt<R: Telling>(board: &TypedBoard<'_, R>, prompt: &Prompt) {
    let scene = board.scene();
    let first = board.candidates(1, 4).swap_remove(0);
    let mut keys: Vec<(Option<&String>, char)> = Vec::new();
    for gesture in &prompt.gestures {
        if let Gesture::Button { of, key: Some(key), .. } = gesture {
            assert!(!keys.contains(&(of.as_ref(), *key)), "{key} presses two things of {of:?}");
            keys.push((of.as_ref(), *key));
        }
        check_subject(gesture, &scene, prompt.side);
        check_plan(gesture);
        let draft = by_hand(gesture, &scene, &first);
        if let Err(error) = board.check(&draft) {
            panic!("{error}: {draft}");
        }
        // Illegal or not, a ghost may be asked for.
        board.ghosts(&draft);
    }
}

fn every_gesture_makes_an_order<R: Witnessed>() {
    each_battle::<R>(|_, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, _| {
            step += 1;
            if step % 9 == 1 {
                let board = TypedBoard::new(battle.view(Viewer::Side(side)));
                check_prompt(&board, &board.prompt().unwrap());
            }
        });
    });
}

fn is_on_table(ghost: &Ghost, size: (table::Length, table::Length)) -> bool {
    let on = |at: &Point| at.x >= -SLACK && at.y >= -SLACK && at.x <= size.0 + SLACK && at.y <= size.1 + SLACK;
    ghost.stands.iter().flatten().all(on)
}

/// Where a step first sent a piece. Counters that are neither unit nor general are looked for on the table.
fn went<R: Telling>(battle: &Battle<R>, from: usize, key: &str) -> Option<Pose> {
    let muster = battle.state().muster();
    let extras = R::extras(&battle.view(Viewer::Umpire));
    if let Some(counter) = extras.iter().find(|piece| piece.key == key) {
        return Some(counter.pose);
    }
    let key = key.trim_start_matches('@');
    battle.events()[from..].iter().find_map(|event| match &event.deed {
        Deed::Placed { unit, pose, .. } if muster.unit(*unit).key == key => Some(*pose),
        Deed::Moved { unit, to, .. } | Deed::Reformed { unit, to, .. } if muster.unit(*unit).key == key => Some(*to),
        Deed::CommanderMoved { commander, to } | Deed::CommanderConcealed { commander, to }
            if muster.commander(*commander).key == key =>
        {
            Some(*to)
        }
        _ => None,
    })
}

/// A ghost stands on the table, and where the piece comes to stand when the order is carried out.
fn ghosts_keep_their_word<R: Witnessed>() {
    let mut kept = 0;
    each_battle::<R>(|scenario, seed, mut battle| {
        let mut lots = Lots::new(seed);
        for _ in 0..20_000 {
            let Some(side) = battle.awaited() else { break };
            let (no, order, ghosts) = {
                let view = battle.view(Viewer::Side(side));
                let asked = battle.asked().unwrap();
                let mut found = R::candidates(&view, asked, side, &mut lots, 6);
                let size = battle.state().ground().size;
                for order in found.iter().filter(|order| R::stays_on_table(order)) {
                    for ghost in R::ghosts(&view, asked, side, order) {
                        assert!(is_on_table(&ghost, size), "{}: {order:?} {ghost:?}", scenario.id);
                    }
                }
                let pick = lots.below(found.len());
                let order = found.swap_remove(pick);
                let ghosts = R::ghosts(&view, asked, side, &order);
                (asked.no, order, ghosts)
            };
            let from = battle.events().len();
            let promised = R::is_promise(&order, side);
            if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
                panic!("{error:?}");
            }
            for ghost in ghosts.iter().filter(|_| promised) {
                assert_eq!(went(&battle, from, &ghost.key), Some(ghost.pose), "{}: {ghost:?}", scenario.id);
                kept += 1;
            }
        }
    });
    assert!(kept > R::LEAST_KEPT, "only {kept} ghosts were seen to keep their word");
}

/// What is drawn of a piece is drawn of what the viewer sees, and of nothing else.
fn nothing_hidden_is_drawn<R: Witnessed>() {
    each_battle::<R>(|_, seed, mut battle| {
        let mut step = 0;
        play(&mut battle, seed, |battle, side, order| {
            step += 1;
            if step % 13 != 1 {
                return;
            }
            let state = battle.state();
            let enemy = side.other();
            let hidden: Vec<String> = state
                .units()
                .filter(|(id, unit)| state.side_of(*id) == enemy && !seen(unit.whereabouts))
                .map(|(id, _)| format!("@{}", state.card(id).key))
                .collect();
            let board = TypedBoard::new(battle.view(Viewer::Side(side)));
            let draft = facade::encode::<R>(state, order);
            let roster = board.roster();
            for key in &hidden {
                assert!(board.sketches(key).is_empty() && board.card(key).is_none(), "{key}");
                assert!(roster.iter().all(|line| line.key.as_ref() != Some(key)), "{key}");
                assert!(board.ghosts(&draft).iter().all(|ghost| ghost.key != *key), "{key}");
            }
        });
    });
}

fn seen(whereabouts: engine::Whereabouts) -> bool {
    !matches!(whereabouts, engine::Whereabouts::Hidden | engine::Whereabouts::OffTable)
}

/// Sketches are drawn as the rules judge: a place is inside exactly where the arc, and where the tape may be laid the
/// band, reaches it.
#[test]
fn sketches_are_what_the_rules_judge() {
    for measured in [false, true] {
        let text = common::scenario_text("awi/skirmish");
        let text = if measured { text.replace("[settings]", "[settings]\nno_premeasuring = false") } else { text };
        let mut battle = common::begun::<Awi>(&text, 3);
        let mut lots = Lots::new(11);
        let mut looked = 0;
        for _ in 0..60 {
            let Some(side) = battle.awaited() else { break };
            let board = TypedBoard::new(battle.view(Viewer::Side(side)));
            let state = battle.state();
            let (width, height) = state.ground().size;
            for (id, unit) in state.units().filter(|(_, unit)| unit.is_present()) {
                let sketches = board.sketches(&format!("@{}", state.card(id).key));
                for sketch in sketches.iter().filter(|sketch| sketch.stroke == SketchStroke::Fire) {
                    let shape =
                        Shape::new(sketch.outline.clone()).unwrap_or_else(|error| panic!("{error}: {sketch:?}"));
                    for _ in 0..20 {
                        let place = Point::new(width.times(lots.unit()), height.times(lots.unit()));
                        let near_border = (0..8).any(|n| {
                            let beside = place.vec() + Angle::whole(n * 45).unit() * Length::inches(0.25).as_f64();
                            shape.contains(beside) != shape.contains(place.vec())
                        });
                        if near_border {
                            continue;
                        }
                        let in_arc = rules::awi::field::in_arc(state, id, place.vec());
                        let away = unit.pose().at.distance(place);
                        let expected = in_arc && (!measured || in_band(&sketch.label, state, id, away));
                        assert_eq!(shape.contains(place.vec()), expected, "{sketch:?} {place:?}");
                        looked += 1;
                    }
                }
            }
            for (id, _) in state.commanders().filter(|(_, officer)| officer.is_present()) {
                let key = format!("@{}", state.muster().commander(id).key);
                assert_eq!(board.sketches(&key).is_empty(), !measured, "{key}");
            }
            drop(board);
            let no = battle.asked().unwrap().no;
            battle.submit(side, no, Order::Pass).unwrap();
        }
        assert!(looked > 1_000, "only {looked} places");
    }
}

/// Whether a distance lies in the band a label names.
fn in_band(label: &str, state: &State<Awi>, unit: UnitId, away: Length) -> bool {
    let band = fire::band(state, unit, away, false);
    match label.split_whitespace().next() {
        Some("Grapeshot,") => fire::band(state, unit, away, true).is_some(),
        Some(word) => band.is_some_and(|band| format!("{band:?}") == word),
        None => false,
    }
}
