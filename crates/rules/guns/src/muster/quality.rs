//! What troops are worth: combat status and its two marks (appendix 2, R72).

use super::super::charts::{Charts, Quality, plain};
use book::words;
use engine::Cited;
use serde::{Deserialize, Serialize};

words! {
    /// The named classes, the best first.
    Class {
        Elite = "elite", Experienced = "experienced", Regulars = "regulars", Conscripts = "conscripts",
        Militia = "militia",
    }
}

/// Quality as a set-up writes it: a class, or a number in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Given {
    /// By name.
    Named(Class),
    /// By number.
    Number(i8),
}

/// Quality as it counts: what it adds, and whose depths its limiters have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Added to the elements or guns.
    pub bonus: i8,
    /// The class itself, or the next lower one.
    pub class: Class,
}

/// The row of a class.
pub fn row(charts: &Charts, class: Class) -> &Quality {
    match class {
        Class::Elite => &charts.quality.elite,
        Class::Experienced => &charts.quality.experienced,
        Class::Regulars => &charts.quality.regulars,
        Class::Conscripts => &charts.quality.conscripts,
        Class::Militia => &charts.quality.militia,
    }
}

/// What a class adds.
pub fn bonus(charts: &Charts, class: Class) -> i8 {
    plain(row(charts, class).bonus).value.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8
}

/// What a given quality counts as; none beyond the best and the worst class.
pub fn worth(charts: &Charts, given: Given) -> Option<Worth> {
    match given {
        Given::Named(class) => Some(Worth { bonus: bonus(charts, class), class }),
        Given::Number(number) if number <= bonus(charts, Class::Elite) => {
            let class = Class::ALL.iter().copied().find(|class| bonus(charts, *class) <= number)?;
            Some(Worth { bonus: number, class })
        }
        Given::Number(_) => None,
    }
}

/// Combat status at the start: elements or guns and quality, at least 1.
pub fn start(count: u8, bonus: i8) -> u8 {
    (i32::from(count) + i32::from(bonus)).clamp(1, i32::from(u8::MAX)) as u8
}

/// A limiter: so far below the start, at least 1.
pub fn limiter(start: u8, depth: i32) -> u8 {
    (i32::from(start) - depth).clamp(1, i32::from(u8::MAX)) as u8
}

/// Status at the start and the last ones at which a unit charges and advances.
pub fn track(charts: &Charts, count: u8, worth: Worth) -> (u8, u8, u8) {
    let row = row(charts, worth.class);
    let depth = |figure: Cited<super::super::charts::Count>| plain(figure).value;
    let start = start(count, worth.bonus);
    (start, limiter(start, depth(row.charge)), limiter(start, depth(row.advance)))
}
