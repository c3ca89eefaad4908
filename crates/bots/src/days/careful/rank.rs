//! Choices from the best to the worst, where it is dear to say what one is worth and cheap to say what it is worth at
//! most: a choice is weighed only when none that has been weighed could be better.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A choice and what it is worth, or is worth at most as long as it has not been weighed.
struct Row {
    worth: f64,
    weighed: bool,
    no: usize,
}

/// The choices still to be had.
pub struct Rank {
    rows: BinaryHeap<Row>,
    least: f64,
}

impl Row {
    /// Of equals those come first that have not been weighed yet, then those that were named first.
    fn key(&self, other: &Row) -> Ordering {
        self.worth
            .total_cmp(&other.worth)
            .then(other.weighed.cmp(&self.weighed))
            .then(Reverse(self.no).cmp(&Reverse(other.no)))
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Row {}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Row) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Row) -> Ordering {
        self.key(other)
    }
}

impl Rank {
    /// Choices by what they are worth at most; those that are not worth more than the least are left out.
    pub fn of(most: impl Iterator<Item = f64>, least: f64) -> Rank {
        // Adding nothing turns a nought below nought into a plain one, which no other nought is above.
        let rows = most.map(|worth| worth + 0.0).enumerate().filter(|(_, worth)| *worth > least);
        Rank { rows: rows.map(|(no, worth)| Row { worth, weighed: false, no }).collect(), least }
    }

    /// The number of the best choice left; of equals the one named first.
    pub fn next(&mut self, weigh: impl Fn(usize) -> f64) -> Option<usize> {
        loop {
            let row = self.rows.pop()?;
            if row.weighed {
                return Some(row.no);
            }
            let worth = weigh(row.no);
            if worth > self.least {
                self.rows.push(Row { worth, weighed: true, no: row.no });
            }
        }
    }
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
        let weigh = |no: usize| {
            weighed.set(weighed.get() + 1);
            worth[no]
        };
        let mut rank = Rank::of(most.into_iter(), 1.0);
        assert_eq!(rank.next(weigh), Some(1));
        assert_eq!(weighed.get(), 2, "the others could not be better");
        let rest: Vec<usize> = std::iter::from_fn(|| rank.next(weigh)).collect();
        assert_eq!(rest, [3, 2, 0], "the rest is not worth more than the least");
    }
}
