//! Manners of `guns`, for those who look ahead.

use super::careful::{Careful, Temper};
use crate::ahead::Style;
use crate::{Manners, Weight};
use engine::{Asked, Side, State};
use rules::guns::Guns;
use rules::guns::order::Decision;
use rules::guns::unit::Troops;
use rules::guns::victory;

impl Manners for Guns {
    type Hand = Careful;
    const MANNERS: &'static [&'static str] = &["careful", "bold", "wary", "charging", "places", "stand"];
    const STYLES: [Style; 2] = [Style { nodes: 250, rounds: 2 }, Style { nodes: 1_600, rounds: 3 }];

    fn manner(no: usize, seed: u64) -> Careful {
        let usual = Temper::default();
        let temper = match no {
            1 => Temper { caution: 0.4, pull: 0.1, least_chance: 0.4, least_gain: 0.1, ..usual },
            2 => Temper { caution: 1.4, pull: 0.02, ready: 0.2, least_gain: 1.0, ..usual },
            3 => Temper { least_chance: 0.3, least_gain: -0.3, ready: 1.5, worn: 0.0, ..usual },
            4 => Temper { place: 2.0, caution: 0.6, pull: 0.08, ease: 1.0, ..usual },
            5 => Temper { caution: 1.2, pull: 0.0, ready: 0.0, ease: 0.0, ..usual },
            _ => usual,
        };
        Careful::with(seed, temper)
    }

    fn standing(state: &State<Guns>, side: Side) -> f64 {
        let lost = |side: Side| f64::from(victory::percent_lost(state, side)) / 100.0;
        let held = |side: Side| f64::from(victory::held_worth(state, side));
        let all: f64 = state.muster().scenario.objectives.iter().map(|place| f64::from(place.worth)).sum();
        let places = if all > 0.0 { (held(side) - held(side.other())) / all } else { 0.0 };
        let [own, theirs] = [side, side.other()].map(|side| spirit(state, side));
        let worn = (own - theirs) / (own + theirs).max(1.0);
        let lead = lost(side.other()) - lost(side) + worn + places;
        0.5 + 0.5 * (lead * 1.2).clamp(-1.0, 1.0)
    }

    fn weight(asked: &Asked<Guns>) -> Weight {
        match asked.decision {
            Decision::Nominate | Decision::Plot => Weight::Heavy,
            _ => Weight::Light,
        }
    }
}

/// What a side's troops on the table are good for: the status of those who stand, half that of those who run.
fn spirit(state: &State<Guns>, side: Side) -> f64 {
    let worth = |own: &Troops| f64::from(own.status) * if own.broken { 0.4 } else { 1.0 };
    state.present(side).map(|(_, unit)| worth(&unit.own)).sum()
}
