//! The combat table and what lies beyond its print (R08).

use crate::charts::{Charts, TOP_ROW};
use std::cmp::Ordering;

/// More tenths than any status needs to be used up; no cell counts for more.
const MOST: u32 = 3_000;

/// Each printed cell is this many tenths at the top left, a tenth more for each column and a tenth less for each row.
const CORNER: u32 = 15;

/// The factor of a status and a number of counted elements in tenths, and whether it is in print. Nothing is counted,
/// nothing is looked up.
pub fn tenths(charts: &Charts, status: i32, counted: u32) -> (i32, bool) {
    if counted == 0 {
        return (0, true);
    }
    match charts.combat.table.value.cell(status, counted) {
        Some(cell) => (cell, true),
        None => (beyond_print(status, counted), false),
    }
}

/// The rule behind the print in exact arithmetic: fifteen, times 11/10 for each further column, times 9/10 for each row
/// down or 10/9 for each row up, rounded half up.
fn beyond_print(status: i32, counted: u32) -> i32 {
    let (mut over, mut under) = (Whole::from(CORNER * 2), Whole::from(2));
    for _ in 1..counted {
        over.times(11);
        under.times(10);
    }
    let (up, down) = if status > TOP_ROW { (10, 9) } else { (9, 10) };
    for _ in 0..status.abs_diff(TOP_ROW) {
        over.times(up);
        under.times(down);
    }
    // Half up: the greatest k of which k times `under` is no more than `over` and half of `under`; both have been doubled,
    // so that the half is whole.
    let mut half_up = over;
    half_up.plus(&under.halved());
    let (mut fits, mut too_much) = (0, MOST + 1);
    while too_much - fits > 1 {
        let middle = fits + (too_much - fits) / 2;
        let mut product = under.clone();
        product.times(middle);
        if product.compare(&half_up) == Ordering::Greater { too_much = middle } else { fits = middle }
    }
    i32::try_from(fits).unwrap_or(i32::MAX)
}

/// A whole number of any size, the lowest digits first.
#[derive(Clone)]
struct Whole(Vec<u32>);

impl From<u32> for Whole {
    fn from(number: u32) -> Whole {
        Whole(vec![number])
    }
}

impl Whole {
    fn times(&mut self, by: u32) {
        let mut carry = 0u64;
        for digit in &mut self.0 {
            let product = u64::from(*digit) * u64::from(by) + carry;
            *digit = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn plus(&mut self, other: &Whole) {
        let length = self.0.len().max(other.0.len());
        self.0.resize(length, 0);
        let mut carry = 0u64;
        for (n, digit) in self.0.iter_mut().enumerate() {
            let sum = u64::from(*digit) + u64::from(other.0.get(n).copied().unwrap_or(0)) + carry;
            *digit = sum as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Half of it; only even numbers come here.
    fn halved(&self) -> Whole {
        let mut half = self.0.clone();
        let mut carry = 0u64;
        for digit in half.iter_mut().rev() {
            let whole = (carry << 32) | u64::from(*digit);
            *digit = (whole / 2) as u32;
            carry = whole % 2;
        }
        Whole(half)
    }

    fn compare(&self, other: &Whole) -> Ordering {
        let digits = |whole: &Whole| whole.0.iter().rposition(|digit| *digit > 0).map_or(0, |last| last + 1);
        let (own, theirs) = (digits(self), digits(other));
        own.cmp(&theirs).then_with(|| self.0[..own].iter().rev().cmp(other.0[..theirs].iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shooting::tests::charts;

    #[test]
    fn the_rule_behind_the_table_gives_every_printed_cell() {
        let charts = charts();
        for status in -5..=TOP_ROW {
            for counted in 1..=16 {
                assert_eq!(
                    charts.combat.table.value.cell(status, counted),
                    Some(beyond_print(status, counted)),
                    "status {status}, {counted} counted"
                );
            }
        }
    }

    #[test]
    fn beyond_the_print_the_rule_goes_on_as_the_specification_lists_it() {
        let charts = charts();
        for (status, counted, expected) in
            [(16, 1, 23), (16, 24, 205), (13, 10, 39), (12, 20, 92), (10, 24, 109), (1, 17, 22), (1, 24, 42)]
        {
            assert_eq!(tenths(&charts, status, counted), (expected, false), "status {status}, {counted} counted");
        }
        assert_eq!(tenths(&charts, 8, 8), (19, true));
        assert_eq!(tenths(&charts, 8, 0), (0, true));
        assert_eq!(tenths(&charts, 20, 255).0, MOST as i32);
    }
}
