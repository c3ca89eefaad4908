//! A battle: state, dice and record. Orders go in, events come out.

use crate::dice::{Dice, Seed, Seeded};
use crate::event::{Deed, Event};
use crate::hash::StateHash;
use crate::ids::{BySide, DecisionNo, Side, Viewer};
use crate::ruleset::{Answers, Asked, Flow, Outcome, Ruleset, Who};
use crate::state::State;
use crate::umpire::Umpire;
use crate::verdict::Verdict;
use crate::view::{Cut, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A contradiction inside the house. The battle is frozen, its record kept.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the house contradicts itself in {phase}: {what}")]
pub struct Fault {
    /// Where.
    pub phase: String,
    /// What.
    pub what: String,
}

/// Why an order was not taken.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SubmitError {
    /// The rules forbid it.
    #[error("the order is refused")]
    Refused(Verdict),
    /// It answers a question that is no longer asked.
    #[error("that question has been answered already; the question is now number {}", .now.0)]
    Stale {
        /// The number of the question in the room.
        now: DecisionNo,
    },
    /// The question is put to the other side.
    #[error("the question is put to the other side")]
    NotYours,
    /// This side's answer is sealed already.
    #[error("your answer is sealed already")]
    Sealed,
    /// The battle is over.
    #[error("the battle is over")]
    Over,
    /// It could not be read.
    #[error("the order cannot be read: {0}")]
    Unreadable(String),
    /// The house is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Acts beside the rulebook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    /// Gives the battle up.
    Concede,
    /// Offers a draw, or takes an offer.
    Draw,
    /// Asks to take the last order back, or agrees to it; only before any die was thrown.
    TakeBack,
    /// Declines whatever the other side offered.
    Decline,
    /// Throws the die that settles a dispute.
    DisputeDie,
}

/// What is kept of a battle while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Orders, events and hashes: everything a replay needs.
    Everything,
    /// Events only; for simulations.
    Events,
    /// The events of the last order only; for battles that are imagined.
    Nothing,
}

/// One line of the record.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry<R: Ruleset> {
    /// Who.
    pub side: Side,
    /// What.
    pub act: Act<R>,
    /// The state's hash after it.
    pub hash: StateHash,
    /// How many events there were before it.
    pub events_before: usize,
}

/// An order or a motion.
#[derive(Clone, PartialEq, Debug)]
pub enum Act<R: Ruleset> {
    /// An answer to a question.
    Order(DecisionNo, R::Order),
    /// An act beside the rulebook.
    Motion(Motion),
}

/// The longest the agenda may run without asking anybody.
const MOST_PAGES: usize = 20_000;

/// State, dice and record.
pub struct Battle<R: Ruleset> {
    state: State<R>,
    dice: Box<dyn Dice>,
    events: Vec<Event<R>>,
    entries: Vec<Entry<R>>,
    keep: Keep,
    frozen: Option<Fault>,
    offers: Offers,
    before_last: Option<Box<(Side, State<R>, usize)>>,
    decisions: u32,
    cuts: BySide<Cut<R>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Offers {
    draw: Option<Side>,
    take_back: Option<Side>,
}

impl<R: Ruleset> Battle<R> {
    /// Begins: turns pages until somebody must choose.
    pub fn begin(state: State<R>, dice: Box<dyn Dice>, keep: Keep) -> Battle<R> {
        let mut battle = Battle {
            state,
            dice,
            events: Vec::new(),
            entries: Vec::new(),
            keep,
            frozen: None,
            offers: Offers::default(),
            before_last: None,
            decisions: 0,
            cuts: BySide::default(),
        };
        if battle.state.asked.is_none() && battle.state.outcome.is_none() {
            let _ = battle.step(|_| {});
        }
        battle
    }

    /// Begins with seeded dice.
    pub fn seeded(state: State<R>, seed: Seed, keep: Keep) -> Battle<R> {
        Battle::begin(state, Box::new(Seeded::new(seed)), keep)
    }

    /// The state, for whoever may see everything.
    pub fn state(&self) -> &State<R> {
        &self.state
    }

    /// The question in the room.
    pub fn asked(&self) -> Option<&Asked<R>> {
        self.state.asked.as_ref()
    }

    /// The side whose answer is awaited first.
    pub fn awaited(&self) -> Option<Side> {
        let asked = self.state.asked.as_ref()?;
        Side::BOTH.into_iter().find(|side| asked.who.includes(*side) && self.state.sealed[*side].is_none())
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }

    /// The fault that froze it.
    pub fn fault(&self) -> Option<&Fault> {
        self.frozen.as_ref()
    }

    /// What one viewer knows.
    pub fn view(&self, viewer: Viewer) -> View<'_, R> {
        View::new(&self.state, viewer)
    }

    /// All events so far.
    pub fn events(&self) -> &[Event<R>] {
        &self.events
    }

    /// All orders and motions so far; empty where only events are kept.
    pub fn entries(&self) -> &[Entry<R>] {
        &self.entries
    }

    /// Accepted orders so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The state's fingerprint.
    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.state)
    }

    /// Gives the dice to somebody else; only case files, which script every step, do this.
    pub fn set_dice(&mut self, dice: Box<dyn Dice>) {
        self.dice = dice;
    }

    /// A battle for looking ahead: what the viewer knows, with other dice.
    pub fn fork(&self, viewer: Viewer, seed: Seed) -> Battle<R> {
        Battle::fork_of(self.view(viewer), seed)
    }

    /// The same from a view alone.
    pub fn fork_of(view: View<'_, R>, seed: Seed) -> Battle<R> {
        Battle::seeded(view.into_state(), seed, Keep::Nothing)
    }

    /// Judges an order as [`Battle::submit`] would, and changes nothing.
    pub fn check(&self, side: Side, order: &R::Order) -> Verdict {
        match &self.state.asked {
            Some(asked) if asked.who.includes(side) && self.state.sealed[side].is_none() => {
                R::check(&self.view(Viewer::Side(side)), asked, side, order)
            }
            _ => Verdict::refused(R::CUSTOM, "you are not asked anything now"),
        }
    }

    /// Whether a side is asked the question of this number; the error says why not.
    pub fn expects(&self, side: Side, no: DecisionNo) -> Result<&Asked<R>, SubmitError> {
        if let Some(fault) = &self.frozen {
            return Err(SubmitError::Fault(fault.clone()));
        }
        let Some(asked) = self.state.asked.as_ref() else { return Err(SubmitError::Over) };
        if self.state.outcome.is_some() {
            return Err(SubmitError::Over);
        }
        if asked.no != no {
            return Err(SubmitError::Stale { now: asked.no });
        }
        if !asked.who.includes(side) {
            return Err(SubmitError::NotYours);
        }
        if self.state.sealed[side].is_some() {
            return Err(SubmitError::Sealed);
        }
        Ok(asked)
    }

    /// Takes an order. Returns the new events; changes nothing where it is refused.
    pub fn submit(&mut self, side: Side, no: DecisionNo, order: R::Order) -> Result<&[Event<R>], SubmitError> {
        let asked = self.expects(side, no)?;
        let verdict = R::check(&View::new(&self.state, Viewer::Side(side)), asked, side, &order);
        if !verdict.is_legal() {
            return Err(SubmitError::Refused(verdict));
        }
        self.accept(side, no, order)
    }

    /// Asks a player who is at hand and takes his order, as [`Battle::submit`] would: he chooses and is judged on one and
    /// the same view, which is made but once.
    pub fn decide(
        &mut self,
        side: Side,
        choose: impl FnOnce(&View<'_, R>, &Asked<R>) -> R::Order,
    ) -> Result<&[Event<R>], SubmitError> {
        let (no, order) = self.choice(side, |view, asked| {
            let order = choose(view, asked);
            if R::allows(view, asked, side, &order) {
                return Ok(order);
            }
            // Why not is asked only where it has to be said.
            let verdict = R::check(view, asked, side, &order);
            if verdict.is_legal() { Ok(order) } else { Err(SubmitError::Refused(verdict)) }
        })?;
        self.accept(side, no, order)
    }

    /// The same without judging the order: for imagined battles, whose players check what they order. Nothing a player
    /// of the real battle says comes this way.
    pub fn suppose(
        &mut self,
        side: Side,
        choose: impl FnOnce(&View<'_, R>, &Asked<R>) -> R::Order,
    ) -> Result<(), SubmitError> {
        let (no, order) = self.choice(side, |view, asked| Ok(choose(view, asked)))?;
        self.accept(side, no, order).map(|_| ())
    }

    /// What a player at hand chooses on a view made for him.
    fn choice(
        &mut self,
        side: Side,
        choose: impl FnOnce(&View<'_, R>, &Asked<R>) -> Result<R::Order, SubmitError>,
    ) -> Result<(DecisionNo, R::Order), SubmitError> {
        let no = self.state.asked.as_ref().map_or(DecisionNo(0), |asked| asked.no);
        self.expects(side, no)?;
        let Some(asked) = self.state.asked.as_ref() else { return Err(SubmitError::Over) };
        let view = View::with(&self.state, Viewer::Side(side), &mut self.cuts[side]);
        choose(&view, asked).map(|order| (no, order))
    }

    fn accept(&mut self, side: Side, no: DecisionNo, order: R::Order) -> Result<&[Event<R>], SubmitError> {
        if self.keep == Keep::Nothing {
            self.events.clear();
        }
        let from = self.events.len();
        let before = self.remember(side);
        let noted = (self.keep == Keep::Everything).then(|| order.clone());
        self.decisions += 1;
        let who = self.state.asked.as_ref().map(|asked| asked.who);
        if who == Some(Who::Both) {
            self.seal(side, order)?;
        } else if let Some(asked) = self.state.asked.take() {
            self.step(|umpire| R::execute(umpire, &asked, Answers::One(side, order)))?;
        }
        self.offers = Offers::default();
        if let Some(order) = noted {
            self.enter(side, Act::Order(no, order), from);
        }
        let thrown = self.events.iter().skip(from).any(|event| !event.rolls.is_empty());
        self.before_last = before.filter(|_| !thrown);
        Ok(self.events.get(from..).unwrap_or_default())
    }

    fn remember(&self, side: Side) -> Option<Box<(Side, State<R>, usize)>> {
        (self.keep == Keep::Everything).then(|| Box::new((side, self.state.clone(), self.events.len())))
    }

    fn seal(&mut self, side: Side, order: R::Order) -> Result<(), Fault> {
        self.state.sealed[side] = Some(order);
        self.events.push(Event::new(R::CUSTOM, Deed::Committed { side }));
        if self.awaited().is_some() {
            return Ok(());
        }
        let sealed = std::mem::take(&mut self.state.sealed);
        let ([Some(a), Some(b)], Some(asked)) = (sealed.0, self.state.asked.take()) else { return Ok(()) };
        self.step(|umpire| R::execute(umpire, &asked, Answers::Both(a, b)))
    }

    fn enter(&mut self, side: Side, act: Act<R>, events_before: usize) {
        if self.keep == Keep::Everything {
            let hash = self.hash();
            self.entries.push(Entry { side, act, hash, events_before });
        }
    }

    /// Executes something, then turns pages until somebody must choose or the battle is over.
    fn step(&mut self, execute: impl FnOnce(&mut Umpire<'_, R>)) -> Result<(), Fault> {
        let mut umpire = Umpire::new(&mut self.state, self.dice.as_mut(), &mut self.events);
        execute(&mut umpire);
        let result = turn_pages(&mut umpire);
        if let Err(fault) = &result {
            self.frozen = Some(fault.clone());
        }
        result
    }

    /// Acts beside the rulebook. Returns whether anything changed.
    pub fn motion(&mut self, side: Side, motion: Motion) -> Result<bool, SubmitError> {
        if let Some(fault) = &self.frozen {
            return Err(SubmitError::Fault(fault.clone()));
        }
        if self.state.outcome.is_some() {
            return Err(SubmitError::Over);
        }
        let (from, offers) = (self.events.len(), self.offers);
        match motion {
            Motion::Concede => {
                let why = format!("{} gave the battle up", self.state.muster.sides[side].name);
                self.finish(Some(side.other()), &why);
            }
            Motion::Draw if offers.draw == Some(side.other()) => self.finish(None, "both sides agreed to part"),
            Motion::Draw => self.offers.draw = Some(side),
            Motion::TakeBack if self.before_last.is_none() => {}
            Motion::TakeBack if offers.take_back == Some(side.other()) => self.take_back(),
            Motion::TakeBack => self.offers.take_back = Some(side),
            Motion::Decline => self.offers = Offers::default(),
            Motion::DisputeDie => self.throw_dispute_die(side)?,
        }
        // Repeating an offer, or declining where nothing is offered, must not fill the record.
        let changed = matches!(motion, Motion::DisputeDie) || self.state.outcome.is_some() || self.offers != offers;
        if changed {
            self.enter(side, Act::Motion(motion), from.min(self.events.len()));
        }
        Ok(changed)
    }

    fn throw_dispute_die(&mut self, side: Side) -> Result<(), Fault> {
        let mut umpire = Umpire::new(&mut self.state, self.dice.as_mut(), &mut self.events);
        let roll = umpire.roll(crate::dice::Pool::d6(1), side);
        umpire.announce(Event::new(R::CUSTOM, Deed::DisputeDie { side }).rolled(roll));
        let result = umpire.verdict();
        self.before_last = None;
        if let Err(fault) = &result {
            self.frozen = Some(fault.clone());
        }
        result
    }

    fn take_back(&mut self) {
        let Some(before) = self.before_last.take() else { return };
        let (_, state, events) = *before;
        let next_no = self.state.next_no;
        self.state = state;
        self.events.truncate(events);
        // The question comes back under a number never used, so that no answer still under way can be meant for it.
        if let Some(asked) = &mut self.state.asked {
            asked.no = DecisionNo(next_no);
            self.state.next_no = next_no + 1;
        }
        self.decisions = self.decisions.saturating_sub(1);
        self.offers = Offers::default();
    }

    /// Whose last order may still be taken back: none once a die was thrown.
    pub fn may_take_back(&self) -> Option<Side> {
        self.before_last.as_ref().map(|before| before.0)
    }

    /// A draw or take-back the other side has on offer.
    pub fn offer(&self) -> Option<(Side, Motion)> {
        let draw = self.offers.draw.map(|side| (side, Motion::Draw));
        draw.or(self.offers.take_back.map(|side| (side, Motion::TakeBack)))
    }

    fn finish(&mut self, winner: Option<Side>, why: &str) {
        let clause: crate::clause::ClauseId = R::CUSTOM.into();
        self.state.asked = None;
        self.state.sealed = Default::default();
        self.state.outcome = Some(Outcome { winner, clause: clause.to_string(), why: why.to_owned() });
    }
}

fn turn_pages<R: Ruleset>(umpire: &mut Umpire<'_, R>) -> Result<(), Fault> {
    for _ in 0..MOST_PAGES {
        umpire.verdict()?;
        let flow = if umpire.state().agenda().is_empty() {
            return Err(Fault {
                phase: "none".to_owned(),
                what: "the agenda ran out before the battle ended".to_owned(),
            });
        } else {
            R::advance(umpire)
        };
        umpire.verdict()?;
        match flow {
            Flow::Again => {}
            Flow::Done => umpire.end(),
            Flow::Ask(who, decision) => {
                let state = umpire.state_mut();
                let no = DecisionNo(state.next_no);
                state.next_no += 1;
                state.asked = Some(Asked { no, who, decision });
                return Ok(());
            }
            Flow::Over(outcome) => {
                umpire.state_mut().outcome = Some(outcome);
                return Ok(());
            }
        }
    }
    let phase = format!("{:?}", umpire.top());
    Err(Fault { phase, what: format!("{MOST_PAGES} pages turned without a decision") })
}
