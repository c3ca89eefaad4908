//! One sitting: asks, listens, tells, and never loses the battle.

use super::reader::Reader;
use super::{chronicle, suggestions, table_talk};
use crate::args::PlayArgs;
use crate::page::Page;
use crate::replay::ending;
use crate::{Exit, input};
use anyhow::Result;
use bots::Level;
use engine::facade::Draft;
use engine::{BySide, Motion, Side, SubmitError, Viewer};
use lab::duel::Duel;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Suggestions shown at once, and when more are asked for.
const FEW: usize = 8;
const MANY: usize = 60;
/// Bots answer at once; more answers in a row than this mean that something is stuck.
const MOST_BOT_TURNS: usize = 20_000;

/// Who plays.
pub enum Seats {
    /// Two at one keyboard.
    HotSeat,
    /// One against a bot.
    Against { me: Side, level: Level },
}

/// One sitting.
pub struct Session<'p> {
    pub(super) duel: Box<dyn Duel>,
    pub(super) page: &'p mut Page,
    reader: Reader,
    seats: Seats,
    save: PathBuf,
    /// Whether the battle is saved even when it ended by itself.
    keep: bool,
    /// How many events each side has been told.
    told: BySide<usize>,
    /// When the map was last drawn.
    drawn: String,
    /// Who sat at the keyboard last.
    sitting: Option<Side>,
    pub(super) columns: Option<usize>,
    pub(super) colour: bool,
}

/// What to do after a line.
enum Next {
    /// Ask again.
    Again,
    /// Something changed.
    Moved,
    /// Leave.
    Quit,
}

/// Ways on that a hint tells of.
const HINTS: usize = 3;

impl<'p> Session<'p> {
    pub fn new(duel: Box<dyn Duel>, seats: Seats, save: PathBuf, args: &PlayArgs, page: &'p mut Page) -> Self {
        let columns = args.columns.map(usize::from);
        let colour = page.paints(args.colour);
        // Whoever goes on with a battle was told the rest before.
        let told = BySide::from_fn(|_| duel.game().events());
        let told = if args.resume.is_some() { told } else { BySide::default() };
        let keep = args.save.is_some() || args.resume.is_some();
        let reader = Reader::stdin();
        Session { duel, page, reader, seats, save, keep, told, drawn: String::new(), sitting: None, columns, colour }
    }

    /// Plays to the end, or until whoever plays leaves.
    pub fn run(&mut self) -> Result<Exit> {
        table_talk::welcome(self)?;
        let mut bot_turns = 0;
        loop {
            if let Some(fault) = self.duel.game().fault() {
                self.page.line(format!("The house is at fault: {fault}"))?;
                self.put_away("Please report it with this file.")?;
                return Ok(Exit::Wanting);
            }
            if self.duel.game().outcome().is_some() {
                return self.close();
            }
            let Some((_, side)) = self.duel.game().awaited() else {
                self.put_away("Nobody is asked anything.")?;
                return Ok(Exit::Wanting);
            };
            if self.duel.bot(side).is_some() {
                bot_turns += 1;
                if bot_turns > MOST_BOT_TURNS || !self.duel.bot_turn()? {
                    self.put_away("The bot has nothing to say.")?;
                    return Ok(Exit::Wanting);
                }
                self.tell_news()?;
                continue;
            }
            bot_turns = 0;
            if !self.ask(side)? {
                return Ok(Exit::Fine);
            }
        }
    }

    /// Whose eyes the page is for, while no question is asked.
    fn viewer(&self) -> Side {
        match self.seats {
            Seats::Against { me, .. } => me,
            Seats::HotSeat => self.sitting.unwrap_or(Side::A),
        }
    }

    pub(super) fn tell_news(&mut self) -> Result<()> {
        let side = self.viewer();
        let told = self.duel.game().chronicle(Viewer::Side(side), self.told[side]);
        chronicle::tell(self.page, &told)?;
        let all = self.duel.game().events();
        self.told[side] = all;
        if !self.is_secret(side.other()) {
            self.told[side.other()] = all;
        }
        Ok(())
    }

    /// Whether this side knows less than the umpire.
    fn is_secret(&self, side: Side) -> bool {
        let game = self.duel.game();
        game.board(Viewer::Side(side)).dump() != game.board(Viewer::Umpire).dump()
    }

    /// Puts the question until it is answered; false when whoever plays leaves.
    fn ask(&mut self, side: Side) -> Result<bool> {
        if !self.hand_over(side)? {
            return Ok(false);
        }
        self.tell_news()?;
        let when = self.duel.game().board(Viewer::Side(side)).scene().when;
        if when != self.drawn {
            self.drawn = when;
            table_talk::map(self, side)?;
        }
        let mut drafts = self.put_question(side, FEW)?;
        loop {
            let Some(line) = self.read("> ")? else {
                self.page.blank()?;
                self.put_away("The input is over.")?;
                return Ok(false);
            };
            match self.hear(side, &line, &mut drafts)? {
                Next::Again => {}
                Next::Moved => return Ok(true),
                Next::Quit => {
                    self.put_away("Until the next time.")?;
                    return Ok(false);
                }
            }
        }
    }

    /// Two at one keyboard change places without seeing each other's secrets.
    fn hand_over(&mut self, side: Side) -> Result<bool> {
        let changed = self.sitting.is_some_and(|sitting| sitting != side);
        let first = self.sitting.is_none();
        self.sitting = Some(side);
        if !matches!(self.seats, Seats::HotSeat)
            || !(changed || first)
            || !self.is_secret(side) && !self.is_secret(side.other())
        {
            return Ok(true);
        }
        if self.page.terminal {
            // Clears the screen and what was scrolled off it.
            self.page.write_all(b"\x1b[2J\x1b[3J\x1b[H")?;
        }
        let name = self.duel.game().sides()[side.index()].1.clone();
        self.page.line(format!("──── {name}: take the chair and press Enter. ────"))?;
        self.drawn.clear();
        if self.read("")?.is_none() {
            self.put_away("The input is over.")?;
            return Ok(false);
        }
        Ok(true)
    }

    fn put_question(&mut self, side: Side, limit: usize) -> Result<Vec<Draft>> {
        let board = self.duel.game().board(Viewer::Side(side));
        let Some(prompt) = board.prompt() else { return Ok(Vec::new()) };
        let advice = self.duel.advice(side, Level::Careful);
        let found = board.candidates(u64::from(prompt.no.0), MANY);
        let drafts = suggestions::pick(advice.clone(), found, board.fallback(), limit);
        self.page.blank()?;
        self.page.wrapped("", 2, &format!("{} [{}]", prompt.question, prompt.clause))?;
        for (n, draft) in drafts.iter().enumerate() {
            let sign = if advice.as_ref() == Some(draft) { '*' } else { ' ' };
            self.page.wrapped(&format!(" {sign}{:>2}  ", n + 1), 6, &board.phrase(draft))?;
        }
        Ok(drafts)
    }

    /// One line of input; what a file says is shown, as a keyboard would show it.
    fn read(&mut self, sign: &str) -> Result<Option<String>> {
        self.page.write_all(sign.as_bytes())?;
        self.page.flush()?;
        let line = self.reader.line()?;
        if let Some(line) = line.as_ref().filter(|_| !self.reader.keyboard) {
            self.page.line(line)?;
        }
        Ok(line)
    }

    fn hear(&mut self, side: Side, line: &str, drafts: &mut Vec<Draft>) -> Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_lowercase().as_str(), rest) {
            ("", _) => {}
            ("?" | "help", _) => table_talk::help(self, side)?,
            ("map" | "table", "") => table_talk::map(self, side)?,
            ("card" | "unit", key) => table_talk::card(self, side, key)?,
            ("clause" | "rule", id) => table_talk::clause(self, id)?,
            ("log" | "chronicle", count) => table_talk::log(self, side, count)?,
            ("more", "") => *drafts = self.put_question(side, MANY)?,
            ("question" | "again", "") => *drafts = self.put_question(side, FEW)?,
            ("odds", rest) => self.tell_odds(side, rest, drafts)?,
            ("hint", "") => *drafts = self.hint(side, drafts)?,
            ("save", path) => {
                let path = if path.is_empty() { self.save.clone() } else { PathBuf::from(path) };
                match self.write_to(&path) {
                    Ok(()) => self.page.line(format!("saved to {}", path.display()))?,
                    Err(error) => self.page.line(format!("{error:#}"))?,
                }
            }
            ("undo" | "take-back", "") => return self.take_back(side),
            ("draw", "") => return self.part(side),
            ("concede" | "resign", "") => {
                self.duel.game_mut().motion(side, Motion::Concede)?;
                return Ok(Next::Moved);
            }
            ("quit" | "exit" | "q", "") => return Ok(Next::Quit),
            _ => return self.order(side, line, drafts),
        }
        Ok(Next::Again)
    }

    /// A number or typed words as a draft; what cannot be read is said and asked again.
    fn draft(&mut self, side: Side, line: &str, drafts: &[Draft]) -> Result<Option<Draft>> {
        if let Ok(number) = line.parse::<usize>() {
            let found = number.checked_sub(1).and_then(|n| drafts.get(n)).cloned();
            if found.is_none() {
                self.page.line(format!("  there are suggestions 1 to {}", drafts.len()))?;
            }
            return Ok(found);
        }
        let read = self.duel.game().board(Viewer::Side(side)).parse(line);
        match read {
            Ok(draft) => Ok(Some(draft)),
            Err(why) => {
                self.page.wrapped("  ", 2, &why)?;
                Ok(None)
            }
        }
    }

    fn order(&mut self, side: Side, line: &str, drafts: &[Draft]) -> Result<Next> {
        let Some(draft) = self.draft(side, line, drafts)? else { return Ok(Next::Again) };
        let Some((no, _)) = self.duel.game().awaited() else { return Ok(Next::Moved) };
        let verdict = self.duel.game().board(Viewer::Side(side)).check(&draft);
        match self.duel.game_mut().submit(side, no, &draft) {
            Ok(_) => {
                for note in verdict.into_iter().flat_map(|verdict| verdict.cautions) {
                    self.page.wrapped("  mind: ", 8, &format!("{} [{}]", note.text, note.clause))?;
                }
                self.tell_news()?;
                Ok(Next::Moved)
            }
            Err(SubmitError::Refused(verdict)) => {
                self.page.line("  That may not be done:")?;
                for note in &verdict.refusals {
                    self.page.wrapped("    ", 6, &format!("{} [{}]", note.text, note.clause))?;
                }
                Ok(Next::Again)
            }
            // A fault is told by the one who keeps the battle.
            Err(SubmitError::Fault(_)) => Ok(Next::Moved),
            Err(error) => {
                self.page.wrapped("  ", 2, &error.to_string())?;
                Ok(Next::Again)
            }
        }
    }

    /// What a veteran would do: the best ways it found, which can then be taken by their numbers, and what it has in mind.
    /// Where it finds nothing to weigh, the suggestions stay as they were.
    fn hint(&mut self, side: Side, drafts: &[Draft]) -> Result<Vec<Draft>> {
        let Some(mut thoughts) = self.duel.thoughts(side, Level::Veteran) else {
            self.page.line("  you are not asked anything now")?;
            return Ok(drafts.to_vec());
        };
        if thoughts.is_idle() {
            self.page.line("  there is nothing to weigh here; the suggestion marked * is as good as any")?;
            return Ok(drafts.to_vec());
        }
        thoughts.rank(HINTS);
        self.page.line("  What a veteran would do:")?;
        for (n, way) in thoughts.ways.iter().enumerate() {
            self.page.wrapped(&format!("  {:>2}  ", n + 1), 6, &way.words)?;
            self.page.wrapped("      ", 8, &way.promise())?;
        }
        for intent in &thoughts.plan {
            self.page.wrapped("      ", 8, &intent.words)?;
        }
        Ok(thoughts.ways.into_iter().map(|way| way.draft).collect())
    }

    fn tell_odds(&mut self, side: Side, rest: &str, drafts: &[Draft]) -> Result<()> {
        if rest.is_empty() {
            self.page.line("  odds of what? `odds 3`, or `odds` and an order")?;
            return Ok(());
        }
        let Some(draft) = self.draft(side, rest, drafts)? else { return Ok(()) };
        let board = self.duel.game().board(Viewer::Side(side));
        let (odds, verdict) = (board.odds(&draft), board.check(&draft));
        drop(board);
        for note in verdict.into_iter().flat_map(|verdict| verdict.refusals) {
            self.page.wrapped("  may not be done: ", 4, &format!("{} [{}]", note.text, note.clause))?;
        }
        match odds {
            Some(odds) => self.page.odds(&odds)?,
            None => self.page.line("  no dice are thrown for it, or none whose odds you may know")?,
        }
        Ok(())
    }

    /// Takes the last order back, if it was one's own and no die has been thrown since.
    fn take_back(&mut self, side: Side) -> Result<Next> {
        let last = self.duel.game().replay().entries.last().map(|entry| (entry.side, entry.order.is_some()));
        let own = match self.seats {
            Seats::HotSeat => matches!(last, Some((_, true))),
            Seats::Against { .. } => last == Some((side, true)),
        };
        if !own || !self.duel.game_mut().motion(side, Motion::TakeBack)? {
            self.page.line(
                "  There is no order of yours that could be taken back: dice have fallen, or the enemy has moved.",
            )?;
            return Ok(Next::Again);
        }
        match self.seats {
            Seats::HotSeat => drop(self.duel.game_mut().motion(side.other(), Motion::TakeBack)?),
            Seats::Against { .. } => drop(self.duel.bot_turn()?),
        }
        let all = self.duel.game().events();
        self.told = BySide::from_fn(|_| all);
        self.drawn.clear();
        self.page.line("  By consent of the other side the order is taken back.")?;
        Ok(Next::Moved)
    }

    /// Offers a draw.
    fn part(&mut self, side: Side) -> Result<Next> {
        self.duel.game_mut().motion(side, Motion::Draw)?;
        match self.seats {
            Seats::HotSeat => {
                self.duel.game_mut().motion(side.other(), Motion::Draw)?;
                Ok(Next::Moved)
            }
            Seats::Against { .. } => {
                self.duel.bot_turn()?;
                self.page.line("  The enemy will have none of it.")?;
                Ok(Next::Again)
            }
        }
    }

    fn write_to(&self, path: &Path) -> Result<()> {
        input::write(path, &self.duel.game().replay().to_text())
    }

    /// Saves, and says how to go on.
    fn put_away(&mut self, why: &str) -> Result<()> {
        let path = self.save.clone();
        match self.write_to(&path) {
            Ok(()) => {
                let more = match &self.seats {
                    Seats::HotSeat => " --against human".to_owned(),
                    Seats::Against { me, level } => {
                        let key = &self.duel.game().sides()[me.index()].0;
                        format!(" --as {key} --against {level}")
                    }
                };
                self.page.line(format!("{why} The battle is saved. To go on:"))?;
                self.page.line(format!("  grognard play --resume {}{more}", path.display()))?;
            }
            Err(error) => self.page.line(format!("{why} The battle could not be saved: {error:#}"))?,
        }
        Ok(())
    }

    /// The end: the last map, who won, and a word for whoever wants to keep it.
    fn close(&mut self) -> Result<Exit> {
        self.tell_news()?;
        let side = self.viewer();
        table_talk::map(self, side)?;
        if let Some(outcome) = self.duel.game().outcome() {
            let text = ending(self.duel.game(), &outcome);
            self.page.blank()?;
            self.page.wrapped("", 0, &format!("The battle is over: {text}"))?;
        }
        if self.keep {
            let path = self.save.clone();
            self.write_to(&path)?;
            self.page.line(format!("The whole battle is kept in {}.", path.display()))?;
            return Ok(Exit::Fine);
        }
        self.page.line("`save FILE` keeps the battle, `map` and `log` show it, anything else leaves.")?;
        while let Some(line) = self.read("> ")? {
            let (word, rest) =
                line.split_once(char::is_whitespace).map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match word {
                "save" => {
                    let path = if rest.is_empty() { self.save.clone() } else { PathBuf::from(rest) };
                    match self.write_to(&path) {
                        Ok(()) => self.page.line(format!("saved to {}", path.display()))?,
                        Err(error) => self.page.line(format!("{error:#}"))?,
                    }
                }
                "map" => table_talk::map(self, side)?,
                "log" => table_talk::log(self, side, rest)?,
                _ => break,
            }
        }
        Ok(Exit::Fine)
    }
}
