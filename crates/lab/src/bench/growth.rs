//! How the cost of a battle grows with its size: the same open field, 10 and 80 units a side.

use super::{Better, Measure};
use crate::clock;
use crate::fight::fight;
use bots::Level;
use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{BySide, Faults, Seed, State};
use rules::awi::Awi;
use std::fmt::Write;
use std::time::Duration;

const SMALL: u32 = 10;
const LARGE: u32 = 80;
/// Units in a brigade, and inches between their flags.
const BRIGADE: u32 = 4;
const APART: u32 = 6;

/// The power of the number of units with which the cost grows: 2 means four times the cost for twice the units.
pub fn measure(repeats: u16) -> Result<Vec<Measure>, Faults> {
    let mut growth = Measure::new("growth of a battle's cost, power of n", "", [2.0, 1.2], Better::Less);
    let (small, large) = (field(SMALL)?, field(LARGE)?);
    for repeat in 0..repeats {
        let (few, many) = (cost(&small, repeat, 6), cost(&large, repeat, 1));
        let times = many.as_secs_f64() / few.as_secs_f64().max(1e-9);
        growth.samples.push(libm::log(times) / libm::log(f64::from(LARGE) / f64::from(SMALL)));
    }
    Ok(vec![growth])
}

fn cost(opening: &State<Awi>, repeat: u16, games: u32) -> Duration {
    let mut took = Duration::ZERO;
    for game in 0..games {
        let seed = Seed::from_number(u64::from(repeat)).derive("growth", u64::from(game));
        let levels = BySide([Level::Careful, Level::Careful]);
        took += clock::timed(|| fight::<Awi>(opening.clone(), seed, levels, Keep::Events)).1;
    }
    took / games.max(1)
}

/// Two lines of line infantry on an open field, as long as it takes.
fn field(units: u32) -> Result<State<Awi>, Faults> {
    let files = units.div_ceil(2);
    let wide = files * APART + 12;
    let mut text = format!(
        "format = \"grognard/setup 1\"\nruleset = \"awi\"\ntitle = \"{units} a side\"\nturn_limit = 6\nfirst = \"north\"\n\
         [settings]\norders = \"off\"\n[table]\nsize = [\"{wide}in\", \"48in\"]\n"
    );
    for (side, edge, low, high) in [("north", "north", 32, 48), ("south", "south", 0, 16)] {
        let _ = writeln!(
            text,
            "[sides.{side}]\nedges = [\"{edge}\"]\nzone = [[\"0in\", \"{low}in\"], [\"{wide}in\", \"{high}in\"]]"
        );
        for unit in 0..units {
            let (file, rank) = (unit % files, unit / files);
            let x = 6 + APART / 2 + file * APART;
            let (y, facing) = if side == "north" { (34 + rank * 5, 180) } else { (14 - rank * 5, 0) };
            if unit % BRIGADE == 0 {
                let (back, lead) = if side == "north" { (46 - rank * 3, x) } else { (2 + rank * 3, x) };
                let _ = writeln!(
                    text,
                    "[brigades.brigade-{side}-{}]\nside = \"{side}\"\ncommander = {{ name = \"{side} {}\", rating = \"normal\", pose = [\"{lead}in\", \"{back}in\", {facing}] }}",
                    unit / BRIGADE,
                    unit / BRIGADE
                );
            }
            let (kind, class) = if side == "north" { ("regulars", "line") } else { ("continental", "line") };
            let _ = writeln!(
                text,
                "[units.{side}-{unit}]\nbrigade = \"brigade-{side}-{}\"\ntype = \"{kind}\"\nclass = \"{class}\"\nformation = \"line\"\npose = [\"{x}in\", \"{y}in\", {facing}]",
                unit / BRIGADE
            );
        }
    }
    Ok(setup::muster::<Awi>(&text, None, Mode::Battle)?.state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fields_can_be_fought_on() {
        for units in [SMALL, LARGE] {
            let state = field(units).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(state.units().count(), 2 * units as usize);
        }
    }
}
