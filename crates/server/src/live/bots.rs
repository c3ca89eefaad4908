//! Seats taken by code. A bot's order goes the way of everybody's: checked, written down, told, one at a time.

use super::{Act, Live, RefusalKind};
use crate::store::Record;
use bots::{Level, Seat};
use engine::{Motion, Side, Viewer};
use std::time::Duration;
use wire::Standing;

/// The bots of one battle.
pub struct Bots {
    seats: [Option<Box<dyn Seat>>; 2],
    /// Whether a bot may have something to say since it was last asked.
    curious: [bool; 2],
    alone: bool,
    /// The last order failed through no fault of the bot's: it waits before it tries again.
    tired: bool,
}

/// How long a tired bot rests.
const REST: Duration = Duration::from_secs(5);

impl Bots {
    /// Seats the bots the record names.
    pub fn new(record: &Record) -> Bots {
        let seats = Side::BOTH.map(|side| {
            let level: Level = record.bots[side.index()].as_ref()?.parse().ok()?;
            let seed = record.header.seed.derive("bot", side.index() as u64).0;
            let mut first = [0; 8];
            first.copy_from_slice(&seed[..8]);
            bots::seat(&record.header.ruleset, level, u64::from_le_bytes(first))
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
        let (Some(game), Some(mut bot)) = (self.game.take(), self.bots.seats[n].take()) else { return };
        // Thinking may take a while, and other battles must not wait for it.
        let thought = tokio::task::spawn_blocking(move || {
            let choice = game.awaited().and_then(|(no, _)| Some((no, bot.choose(game.as_ref(), side)?)));
            (game, bot, choice)
        });
        let Ok((game, bot, choice)) = thought.await else {
            let why = format!("the bot on the side of {} lost its head", self.record.sides[n]);
            self.freeze(why).await;
            return;
        };
        self.game = Some(game);
        self.bots.seats[n] = Some(bot);
        let Some((no, draft)) = choice else { return };
        self.bots.tired = false;
        match self.act(side, Act::Order(no.0, draft)).await {
            Ok(_) => {}
            Err(refusal) if refusal.kind == RefusalKind::House => self.bots.tired = true,
            Err(refusal) => {
                tracing::error!(battle = self.record.id, why = refusal.why, "a bot's order was refused");
                self.decline_for(side).await;
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
        match self.take(bot, Act::Motion(answer)).await {
            Ok(done) => {
                self.bots.wake();
                self.tell_news(&done);
            }
            Err(refusal) => tracing::error!(battle = self.record.id, why = refusal.why, "a bot's reply was refused"),
        }
    }
}
