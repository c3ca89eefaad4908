//! How the cost of a turn grows with the size of the armies: 10, 20, 40 and 80 units a side, for every family of
//! rulebooks.

use super::fields::{self, Field};
use super::{Better, Measure};
use crate::clock;
use crate::fight::{Pair, fight};
use bots::{Level, Opponents};
use engine::battle::Keep;
use engine::{BySide, Faults, Seed, State};

/// Sizes of the armies.
const SIZES: [u32; 4] = [10, 20, 40, 80];
/// Turns a battle lasts: enough to come to blows.
const TURNS: u32 = 6;
/// What a bound of `guns` may cost now and in the end, in milliseconds. The other games have goals for their growth alone.
const BOUNDS: [[f64; 2]; 4] = [[20.0, 5.0], [50.0, 12.0], [120.0, 30.0], [280.0, 70.0]];

/// The cost of a turn for each size, and how it grows from the smallest to the largest, for every family.
pub fn measure(repeats: u16, progress: &dyn Fn(&str)) -> Result<Vec<Measure>, Faults> {
    let mut measures = Vec::new();
    for field in &fields::ALL {
        progress(&format!("growth of {} from 10 to 80 units a side", field.id));
        if let Some(rows) = rules::dispatch!(field.id, R => grown::<R>(field, repeats)) {
            measures.extend(rows?);
        }
    }
    Ok(measures)
}

fn grown<R: Opponents>(field: &Field, repeats: u16) -> Result<Vec<Measure>, Faults> {
    let openings =
        SIZES.into_iter().map(|units| field.muster(units, TURNS)).collect::<Result<Vec<State<R>>, Faults>>()?;
    let id = field.id;
    let mut turns: Vec<Measure> = SIZES
        .iter()
        .zip(BOUNDS)
        .map(|(units, goals)| {
            let what = format!("turn of {id}, {units} a side");
            if id == "guns" {
                Measure::new(what, "ms", goals, Better::Less)
            } else {
                Measure::plain(what, "ms", Better::Less)
            }
        })
        .collect();
    let goals = if id == "guns" { [1.0, 0.8] } else { [square_over_n_log_n(), 1.0] };
    let mut growth = Measure::new(format!("growth of {id}, over n log n"), "", goals, Better::Less);
    for repeat in 0..repeats {
        let costs: Vec<f64> = openings.iter().map(|opening| turn(opening, repeat)).collect();
        for (measure, cost) in turns.iter_mut().zip(&costs) {
            measure.add(cost * 1e3);
        }
        if let (Some(few), Some(many)) = (costs.first(), costs.last()) {
            growth.add(many / few.max(1e-12) / n_log_n());
        }
    }
    turns.push(growth);
    Ok(turns)
}

/// By how much n log n grows from the smallest to the largest army.
fn n_log_n() -> f64 {
    let of = |units: u32| f64::from(units) * libm::log(f64::from(units));
    of(SIZES[SIZES.len() - 1]) / of(SIZES[0])
}

/// By how much more n times n does: what a cost must stay below that is to be better than quadratic.
fn square_over_n_log_n() -> f64 {
    let times = f64::from(SIZES[SIZES.len() - 1]) / f64::from(SIZES[0]);
    times * times / n_log_n()
}

/// CPU seconds of one turn between careful bots.
fn turn<R: Opponents>(opening: &State<R>, repeat: u16) -> f64 {
    let seed = Seed::from_number(u64::from(repeat)).derive("growth", 0);
    let levels = BySide([Level::Careful, Level::Careful]);
    let ((_, fought), took) = clock::timed(|| fight::<R>(opening.clone(), seed, Pair::usual(levels), Keep::Events));
    took.as_secs_f64() / f64::from(fought.turns.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the set-up names it: screens and other parts are units of their own in some rulebooks.
    fn is_battalion(key: &str) -> bool {
        key.rsplit_once("-u").is_some_and(|(_, no)| no.bytes().all(|byte| byte.is_ascii_digit()))
    }

    #[test]
    fn every_field_can_be_fought_on() {
        for field in &fields::ALL {
            for units in SIZES {
                let count = rules::dispatch!(field.id, R => {
                    let state = field.muster::<R>(units, TURNS).unwrap_or_else(|faults| panic!("{}: {faults}", field.id));
                    state.units().filter(|(id, _)| is_battalion(&state.card(*id).key)).count()
                });
                assert_eq!(count, Some(2 * units as usize), "{}", field.id);
            }
        }
    }
}
