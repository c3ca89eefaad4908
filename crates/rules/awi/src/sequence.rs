//! The sequence of play: phases on the agenda, and who turns which page. Section D.

use super::Awi;
use super::charge::{self, Charge};
use super::clause::Clause;
use super::event::{AwiEvent, Part};
use super::fire::{self, Shot};
use super::melee::{self, Melee, Round};
use super::morale::{self, Panic};
use super::movement::{self, March, Movement, Stage};
use super::order::{Decision, Going, Order};
use super::rally::{self, Rally};
use super::shell::{self, Sharing};
use super::{courier, deployment, programme, victory};
use engine::{Answers, Asked, Deed, Event, Flow, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};

/// A phase in progress, with its working memory. Interrupts are phases over phases.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Phase {
    Opening(Opening),
    Turn(Turn),
    Rally(Rally),
    Movement(Movement),
    March(March),
    /// The half move after a shot.
    ThenMove {
        unit: UnitId,
    },
    Charge(Charge),
    /// A volley offered at a charge that fell short.
    Offered {
        unit: UnitId,
        at: UnitId,
    },
    Firing {
        side: Side,
    },
    Shot(Shot),
    Sharing(Sharing),
    Melee(Melee),
    Round(Round),
    Panic(Panic),
}

/// Before the first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Opening {
    Deploy { done: u8 },
    Sharpshooters,
    FirstOrders,
    Begin,
}

/// One side's turn: which part comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Turn {
    pub side: Side,
    pub step: u8,
}

/// Turns the page.
pub fn advance(umpire: &mut Umpire<'_, Awi>) -> Flow<Awi> {
    match umpire.top() {
        None => Flow::Done,
        Some(Phase::Opening(opening)) => deployment::advance(umpire, opening),
        Some(Phase::Turn(turn)) => next_part(umpire, turn),
        Some(Phase::Rally(rally)) => rally::advance(umpire, rally),
        Some(Phase::Movement(movement)) => movement::advance(umpire, movement),
        Some(Phase::March(march)) => movement::advance_march(umpire, march),
        Some(Phase::ThenMove { unit }) => {
            let allowance = movement::throw_allowance(umpire, unit, Going::AfterFire, false);
            umpire.replace(Phase::March(March { unit, going: Going::AfterFire, allowance }));
            Flow::Again
        }
        Some(Phase::Charge(charge)) => charge::advance(umpire, charge),
        Some(Phase::Offered { unit, at }) => {
            let side = umpire.state().side_of(unit);
            Flow::Ask(Who::One(side), Decision::FailedChargeVolley { unit, at })
        }
        Some(Phase::Firing { side }) => {
            if anybody_fires(umpire, side) {
                Flow::Ask(Who::One(side), Decision::Fire)
            } else {
                Flow::Done
            }
        }
        Some(Phase::Shot(shot)) => fire::advance(umpire, shot),
        Some(Phase::Sharing(sharing)) => shell::advance(umpire, sharing),
        Some(Phase::Melee(melee)) => melee::advance(umpire, melee),
        Some(Phase::Round(round)) => melee::advance_round(umpire, round),
        Some(Phase::Panic(panic)) => morale::advance(umpire, panic),
    }
}

fn anybody_fires(umpire: &Umpire<'_, Awi>, side: Side) -> bool {
    let field = umpire.state();
    let units = super::field::troops(field, side).any(|(id, _)| {
        let mut verdict = Verdict::fine();
        fire::check_task(field, id, &mut verdict);
        verdict.is_legal() && fire::can_fire(field, id)
    });
    units || field.present(side).any(|(id, _)| !super::field::facts(field, id).is_troops())
}

fn next_part(umpire: &mut Umpire<'_, Awi>, turn: Turn) -> Flow<Awi> {
    let side = turn.side;
    let part = match turn.step {
        0 => Part::Rally,
        1 => Part::Movement,
        2 => Part::Firing,
        3 => Part::Melee,
        _ => return end_of_turn(umpire, side),
    };
    umpire.replace(Phase::Turn(Turn { side, step: turn.step + 1 }));
    umpire.announce(Event::own(Clause::PhaseOrder, AwiEvent::Part { side, part }));
    umpire.begin(match part {
        Part::Rally => Phase::Rally(Rally::of(side)),
        Part::Movement => Phase::Movement(Movement { side, stage: Stage::CouriersRide(0) }),
        Part::Firing => Phase::Firing { side },
        _ => Phase::Melee(Melee { side, done: Vec::new() }),
    });
    Flow::Again
}

/// T5: victory, limit, and the turn passes.
fn end_of_turn(umpire: &mut Umpire<'_, Awi>, side: Side) -> Flow<Awi> {
    umpire.announce(Event::own(Clause::TurnPasses, AwiEvent::Part { side, part: Part::End }));
    if let Some(outcome) = victory::check(umpire, side) {
        return Flow::Over(outcome);
    }
    let state = umpire.state();
    let round_over = side != state.ledger().first;
    if round_over {
        let turn = state.turn() + 1;
        if state.muster().turn_limit.is_some_and(|limit| turn > limit) {
            return Flow::Over(victory::at_limit(state));
        }
        umpire.announce(Event::new(Clause::TurnsAlternate, Deed::TurnBegan { turn }));
    }
    umpire.replace(Phase::Turn(Turn { side: side.other(), step: 0 }));
    Flow::Again
}

/// Judges an order.
pub fn check(view: &View<'_, Awi>, asked: &Asked<Awi>, side: Side, order: &Order) -> Verdict {
    match &asked.decision {
        Decision::Deploy => deployment::check_deploy(view, side, order),
        Decision::PlaceSharpshooters { .. } => deployment::check_sharpshooters(view, side, order),
        Decision::FirstOrders => deployment::check_first_orders(view, side, order),
        Decision::ChooseFirst => deployment::check_begin(order),
        Decision::RallyOrder { .. } | Decision::RallyFacing { .. } | Decision::Pursuer { .. } => {
            rally::check(&asked.decision, order)
        }
        Decision::SendCourier => courier::check_send(view, side, order),
        Decision::Activate => programme::check(view, side, order),
        Decision::Path { .. } => movement::check_march(view, asked, order),
        Decision::FailedChargeVolley { .. } | Decision::DefensiveGrape { .. } | Decision::Support { .. } => {
            charge::check_answer(&asked.decision, order)
        }
        Decision::OfficerAttempt { able, .. } => fire::check_attempt(able, order),
        Decision::DivertHits { hits, able } => melee::check_divert(*hits, able, order),
        Decision::Pursue { .. } => morale::check_pursue(asked, order),
        Decision::Fire => check_firing(view, side, order),
        Decision::ShellTie { among } => shell::check_tie(among, order),
        Decision::MeleeNext { units } => melee::check_next(units, order),
        Decision::UnopposedLoss { among } => melee::check_strike(among, order),
    }
}

fn check_firing(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let own = |unit: UnitId, verdict: &mut Verdict| {
        let mine = super::field::is_there(view, unit) && view.side_of(unit) == side;
        if !mine {
            verdict.refuse(Clause::TurnsAlternate, "this is not a unit of yours on the table").about(unit);
        }
        mine
    };
    match order {
        Order::Pass => {}
        Order::Fire { unit, at, grape } => {
            if own(*unit, &mut verdict) {
                fire::check_fire(view, *unit, *at, *grape, &mut verdict);
            }
        }
        Order::Shell { unit, bearing, estimate } => {
            if own(*unit, &mut verdict) {
                shell::check(view, *unit, *bearing, *estimate, &mut verdict);
            }
        }
        Order::Snipe { unit, at } => shell::check_snipe(view, *unit, *at, side, &mut verdict),
        _ => drop(verdict.refuse(Clause::PhaseOrder, "this is the Firing part: fire a piece, or end it")),
    }
    verdict
}

/// Carries an order out.
pub fn execute(umpire: &mut Umpire<'_, Awi>, asked: &Asked<Awi>, answers: Answers<Awi>) {
    let decision = &asked.decision;
    match (decision, answers) {
        (Decision::PlaceSharpshooters { .. }, Answers::Both(a, b)) => deployment::execute_sharpshooters(umpire, [a, b]),
        (Decision::FirstOrders, Answers::Both(a, b)) => deployment::execute_first_orders(umpire, [a, b]),
        (_, Answers::Both(..)) => umpire.fault("two answers to a question put to one side"),
        (_, Answers::One(side, order)) => execute_one(umpire, decision, side, order),
    }
}

fn execute_one(umpire: &mut Umpire<'_, Awi>, decision: &Decision, side: Side, order: Order) {
    match decision {
        Decision::Deploy => deployment::execute_deploy(umpire, side, order),
        Decision::ChooseFirst => deployment::execute_begin(umpire, side, &order),
        Decision::RallyOrder { .. } | Decision::RallyFacing { .. } | Decision::Pursuer { .. } => {
            rally::execute(umpire, decision, order);
        }
        Decision::SendCourier => courier::execute_send(umpire, side, order),
        Decision::Activate => programme::execute(umpire, order),
        Decision::Path { .. } => movement::execute_march(umpire, order),
        Decision::FailedChargeVolley { .. } | Decision::DefensiveGrape { .. } | Decision::Support { .. } => {
            charge::execute_answer(umpire, decision, &order);
        }
        Decision::OfficerAttempt { .. } => fire::execute_attempt(umpire, &order),
        Decision::DivertHits { .. } => melee::execute_divert(umpire, side, &order),
        Decision::Pursue { unit, quarry } => morale::execute_pursue(umpire, *unit, *quarry, &order),
        Decision::Fire => execute_fire(umpire, order),
        Decision::ShellTie { among } => shell::execute_tie(umpire, among, &order),
        Decision::MeleeNext { units } => melee::execute_next(umpire, units, &order),
        Decision::UnopposedLoss { among } => melee::execute_strike(umpire, among, &order),
        Decision::PlaceSharpshooters { .. } | Decision::FirstOrders => {
            umpire.fault("one answer to a question put to both sides");
        }
    }
}

fn execute_fire(umpire: &mut Umpire<'_, Awi>, order: Order) {
    match order {
        Order::Fire { unit, at, grape } => {
            let task = AwiEvent::Task { unit, task: super::unit::Task::Fired };
            umpire.announce(Event::own(Clause::PhaseOrder, task));
            umpire.begin(Phase::Shot(Shot::aimed(unit, at, grape)));
        }
        Order::Shell { unit, bearing, estimate } => shell::execute(umpire, unit, bearing, estimate),
        Order::Snipe { unit, at } => shell::snipe(umpire, unit, at),
        _ => umpire.end(),
    }
}
