//! How the cost of a bound of `guns` grows with the size of the armies: 10, 20, 40 and 80 units a side on an open field
//! that grows with them, so that nobody is more crowded than before.

use super::{Better, Measure};
use crate::clock;
use crate::fight::fight;
use bots::Level;
use engine::battle::Keep;
use engine::setup::{self, Mode};
use engine::{BySide, Faults, Seed, State};
use rules::guns::Guns;
use std::fmt::Write;

/// Sizes of the armies.
pub const SIZES: [u32; 4] = [10, 20, 40, 80];
/// Units in a brigade: battalions, and a battery at the end.
const BRIGADE: u32 = 5;
/// Centimetres from one unit to the next.
const APART: u32 = 25;
/// How deep the field is, in centimetres.
const DEEP: u32 = 150;

/// The cost of a bound for each size, and the power of n with which it grows from the smallest to the largest.
pub fn measure(repeats: u16) -> Result<Vec<Measure>, Faults> {
    let fields = SIZES.into_iter().map(field).collect::<Result<Vec<State<Guns>>, Faults>>()?;
    let mut bounds = [
        Measure::new("bound of guns, 10 a side", "ms", [20.0, 5.0], Better::Less),
        Measure::new("bound of guns, 20 a side", "ms", [50.0, 12.0], Better::Less),
        Measure::new("bound of guns, 40 a side", "ms", [120.0, 30.0], Better::Less),
        Measure::new("bound of guns, 80 a side", "ms", [280.0, 70.0], Better::Less),
    ];
    let mut growth = Measure::new("growth of a bound of guns, over n log n", "", [1.0, 0.8], Better::Less);
    for repeat in 0..repeats {
        let costs: Vec<f64> = fields.iter().map(|opening| bound(opening, repeat)).collect();
        for (measure, cost) in bounds.iter_mut().zip(&costs) {
            measure.add(cost * 1e3);
        }
        if let (Some(few), Some(many)) = (costs.first(), costs.last()) {
            growth.add(many / few.max(1e-12) / n_log_n());
        }
    }
    Ok(bounds.into_iter().chain([growth]).collect())
}

/// By how much n log n grows from the smallest to the largest army.
fn n_log_n() -> f64 {
    let of = |units: u32| f64::from(units) * libm::log(f64::from(units));
    of(SIZES[SIZES.len() - 1]) / of(SIZES[0])
}

/// CPU seconds of one bound between careful bots.
fn bound(opening: &State<Guns>, repeat: u16) -> f64 {
    let seed = Seed::from_number(u64::from(repeat)).derive("corps", 0);
    let levels = BySide([Level::Careful, Level::Careful]);
    let ((_, fought), took) = clock::timed(|| fight::<Guns>(opening.clone(), seed, levels, Keep::Events));
    took.as_secs_f64() / f64::from(fought.turns.max(1))
}

/// Two armies in two lines, brigade beside brigade.
fn field(units: u32) -> Result<State<Guns>, Faults> {
    let files = units.div_ceil(2);
    let wide = files * APART + APART;
    let mut text = format!(
        "format = \"grognard/setup 1\"\nruleset = \"guns\"\ntitle = \"{units} a side\"\nturn_limit = 6\nyear = 1870\ndeployed = true\n\
         [settings]\nhistorical_lists = false\n[victory]\nkind = \"none\"\n[table]\nsize = [\"{wide}cm\", \"{DEEP}cm\"]\n"
    );
    for (side, edge, low, high) in [("south", "south", 0, 50), ("north", "north", DEEP - 50, DEEP)] {
        let _ = writeln!(
            text,
            "[sides.{side}]\nedges = [\"{edge}\"]\nzone = [[\"0cm\", \"{low}cm\"], [\"{wide}cm\", \"{high}cm\"]]"
        );
        for unit in 0..units {
            let (file, rank) = (unit % files, unit / files);
            let x = APART + file * APART;
            let back = 20 * rank;
            let (y, facing) = if side == "south" { (45 - back, 0) } else { (DEEP - 45 + back, 180) };
            let brigade = unit / BRIGADE;
            if unit % BRIGADE == 0 {
                let rear = if side == "south" { y - 8 } else { y + 8 };
                let _ = writeln!(
                    text,
                    "[generals.{side}-{brigade}]\nside = \"{side}\"\nname = \"{side} {brigade}\"\nlevel = \"brigade\"\nability = \"able\"\n\
                     command = \"{side} brigade {brigade}\"\npose = [\"{x}cm\", \"{rear}cm\", {facing}]"
                );
            }
            let what = if unit % BRIGADE == BRIGADE - 1 {
                "arm = \"artillery\"\nguns = 6\nclass = \"field\"\nweapon = \"krupp4\"\nformation = \"limbered\""
            } else {
                "arm = \"infantry\"\nelements = 7\nweapon = \"chassepot\"\norders = [\"close\", \"loose\", \"extended\"]\nformation = \"line\""
            };
            let _ = writeln!(
                text,
                "[units.{side}-u{unit}]\ngeneral = \"{side}-{brigade}\"\n{what}\nquality = \"regulars\"\npose = [\"{x}cm\", \"{y}cm\", {facing}]"
            );
        }
    }
    Ok(setup::muster::<Guns>(&text, None, Mode::Battle)?.state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::guns::field::facts;

    #[test]
    fn every_field_can_be_fought_on() {
        for units in SIZES {
            let state = field(units).unwrap_or_else(|faults| panic!("{faults}"));
            let real = state.units().filter(|(id, _)| !facts(&state, *id).screen).count();
            assert_eq!(real, 2 * units as usize);
        }
    }
}
