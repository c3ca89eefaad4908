//! Manners of `fpw`, for those who look ahead.

use super::careful::{Careful, Temper};
use crate::ahead::Style;
use crate::{Manners, Weight};
use engine::{Asked, Side, State};
use rules::fpw::Fpw;
use rules::fpw::charts::plain;
use rules::fpw::order::Decision;
use rules::fpw::victory;

/// What a marker on a stand is of the stand.
const MARKER: f64 = 0.2;

impl Manners for Fpw {
    type Hand = Careful;
    const MANNERS: &'static [&'static str] = &["careful", "bold", "wary", "charging", "far", "near"];
    const STYLES: [Style; 2] = [Style { nodes: 1_500, rounds: 2 }, Style { nodes: 6_500, rounds: 3 }];

    fn manner(no: usize, seed: u64) -> Careful {
        let usual = Temper::default();
        let temper = match no {
            1 => Temper { spirit: 1.6, pull: 0.14, least_gain: 0.4, ..usual },
            2 => Temper { spirit: 0.5, pull: 0.02, long_pull: 0.01, least_gain: 1.5, ..usual },
            3 => Temper { least_gain: 0.0, helper: 0.6, ..usual },
            4 => Temper { long_at: 17.0, long_pull: 0.1, pull: 0.02, ..usual },
            5 => Temper { long_at: 6.0, long_pull: 0.12, pull: 0.12, spirit: 1.2, ..usual },
            _ => usual,
        };
        Careful::with(seed, temper)
    }

    fn standing(state: &State<Fpw>, side: Side) -> f64 {
        let lead = share(state, side.other()) - share(state, side);
        0.5 + 0.5 * (lead * 4.0).clamp(-1.0, 1.0)
    }

    fn weight(asked: &Asked<Fpw>) -> Weight {
        match asked.decision {
            Decision::Command { .. } => Weight::FirstOfTurn,
            Decision::Charges { .. } | Decision::FollowUp { .. } | Decision::FallBack { .. } => Weight::Heavy,
            _ => Weight::Light,
        }
    }
}

/// What a side has lost of all it could lose, places held taken off it; markers on the table are losses half made.
fn share(state: &State<Fpw>, side: Side) -> f64 {
    let (points, of) = victory::share(state, side);
    let marked: u32 = state
        .present(side)
        .map(|(_, unit)| unit.own.stands.iter().map(|stand| u32::from(stand.disruption)).sum::<u32>())
        .sum();
    let removed = f64::from(plain(state.charts().victory.stand_removed).value);
    (f64::from(points) + f64::from(marked) * removed * MARKER) / f64::from(of.max(1))
        - victory::held_worth(state, side) as f64 / 100.0
}
