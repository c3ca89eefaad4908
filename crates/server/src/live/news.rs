//! What the task says to those at the table. Every word goes through the viewer of the seat it is said to.

use super::{Connection, Done, Live, Refusal, RefusalKind};
use crate::store::{Record, Role};
use axum::extract::ws::Utf8Bytes;
use engine::{Side, Viewer};
use steward::words;
use wire::{BattleInfo, BoardAnswer, FromServer, SeatInfo, Standing};

/// Whose eyes somebody at the table has.
pub fn viewer(record: &Record, role: Role) -> Viewer {
    match role {
        _ if record.study => Viewer::Umpire,
        Role::Player(side) => Viewer::Side(side),
        Role::Watcher => Viewer::Spectator,
    }
}

/// A message as it goes over the line.
pub fn text(message: &FromServer) -> Option<Utf8Bytes> {
    match serde_json::to_string(message) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            tracing::error!(%error, "a message cannot be written");
            None
        }
    }
}

impl Connection {
    /// False where the other end is gone or too slow to read.
    fn send(&self, message: &FromServer) -> bool {
        text(message).is_some_and(|text| self.outbox.try_send(text).is_ok())
    }
}

impl Live {
    /// The battle as anybody with a key may know it.
    pub(super) fn info(&self) -> BattleInfo {
        let record = &self.record;
        let standing = self.standing();
        let seated = |side: Side| self.connections.iter().any(|connection| connection.role == Role::Player(side));
        let present = |side: Side| seated(side) || (record.bots[side.index()].is_none() && self.hands.are_away());
        let seats = Side::BOTH.map(|side| SeatInfo {
            side: record.sides[side.index()].clone(),
            bot: record.bots[side.index()].clone(),
            present: present(side),
        });
        // Whoever knows the seed knows the dice that are still to come.
        let open = record.study || matches!(standing, Standing::Over { .. });
        BattleInfo {
            id: record.id.clone(),
            ruleset: record.header.ruleset.clone(),
            title: record.title.clone(),
            created: record.created,
            updated: self.updated,
            seats,
            standing,
            seed_hash: record.header.seed.commitment(),
            seed: open.then(|| record.header.seed.to_string()),
            watchers: self.connections.iter().filter(|connection| connection.role == Role::Watcher).count() as u32,
            hints: record.terms.hints,
            open_minds: record.terms.minds,
        }
    }

    /// Sends everything a seat needs, to one connection or to all.
    pub(super) fn welcome(&mut self, only: Option<u64>) {
        let info = self.info();
        let Some(game) = self.game.as_deref() else { return };
        let record = &self.record;
        self.connections.retain_mut(|connection| {
            if only.is_some_and(|no| no != connection.no) {
                return true;
            }
            let viewer = viewer(record, connection.role);
            let welcome = words::welcome(game, viewer, info.clone(), &mut connection.held);
            welcome.is_ok_and(|welcome| connection.send(&welcome))
        });
    }

    /// Tells everybody what an act brought about.
    pub(super) fn tell_news(&mut self, done: &Done) {
        if done.shorter {
            self.welcome(None);
            return;
        }
        let info = Some(self.info()).filter(|info| info.standing != done.before);
        let Some(game) = self.game.as_deref() else { return };
        let record = &self.record;
        let everybody = self.connections.len();
        self.connections.retain_mut(|connection| {
            let viewer = viewer(record, connection.role);
            let news = words::news(game, viewer, done.from, info.clone(), &mut connection.held);
            news.is_ok_and(|news| connection.send(&news))
        });
        if self.connections.len() < everybody {
            self.tell_presence(None);
        }
    }

    /// Tells everybody but one who is at the table.
    pub(super) fn tell_presence(&mut self, but: Option<u64>) {
        let message = FromServer::Presence(Box::new(self.info()));
        let Some(text) = text(&message) else { return };
        // Who cannot be told now will be found out at the next news.
        for connection in self.connections.iter().filter(|connection| Some(connection.no) != but) {
            let _ = connection.outbox.try_send(text.clone());
        }
    }

    /// Says something to one connection.
    pub(super) fn send_to(&mut self, no: u64, message: &FromServer) {
        self.connections.retain(|connection| connection.no != no || connection.send(message));
    }

    /// The table for a program.
    pub(super) fn board_for(&self, role: Role) -> Result<BoardAnswer, Refusal> {
        let unreadable = || Refusal::new(RefusalKind::House, "the battle cannot be read just now");
        let game = self.game.as_deref().ok_or_else(unreadable)?;
        let board = game.board(viewer(&self.record, role));
        let plain = |value: Result<serde_json::Value, serde_json::Error>| value.map_err(|_| unreadable());
        Ok(BoardAnswer {
            scene: plain(serde_json::to_value(board.scene()))?,
            pieces: board.dump(),
            prompt: board.prompt().map(|prompt| plain(serde_json::to_value(prompt))).transpose()?,
        })
    }
}
