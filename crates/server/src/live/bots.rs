//! Seats taken by code. A bot's order goes the way of everybody's: checked, written down, told, one at a time. A bot that
//! does not answer in time, or loses its head, has declined; the battle goes on without waiting for it.

use super::{Act, Live, Refusal, RefusalKind};
use crate::store::Record;
use bots::seat::Question;
use bots::{Answer, Leash, Level, Seat};
use engine::thoughts::Thoughts;
use engine::{DecisionNo, Side};
use std::time::{Duration, Instant};
use steward::players::{self, ADVISOR};
use wire::{Hint, Standing};

/// The bots of one battle.
pub struct Bots {
    seats: [Option<Seated>; 2],
    /// Whether a bot may have something to say since it was last asked.
    curious: [bool; 2],
    alone: bool,
    /// The last order failed through no fault of the bot's: it waits before it tries again.
    tired: bool,
}

/// A bot in its seat.
struct Seated {
    level: Level,
    /// Nobody while it thinks.
    bot: Option<Box<dyn Seat>>,
}

/// How long a tired bot rests.
const REST: Duration = Duration::from_secs(5);
/// Why a bot gave no order.
#[derive(Clone, Copy, Debug)]
enum Silence {
    /// It thought for too long.
    Overrun,
    /// It fell over its own feet.
    LostItsHead,
    /// It was not asked, or has nothing to say.
    Nothing,
}

/// A player of this battle's rulebook, with the seed of its side.
fn player(record: &Record, level: Level, side: Side) -> Option<Box<dyn Seat>> {
    bots::seat(&record.header.ruleset, level, players::seed_of(record.header.seed, side))
}

fn milliseconds(number: u32) -> Duration {
    Duration::from_millis(u64::from(number))
}

/// The latest moment at which a bot's answer is still one.
fn deadline(level: Level) -> Duration {
    milliseconds(level.deadline())
}

/// Lets a bot think elsewhere, so that no other battle waits for it, and stops waiting at its deadline.
async fn think(
    mut bot: Box<dyn Seat>,
    level: Level,
    question: Question,
) -> Result<(Box<dyn Seat>, Option<Answer>), Silence> {
    let (patience, began) = (milliseconds(level.patience()), Instant::now());
    let thinking = tokio::task::spawn_blocking(move || {
        let watch = || began.elapsed() >= patience;
        let answer = bot.think(question, &mut Leash::watched(&watch));
        (bot, answer)
    });
    match tokio::time::timeout(deadline(level), thinking).await {
        Ok(Ok(thought)) => Ok(thought),
        Ok(Err(_)) => Err(Silence::LostItsHead),
        Err(_) => Err(Silence::Overrun),
    }
}

impl Bots {
    /// Seats the bots the record names.
    pub fn new(record: &Record) -> Bots {
        let seats = Side::BOTH.map(|side| {
            let level: Level = record.bots[side.index()].as_ref()?.parse().ok()?;
            Some(Seated { level, bot: player(record, level, side) })
        });
        let alone = seats.iter().all(Option::is_some);
        Bots { seats, curious: [false; 2], alone, tired: false }
    }

    /// Something changed: the bots look again.
    pub fn wake(&mut self) {
        self.curious = [0, 1].map(|n| self.seats[n].is_some());
    }
}

impl Live {
    /// How long to wait before the next bot is asked; nothing where none needs to be.
    pub(super) fn bot_pause(&self) -> Option<Duration> {
        let curious = self.bots.curious.contains(&true) && !self.record.study;
        // Bots alone fight for those who watch; with nobody there they would only burn the house's fuel.
        let seen = !self.bots.alone || !self.connections.is_empty();
        let due = curious && seen && self.hands.are_here() && self.standing() == Standing::Playing;
        let pause = match &self.bots {
            bots if bots.tired => REST,
            bots if bots.alone => self.hall.limits.bots_alone,
            _ => Duration::ZERO,
        };
        due.then_some(pause)
    }

    /// Asks one bot and plays what it says.
    pub(super) async fn bot_turn(&mut self) {
        let Some(n) = self.bots.curious.iter().position(|curious| *curious) else { return };
        self.bots.curious[n] = false;
        let side = Side::BOTH[n];
        let (no, answer) = match self.bot_answer(side).await {
            Ok(found) => found,
            Err(Silence::Nothing) => return,
            Err(silence) => {
                tracing::error!(battle = self.record.id, side = n, ?silence, "a bot gave no order and declines");
                self.decline_for(side).await;
                return;
            }
        };
        self.bots.tired = false;
        match self.act_with(side, Act::Order(no.0, answer.draft), answer.thoughts).await {
            Ok(_) => {}
            Err(refusal) if refusal.kind == RefusalKind::House => self.bots.tired = true,
            Err(refusal) => {
                tracing::error!(battle = self.record.id, why = refusal.why, "a bot's order was refused");
                self.decline_for(side).await;
            }
        }
    }

    /// What a bot answers to the question of this number.
    async fn bot_answer(&mut self, side: Side) -> Result<(DecisionNo, Answer), Silence> {
        let n = side.index();
        let (Some(game), Some(seated)) = (&self.game, self.bots.seats[n].as_mut()) else {
            return Err(Silence::Nothing);
        };
        let level = seated.level;
        // A bot that did not come back from an earlier question is still at it: another takes its place.
        let fresh = || player(&self.record, level, side);
        let Some(bot) = seated.bot.take().or_else(fresh) else { return Err(Silence::Nothing) };
        let Some((no, question)) = players::asked(game.as_ref(), bot.as_ref(), side) else {
            seated.bot = Some(bot);
            return Err(Silence::Nothing);
        };
        let (bot, answer) = think(bot, level, question).await?;
        if let Some(seated) = self.bots.seats[n].as_mut() {
            seated.bot = Some(bot);
        }
        answer.map(|answer| (no, answer)).ok_or(Silence::Nothing)
    }

    /// What a veteran would do in a side's place, on what that side can see.
    pub(super) async fn advise(&mut self, side: Side) -> Result<Hint, Refusal> {
        if !self.record.terms.hints {
            return Err(Refusal::new(RefusalKind::Untimely, "this battle was begun without hints"));
        }
        if !self.buckets[side.index()].take(Instant::now()) {
            return Err(Refusal::new(RefusalKind::TooMany, "too many questions at once; wait a second"));
        }
        let advisor = player(&self.record, ADVISOR, side);
        let (Some(game), Some(advisor)) = (&self.game, advisor) else {
            return Err(Refusal::new(RefusalKind::House, "the battle cannot be read just now"));
        };
        let asked = players::asked(game.as_ref(), advisor.as_ref(), side);
        let (no, question) = asked.ok_or_else(players::not_asked)?;
        match think(advisor, ADVISOR, question).await {
            Ok((_, answer)) => players::hint(no, answer),
            Err(silence) => {
                tracing::error!(battle = self.record.id, ?silence, "no advice was found");
                Err(Refusal::new(RefusalKind::House, "no advice came in time; ask again"))
            }
        }
    }

    /// A bot that cannot find a legal order declines, which is always legal.
    async fn decline_for(&mut self, side: Side) {
        if self.standing() != Standing::Playing {
            return;
        }
        let Some(game) = &self.game else { return };
        let Some((no, draft)) = players::declining(game.as_ref(), side) else { return };
        if let Err(refusal) = self.act(side, Act::Order(no.0, draft)).await {
            tracing::error!(battle = self.record.id, why = refusal.why, "nor could the bot decline");
            self.bots.tired = true;
        }
    }

    /// A bot answers an offer: it lets a person take an order of his own back, and does not part before the end.
    pub(super) async fn bots_reply(&mut self, asker: Side) {
        let bot = asker.other();
        if self.bots.seats[bot.index()].is_none() {
            return;
        }
        let Some(game) = &self.game else { return };
        let Some(answer) = players::reply(game.as_ref(), asker) else { return };
        match self.take(bot, Act::Motion(answer), Thoughts::default()).await {
            Ok(done) => {
                self.bots.wake();
                self.tell_news(&done);
            }
            Err(refusal) => tracing::error!(battle = self.record.id, why = refusal.why, "a bot's reply was refused"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::Game;

    /// A player who sleeps over his question, or falls over it.
    struct Odd {
        sleeps: Duration,
        falls: bool,
    }

    impl Seat for Odd {
        fn question(&self, _: &dyn Game, _: Side) -> Option<Question> {
            None
        }

        #[allow(clippy::panic)] // what the watchdog is for
        fn think(&mut self, _: Question, leash: &mut Leash<'_>) -> Option<Answer> {
            std::thread::sleep(self.sleeps);
            assert!(!self.falls, "the player falls over his feet");
            leash.is_over().then_some(Answer { draft: serde_json::Value::Null, thoughts: Thoughts::default() })
        }
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn nobody_waits_longer_than_the_deadline() {
        let slow = Odd { sleeps: deadline(Level::Veteran) * 3, falls: false };
        let began = Instant::now();
        let runtime = runtime();
        let thought = runtime.block_on(think(Box::new(slow), Level::Veteran, Question::new(())));
        let waited = began.elapsed();
        runtime.shutdown_background();
        assert!(matches!(thought, Err(Silence::Overrun)));
        assert!(waited < deadline(Level::Veteran) * 2, "{waited:?}");
    }

    #[test]
    fn who_falls_is_not_waited_for_and_who_answers_is_heard() {
        let falls = Odd { sleeps: Duration::ZERO, falls: true };
        let thought = runtime().block_on(think(Box::new(falls), Level::Careful, Question::new(())));
        assert!(matches!(thought, Err(Silence::LostItsHead)));
        // Its own time was over before it answered, the deadline was not.
        let sleeps = Duration::from_millis(u64::from(Level::Veteran.patience())) + Duration::from_millis(20);
        let late = Odd { sleeps, falls: false };
        let thought = runtime().block_on(think(Box::new(late), Level::Veteran, Question::new(())));
        assert!(matches!(thought, Ok((_, Some(_)))));
    }
}
