//! One person against the computer, with nobody else to ask: hears what a page says to a server and says what a server
//! says to a page. Every act leaves a line, which is for whoever keeps the record.

use crate::acts::{Act, Refusal, RefusalKind, Taken, Untaken, take};
use crate::{players, words};
use bots::{Leash, Level, Seat};
use engine::dump::Held;
use engine::game::Game;
use engine::replay::Entry;
use engine::thoughts::Thoughts;
use engine::{Seed, Side, Viewer};
use wire::{BattleInfo, FromBrowser, FromServer, Hint, Loan, SoloLine, SoloLines, Standing};

/// Makes a player of the battle's rulebook.
pub type MakeSeat = fn(Level, u64) -> Box<dyn Seat>;

/// What comes of something.
#[derive(Debug)]
pub enum Out {
    /// A message to the player.
    Say(Box<FromServer>),
    /// A line for the record.
    Keep(Box<SoloLine>),
}

/// Why the battle cannot be played on here, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unable(pub String);

/// A battle and its two players.
pub struct Solo {
    game: Box<dyn Game>,
    info: BattleInfo,
    side: Side,
    level: Level,
    seed: Seed,
    seat: MakeSeat,
    bot: Box<dyn Seat>,
    held: Held,
    /// Whether the bot may have something to say since it was last asked.
    curious: bool,
}

impl Solo {
    /// Takes up a battle that was handed out, with the game already where its record leaves it.
    pub fn new(loan: &Loan, game: Box<dyn Game>, seat: MakeSeat) -> Result<Solo, Unable> {
        let side = Side::BOTH.get(usize::from(loan.side)).copied();
        let side = side.ok_or_else(|| Unable("the battle has no such side".to_owned()))?;
        let bot = loan.info.seats[side.other().index()].bot.as_ref();
        let bot = bot.ok_or_else(|| Unable("nobody made of code sits on the other side".to_owned()))?;
        let level: Level = bot.parse().map_err(Unable)?;
        let seed = loan.header.seed;
        let bot = seat(level, players::seed_of(seed, side.other()));
        let mut info = loan.info.clone();
        info.seats[side.index()].present = true;
        Ok(Solo { game, info, side, level, seed, seat, bot, held: Held::default(), curious: true })
    }

    /// The game, for whoever keeps it.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// What the player needs to sit down.
    pub fn welcome(&mut self) -> Result<Vec<Out>, Unable> {
        let info = self.info();
        let welcome = words::welcome(self.game.as_ref(), Viewer::Side(self.side), info, &mut self.held);
        welcome.map(said).map_err(|error| Unable(error.to_string()))
    }

    /// Hears a message. `now` is the time in seconds since 1970.
    pub fn hear(&mut self, message: FromBrowser, now: i64) -> Result<Vec<Out>, Unable> {
        let (seq, act) = match message {
            FromBrowser::Hello { .. } => return self.welcome(),
            FromBrowser::Ping => return Ok(said(FromServer::Pong)),
            FromBrowser::Order { seq, no, draft } => (seq, Act::Order(no, draft)),
            FromBrowser::Motion { seq, motion } => (seq, Act::Motion(motion)),
        };
        let mut out = match self.act(self.side, &act, Thoughts::default(), now)? {
            Ok(out) => out,
            Err(Refusal { why, reasons, .. }) => return Ok(said(FromServer::Refused { seq: Some(seq), why, reasons })),
        };
        if matches!(act, Act::Motion(_))
            && let Some(reply) = players::reply(self.game.as_ref(), self.side)
            && let Ok(more) = self.act(self.side.other(), &Act::Motion(reply), Thoughts::default(), now)?
        {
            out.extend(more);
        }
        out.extend(said(FromServer::Accepted { seq }));
        Ok(out)
    }

    /// Whether the bot is to be asked.
    pub fn is_bots_turn(&self) -> bool {
        self.curious && self.game.outcome().is_none()
    }

    /// How long the bot means to think about a question, in milliseconds.
    pub fn patience(&self) -> u32 {
        self.level.patience()
    }

    /// Asks the bot once and plays what it says; a bot that finds no legal order declines.
    pub fn bot_turn(&mut self, leash: &mut Leash<'_>, now: i64) -> Result<Vec<Out>, Unable> {
        self.curious = false;
        let side = self.side.other();
        let Some((no, question)) = players::asked(self.game.as_ref(), self.bot.as_ref(), side) else {
            return Ok(Vec::new());
        };
        let Some(answer) = self.bot.think(question, leash) else { return Ok(Vec::new()) };
        if let Ok(out) = self.act(side, &Act::Order(no.0, answer.draft), answer.thoughts, now)? {
            return Ok(out);
        }
        self.decline(now)
    }

    /// Declines for the bot, for whoever has seen it fall over this question.
    pub fn decline(&mut self, now: i64) -> Result<Vec<Out>, Unable> {
        let side = self.side.other();
        let Some((no, draft)) = players::declining(self.game.as_ref(), side) else { return Ok(Vec::new()) };
        let declined = self.act(side, &Act::Order(no.0, draft), Thoughts::default(), now)?;
        declined.map_err(|refusal| Unable(format!("the bot cannot even decline: {}", refusal.why)))
    }

    /// What the house would do in the player's place.
    pub fn advise(&self, leash: &mut Leash<'_>) -> Result<Hint, Refusal> {
        if !self.info.hints {
            return Err(Refusal::new(RefusalKind::Untimely, "this battle was begun without hints"));
        }
        let mut advisor = (self.seat)(players::ADVISOR, players::seed_of(self.seed, self.side));
        let (no, question) =
            players::asked(self.game.as_ref(), advisor.as_ref(), self.side).ok_or_else(players::not_asked)?;
        players::hint(no, advisor.think(question, leash))
    }

    /// Takes an act of either side and tells the player of it.
    fn act(
        &mut self,
        side: Side,
        act: &Act,
        thoughts: Thoughts,
        now: i64,
    ) -> Result<Result<Vec<Out>, Refusal>, Unable> {
        let before = words::standing(self.game.as_ref());
        let taken = match take(self.game.as_mut(), side, act) {
            Ok(taken) => taken,
            Err(Untaken::Refused(refusal)) => return Ok(Err(refusal)),
            Err(Untaken::Fault(why)) => return Err(Unable(why)),
        };
        self.curious = true;
        self.info.updated = now;
        let Taken { from, shorter, entry, .. } = taken;
        let line = SoloLine { entry, thoughts: (!thoughts.is_idle()).then_some(thoughts) };
        let mut out = vec![Out::Keep(Box::new(line))];
        if shorter {
            out.extend(self.welcome()?);
            return Ok(Ok(out));
        }
        let info = Some(self.info()).filter(|info| info.standing != before);
        let news = words::news(self.game.as_ref(), Viewer::Side(self.side), from, info, &mut self.held);
        out.extend(news.map(said).map_err(|error| Unable(error.to_string()))?);
        Ok(Ok(out))
    }

    fn info(&self) -> BattleInfo {
        let standing = words::standing(self.game.as_ref());
        // As over the server: whoever is told the seed could know the dice to come.
        let seed = matches!(standing, Standing::Over { .. }).then(|| self.seed.to_string());
        BattleInfo { standing, seed, ..self.info.clone() }
    }
}

fn said(message: FromServer) -> Vec<Out> {
    vec![Out::Say(Box::new(message))]
}

/// Lays the lines a browser still has on its shelf behind those the server has. Returns what of them the server lacks;
/// nothing where the server's record went another way meanwhile.
pub fn unkept(kept: &[Entry], shelf: &SoloLines) -> Option<Vec<SoloLine>> {
    let from = shelf.from as usize;
    let known = kept.get(from..)?;
    let same = known.iter().zip(&shelf.lines).all(|(kept, line)| *kept == line.entry);
    (same).then(|| shelf.lines.iter().skip(known.len()).cloned().collect())
}
