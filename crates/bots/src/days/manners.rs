//! Manners of `days`, for those who look ahead.

use super::careful::{Careful, Temper};
use crate::ahead::Style;
use crate::{Manners, Weight};
use engine::{Asked, Side, State};
use rules::days::field::{self, facts};
use rules::days::order::Decision;
use rules::days::unit::OrderState;
use rules::days::{Days, victory};

impl Manners for Days {
    type Hand = Careful;
    const MANNERS: &'static [&'static str] = &["careful", "bold", "wary", "charging", "stand", "press"];
    const STYLES: [Style; 2] = [Style { nodes: 700, rounds: 2 }, Style { nodes: 4_500, rounds: 3 }];

    fn manner(no: usize, _seed: u64) -> Careful {
        let usual = Temper::default();
        let temper = match no {
            1 => Temper { take: 0.2, hurry: 20.0, calm: 0.6, least_gain: -0.5, ..usual },
            2 => Temper { take: 1.2, hurry: 5.0, least_gain: 2.0, ..usual },
            3 => Temper { least_gain: -2.0, least_chance: -2.0, ..usual },
            4 => Temper { hurry: 0.5, take: 0.9, storm: 1.0, ..usual },
            5 => Temper { press: 6.0, press_far: 5.0, hurry: 16.0, calm: 0.8, ..usual },
            _ => usual,
        };
        Careful::with(temper)
    }

    fn standing(state: &State<Days>, side: Side) -> f64 {
        let size = f64::from(state.muster().scenario.size.max(100));
        let lead = (spent(state, side.other()) - spent(state, side)) / size;
        let objectives = &state.muster().scenario.objectives;
        let places: f64 = objectives
            .iter()
            .map(|place| {
                let held = victory::holds(state, place.of, place.feature);
                if held == (place.of == side) { 0.3 } else { -0.3 }
            })
            .sum::<f64>()
            / objectives.len().max(1) as f64;
        0.5 + 0.5 * (lead * 2.5 + places).clamp(-1.0, 1.0)
    }

    fn weight(asked: &Asked<Days>) -> Weight {
        match asked.decision {
            Decision::Charges => Weight::Heavy,
            Decision::Move => Weight::FirstOfTurn,
            _ => Weight::Light,
        }
    }
}

/// Points a side has lost or is about to lose: a unit on its way to half its strength, or out of order, has lost a part
/// of what the rules will count.
fn spent(state: &State<Days>, side: Side) -> f64 {
    let counted = f64::from(victory::lost_doubled(state, side)) / 2.0;
    let fading = field::present(state, side).map(|(id, _)| {
        if facts(state, id).part.is_some() {
            return 0.0;
        }
        let points = f64::from(facts(state, id).points);
        let (now, full) = (f64::from(field::strength(state, id)), f64::from(field::start(state, id)).max(1.0));
        let worn = (1.0 - now / full).clamp(0.0, 1.0) * 0.5;
        let shaken = match field::order(state, id) {
            OrderState::Good => 0.0,
            OrderState::Disordered => 0.04,
            OrderState::Shaken => 0.12,
            OrderState::Routing => 0.2,
        };
        points * (worn + shaken)
    });
    counted + fading.sum::<f64>()
}
