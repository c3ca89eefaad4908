//! Manners of `awi`, for those who look ahead.

use super::careful::{self, Careful, Posture, Temper};
use crate::ahead::Style;
use crate::{Manners, Weight};
use engine::{Asked, Side, State};
use rules::awi::Awi;
use rules::awi::order::Decision;

impl Manners for Awi {
    type Hand = Careful;
    const MANNERS: &'static [&'static str] = &["careful", "attack", "stand", "bold", "wary", "close"];
    const STYLES: [Style; 2] = [Style { nodes: 5_000, rounds: 3 }, Style { nodes: 35_000, rounds: 3 }];

    fn manner(no: usize, seed: u64) -> Careful {
        let usual = Temper::default();
        let temper = match no {
            1 => Temper { posture: Some(Posture::Attack), ..usual },
            2 => Temper { posture: Some(Posture::Stand), ..usual },
            3 => Temper { least_gain: -0.15, patience: 20.0, standoff: 8.0, ..usual },
            4 => Temper { least_gain: 0.3, standoff: 14.0, ..usual },
            5 => Temper {
                posture: Some(Posture::Attack),
                least_gain: 0.0,
                patience: 20.0,
                close_to: 4.0,
                fire_at: 2.5,
                standoff: 6.0,
                ..usual
            },
            _ => usual,
        };
        Careful::with(seed, temper)
    }

    fn standing(state: &State<Awi>, side: Side) -> f64 {
        careful::standing(state, side)
    }

    fn weight(asked: &Asked<Awi>) -> Weight {
        match asked.decision {
            Decision::Activate => Weight::FirstOfTurn,
            _ => Weight::Light,
        }
    }
}
