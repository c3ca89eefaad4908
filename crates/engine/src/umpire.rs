//! The umpire executes: throws dice, announces events, turns the pages of the agenda.

use crate::battle::Fault;
use crate::dice::{Dice, Pips, Pool, Roll};
use crate::event::Event;
use crate::ids::Side;
use crate::ruleset::Ruleset;
use crate::state::State;
use smallvec::SmallVec;

/// What chapter code holds while it executes.
pub struct Umpire<'a, R: Ruleset> {
    state: &'a mut State<R>,
    dice: &'a mut dyn Dice,
    record: &'a mut Vec<Event<R>>,
    unclaimed: SmallVec<[Roll; 2]>,
    fault: Option<String>,
}

impl<'a, R: Ruleset> Umpire<'a, R> {
    pub(crate) fn new(state: &'a mut State<R>, dice: &'a mut dyn Dice, record: &'a mut Vec<Event<R>>) -> Self {
        Umpire { state, dice, record, unclaimed: SmallVec::new(), fault: None }
    }

    /// The state as it is now.
    pub fn state(&self) -> &State<R> {
        self.state
    }

    /// The book's figures.
    pub fn charts(&self) -> &R::Charts {
        self.state.charts()
    }

    /// Throws a pool. The roll must travel in the next events, or the battle stops with a fault.
    pub fn roll(&mut self, pool: Pool, by: Side) -> Roll {
        let pips = self.dice.throw(pool).unwrap_or_else(|error| {
            self.fault(error.to_string());
            pool.dice().map(|die| die.first).collect::<Pips>()
        });
        let roll = Roll { pool, pips, by };
        self.unclaimed.push(roll.clone());
        roll
    }

    /// Applies and records an event.
    pub fn announce(&mut self, event: Event<R>) {
        for roll in &event.rolls {
            match self.unclaimed.iter().position(|thrown| thrown == roll) {
                Some(place) => drop(self.unclaimed.remove(place)),
                None => self.fault(format!("an event carries {roll}, which was never thrown")),
            }
        }
        self.state.apply(&event);
        self.record.push(event);
    }

    /// Opens a phase over the one in progress.
    pub fn begin(&mut self, phase: R::Phase) {
        self.state.agenda.push(phase);
    }

    /// The top phase's working memory. A battle always has a phase while it runs.
    pub fn phase(&mut self) -> Option<&mut R::Phase> {
        self.state.agenda.last_mut()
    }

    /// A copy of the top phase.
    pub fn top(&self) -> Option<R::Phase> {
        self.state.agenda.last().cloned()
    }

    /// Puts another phase in the place of the top one.
    pub fn replace(&mut self, phase: R::Phase) {
        if let Some(top) = self.state.agenda.last_mut() {
            *top = phase;
        }
    }

    /// Closes the top phase.
    pub fn end(&mut self) {
        self.state.agenda.pop();
    }

    /// Whether the battle has met a fault and is about to stop: whoever throws until the dice differ must look.
    pub fn is_faulted(&self) -> bool {
        self.fault.is_some()
    }

    /// Notes a contradiction inside the house: the battle freezes, the replay is kept.
    pub fn fault(&mut self, what: impl Into<String>) {
        self.fault.get_or_insert(what.into());
    }

    pub(crate) fn verdict(&mut self) -> Result<(), Fault> {
        if let Some(what) = self.fault.take() {
            return Err(Fault { phase: format!("{:?}", self.state.agenda.last()), what });
        }
        match self.unclaimed.first() {
            None => Ok(()),
            Some(roll) => Err(Fault {
                phase: format!("{:?}", self.state.agenda.last()),
                what: format!("{roll} was thrown and no event carries it"),
            }),
        }
    }

    pub(crate) fn state_mut(&mut self) -> &mut State<R> {
        self.state
    }
}
