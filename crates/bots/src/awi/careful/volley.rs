//! Fire as a spread of hits, and what hits are worth.

use super::scene::{Field, worth};
use engine::UnitId;
use rules::awi::field::soldiers;
use rules::awi::fire::Volley;

/// More hits than this are not told apart.
const MOST: usize = 12;

/// How likely each number of hits is.
pub struct Hits([f64; MOST + 1]);

impl Hits {
    /// Nobody fires.
    pub fn none() -> Hits {
        let mut chances = [0.0; MOST + 1];
        chances[0] = 1.0;
        Hits(chances)
    }

    /// A volley that comes with a chance.
    pub fn add(&mut self, chance: f64, volley: &Volley) {
        let hit = die_chance(volley) * chance;
        // A volley that may not come at all hits less often die by die: its mean is right, which is what matters.
        for _ in 0..volley.dice.value.clamp(0, MOST as i32) {
            for n in (0..=MOST).rev() {
                let from_below = if n > 0 { self.0[n - 1] * hit } else { 0.0 };
                let stays = if n == MOST { self.0[n] } else { self.0[n] * (1.0 - hit) };
                self.0[n] = stays + from_below;
            }
        }
    }

    /// Numbers of hits worth thinking about, with their chances.
    pub fn likely(&self) -> impl Iterator<Item = (u8, f64)> + '_ {
        self.0.iter().enumerate().filter(|(_, chance)| **chance > 0.005).map(|(hits, chance)| (hits as u8, *chance))
    }

    /// What the hits cost a unit, in worth.
    pub fn cost(&self, field: &Field, unit: UnitId) -> f64 {
        let marks = soldiers(field, unit).marks;
        let before = worth(field, unit, marks);
        self.likely().map(|(hits, chance)| chance * (before - worth(field, unit, marks.saturating_sub(hits)))).sum()
    }
}

/// The chance of one die of a volley to hit, face by face through the umpire's own count.
pub fn die_chance(volley: &Volley) -> f64 {
    f64::from((1..=6u8).map(|pip| u32::from(volley.hits(&[pip]))).sum::<u32>()) / 6.0
}
