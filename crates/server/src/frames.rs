//! Moments of a replay. A replay is played from its beginning; the last place somebody looked at is kept on a shelf, so
//! that reading on costs only the orders in between.

use crate::store::unpoisoned;
use engine::Viewer;
use engine::dump::Held;
use engine::game::Game;
use engine::replay::ReplayFile;
use std::sync::Mutex;
use wire::{Frame, Frames};

/// How many open replays are kept.
const MOST: usize = 16;

/// A replay opened at a moment.
struct Open {
    battle: String,
    moment: usize,
    game: Box<dyn Game>,
}

/// Replays left open, the one used last at the end.
#[derive(Default)]
pub struct Shelf(Mutex<Vec<Open>>);

impl Shelf {
    /// Some moments of a battle as a viewer sees them. Plays orders, so it belongs off the runtime.
    pub fn read(
        &self,
        battle: &str,
        replay: &ReplayFile,
        viewer: Viewer,
        from: u32,
        count: u32,
    ) -> Result<Frames, String> {
        let last = replay.entries.len();
        let total = u32::try_from(last + 1).unwrap_or(u32::MAX);
        let first = from as usize;
        let end = first.saturating_add(count as usize).min(last + 1);
        if first >= end {
            return Ok(Frames { total, frames: Vec::new() });
        }
        // One before, for what was told by the step to the first.
        let mut open = self.take(battle, first.saturating_sub(1), replay)?;
        let mut frames = Vec::with_capacity(end - first);
        if first == 0 {
            frames.push(frame(open.game.as_ref(), viewer, 0, 0, None)?);
        }
        while open.moment + 1 < end {
            let entry = &replay.entries[open.moment];
            let before = open.game.events();
            open.game.repeat(entry)?;
            open.moment += 1;
            if open.moment >= first {
                frames.push(frame(open.game.as_ref(), viewer, open.moment, before, Some(entry.side.index() as u8))?);
            }
        }
        self.put(open);
        Ok(Frames { total, frames })
    }

    fn take(&self, battle: &str, upto: usize, replay: &ReplayFile) -> Result<Open, String> {
        let mut shelf = unpoisoned(&self.0);
        let found = shelf.iter().position(|open| open.battle == battle && open.moment <= upto);
        let kept = found.map(|at| shelf.remove(at));
        drop(shelf);
        match kept {
            Some(open) => Ok(open),
            None => {
                let game = rules::resume(replay, Some(upto)).map_err(|error| error.to_string())?;
                Ok(Open { battle: battle.to_owned(), moment: upto, game })
            }
        }
    }

    fn put(&self, open: Open) {
        let mut shelf = unpoisoned(&self.0);
        if shelf.len() >= MOST {
            shelf.remove(0);
        }
        shelf.push(open);
    }
}

fn frame(game: &dyn Game, viewer: Viewer, moment: usize, before: usize, by: Option<u8>) -> Result<Frame, String> {
    let board = game.dump(viewer, &mut Held::default()).map_err(|error| error.to_string())?;
    // The beginning has its own events; after a take-back there are fewer than before, and nothing is told.
    Ok(Frame { moment: moment as u32, board, told: game.chronicle(viewer, before), by })
}
