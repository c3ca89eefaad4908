//! The bound: ten steps on the agenda, and who turns which page. Section D.

use super::Guns;
use super::assault::{self, Assault};
use super::clause::Clause;
use super::command::{self, Activating};
use super::event::{BoundStep, GunsEvent};
use super::flinch::{self, Flinching};
use super::order::{Decision, Order};
use super::plot::{self, Plotting};
use super::{artillery, deployment, forced, musketry, rally, ranging, retreat, victory};
use engine::{Answers, Asked, BySide, Deed, Event, Flow, Side, Umpire, Verdict, View, Who};
use serde::{Deserialize, Serialize};

/// A phase in progress, with its working memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Phase {
    /// Before the first bound.
    Opening { deployed: bool },
    /// A bound: which of the ten steps comes next, counted from 0.
    Bound { next: u8 },
    /// P1.
    Activation(Activating),
    /// P2.
    Ranging { asked: bool },
    /// P4 and P5: the sealed plans, then their execution.
    Plotting(Plotting),
    /// P6: `asked` once targets were declared.
    Guns { asked: bool },
    /// P7.
    Musketry { asked: bool },
    /// P8.
    Flinch(Flinching),
    /// P9.
    Assault(Assault),
    /// A retirement in progress, over P3, P8 or P9: its dice, its supports, its second leg.
    Retreat(retreat::Retreating),
}

/// Bounds after which a battle without a limit ends all the same: as many as a set-up may ask for.
const LONGEST: u16 = 200;

/// The ten steps with their clauses.
const STEPS: [(BoundStep, Clause); 10] = [
    (BoundStep::Activation, Clause::ActivationFirst),
    (BoundStep::Ranging, Clause::RangingSecond),
    (BoundStep::Forced, Clause::ForcedMovesThird),
    (BoundStep::Charges, Clause::ChargesFourth),
    (BoundStep::Movement, Clause::MovementFifth),
    (BoundStep::Artillery, Clause::ArtillerySixth),
    (BoundStep::Musketry, Clause::MusketrySeventh),
    (BoundStep::Flinch, Clause::FlinchEighth),
    (BoundStep::Forward, Clause::ForwardNinth),
    (BoundStep::Rally, Clause::RallyTenth),
];

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Guns>) -> Flow<Guns> {
    match umpire.top() {
        None => Flow::Done,
        Some(Phase::Opening { deployed }) => deployment::advance(umpire, deployed),
        Some(Phase::Bound { next }) => next_step(umpire, next),
        Some(Phase::Activation(activating)) => command::advance(umpire, activating),
        Some(Phase::Ranging { asked }) => ranging::advance(umpire, asked),
        Some(Phase::Plotting(plotting)) => plot::advance(umpire, plotting),
        Some(Phase::Guns { asked }) => artillery::advance(umpire, asked),
        Some(Phase::Musketry { asked }) => musketry::advance(umpire, asked),
        Some(Phase::Flinch(flinching)) => flinch::advance(umpire, flinching),
        Some(Phase::Assault(assault)) => assault::advance(umpire, assault),
        Some(Phase::Retreat(retreating)) => retreat::advance(umpire, retreating),
    }
}

fn next_step(umpire: &mut Umpire<'_, Guns>, next: u8) -> Flow<Guns> {
    let Some((step, clause)) = STEPS.get(usize::from(next)).copied() else { return end_of_bound(umpire) };
    umpire.replace(Phase::Bound { next: next + 1 });
    umpire.announce(Event::own(clause, GunsEvent::Step { step }));
    match step {
        BoundStep::Activation => umpire.begin(Phase::Activation(Activating::default())),
        BoundStep::Ranging => umpire.begin(Phase::Ranging { asked: false }),
        BoundStep::Forced => forced::carry_out(umpire),
        BoundStep::Charges => umpire.begin(Phase::Plotting(Plotting::default())),
        // The plans of step 4 hold the movement of step 5 too.
        BoundStep::Movement => plot::move_all(umpire),
        BoundStep::Artillery => umpire.begin(Phase::Guns { asked: false }),
        BoundStep::Musketry => umpire.begin(Phase::Musketry { asked: false }),
        BoundStep::Flinch => umpire.begin(Phase::Flinch(Flinching::default())),
        BoundStep::Forward => umpire.begin(Phase::Assault(Assault::default())),
        BoundStep::Rally => rally::carry_out(umpire),
    }
    Flow::Again
}

fn end_of_bound(umpire: &mut Umpire<'_, Guns>) -> Flow<Guns> {
    umpire.announce(Event::own(Clause::BothSidesEachStep, GunsEvent::Cleared));
    if let Some(outcome) = victory::check(umpire.state()) {
        return Flow::Over(outcome);
    }
    let state = umpire.state();
    let turn = state.turn() + 1;
    if turn > state.muster().turn_limit.unwrap_or(LONGEST) {
        return Flow::Over(victory::at_limit(state));
    }
    umpire.announce(Event::new(Clause::BothSidesEachStep, Deed::TurnBegan { turn }));
    umpire.replace(Phase::Bound { next: 0 });
    Flow::Again
}

/// Asks whichever sides have something to decide; nobody is asked a question without a choice.
pub fn ask(has_choice: BySide<bool>, decision: Decision) -> Option<Flow<Guns>> {
    let who = match (has_choice[Side::A], has_choice[Side::B]) {
        (true, true) => Who::Both,
        (true, false) => Who::One(Side::A),
        (false, true) => Who::One(Side::B),
        (false, false) => return None,
    };
    Some(Flow::Ask(who, decision))
}

/// What both sides answered; none where a side was not asked.
pub type Given = BySide<Option<Order>>;

fn given(answers: Answers<Guns>) -> Given {
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
pub fn check(view: &View<'_, Guns>, asked: &Asked<Guns>, side: Side, order: &Order) -> Verdict {
    match &asked.decision {
        Decision::Deploy => deployment::check(view, side, order),
        Decision::Nominate => command::check_nominate(view, side, order),
        Decision::Allot { dice, brigades } => command::check_allot(view, &dice[side], &brigades[side], order),
        Decision::Mark => ranging::check(view, side, order),
        Decision::Plot => plot::check(view, side, order),
        Decision::CounterCharge { able } => plot::check_counter(view, &able[side], order),
        Decision::Guns => artillery::check(view, side, order),
        Decision::Musketry => musketry::check(view, side, order),
        Decision::LieDown { units } => flinch::check_lie_down(view, side, units, order),
        Decision::Abandon { .. } => flinch::check_abandon(order),
        Decision::PressOn { among, .. } => assault::check_press_on(among, order),
        Decision::RideThrough { .. } => assault::check_ride_through(order),
    }
}

/// Carries an order out.
pub fn execute(umpire: &mut Umpire<'_, Guns>, asked: &Asked<Guns>, answers: Answers<Guns>) {
    let given = given(answers);
    match &asked.decision {
        Decision::Deploy => deployment::execute(umpire, given),
        Decision::Nominate => command::execute_nominate(umpire, given),
        Decision::Allot { dice, brigades } => command::execute_allot(umpire, dice, brigades, given),
        Decision::Mark => ranging::execute(umpire, given),
        Decision::Plot => plot::execute(umpire, given),
        Decision::CounterCharge { able } => plot::execute_counter(umpire, able, given),
        Decision::Guns => artillery::execute(umpire, given),
        Decision::Musketry => musketry::execute(umpire, given),
        Decision::LieDown { units } => flinch::execute_lie_down(umpire, units, given),
        Decision::Abandon { battery } => flinch::execute_abandon(umpire, *battery, given),
        Decision::PressOn { unit, .. } => assault::execute_press_on(umpire, *unit, given),
        Decision::RideThrough { unit } => assault::execute_ride_through(umpire, *unit, given),
    }
}
