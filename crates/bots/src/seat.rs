//! A player whose rulebook is known only when the program runs: for servers, terminals and pages.

use crate::ahead::Weighed;
use crate::leash::Leash;
use crate::{Bot, Level, Manners, Opponents};
use engine::facade::{self, Draft};
use engine::game::{Game, TypedGame};
use engine::thoughts::{Intent, Thoughts, Way};
use engine::{CommandId, Side, State, Telling, View, Viewer};
use std::any::Any;
use table::{Length, Point, Vec2};

/// What a side is asked and what it sees, taken down so that it can be thought about elsewhere.
pub struct Question(Box<dyn Any + Send>);

impl Question {
    /// A question in whatever form its player understands.
    pub fn new(inside: impl Any + Send) -> Question {
        Question(Box::new(inside))
    }
}

/// An order with what was thought about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The order.
    pub draft: Draft,
    /// What was weighed, the order given first; empty where the player does not think.
    pub thoughts: Thoughts,
}

/// A player.
pub trait Seat: Send {
    /// Takes down what a side is asked now; nothing where it is asked nothing, or the battle is of another rulebook.
    fn question(&self, game: &dyn Game, side: Side) -> Option<Question>;
    /// Thinks about a question within limits; nothing where it was taken down by another.
    fn think(&mut self, question: Question, leash: &mut Leash<'_>) -> Option<Answer>;
}

struct TypedSeat<R: Manners>(Box<dyn Bot<R>>);

struct TypedQuestion<R: Manners> {
    state: State<R>,
    side: Side,
}

impl<R: Telling + Manners> Seat for TypedSeat<R> {
    fn question(&self, game: &dyn Game, side: Side) -> Option<Question> {
        let battle = &game.as_any().downcast_ref::<TypedGame<R>>()?.battle;
        battle.asked().filter(|asked| asked.who.includes(side))?;
        let view = battle.view(Viewer::Side(side));
        if view.sealed(side).is_some() {
            return None;
        }
        Some(Question::new(TypedQuestion { state: view.into_state(), side }))
    }

    fn think(&mut self, question: Question, leash: &mut Leash<'_>) -> Option<Answer> {
        let TypedQuestion { state, side } = *question.0.downcast::<TypedQuestion<R>>().ok()?;
        let view = View::new(&state, Viewer::Side(side));
        let asked = view.asked()?;
        let order = self.0.ponder(&view, asked, side, leash);
        let thoughts = thoughts(&view, self.0.as_ref(), side);
        Some(Answer { draft: facade::encode::<R>(&view, &order), thoughts })
    }
}

/// What a player thought, in words and places.
pub fn thoughts<R: Telling + Manners>(view: &View<'_, R>, bot: &dyn Bot<R>, side: Side) -> Thoughts {
    let Some(mind) = bot.mind() else { return Thoughts::default() };
    let way = |way: &Weighed<R>| {
        let lost = way.lost();
        Way {
            draft: facade::encode::<R>(view, &way.order),
            words: R::phrase(view, &way.order),
            manner: R::MANNERS.get(way.manner).copied().unwrap_or_default().to_owned(),
            worth: way.worth(),
            give_or_take: way.give_or_take(),
            tried: way.tried,
            lost: [lost[side], lost[side.other()]],
        }
    };
    let plan = mind.ways.first().map(|best| plan(view, best, side)).unwrap_or_default();
    Thoughts { ways: mind.ways.iter().map(way).collect(), plan, spent: mind.spent }
}

/// Steps shorter than this are no march: half an inch, in micrometres.
const A_STEP: f64 = 12_700.0;

/// Where each brigade went in the battles fought in the head, as a plan.
fn plan<R: Telling + Manners>(view: &View<'_, R>, best: &Weighed<R>, side: Side) -> Vec<Intent> {
    let unit = R::unit(view);
    // Where nobody may measure beforehand, a plan tells no distance either.
    let tape = R::may_measure(view).is_ok();
    let forward = match (middle(view, side, None), middle(view, side.other(), None)) {
        (Some(own), Some(enemy)) => (enemy - own).normalised(),
        _ => Vec2::ZERO,
    };
    let intent = |(command, way): (CommandId, Vec2)| {
        let card = view.muster().command(command);
        let from = middle(view, side, Some(command))?;
        let far = if tape { format!(", {}", Length::from_um(way.length()).show(unit)) } else { String::new() };
        let words = match (way.length() < A_STEP, way.dot(forward)) {
            (true, _) => format!("{} stands", card.name),
            (false, ahead) if ahead > way.length() * 0.5 => format!("{} comes on{far}", card.name),
            (false, ahead) if ahead < way.length() * -0.5 => format!("{} falls back{far}", card.name),
            _ => format!("{} goes to a flank{far}", card.name),
        };
        Some(Intent {
            command: format!("@{}", card.key),
            words,
            from: Point::from_vec(from),
            to: Point::from_vec(from + way),
        })
    };
    best.marched().filter_map(intent).collect()
}

/// The middle of a brigade, or of a whole side.
fn middle<R: Manners>(view: &State<R>, side: Side, of: Option<CommandId>) -> Option<Vec2> {
    let units = view.present(side).filter(|(id, _)| of.is_none() || view.card(*id).command == of);
    let (sum, count) =
        units.fold((Vec2::ZERO, 0.0), |(sum, count), (_, unit)| (sum + unit.pose().at.vec(), count + 1.0));
    (count > 0.0).then(|| sum * (1.0 / count))
}

/// A player of this level for a rulebook known beforehand; the same seed plays the same way.
pub fn seat_of<R: Telling + Manners>(level: Level, seed: u64) -> Box<dyn Seat> {
    Box::new(TypedSeat::<R>(R::bot(level, seed)))
}

/// A player of this level for a ruleset; the same seed plays the same way.
pub fn seat(ruleset: &str, level: Level, seed: u64) -> Option<Box<dyn Seat>> {
    rules::dispatch!(ruleset, R => seat_of::<R>(level, seed))
}
