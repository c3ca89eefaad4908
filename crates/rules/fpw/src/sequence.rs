//! The sequence of play: phases on the agenda, and who turns which page. Section D.

use super::Fpw;
use super::charge::{self, Charging};
use super::clause::Clause;
use super::combat::{self, Combat, Fight};
use super::command::{self, Commanding, Obeying};
use super::event::{FpwEvent, Part};
use super::fire::{self, Reaction};
use super::firemove::{self, Pullback};
use super::followup::{self, Yielding};
use super::march::{self, Marching};
use super::order::{Decision, Order};
use super::volley::{self, Volleys};
use super::{blunder, deployment, generals, initiative, morale, recovery, victory};
use engine::{Answers, Asked, Deed, Event, Flow, Side, Umpire, Verdict, View};
use serde::{Deserialize, Serialize};

/// A phase in progress, with its working memory. Interrupts are phases over phases.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Phase {
    Opening(Opening),
    Turn(Turn),
    /// Reinforcements come on.
    Enter {
        side: Side,
    },
    Initiative {
        side: Side,
    },
    Command(Commanding),
    Obey(Obeying),
    /// A blunder waits for the unit that bears the penalty.
    Blame {
        units: Vec<engine::UnitId>,
    },
    March(Marching),
    Reaction(Reaction),
    Volleys(Volleys),
    Pullback(Pullback),
    Charge(Charging),
    /// The enemy's unspent stands fire at the end of the command phase of `side`.
    Standing {
        side: Side,
        fired: bool,
    },
    Generals {
        side: Side,
    },
    Combat(Combat),
    Fight(Fight),
    Yielding(Yielding),
}

/// Rounds after which a battle without a limit ends all the same: as many as a set-up may ask for. A table on which
/// nobody is ever asked anything would turn its pages for ever.
const LONGEST: u16 = 200;

/// Before the first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Opening {
    Deploy { done: u8 },
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
pub fn advance(umpire: &mut Umpire<'_, Fpw>) -> Flow<Fpw> {
    match umpire.top() {
        None => Flow::Done,
        Some(Phase::Opening(opening)) => deployment::advance(umpire, opening),
        Some(Phase::Turn(turn)) => next_part(umpire, turn),
        Some(Phase::Enter { side }) => deployment::advance_enter(umpire, side),
        Some(Phase::Initiative { side }) => initiative::advance(umpire, side),
        Some(Phase::Command(commanding)) => command::advance(umpire, commanding),
        Some(Phase::Obey(obeying)) => command::advance_obey(umpire, obeying),
        Some(Phase::Blame { units }) => blunder::advance_blame(umpire, units),
        Some(Phase::March(marching)) => march::advance(umpire, marching),
        Some(Phase::Reaction(reaction)) => fire::advance_reaction(umpire, reaction),
        Some(Phase::Volleys(volleys)) => volley::advance(umpire, volleys),
        Some(Phase::Pullback(pullback)) => firemove::advance(umpire, pullback),
        Some(Phase::Charge(charging)) => charge::advance(umpire, charging),
        Some(Phase::Standing { side, fired }) => fire::advance_standing(umpire, side, fired),
        Some(Phase::Generals { side }) => generals::advance(umpire, side),
        Some(Phase::Combat(combat)) => combat::advance(umpire, combat),
        Some(Phase::Fight(fight)) => combat::advance_fight(umpire, fight),
        Some(Phase::Yielding(yielding)) => followup::advance(umpire, yielding),
    }
}

fn next_part(umpire: &mut Umpire<'_, Fpw>, turn: Turn) -> Flow<Fpw> {
    let side = turn.side;
    let (part, clause) = match turn.step {
        0 => (Part::Upkeep, Clause::GoesOnWithdrawing),
        1 => (Part::Initiative, Clause::InitiativeFirst),
        2 => (Part::Command, Clause::CommandSecond),
        3 => (Part::Generals, Clause::GeneralsThird),
        4 => (Part::Combat, Clause::CombatFourth),
        5 => (Part::Recovery, Clause::RecoveryLast),
        _ => return end_of_turn(umpire, side),
    };
    umpire.replace(Phase::Turn(Turn { side, step: turn.step + 1 }));
    umpire.announce(Event::own(clause, FpwEvent::Part { side, part }));
    match part {
        Part::Upkeep => {
            umpire.announce(Event::own(clause, FpwEvent::Fresh { side }));
            morale::upkeep(umpire, side);
            umpire.begin(Phase::Enter { side });
        }
        Part::Initiative => umpire.begin(Phase::Initiative { side }),
        Part::Command => command::begin(umpire, side),
        Part::Generals => umpire.begin(Phase::Generals { side }),
        Part::Combat => umpire.begin(Phase::Combat(Combat::new(side))),
        Part::Recovery => recovery::recover(umpire, side),
        Part::End => {}
    }
    Flow::Again
}

fn end_of_turn(umpire: &mut Umpire<'_, Fpw>, side: Side) -> Flow<Fpw> {
    umpire.announce(Event::own(Clause::RecoveryLast, FpwEvent::Part { side, part: Part::End }));
    if let Some(outcome) = victory::check(umpire, side) {
        return Flow::Over(outcome);
    }
    let state = umpire.state();
    if side != state.ledger().first {
        let turn = state.turn() + 1;
        if turn > state.muster().turn_limit.unwrap_or(LONGEST) {
            return Flow::Over(victory::at_limit(state));
        }
        umpire.announce(Event::new(Clause::InitiativeFirst, Deed::TurnBegan { turn }));
    }
    umpire.replace(Phase::Turn(Turn { side: side.other(), step: 0 }));
    Flow::Again
}

/// Judges an order.
pub fn check(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, order: &Order) -> Verdict {
    match &asked.decision {
        Decision::Deploy => deployment::check_deploy(view, side, order),
        Decision::Enter => deployment::check_enter(view, side, order),
        Decision::Initiative => initiative::check(view, side, order),
        Decision::Command { current } => command::check(view, side, *current, order),
        Decision::March { units, going } => march::check(view, units, *going, order),
        Decision::Charges { units } => charge::check(view, units, order),
        Decision::Shots { units } => fire::check_shots(view, units, order),
        Decision::Blame { units } => blunder::check_blame(units, order),
        Decision::Reaction { able, .. } => fire::check_reaction(able, order),
        Decision::Concentrate { stands, most, .. } => volley::check_concentrate(stands, *most, order),
        Decision::CavalryReaction { may_evade, unit, .. } => charge::check_reaction(view, *unit, *may_evade, order),
        Decision::FallBack { .. } => firemove::check(order),
        Decision::NextFight { units } => combat::check_next(units, order),
        Decision::Whom { among, .. } => combat::check_whom(among, order),
        Decision::StayOrGo { .. } => followup::check_stay(order),
        Decision::FollowUp { unit, yielded, may_follow } => followup::check(view, *unit, yielded, *may_follow, order),
        Decision::Generals => generals::check(view, side, order),
    }
}

/// Carries an order out.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, asked: &Asked<Fpw>, answers: Answers<Fpw>) {
    let Answers::One(side, order) = answers else {
        return umpire.fault("two answers to a question put to one side");
    };
    match &asked.decision {
        Decision::Deploy => deployment::execute_deploy(umpire, side, order),
        Decision::Enter => deployment::execute_enter(umpire, side, order),
        Decision::Initiative => initiative::execute(umpire, side, order),
        Decision::Command { .. } => command::execute(umpire, side, order),
        Decision::March { units, going } => march::execute(umpire, units, *going, order),
        Decision::Charges { .. } => charge::execute(umpire, order),
        Decision::Shots { .. } => fire::execute_shots(umpire, order),
        Decision::Blame { units } => blunder::execute_blame(umpire, units, &order),
        Decision::Reaction { able, .. } => fire::execute_reaction(umpire, able, &order),
        Decision::Concentrate { stands, most, .. } => volley::execute_concentrate(umpire, stands, *most, &order),
        Decision::CavalryReaction { .. } => charge::execute_reaction(umpire, &order),
        Decision::FallBack { unit, .. } => firemove::execute(umpire, *unit, &order),
        Decision::NextFight { units } => combat::execute_next(umpire, units, &order),
        Decision::Whom { unit, stand, among } => combat::execute_whom(umpire, *unit, *stand, among, &order),
        Decision::StayOrGo { unit } => followup::execute_stay(umpire, *unit, &order),
        Decision::FollowUp { unit, .. } => followup::execute(umpire, *unit, order),
        Decision::Generals => generals::execute(umpire, side, order),
    }
}
