//! Cases of every ruleset: which one a file is for, and what is wrong where nobody knows it.

use crate::{dispatch, ruleset_of};
use engine::sheet::{Faults, Sheet};

pub use book::case::{CaseReport, opening};

/// Runs a case.
pub fn run(text: &str) -> CaseReport {
    let ruleset = ruleset_of(text).unwrap_or_default();
    dispatch!(ruleset.as_str(), R => book::case::run::<R>(text)).unwrap_or_else(|| {
        let mut faults = Faults::default();
        Sheet::parse(text, &mut faults);
        let mut failures: Vec<String> = faults.faults.iter().map(ToString::to_string).collect();
        if failures.is_empty() {
            failures.push(unknown(&ruleset));
        }
        CaseReport::broken(&ruleset, failures)
    })
}

/// Everything wrong with a case file, without running it.
pub fn faults(text: &str) -> Faults {
    let ruleset = ruleset_of(text).unwrap_or_default();
    let found = dispatch!(ruleset.as_str(), R => book::case::faults::<R>(text));
    found.unwrap_or_else(|| Faults::whole(unknown(&ruleset)))
}

fn unknown(ruleset: &str) -> String {
    format!("`ruleset` is missing or unknown: `{ruleset}`")
}
