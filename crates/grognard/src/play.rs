//! `grognard play`: a battle in the terminal, against a bot or at one keyboard.

pub mod chronicle;
mod reader;
mod session;
mod suggestions;
mod table_talk;

use crate::args::{Enemy, PlayArgs};
use crate::page::Page;
use crate::{Exit, input};
use anyhow::{Result, bail};
use bots::Level;
use engine::replay::ReplayFile;
use engine::{BySide, Seed, Side};
use lab::duel;
use session::{Seats, Session};
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

/// The battle the README begins with.
const FIRST: &str = "awi/skirmish";

pub fn play(args: &PlayArgs, page: &mut Page) -> Result<Exit> {
    let mut session = match &args.resume {
        Some(path) => resume(args, path, page)?,
        None => begin(args, page)?,
    };
    session.run()
}

fn begin<'p>(args: &PlayArgs, page: &'p mut Page) -> Result<Session<'p>> {
    let setup = input::setup(args.scenario.as_deref().unwrap_or(FIRST))?;
    let house = input::house(args.house.as_deref())?;
    let seed = args.seed.map_or_else(fresh_seed, Seed::from_number);
    let seats = seats(args, &setup.text, house.as_deref())?;
    let duel = duel::start(&setup.text, house.as_deref(), seed, bots_of(&seats))?;
    let save = args.save.clone().unwrap_or_else(|| free_name(&setup.name));
    Ok(Session::new(duel, seats, save, args, page))
}

fn resume<'p>(args: &PlayArgs, path: &Path, page: &'p mut Page) -> Result<Session<'p>> {
    let replay: ReplayFile = input::replay(path)?;
    let seats = seats(args, &replay.header.setup, replay.header.house.as_deref())?;
    let duel = duel::resume(&replay, bots_of(&seats))?;
    let save = args.save.clone().unwrap_or_else(|| path.to_owned());
    Ok(Session::new(duel, seats, save, args, page))
}

/// Who leads which side.
fn seats(args: &PlayArgs, setup: &str, house: Option<&str>) -> Result<Seats> {
    let keys = rules::start(setup, house, Seed::from_number(0))?.sides();
    let side = match &args.side {
        None => Side::A,
        Some(word) => {
            let low = word.to_lowercase();
            let is = |side: Side| {
                let (key, name) = &keys[side.index()];
                let plain = if side == Side::A { ["a", "first"] } else { ["b", "second"] };
                key.to_lowercase() == low || name.to_lowercase() == low || plain.contains(&low.as_str())
            };
            let Some(side) = Side::BOTH.into_iter().find(|side| is(*side)) else {
                bail!("no side is called `{word}`; there are: {}, {}", keys[0].0, keys[1].0);
            };
            side
        }
    };
    Ok(match args.against {
        Enemy::Human => Seats::HotSeat,
        Enemy::Bot(level) => Seats::Against { me: side, level },
    })
}

fn bots_of(seats: &Seats) -> BySide<Option<Level>> {
    match seats {
        Seats::HotSeat => BySide([None, None]),
        Seats::Against { me, level } => BySide::from_fn(|side| (side != *me).then_some(*level)),
    }
}

/// A seed nobody knows: the system's own randomness, drawn as its hash tables draw it.
fn fresh_seed() -> Seed {
    let draw = || std::hash::RandomState::new().build_hasher().finish();
    Seed::from_number(draw()).derive("fresh", draw())
}

/// A name for a saved battle that no file has yet.
fn free_name(scenario: &str) -> PathBuf {
    let stem = Path::new(scenario).file_stem().map_or("battle".into(), |stem| stem.to_string_lossy());
    let word = engine::setup::slug(&stem);
    let name = |n: u32| {
        PathBuf::from(if n == 1 { format!("grognard-{word}.jsonl") } else { format!("grognard-{word}-{n}.jsonl") })
    };
    (1..1_000).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1_000))
}
