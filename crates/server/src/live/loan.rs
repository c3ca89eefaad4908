//! A battle that one person fights against the computer may be played in his own page: the house lends it out, takes the
//! lines of its record back and plays each of them again before it is written down. While a battle is away the house's
//! own bots leave it alone. Whoever sits down at it by a socket, or gives an order by a request, brings it back: the page
//! it was lent to is told so with its next line.

use super::{Live, Refusal, RefusalKind};
use crate::store::{Record, Role};
use crate::tokens;
use engine::Side;
use engine::thoughts::Thoughts;
use std::time::{Duration, Instant};
use steward::Taken;
use wire::{Kept, Loan, MOST_LINES, SoloLine, SoloLines, Standing};

/// A page that was not heard of for so long has gone; it says something every half minute.
const FORGOTTEN: Duration = Duration::from_secs(75);

/// In whose hands a battle is.
pub struct Hands {
    /// Whether a page may play it at all: one person, one bot.
    solo: bool,
    /// Whether somebody plays it here. Who only asks how it stands does not: a page it was lent to before the house was
    /// closed may still come back with lines, and no bot must have played on by then.
    here: bool,
    lent: Option<Lent>,
}

struct Lent {
    lease: String,
    seen: Instant,
}

impl Hands {
    /// Nobody's yet.
    pub fn of(record: &Record) -> Hands {
        let bots = record.bots.iter().flatten().count();
        Hands { solo: bots == 1 && !record.study, here: false, lent: None }
    }

    /// Whether the house's own bots play.
    pub fn are_here(&self) -> bool {
        !self.solo || (self.here && self.lent.is_none())
    }

    /// Whether a page plays it.
    pub fn are_away(&self) -> bool {
        self.lent.as_ref().is_some_and(|lent| lent.seen.elapsed() < FORGOTTEN)
    }

    /// Somebody plays it here from now on.
    pub fn take_back(&mut self) {
        self.lent = None;
        self.here = true;
    }

    /// A player looks at it here; that alone does not take it from the page that plays it.
    pub fn look_on(&mut self) {
        if !self.are_away() {
            self.take_back();
        }
    }

    /// Whether a page other than the one with this loan plays it.
    fn are_others(&self, lease: Option<&str>) -> bool {
        self.are_away() && self.lent.as_ref().map(|lent| lent.lease.as_str()) != lease
    }

    fn lend(&mut self, lease: String) {
        self.here = false;
        self.lent = Some(Lent { lease, seen: Instant::now() });
    }
}

fn untimely(why: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::Untimely, why)
}

impl Live {
    /// Whether a page with this loan may play the battle now.
    fn may_be_away(&self, lease: Option<&str>) -> Result<(), Refusal> {
        if !self.hands.solo {
            return Err(untimely("only a battle of one person against the computer is played in the page"));
        }
        if let Some(why) = &self.frozen {
            return Err(untimely(format!("the battle is frozen: {why}")));
        }
        let seated = self.connections.iter().any(|connection| connection.role != Role::Watcher);
        if seated || self.hands.are_others(lease) {
            return Err(untimely("this battle is being played in another window"));
        }
        Ok(())
    }

    /// Hands the battle out.
    pub(super) fn lend(&mut self, side: Side, was: Option<&str>) -> Result<Loan, Refusal> {
        self.may_be_away(was)?;
        if self.standing() != Standing::Playing {
            return Err(untimely("the battle is over"));
        }
        let unreadable = || Refusal::new(RefusalKind::House, "the battle cannot be read just now");
        let replay = self.game.as_ref().map(|game| game.replay()).ok_or_else(unreadable)?;
        let family = rules::family(&replay.header.ruleset).ok_or_else(unreadable)?.to_owned();
        let lease = tokens::key().map_err(|error| Refusal::new(RefusalKind::House, error.to_string()))?;
        self.hands.lend(lease.clone());
        self.tell_presence(None);
        let (header, entries) = (replay.header, replay.entries);
        Ok(Loan { family, lease, info: self.info(), side: side.index() as u8, header, entries })
    }

    /// Takes lines of the record that were played in the page. Each is played again here: the record never holds an
    /// order the rules refuse, or dice that did not fall.
    pub(super) async fn keep(&mut self, side: Side, request: SoloLines) -> Result<Kept, Refusal> {
        if request.lines.len() > MOST_LINES {
            return Err(Refusal::new(RefusalKind::Illegal, format!("at most {MOST_LINES} lines are kept at once")));
        }
        if !self.buckets[side.index()].take(Instant::now()) {
            return Err(Refusal::new(RefusalKind::TooMany, "too many lines at once; wait a second"));
        }
        self.may_be_away(Some(&request.lease))?;
        for (n, line) in (request.from as usize..).zip(request.lines) {
            self.keep_one(n, line).await?;
        }
        // Also where the house knew of no loan any more: it may have been closed meanwhile.
        self.hands.lend(request.lease);
        let lines = self.game.as_ref().map_or(0, |game| game.entries());
        Ok(Kept { lines: u32::try_from(lines).unwrap_or(u32::MAX) })
    }

    async fn keep_one(&mut self, n: usize, line: SoloLine) -> Result<(), Refusal> {
        let before = self.standing();
        let Some(game) = self.game.as_mut() else {
            return Err(Refusal::new(RefusalKind::House, "the battle cannot be read just now"));
        };
        let (from, SoloLine { entry, thoughts }) = (game.events(), line);
        if let Some(known) = game.entry(n) {
            // The same line again: its acknowledgement was lost on the way.
            return if known == entry {
                Ok(())
            } else {
                Err(untimely(format!("line {n} of the record says otherwise")))
            };
        }
        if n != game.entries() {
            return Err(untimely(format!("line {n} does not follow on the {} lines of the record", game.entries())));
        }
        if let Err(why) = game.repeat(&entry) {
            // Part of it may have been played: what is in memory is no longer true.
            self.lost = self.load().await.is_err();
            return Err(Refusal::new(RefusalKind::Illegal, format!("line {n} cannot be played: {why}")));
        }
        let taken = Taken { from, shorter: game.events() < from, n, entry };
        let done = self.write_down(before, taken, thoughts.unwrap_or_else(Thoughts::default)).await?;
        self.bots.wake();
        self.tell_news(&done);
        Ok(())
    }
}
