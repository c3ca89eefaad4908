//! The turn: five phases in twenty-four steps, and who turns which page. Table D.1.

use super::Days;
use super::arrival::{self, Arriving};
use super::assault::{self, Assault};
use super::charge::{self, Charging, Feinting};
use super::charged::{self, Charged};
use super::clause::Clause;
use super::deployment::{self, Setting};
use super::event::{DaysEvent, TurnStep};
use super::movement::{self, Moving};
use super::order::{Decision, Order};
use super::staff::{self, Replacing};
use super::unit::ChargeKind;
use super::victory::{self, Surrendering};
use super::{defence, fires, initiative, rally, recovery, rout, shooting};
use engine::{Answers, Asked, BySide, Deed, Event, Flow, Side, Umpire, Verdict, View, Who};
use serde::{Deserialize, Serialize};

/// A phase in progress, with its working memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Phase {
    /// Before the first turn: S4 to S7.
    Opening(Setting),
    /// A turn: which of its steps comes next, counted from 0.
    Turn { next: u8 },
    /// 1.2.
    Replacing(Replacing),
    /// 2.1.
    Arriving(Arriving),
    /// 2.3 and 2.4, and again 2.5; 4.6 and 4.8.
    Charging(Charging),
    /// 2.6.
    Rallying { asked: bool },
    /// 3.1 to 3.4.
    Shooting { asked: bool },
    /// 4.1, 4.2, 4.7, 4.9.
    Charged(Charged),
    /// 4.4.
    Feinting(Feinting),
    /// 4.10.
    Defending { asked: bool },
    /// 4.11.
    Moving(Moving),
    /// 5.2 to 5.4.
    Assault(Assault),
    /// 5.5.
    Surrendering(Surrendering),
}

/// Turns after which a battle without a limit ends all the same: as many as a set-up may ask for.
const LONGEST: u16 = 200;

/// The clause under which a step begins.
const fn clause_of(step: TurnStep) -> Clause {
    use TurnStep as S;
    match step {
        S::Initiative | S::Replacing => Clause::SheetInitiative,
        S::Arrivals | S::BreakThroughs => Clause::SheetArrivalsAnnounced,
        S::FirstCharges | S::SecondCharges => Clause::SheetDeclaredCharges,
        S::Rally => Clause::SheetRallying,
        S::Shooting => Clause::SheetShooting,
        S::FirstCharged | S::SecondCharged => Clause::SheetTheChargedReact,
        S::Routs => Clause::SheetRoutersRun,
        S::Feints => Clause::SheetFeints,
        S::SecondImpulse => Clause::Sheet2ndImpulse,
        S::FirstOpportunity => Clause::SheetFirstOpportunityCharges,
        S::SecondOpportunity => Clause::SheetSecondOpportunityCharges,
        S::Defence => Clause::SheetDefensiveFire,
        S::FirstMoves | S::SecondMoves | S::Fires => Clause::SheetOrdinaryMoves,
        S::Home => Clause::SheetChargingHome,
        S::Routers | S::Assault | S::Surrender | S::Recovery => Clause::SheetCloseAssault,
    }
}

/// The clauses that put a step where it is: who goes first, and when troops move at all.
const fn order_of(step: TurnStep) -> &'static [Clause] {
    use TurnStep as S;
    match step {
        S::Initiative => &[Clause::FivePhasesToATurn],
        S::FirstCharges => &[
            Clause::WhatTheMoralePhaseDoes,
            Clause::MoraleTurnByTurn,
            Clause::InitiativeGoesFirst,
            Clause::WhenTroopsMayMove,
        ],
        S::SecondCharges => &[Clause::MoraleTurnByTurn, Clause::InitiativeGoesFirst, Clause::WhenTroopsMayMove],
        S::Rally => &[Clause::WhatTheMoralePhaseDoes],
        S::SecondImpulse => &[Clause::OrderOfAllMoves, Clause::WhenTroopsMayMove, Clause::ChargersMoveAhead],
        S::Routs => &[Clause::OrderOfAllMoves],
        S::FirstCharged | S::SecondCharged | S::FirstOpportunity | S::SecondOpportunity => {
            &[Clause::InitiativeGoesFirst]
        }
        S::FirstMoves | S::SecondMoves => {
            &[Clause::OrderOfAllMoves, Clause::InitiativeGoesFirst, Clause::WhenTroopsMayMove]
        }
        _ => &[],
    }
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Days>) -> Flow<Days> {
    match umpire.top() {
        None => Flow::Done,
        Some(Phase::Opening(setting)) => deployment::advance(umpire, setting),
        Some(Phase::Turn { next }) => next_step(umpire, next),
        Some(Phase::Replacing(replacing)) => staff::advance(umpire, replacing),
        Some(Phase::Arriving(arriving)) => arrival::advance(umpire, arriving),
        Some(Phase::Charging(charging)) => charge::advance(umpire, charging),
        Some(Phase::Rallying { asked }) => rally::advance(umpire, asked),
        Some(Phase::Shooting { asked }) => shooting::advance(umpire, asked),
        Some(Phase::Charged(charged)) => charged::advance(umpire, charged),
        Some(Phase::Feinting(feinting)) => charge::advance_feints(umpire, feinting),
        Some(Phase::Defending { asked }) => defence::advance(umpire, asked),
        Some(Phase::Moving(moving)) => movement::advance(umpire, moving),
        Some(Phase::Assault(assault)) => assault::advance(umpire, assault),
        Some(Phase::Surrendering(surrendering)) => victory::advance(umpire, surrendering),
    }
}

fn next_step(umpire: &mut Umpire<'_, Days>, next: u8) -> Flow<Days> {
    use TurnStep as S;
    let Some(step) = S::ALL.get(usize::from(next)).copied() else { return end_of_turn(umpire) };
    umpire.replace(Phase::Turn { next: next + 1 });
    let event = Event::own(clause_of(step), DaysEvent::Step { step });
    umpire.announce(order_of(step).iter().fold(event, |event, clause| event.also(*clause)));
    staff::recover(umpire);
    let first = umpire.state().ledger().initiative;
    let second = first.other();
    match step {
        S::Initiative => initiative::roll(umpire),
        S::Replacing => umpire.begin(Phase::Replacing(Replacing::default())),
        S::Arrivals => umpire.begin(Phase::Arriving(Arriving::default())),
        S::BreakThroughs => assault::break_throughs(umpire),
        S::FirstCharges => umpire.begin(Phase::Charging(Charging::of(first, ChargeKind::Declared))),
        S::SecondCharges => umpire.begin(Phase::Charging(Charging::of(second, ChargeKind::Declared))),
        S::Rally => umpire.begin(Phase::Rallying { asked: false }),
        S::Shooting => umpire.begin(Phase::Shooting { asked: false }),
        S::FirstCharged => umpire.begin(Phase::Charged(Charged::of(first, ChargeKind::Declared))),
        S::SecondCharged => umpire.begin(Phase::Charged(Charged::of(second, ChargeKind::Declared))),
        S::Routs => rout::all(umpire),
        S::Feints => umpire.begin(Phase::Feinting(Feinting::default())),
        S::SecondImpulse => charge::second_impulse(umpire),
        S::FirstOpportunity => opportunity(umpire, first),
        S::SecondOpportunity => opportunity(umpire, second),
        S::Defence => umpire.begin(Phase::Defending { asked: false }),
        S::FirstMoves => umpire.begin(Phase::Moving(Moving::of(first))),
        S::SecondMoves => umpire.begin(Phase::Moving(Moving::of(second))),
        S::Home => charge::home(umpire),
        S::Fires => fires::spread(umpire),
        S::Routers => assault::routers(umpire),
        S::Assault => umpire.begin(Phase::Assault(Assault::default())),
        S::Surrender => umpire.begin(Phase::Surrendering(Surrendering::default())),
        S::Recovery => {
            fires::burn(umpire);
            recovery::recover(umpire);
        }
    }
    Flow::Again
}

/// One side's charges of opportunity; then those they fall upon are tested.
fn opportunity(umpire: &mut Umpire<'_, Days>, side: Side) {
    // The page on top is turned first.
    umpire.begin(Phase::Charged(Charged::of(side.other(), ChargeKind::Opportunity)));
    umpire.begin(Phase::Charging(Charging::of(side, ChargeKind::Opportunity)));
}

fn end_of_turn(umpire: &mut Umpire<'_, Days>) -> Flow<Days> {
    if let Some(outcome) = victory::check(umpire.state()) {
        victory::tell(umpire, &outcome);
        return Flow::Over(outcome);
    }
    let state = umpire.state();
    let turn = state.turn() + 1;
    if turn > state.muster().turn_limit.unwrap_or(LONGEST) {
        let outcome = victory::at_limit(state);
        victory::tell(umpire, &outcome);
        return Flow::Over(outcome);
    }
    umpire.announce(Event::own(Clause::FivePhasesToATurn, DaysEvent::Cleared));
    umpire.announce(Event::new(Clause::FivePhasesToATurn, Deed::TurnBegan { turn }));
    umpire.replace(Phase::Turn { next: 0 });
    Flow::Again
}

/// Asks whichever sides have something to decide; nobody is asked a question without a choice.
pub fn ask(has_choice: BySide<bool>, decision: Decision) -> Option<Flow<Days>> {
    let who = match (has_choice[Side::A], has_choice[Side::B]) {
        (true, true) => Who::Both,
        (true, false) => Who::One(Side::A),
        (false, true) => Who::One(Side::B),
        (false, false) => return None,
    };
    Some(Flow::Ask(who, decision))
}

/// Both sides, whoever has the initiative first.
pub fn in_turn(state: &engine::State<Days>) -> [Side; 2] {
    let first = state.ledger().initiative;
    [first, first.other()]
}

/// What both sides answered; none where a side was not asked.
pub type Given = BySide<Option<Order>>;

fn given(answers: Answers<Days>) -> Given {
    match answers {
        Answers::Both(a, b) => BySide([Some(a), Some(b)]),
        Answers::One(side, order) => {
            let mut given = BySide::<Option<Order>>::default();
            given[side] = Some(order);
            given
        }
    }
}

/// Judges an order.
pub fn check(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> Verdict {
    match &asked.decision {
        Decision::Reserves => deployment::check_reserves(view, side, order),
        Decision::Deploy => deployment::check(view, side, order),
        Decision::DeployBrigade { left } => deployment::check_brigade(view, side, left, order),
        Decision::Replace { lost } => staff::check_replace(view, side, lost, order),
        Decision::Arrive { absent } => arrival::check(view, side, absent, order),
        Decision::Charges => charge::check(view, side, ChargeKind::Declared, order),
        Decision::Opportunity => charge::check(view, side, ChargeKind::Opportunity, order),
        Decision::Rally => rally::check(view, side, order),
        Decision::Fire => shooting::check(view, side, order),
        Decision::React { unit, by } => charged::check(view, *unit, by, order),
        Decision::Feint { among } => charge::check_feint(view, among, order),
        Decision::Defend => defence::check(view, side, order),
        Decision::Move => movement::check(view, side, order),
        Decision::Assault { stay, follow } => assault::check(view, &stay[side], &follow[side], order),
        Decision::GoOn { unit } => assault::check_go_on(view, *unit, order),
        Decision::Surrender { units } => victory::check_surrender(view, units, order),
    }
}

/// Whether [`check`] would let an order pass, for whoever does not ask why not.
pub fn allows(view: &View<'_, Days>, asked: &Asked<Days>, side: Side, order: &Order) -> bool {
    match (&asked.decision, order) {
        (Decision::Move, Order::March { unit, steps, .. }) => {
            movement::limits::is_own(view, side, *unit) && movement::is_lawful(view, *unit, steps)
        }
        (Decision::Fire, Order::Fire { .. }) => shooting::plan::is_lawful(view, side, order),
        _ => check(view, asked, side, order).is_legal(),
    }
}

/// Carries an order out.
pub fn execute(umpire: &mut Umpire<'_, Days>, asked: &Asked<Days>, answers: Answers<Days>) {
    let given = given(answers);
    match &asked.decision {
        Decision::Reserves => deployment::execute_reserves(umpire, given),
        Decision::Deploy => deployment::execute(umpire, given),
        Decision::DeployBrigade { left } => deployment::execute_brigade(umpire, left, given),
        Decision::Replace { lost } => staff::execute_replace(umpire, lost, given),
        Decision::Arrive { absent } => arrival::execute(umpire, absent, given),
        Decision::Charges => charge::execute(umpire, ChargeKind::Declared, given),
        Decision::Opportunity => charge::execute(umpire, ChargeKind::Opportunity, given),
        Decision::Rally => rally::execute(umpire, given),
        Decision::Fire => shooting::execute(umpire, given),
        Decision::React { unit, by } => charged::execute(umpire, *unit, by, given),
        Decision::Feint { among } => charge::execute_feint(umpire, among, given),
        Decision::Defend => defence::execute(umpire, given),
        Decision::Move => movement::execute(umpire, given),
        Decision::Assault { .. } => assault::execute(umpire, given),
        Decision::GoOn { unit } => assault::execute_go_on(umpire, *unit, given),
        Decision::Surrender { units } => victory::execute_surrender(umpire, units, given),
    }
}

/// The only order of a question put to one side, with whose it is.
pub fn single(given: Given) -> Option<(Side, Order)> {
    let [a, b] = given.0;
    a.map(|order| (Side::A, order)).or(b.map(|order| (Side::B, order)))
}
