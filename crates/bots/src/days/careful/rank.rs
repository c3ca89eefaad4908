//! Choices from the best to the worst, where it is dear to say what one is worth and cheap to say what it is worth at
//! most: a choice is weighed only when none that has been weighed could be better.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A choice and what it is worth, or is worth at most as long as there is something to look at. Of equals those come first
/// that have been looked at least, then those that were named first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// What it is worth, as a whole number that lies among others as the worth does.
    worth: i64,
    place: Reverse<(u8, usize)>,
}

/// The choices still to be had.
pub struct Rank {
    rows: BinaryHeap<Row>,
    least: f64,
    looks: u8,
}

impl Row {
    fn of(worth: f64, looks: u8, no: usize) -> Row {
        // Below nought the bits of a number grow the other way, but for the sign.
        let bits = worth.to_bits() as i64;
        let turned = ((bits >> 63) as u64 >> 1) as i64;
        Row { worth: bits ^ turned, place: Reverse((looks, no)) }
    }
}

impl Rank {
    /// Choices by what they are worth at most; those that are not worth more than the least are left out. After so many
    /// looks a choice has been weighed.
    pub fn of(most: impl Iterator<Item = f64>, least: f64, looks: u8) -> Rank {
        let rows = most.map(plain).enumerate().filter(|(_, worth)| *worth > least);
        Rank { rows: rows.map(|(no, worth)| Row::of(worth, 0, no)).collect(), least, looks }
    }

    /// The number of the best choice left; of equals the one named first. `weigh` takes the next look at a choice and
    /// says what it is worth at most after that, or what it is worth after the last.
    pub fn next(&mut self, weigh: &mut impl FnMut(usize, u8) -> f64) -> Option<usize> {
        loop {
            let Row { place: Reverse((looks, no)), .. } = self.rows.pop()?;
            if looks >= self.looks {
                return Some(no);
            }
            let worth = weigh(no, looks + 1);
            let worth = if looks + 1 < self.looks { plain(worth) } else { worth };
            if worth > self.least {
                self.rows.push(Row::of(worth, looks + 1, no));
            }
        }
    }
}

/// Adding nothing turns a nought below nought into a plain one, which no other nought is above.
fn plain(worth: f64) -> f64 {
    worth + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_best_come_first_and_few_are_weighed() {
        let worth = [3.0, 7.0, 5.0, 7.0, 1.0, -4.0];
        let most = [6.0, 9.0, 5.0, 8.0, 2.0, 4.0];
        let weighed = Cell::new(0);
        let mut weigh = |no: usize, look: u8| {
            weighed.set(weighed.get() + 1);
            if look == 1 { (worth[no] + most[no]) * 0.5 } else { worth[no] }
        };
        let mut rank = Rank::of(most.into_iter(), 1.0, 2);
        assert_eq!(rank.next(&mut weigh), Some(1));
        assert_eq!(weighed.get(), 4, "the others could not be better");
        let rest: Vec<usize> = std::iter::from_fn(|| rank.next(&mut weigh)).collect();
        assert_eq!(rest, [3, 2, 0], "the rest is not worth more than the least");
    }
}
