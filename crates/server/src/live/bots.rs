//! Seats taken by code. A bot's order goes the way of everybody's: checked, written down, told, one at a time. A bot that
//! does not answer in time, or loses its head, has declined; the battle goes on without waiting for it.

use super::{Act, Live, Refusal, RefusalKind};
use crate::store::Record;
use bots::seat::Question;
use bots::{Answer, Leash, Level, Seat};
use engine::thoughts::Thoughts;
use engine::{DecisionNo, Motion, Side, Viewer};
use std::time::{Duration, Instant};
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
/// How long bots that do not look ahead may take: the plain plan of a corps on a busy machine.
const PLAIN: Duration = Duration::from_secs(5);
/// Ways on that are told to whoever asks for advice.
const MOST_WAYS: usize = 3;

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

/// A bot's seed: the same for every bot that sits on this side of the battle.
fn seed_of(record: &Record, side: Side) -> u64 {
    let seed = record.header.seed.derive("bot", side.index() as u64).0;
    let mut first = [0; 8];
    first.copy_from_slice(&seed[..8]);
    u64::from_le_bytes(first)
}

/// The latest moment at which a bot's answer is still one: half as long again as it means to think, which for those who
/// look ahead is a fifth more than they are said to need.
fn deadline(level: Level) -> Duration {
    let patience = Duration::from_millis(u64::from(level.patience()));
    if patience.is_zero() { PLAIN } else { patience * 3 / 2 }
}

/// Lets a bot think elsewhere, so that no other battle waits for it, and stops waiting at its deadline.
async fn think(
    mut bot: Box<dyn Seat>,
    level: Level,
    question: Question,
) -> Result<(Box<dyn Seat>, Option<Answer>), Silence> {
    let patience = Duration::from_millis(u64::from(level.patience()));
    let began = Instant::now();
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
            let bot = bots::seat(&record.header.ruleset, level, seed_of(record, side));
            Some(Seated { level, bot })
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
        let due = curious && seen && self.standing() == Standing::Playing;
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
        let fresh = || bots::seat(&self.record.header.ruleset, level, seed_of(&self.record, side));
        let Some(bot) = seated.bot.take().or_else(fresh) else { return Err(Silence::Nothing) };
        let asked = game.awaited().map(|(no, _)| no).zip(bot.question(game.as_ref(), side));
        let Some((no, question)) = asked else {
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
        let untimely = |why: &str| Refusal::new(RefusalKind::Untimely, why);
        if !self.record.terms.hints {
            return Err(untimely("this battle was begun without hints"));
        }
        if !self.buckets[side.index()].take(Instant::now()) {
            return Err(Refusal::new(RefusalKind::TooMany, "too many questions at once; wait a second"));
        }
        let level = Level::Veteran;
        let advisor = bots::seat(&self.record.header.ruleset, level, seed_of(&self.record, side));
        let (Some(game), Some(advisor)) = (&self.game, advisor) else {
            return Err(Refusal::new(RefusalKind::House, "the battle cannot be read just now"));
        };
        let asked = game.awaited().map(|(no, _)| no).zip(advisor.question(game.as_ref(), side));
        let (no, question) = asked.ok_or_else(|| untimely("you are not asked anything now"))?;
        match think(advisor, level, question).await {
            Ok((_, Some(mut answer))) => {
                answer.thoughts.rank(MOST_WAYS);
                Ok(Hint { no: no.0, thoughts: answer.thoughts })
            }
            Ok((_, None)) => Err(untimely("there is nothing to advise")),
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
        let fallback = game.awaited().zip(game.board(Viewer::Side(side)).fallback());
        let Some(((no, _), draft)) = fallback else { return };
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
        let answer = match game.offer() {
            Some((by, Motion::TakeBack)) if by == asker && game.may_take_back() == Some(asker) => Motion::TakeBack,
            Some((by, _)) if by == asker => Motion::Decline,
            _ => return,
        };
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

    #[test]
    fn deadlines_are_what_people_are_told_and_a_fifth() {
        assert_eq!(deadline(Level::Veteran), Duration::from_millis(360));
        assert_eq!(deadline(Level::General), Duration::from_millis(2_400));
    }
}
