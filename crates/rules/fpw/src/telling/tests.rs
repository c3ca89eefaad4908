//! Typed orders in many hands, sentences for everything that happens, gestures that make orders.

use super::*;
use crate::event::{Blunder, FpwEvent, Manner, MarkCause, Throw};
use crate::order::{Aim, Decision, Going, Occasion, Shot, StandRef, Step, Target, What};
use crate::unit::{Absence, Aspect, Impetus};
use engine::scene::Gesture;
use engine::setup::{self, Mode};
use engine::{Battle, DecisionNo, Deed, Leaving, Lots, Ruleset, Seed, Viewer, Who, facade};
use smallvec::smallvec;
use table::{Angle, Flank, Leg, Length, Point, Pose};

fn inch(n: i32) -> Length {
    Length::whole_inches(n)
}

fn ask(decision: Decision) -> Asked<Fpw> {
    Asked { no: DecisionNo(1), who: Who::One(Side::A), decision }
}

struct Desk {
    battle: Battle<Fpw>,
    side: Side,
}

impl Desk {
    /// A battle after both sides have set up.
    fn new() -> Desk {
        let text = include_str!("../../../scenarios/fpw/brigade.toml");
        let mustered = setup::muster::<Fpw>(text, None, Mode::Battle).expect("a sound set-up");
        let mut battle = Battle::seeded(mustered.state, Seed::from_number(1), engine::battle::Keep::Events);
        while battle.asked().is_some_and(|asked| asked.decision == Decision::Deploy) {
            let (side, no) = (battle.awaited().expect("somebody"), battle.asked().expect("a question").no);
            battle.submit(side, no, Order::Pass).expect("passing is legal");
        }
        Desk { battle, side: Side::A }
    }

    fn field(&self) -> &Field {
        self.battle.state()
    }

    fn say(&self, decision: &Decision, words: &str) -> Result<Order, String> {
        let view = self.battle.view(Viewer::Side(self.side));
        Fpw::parse(&view, &ask(decision.clone()), self.side, words)
    }

    fn own(&self, n: usize) -> UnitId {
        self.field().present(self.side).map(|(id, _)| id).nth(n).expect("so many units")
    }

    fn enemy(&self) -> UnitId {
        self.field().present(self.side.other()).map(|(id, _)| id).next().expect("an enemy")
    }

    fn general(&self) -> CommanderId {
        let muster = self.field().muster();
        muster.commander_ids().find(|id| muster.commander(*id).side == self.side).expect("a general")
    }

    fn key(&self, id: UnitId) -> String {
        self.field().card(id).key.clone()
    }
}

fn step(unit: UnitId, legs: Vec<Leg>) -> Step {
    Step { unit, formation: None, facing: None, after: false, legs }
}

/// Every order with a question it answers and words for it.
fn spoken(desk: &Desk) -> Vec<(Decision, String, Order)> {
    let (a, b, enemy, general) = (desk.own(0), desk.own(1), desk.enemy(), desk.general());
    let (ka, kb, ke) = (desk.key(a), desk.key(b), desk.key(enemy));
    let kg = desk.field().muster().commander(general).key.clone();
    let march = |units: Vec<UnitId>, going: Going| Decision::March { units, going };
    let command = || Decision::Command { current: None };
    let order = |what: What, units: Vec<UnitId>| Order::Command { general, what, units };
    let shot = |unit: UnitId, stand: u8| Shot { unit, stand, at: enemy };
    let reaction = || Decision::Reaction {
        occasion: Occasion::Moved,
        targets: vec![enemy],
        able: vec![shot(a, 0), shot(a, 1), shot(b, 0)],
    };
    let stands = vec![StandRef { unit: a, stand: 0 }, StandRef { unit: a, stand: 1 }];
    let aim = Aim { unit: a, at: enemy, wheel: None, bearing: None };
    let wheel = Leg::Wheel { pivot: Flank::Left, by: Angle::whole(30) };
    let follow = || Decision::FollowUp { unit: a, yielded: vec![enemy], may_follow: true };
    let line = Step { formation: Some(Formation::Line), facing: Some(Angle::EAST), ..step(a, Vec::new()) };
    let pose = Pose { at: Point::new(inch(12), inch(10)), facing: Angle::SOUTH };
    let placement = crate::order::Placement { unit: a, pose, formation: Formation::Line };
    let deploy = Order::Deploy { units: vec![placement], commanders: Vec::new(), scouts: Vec::new() };
    let back = Step { formation: Some(Formation::Limbered), ..step(a, vec![Leg::About, Leg::Ahead(inch(4))]) };
    let forth = Step { formation: Some(Formation::Deployed), after: true, ..step(a, vec![Leg::Ahead(inch(3))]) };
    vec![
        (Decision::Deploy, "done".into(), Order::Pass),
        (Decision::Deploy, format!("place {ka} at 12 10 facing s in line"), deploy.clone()),
        (Decision::Enter, format!("place {ka} 12in 10in facing 180 line"), deploy),
        (
            Decision::Deploy,
            format!("scouts {ka} and {kb}"),
            Order::Deploy { units: Vec::new(), commanders: Vec::new(), scouts: vec![a, b] },
        ),
        (Decision::Initiative, format!("reform {ka} line facing east"), Order::Reform(line.clone())),
        (Decision::Initiative, format!("charge {ka} at {ke}"), Order::Charge(aim)),
        (
            Decision::Initiative,
            format!("charge {ka} into {ke} wheel left 30 bearing 10"),
            Order::Charge(Aim { wheel: Some(wheel), bearing: Some(Angle::whole(10)), ..aim }),
        ),
        (Decision::Initiative, format!("retire {ka}"), Order::Retire { unit: a }),
        (Decision::Initiative, format!("limber {ka} about ahead 4"), Order::LimberBack(back)),
        (
            Decision::Initiative,
            format!("unlimber {ka} facing 90"),
            Order::Unlimber { unit: a, facing: Some(Angle::EAST) },
        ),
        (Decision::Initiative, format!("half {ka} ahead 3"), Order::HalfAndUnlimber(forth)),
        (
            Decision::Initiative,
            format!("scout {ka} ahead 9 wheel left 30"),
            Order::Scout { unit: a, legs: vec![Leg::Ahead(inch(9)), wheel] },
        ),
        (command(), format!("{kg} move {ka} and {kb}"), order(What::Move, vec![a, b])),
        (command(), format!("order {kg} to move {ka} {kb}"), order(What::Move, vec![a, b])),
        (command(), format!("{kg} road {ka}"), order(What::ByRoad, vec![a])),
        (command(), format!("{kg} reform {ka}"), order(What::Reform, vec![a])),
        (command(), format!("{kg} charge {ka}"), order(What::Charge, vec![a])),
        (command(), format!("{kg} fire {ka}"), order(What::Fire, vec![a])),
        (command(), format!("{kg} attach {ka} to {kb}"), order(What::Attach(b), vec![a])),
        (command(), format!("{kg} detach {ka}"), order(What::Detach, vec![a])),
        (command(), format!("{kg} scout {ka}"), order(What::Scout, vec![a])),
        (Decision::Command { current: Some(general) }, format!("move {ka}"), order(What::Move, vec![a])),
        (command(), format!("raise {kg} by {kg}"), Order::Raise { general, who: general }),
        (command(), "end".into(), Order::Pass),
        (
            march(vec![a], Going::Move),
            "go ahead 4 wheel left 30".into(),
            Order::March { moves: vec![step(a, vec![Leg::Ahead(inch(4)), wheel])] },
        ),
        (
            march(vec![a, b], Going::Move),
            "ahead 4in then wheel left 30".into(),
            Order::Together { legs: vec![Leg::Ahead(inch(4)), wheel] },
        ),
        (
            march(vec![a, b], Going::Move),
            format!("move {ka} ahead 4; {kb} ahead 2"),
            Order::March { moves: vec![step(a, vec![Leg::Ahead(inch(4))]), step(b, vec![Leg::Ahead(inch(2))])] },
        ),
        (
            march(vec![a], Going::Reform),
            format!("reform {ka} into line facing e"),
            Order::March { moves: vec![line.clone()] },
        ),
        (
            march(vec![a], Going::Reform),
            format!("move {ka} ahead 2 then line"),
            Order::March {
                moves: vec![Step {
                    formation: Some(Formation::Line),
                    after: true,
                    ..step(a, vec![Leg::Ahead(inch(2))])
                }],
            },
        ),
        (
            Decision::Charges { units: vec![a, b] },
            format!("charge {ka} at {ke}; {kb} at {ke}"),
            Order::Charges { charges: vec![aim, Aim { unit: b, ..aim }] },
        ),
        (
            Decision::Shots { units: vec![a, b] },
            format!("fire {ka} at {ke}; {kb}"),
            Order::Shots { shots: vec![Target { unit: a, at: Some(enemy) }, Target { unit: b, at: None }] },
        ),
        (
            Decision::Shots { units: vec![a] },
            "fire all".into(),
            Order::Shots { shots: vec![Target { unit: a, at: None }] },
        ),
        (Decision::Blame { units: vec![a, b] }, format!("blame {kb}"), Order::Blame { unit: b }),
        (reaction(), "all".into(), Order::ReactAll),
        (reaction(), "fire".into(), Order::ReactAll),
        (reaction(), "yes".into(), Order::ReactAll),
        (reaction(), "hold fire".into(), Order::Pass),
        (reaction(), format!("fire {ka} {kb}"), Order::React { units: vec![a, b], stands: Vec::new() }),
        (reaction(), format!("fire {ka} 1 and 2; {kb}"), Order::React { units: vec![b], stands: stands.clone() }),
        (
            Decision::Concentrate { at: enemy, stands: stands.clone(), most: 2 },
            format!("aim {ka} 1 2"),
            Order::Concentrate { stands: stands.clone() },
        ),
        (
            Decision::Concentrate { at: enemy, stands: stands.clone(), most: 2 },
            format!("aim {ka}"),
            Order::Concentrate { stands },
        ),
        (
            Decision::CavalryReaction { unit: a, charger: enemy, may_evade: true },
            "counter-charge".into(),
            Order::CounterCharge,
        ),
        (Decision::CavalryReaction { unit: a, charger: enemy, may_evade: true }, "evade".into(), Order::Evade),
        (Decision::CavalryReaction { unit: a, charger: enemy, may_evade: false }, "stand".into(), Order::Pass),
        (Decision::FallBack { unit: a, back: 1, markers: 1 }, "fall back".into(), Order::FallBack),
        (Decision::FallBack { unit: a, back: 1, markers: 1 }, "stay".into(), Order::Pass),
        (Decision::NextFight { units: vec![a, b] }, format!("fight {kb}"), Order::Fight { unit: b }),
        (
            Decision::Whom { unit: a, stand: 0, among: vec![enemy] },
            format!("strike {ke}"),
            Order::Strike { unit: enemy },
        ),
        (Decision::StayOrGo { unit: a }, "go".into(), Order::Go),
        (Decision::StayOrGo { unit: a }, "stay".into(), Order::Pass),
        (follow(), "follow up".into(), Order::FollowUp { at: None }),
        (follow(), format!("follow up into {ke}"), Order::FollowUp { at: Some(enemy) }),
        (follow(), "reform line facing east".into(), Order::Reform(line)),
        (
            Decision::Generals,
            format!("ride {kg} to 12 30"),
            Order::Ride { commander: general, to: Point::new(inch(12), inch(30)) },
        ),
        (Decision::Generals, format!("join {kg} {ka}"), Order::Join { commander: general, unit: a }),
        (Decision::Generals, format!("ride {kg} to {ka}"), Order::Join { commander: general, unit: a }),
        (Decision::Generals, format!("leave {kg}"), Order::Leave { commander: general }),
    ]
}

#[test]
fn every_order_can_be_typed_and_is_read_back_in_words() {
    let desk = Desk::new();
    for (decision, words, order) in spoken(&desk) {
        assert_eq!(desk.say(&decision, &words), Ok(order.clone()), "{words}");
        let shouted = words.to_uppercase();
        assert_eq!(desk.say(&decision, &shouted), Ok(order.clone()), "{shouted}");
        let phrase = Fpw::phrase(desk.field(), &order);
        assert!(phrase.chars().next().is_some_and(|letter| !letter.is_lowercase()), "{phrase}");
        assert!(phrase.len() > 3 && !phrase.ends_with('.'), "{phrase}");
        let draft = facade::encode::<Fpw>(desk.field(), &order);
        assert_eq!(desk.say(&decision, &draft.to_string()).ok(), is_object(&draft).then_some(order), "{draft}");
        assert!(!Fpw::usage(&ask(decision)).is_empty());
    }
}

fn is_object(draft: &serde_json::Value) -> bool {
    draft.is_object()
}

#[test]
fn mistakes_are_told_with_what_was_expected() {
    let desk = Desk::new();
    let ka = desk.key(desk.own(0));
    for (decision, words, part) in [
        (Decision::Initiative, "chrage x".to_owned(), "did you mean `charge`"),
        (Decision::Initiative, String::new(), "say what to do"),
        (Decision::Initiative, "retire nobody-of-that-name".to_owned(), "is not a unit of yours"),
        (Decision::Initiative, format!("reform {ka}"), "which formation?"),
        (Decision::Generals, "ride nowhere".to_owned(), "general of yours"),
        (Decision::Command { current: None }, "sing".to_owned(), "expected"),
        (Decision::March { units: vec![desk.own(0)], going: Going::Move }, "go".to_owned(), "which way?"),
        (Decision::StayOrGo { unit: desk.own(0) }, "yes".to_owned(), "no question of yes or no"),
    ] {
        let error = desk.say(&decision, &words).expect_err(&words);
        assert!(error.to_lowercase().contains(&part.to_lowercase()), "{words}: {error}");
    }
}

#[test]
fn nothing_typed_makes_it_panic() {
    let desk = Desk::new();
    let (ka, ke) = (desk.key(desk.own(0)), desk.key(desk.enemy()));
    let decisions: Vec<Decision> = spoken(&desk).into_iter().map(|(decision, ..)| decision).collect();
    let tails = [
        String::new(),
        "@ @ @".to_owned(),
        "; ; ;".to_owned(),
        format!("{ka} at"),
        format!("{ka} {ke} 1 2 3 999 0"),
        format!("{ka} ahead 1e400"),
        format!("{ka} wheel left NaN then after line line"),
        "٣ ½ Ⅻ İstanbul 👩‍👩‍👧 \u{202e}\u{0}".to_owned(),
        "ahead 1 ".repeat(240),
        "[".repeat(1_900),
    ];
    for decision in &decisions {
        for verb in parse::VERBS.iter().copied().chain(["{", "{}", "\"", "@", ";"]) {
            for tail in &tails {
                let _ = desk.say(decision, &format!("{verb} {tail}"));
            }
        }
    }
}

fn happenings(desk: &Desk) -> Vec<FpwEvent> {
    let (unit, other, enemy, general, side) = (desk.own(0), desk.own(1), desk.enemy(), desk.general(), Side::A);
    let throws = vec![Throw { by: unit, stand: 0, pip: 5, factor: 1, hit: true }];
    let parts =
        [Part::Upkeep, Part::Initiative, Part::Command, Part::Generals, Part::Combat, Part::Recovery, Part::End];
    let manners = [
        Manner::Ordered,
        Manner::Reactive(Occasion::Moved),
        Manner::Reactive(Occasion::Leaving),
        Manner::Reactive(Occasion::Charging),
        Manner::Standing,
        Manner::Approach,
    ];
    let causes = [
        MarkCause::Fire,
        MarkCause::Combat,
        MarkCause::Confusion,
        MarkCause::FollowUp,
        MarkCause::FallBack,
        MarkCause::Recovery,
    ];
    let blunders = [Blunder::NoMove, Blunder::Away, Blunder::HalfPace, Blunder::ToTheGuns, Blunder::Attack];
    let whats = [
        What::Move,
        What::ByRoad,
        What::Reform,
        What::Charge,
        What::Fire,
        What::Attach(other),
        What::Detach,
        What::Scout,
    ];
    let contact = |aspect: Aspect, impetus: Option<Impetus>| FpwEvent::Contact {
        unit,
        with: enemy,
        aspect: Aspect::Front,
        other_aspect: aspect,
        impetus,
        other_impetus: None,
    };
    let volley = |manner| FpwEvent::Volley { at: enemy, manner, range: inch(6), throws: throws.clone(), hits: 1 };
    let marks =
        |cause, disruption, degradation| FpwEvent::Marks { unit, cause, stands: smallvec![], disruption, degradation };
    let order = |what| FpwEvent::Ordered { general, what, units: vec![unit, other], score: 7 };
    let mut all = vec![
        FpwEvent::Began { side },
        FpwEvent::Fresh { side },
        FpwEvent::ScoutsDeclared { regiment: unit },
        FpwEvent::Named { general },
        FpwEvent::Done { general },
        FpwEvent::Obeyed { unit, target: 7, obeys: true, from_above: false },
        FpwEvent::Obeyed { unit, target: 7, obeys: false, from_above: false },
        FpwEvent::Raised { general, who: general, target: 8, passed: true },
        FpwEvent::Raised { general, who: general, target: 8, passed: false },
        FpwEvent::Penalty { unit },
        FpwEvent::MoveUsed { unit, halted: true },
        FpwEvent::MoveUsed { unit, halted: false },
        FpwEvent::InitiativeUsed { unit },
        FpwEvent::DeployedLate { unit },
        FpwEvent::Advanced { unit, advance: None },
        FpwEvent::Halted { unit },
        FpwEvent::Joined { stand: unit, host: other },
        FpwEvent::Parted { stand: unit, host: other },
        FpwEvent::Freed { unit },
        FpwEvent::Fired { shots: vec![Shot { unit, stand: 0, at: enemy }], ordered: true },
        FpwEvent::Fired {
            shots: vec![Shot { unit, stand: 0, at: enemy }, Shot { unit: other, stand: 0, at: enemy }],
            ordered: false,
        },
        FpwEvent::Overshoot { at: enemy, throws: throws.clone(), hits: 1 },
        FpwEvent::Spread { at: enemy, hits: 2 },
        FpwEvent::AtRisk { general, lost: true },
        FpwEvent::AtRisk { general, lost: false },
        FpwEvent::Withdraws { unit, distance: inch(5), routs: false },
        FpwEvent::Withdraws { unit, distance: inch(12), routs: true },
        FpwEvent::KeepsWithdrawing { unit },
        FpwEvent::Settled { unit },
        FpwEvent::ChargeDeclared { unit, at: enemy },
        FpwEvent::CounterCharges { unit, charger: enemy },
        FpwEvent::Evades { unit, charger: enemy, distance: inch(11), escapes: true },
        FpwEvent::Evades { unit, charger: enemy, distance: inch(4), escapes: false },
        FpwEvent::Surprised { unit, charger: enemy },
        FpwEvent::Tested { unit, markers: 2, closes: true },
        FpwEvent::Tested { unit, markers: 2, closes: false },
        contact(Aspect::Front, None),
        contact(Aspect::Flank, Some(Impetus { level: true })),
        contact(Aspect::Rear, None),
        FpwEvent::FailedEvade { unit },
        FpwEvent::CombatDice { unit, throws: throws.clone(), hits: 1 },
        FpwEvent::RoundFought { unit, given: 2, taken: 0 },
        FpwEvent::HoldsGround { unit },
        FpwEvent::FollowsUp { unit },
        FpwEvent::Disengaged { unit },
        FpwEvent::Attached { general, unit: Some(unit) },
        FpwEvent::Attached { general, unit: None },
        FpwEvent::Rode { general },
        FpwEvent::Losses { a: 10, b: 20 },
    ];
    all.extend(parts.map(|part| FpwEvent::Part { side, part }));
    all.extend(manners.map(volley));
    all.extend(causes.map(|cause| marks(cause, 1, 0)));
    all.extend(causes.map(|cause| marks(cause, -2, 1)));
    all.extend(causes.map(|cause| marks(cause, 0, 0)));
    all.extend(blunders.map(|result| FpwEvent::Blundered { general, face: 3, result }));
    all.extend(whats.map(order));
    all.extend([Absence::Present, Absence::Lost, Absence::Due].map(|absence| FpwEvent::Absence { general, absence }));
    all
}

fn check_sentence(text: &str) {
    assert!(text.ends_with(['.', '!']) && !text.contains("  ") && !text.contains("{"), "{text}");
    assert!(text.chars().next().is_some_and(|letter| !letter.is_lowercase()), "{text}");
    assert!(text.split_whitespace().count() >= 2, "{text}");
}

#[test]
fn everything_that_happens_has_a_sentence() {
    let desk = Desk::new();
    let mut told: Vec<String> = Vec::new();
    for own in happenings(&desk) {
        let text = Fpw::tell(desk.field(), &Event::own(Clause::InitiativeFirst, own));
        check_sentence(&text);
        told.push(text);
    }
    let unit = desk.own(0);
    let to = desk.field().unit(unit).pose();
    let whys = [
        Leaving::Destroyed,
        Leaving::Caught,
        Leaving::LeftTable,
        Leaving::Abandoned,
        Leaving::Withdrawn,
        Leaving::Spent,
    ];
    let mut deeds: Vec<Deed<Fpw>> = whys.map(|why| Deed::Removed { unit, why }).into();
    deeds.extend([true, false].map(|hidden| Deed::Placed { unit, pose: to, formation: Formation::Dense, hidden }));
    deeds.push(Deed::Moved { unit, to, path: vec![Leg::Ahead(inch(3))] });
    deeds.push(Deed::Reformed { unit, formation: Formation::Line, to });
    deeds.push(Deed::Revealed { unit });
    deeds.push(Deed::TurnBegan { turn: 2 });
    for deed in deeds {
        let text = Fpw::tell(desk.field(), &Event::new(Clause::InitiativeFirst, deed));
        check_sentence(&text);
        told.push(text);
    }
    assert!(told.iter().any(|text| text.contains("obey")) && told.iter().any(|text| text.contains("7 or less")));
}

/// Plays a whole battle by candidates and looks at every question, card and sentence on the way.
#[test]
fn a_battle_is_told_from_beginning_to_end() {
    let mut desk = Desk::new();
    let mut lots = Lots::new(5);
    let mut seen: Vec<String> = Vec::new();
    for turn in 0..400 {
        let Some(side) = desk.battle.awaited() else { break };
        let view = desk.battle.view(Viewer::Side(side));
        let asked = view.asked().expect("a question").clone();
        let prompt = Fpw::prompt(&view, &asked, side);
        assert!(!prompt.gestures.is_empty() && prompt.question.len() > 8, "{:?}", asked.decision);
        assert!(prompt.gestures.len() < 600, "{} gestures for {:?}", prompt.gestures.len(), asked.decision);
        for gesture in &prompt.gestures {
            check_gesture(&view, &asked, side, gesture);
        }
        if turn % 7 == 0 {
            for (unit, _) in view.units() {
                assert!(!Fpw::card(&view, unit).is_empty());
                assert!(Fpw::sketches(&view, unit).len() < 8);
            }
            for (general, _) in view.commanders() {
                assert!(Fpw::officer_card(&view, general).len() > 2);
            }
        }
        let orders = Fpw::candidates(&view, &asked, side, &mut lots, 6);
        let order = lots.pick(&orders).cloned().unwrap_or(Order::Pass);
        assert!(!Fpw::phrase(&view, &order).is_empty());
        let _ = Fpw::ghosts(&view, &asked, side, &order);
        if let Some(odds) = Fpw::odds(&view, &asked, side, &order) {
            check_odds(&odds);
        }
        seen.push(Fpw::when(&view));
        desk.battle.submit(side, asked.no, order).expect("a legal order");
    }
    seen.dedup();
    assert!(seen.len() > 4, "{seen:?}");
}

/// Every plot is whole; one without bars only gathers others.
fn check_odds(odds: &Odds) {
    let sum: f64 = odds.bars.iter().map(|bar| bar.chance).sum();
    assert!((sum - 1.0).abs() < 1e-9 || (odds.bars.is_empty() && !odds.then.is_empty()), "{odds:?}");
    odds.then.iter().for_each(check_odds);
}

fn check_gesture(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, gesture: &engine::scene::Gesture) {
    use engine::blanks::{blank, fill};
    use engine::scene::{Gesture, PlanKind};
    let draft = match gesture {
        Gesture::Button { draft, .. } => draft.clone(),
        Gesture::PickUnits { from, draft, .. } => fill(draft, blank::PIECE, &from[0]),
        Gesture::PickTarget { at, draft, .. } => fill(draft, blank::TARGET, &at[0]),
        Gesture::DrawPath { draft, .. } => {
            let draft = fill(draft, blank::LEGS, &[Leg::Ahead(inch(1))]);
            fill(&draft, blank::POINT, &Point::new(inch(9), inch(9)))
        }
        Gesture::PickFormation { into, draft, .. } => {
            fill(&fill(draft, blank::FORMATION, &into[0]), blank::FACING, &Angle::EAST)
        }
        Gesture::Plan { kind: PlanKind::Subset { notes }, pieces, draft, .. } => {
            assert_eq!(notes.len(), pieces.len());
            fill(draft, blank::PLAN, pieces)
        }
        Gesture::Plan { kind: PlanKind::Each { options }, draft, .. } => {
            let empty: Vec<u8> = Vec::new();
            assert!(options.iter().all(|(_, options)| !options.is_empty()));
            fill(draft, blank::PLAN, &empty)
        }
        _ => return,
    };
    let order = facade::decode::<Fpw>(view, &draft).unwrap_or_else(|error| panic!("{error}: {draft}"));
    let verdict = Fpw::check(view, asked, side, &order);
    if matches!(gesture, Gesture::Button { .. } | Gesture::PickTarget { .. }) {
        assert!(verdict.is_legal(), "{gesture:?}: {verdict:?}");
    }
    let _ = Fpw::ghosts(view, asked, side, &order);
    // Fire that answers is drawn, all of it while nobody has chosen, none of it where it is held.
    let lines = Fpw::aims(view, asked, side, Some(&order));
    match (&asked.decision, &order) {
        (Decision::Reaction { .. }, Order::Pass) => assert!(lines.is_empty(), "{lines:?}"),
        (Decision::Reaction { .. }, Order::ReactAll) => {
            assert!(!lines.is_empty());
            assert_eq!(lines, Fpw::aims(view, asked, side, None));
        }
        (Decision::Command { .. }, Order::Command { units, .. }) => assert_eq!(lines.len(), units.len()),
        _ => {}
    }
}

#[test]
fn a_unit_can_be_told_to_part_with_the_stand_that_joined_it() {
    let text = r#"
title = "a guest"
ruleset = "fpw"
clauses = []
start = { active = "prussian", part = "command" }
[table]
size = ["48in", "48in"]
[sides.prussian]
edges = ["south"]
[sides.french]
edges = ["north"]
[generals.kameke]
side = "prussian"
level = "division"
pose = ["24in", "8in", 0]
[units.ir39]
side = "prussian"
arm = "infantry"
general = "kameke"
pose = ["24in", "12in", 0]
[units.jaeger]
side = "prussian"
arm = "infantry"
independent = true
general = "kameke"
pose = ["30in", "12in", 0]
"#;
    let state = book::case::opening::<Fpw>(text).expect("a sound case");
    let find = |key: &str| state.units().map(|(id, _)| id).find(|id| state.card(*id).key == key).expect("a unit");
    let (host, stand) = (find("ir39"), find("jaeger"));
    let joined = state.folded(&[
        Event::own(Clause::AttachStand, FpwEvent::Joined { stand, host }),
        Event::new(Clause::AttachStand, Deed::StandsLost { unit: host, left: engine::StandSet::first(4) }),
        Event::new(Clause::AttachStand, Deed::Removed { unit: stand, why: Leaving::Spent }),
    ]);
    let view = View::new(&joined, Viewer::Side(Side::A));
    let prompt = Fpw::prompt(&view, &ask(Decision::Command { current: None }), Side::A);
    let parts = |gesture: &&Gesture| {
        let Gesture::Button { of: Some(of), draft, .. } = gesture else { return false };
        of == "@ir39" && draft["command"]["what"] == "detach" && draft["command"]["units"][0] == "@ir39"
    };
    assert_eq!(prompt.gestures.iter().filter(parts).count(), 1, "{:?}", prompt.gestures);
}
