//! A chair at the table: what one seat knows, as the server's messages tell it.

use crate::film::{self, Film};
use crate::judge;
use engine::dump::{Dump, Unpacker};
use engine::facade::Board;
use engine::scene::{Prompt, RosterLine, Scene, Told};
use engine::{Motion, Side, Viewer};
use std::rc::Rc;
use wire::{BattleInfo, FromServer, News, Reason, Welcome};

/// How the line to the server is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Line {
    /// Not yet open.
    #[default]
    Opening,
    /// Open.
    Open,
    /// Lost; trying again.
    Lost(String),
    /// Closed for good.
    Closed(String),
}

/// An order the server did not take.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    pub why: String,
    pub reasons: Vec<Reason>,
}

/// What one seat knows.
#[derive(Default)]
pub struct Chair {
    pub line: Line,
    /// Whether the battle goes on here while the server does not answer, and its record waits for it.
    pub unkept: bool,
    pub info: Option<BattleInfo>,
    pub viewer: Option<Viewer>,
    pub board: Option<Rc<dyn Board>>,
    pub scene: Option<Rc<Scene>>,
    pub prompt: Option<Rc<Prompt>>,
    pub roster: Rc<Vec<RosterLine>>,
    pub chronicle: Vec<Rc<Told>>,
    /// How many lines of the chronicle were there before the last news.
    pub read: usize,
    /// The last moves made in parts, and how many such there were.
    pub film: Option<Rc<Film>>,
    pub filmed: u32,
    pub offer: Option<(Side, Motion)>,
    pub may_take_back: Option<Side>,
    pub moments: u32,
    /// Counts messages sent; the answer names the number.
    pub sent: u32,
    /// The message whose answer is awaited.
    pub waiting: Option<u32>,
    pub refusal: Option<Refusal>,
    pub unpacker: Option<(String, Box<dyn Unpacker>)>,
}

impl Chair {
    /// The side this seat leads; none for whoever only watches.
    pub fn side(&self) -> Option<Side> {
        match self.viewer {
            Some(Viewer::Side(side)) => Some(side),
            _ => None,
        }
    }

    /// Whether the battle is over.
    pub fn is_over(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.standing != wire::Standing::Playing)
    }

    /// Takes a message in. An error is a sentence for the player.
    pub fn hear(&mut self, message: FromServer) -> Result<(), String> {
        match message {
            FromServer::Welcome(welcome) => self.sit_down(*welcome),
            FromServer::News(news) => self.learn(*news),
            FromServer::Presence(info) => {
                self.info = Some(*info);
                Ok(())
            }
            FromServer::Accepted { seq } => {
                if self.waiting == Some(seq) {
                    self.waiting = None;
                }
                Ok(())
            }
            FromServer::Refused { seq, why, reasons } => {
                if seq.is_none() || self.waiting == seq {
                    self.waiting = None;
                }
                self.refusal = Some(Refusal { why, reasons });
                Ok(())
            }
            FromServer::Farewell { why, again } => {
                self.line = if again { Line::Lost(why) } else { Line::Closed(why) };
                Ok(())
            }
            FromServer::Pong => Ok(()),
        }
    }

    fn sit_down(&mut self, welcome: Welcome) -> Result<(), String> {
        self.line = Line::Open;
        self.waiting = None;
        self.refusal = None;
        self.viewer = Some(welcome.viewer);
        self.info = Some(welcome.info);
        self.chronicle = welcome.chronicle.into_iter().map(Rc::new).collect();
        self.read = self.chronicle.len();
        self.offer = welcome.offer;
        self.may_take_back = welcome.may_take_back;
        self.moments = welcome.moments;
        self.show(&welcome.board)
    }

    fn learn(&mut self, news: News) -> Result<(), String> {
        self.read = self.chronicle.len();
        self.chronicle.extend(news.told.into_iter().map(Rc::new));
        if let Some(info) = news.info {
            self.info = Some(info);
        }
        self.offer = news.offer;
        self.may_take_back = news.may_take_back;
        self.moments = news.moments;
        self.refusal = None;
        let before = self.scene.clone();
        self.show(&news.board)?;
        self.take_film(before.as_deref());
        Ok(())
    }

    /// Keeps the film of what was told last, where it tells of moves made in parts.
    pub fn take_film(&mut self, before: Option<&Scene>) {
        let film = before
            .zip(self.scene.as_deref())
            .and_then(|(before, after)| film::film(before, self.chronicle.get(self.read..).unwrap_or_default(), after));
        if let Some(film) = film {
            self.film = Some(Rc::new(film));
            self.filmed += 1;
        }
    }

    /// Unpacks a board and everything drawn from it.
    pub fn show(&mut self, dump: &Dump) -> Result<(), String> {
        if self.unpacker.as_ref().is_none_or(|(ruleset, _)| *ruleset != dump.ruleset) {
            let unpacker = judge::unpacker(&dump.ruleset, &dump.family)
                .ok_or_else(|| format!("this page does not know the rules of `{}`", dump.ruleset))?;
            self.unpacker = Some((dump.ruleset.clone(), unpacker));
        }
        let Some((_, unpacker)) = &mut self.unpacker else { return Ok(()) };
        let board = unpacker.board(dump).map_err(|error| error.to_string())?;
        self.viewer = Some(dump.viewer);
        self.scene = Some(Rc::new(board.scene()));
        self.prompt = board.prompt().map(Rc::new);
        self.roster = Rc::new(board.roster());
        self.board = Some(Rc::from(board));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::dump::Held;
    use engine::{Seed, Viewer};

    #[test]
    fn a_board_is_shown_with_its_question() {
        let game = rules::start(rules::scenario("awi/skirmish").unwrap().text, None, Seed::from_number(1)).unwrap();
        let asked = game.awaited().unwrap().1;
        let mut chair = Chair::default();
        chair.show(&game.dump(Viewer::Side(asked), &mut Held::default()).unwrap()).unwrap();
        assert!(chair.prompt.is_some() && chair.scene.is_some());
        assert_eq!(chair.side(), Some(asked));
        let mut watcher = Chair::default();
        watcher.show(&game.dump(Viewer::Spectator, &mut Held::default()).unwrap()).unwrap();
        assert!(watcher.prompt.is_none() && watcher.side().is_none());
    }

    #[test]
    fn a_refusal_ends_the_waiting_and_is_kept_for_the_player() {
        let mut chair = Chair { waiting: Some(3), ..Chair::default() };
        let refused = FromServer::Refused { seq: Some(3), why: "too late".to_owned(), reasons: Vec::new() };
        chair.hear(refused).unwrap();
        assert_eq!(chair.waiting, None);
        assert_eq!(chair.refusal.map(|refusal| refusal.why).as_deref(), Some("too late"));
    }

    #[test]
    fn a_board_of_unknown_rules_is_refused_with_a_sentence() {
        let raw = serde_json::value::RawValue::from_string("{}".to_owned()).unwrap();
        let (ruleset, family) = ("whist".to_owned(), "cards".to_owned());
        let dump = Dump { ruleset, family, viewer: Viewer::Spectator, muster: None, state: raw };
        assert!(Chair::default().show(&dump).unwrap_err().contains("whist"));
    }
}
