//! Law 5: a number of a rulebook lives in a chart. Lengths, angles and dice written out in a chapter are suspicious; a
//! line that means something else says so with `// tidy: allow(reason)` on it or above it.

use super::{Finding, source::Source};

/// What a chapter may not write with a figure, and the figures that mean nothing.
const SUSPECTS: &[(&str, &[&str])] = &[
    ("Length::whole_inches(", &["0"]),
    ("Length::inches(", &["0.0"]),
    ("Length::cm(", &["0.0"]),
    ("Length::mm(", &["0.0"]),
    ("Angle::whole(", &["0", "90", "180", "270", "360"]),
    ("Angle::degrees(", &["0.0", "90.0", "180.0", "270.0"]),
    ("Pool::d6(", &["0", "1"]),
    ("Die::new(", &["6"]),
];

/// Files of a family that hold no rule: whoever looks for orders may use any figure.
const NO_CHAPTERS: &[&str] = &["candidates", "telling"];

/// Looks through the chapters.
pub fn check(sources: &[Source]) -> Vec<Finding> {
    let chapters = sources.iter().filter(|source| source.crate_name() == Some("rules") && !source.is_test);
    let chapters = chapters.filter(|source| {
        source.family().is_some_and(|family| {
            let inner = source.inner();
            family != "book" && !NO_CHAPTERS.iter().any(|aside| inner.starts_with(aside))
        })
    });
    chapters.flat_map(check_one).collect()
}

fn check_one(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in source.code() {
        for (word, innocent) in SUSPECTS {
            for (at, _) in line.match_indices(word) {
                let rest = &line[at + word.len()..];
                let figure =
                    rest.split([')', ',']).next().unwrap_or_default().trim().trim_start_matches('-').replace('_', "");
                let is_figure = figure.starts_with(|c: char| c.is_ascii_digit());
                if is_figure && !innocent.contains(&figure.as_str()) && !source.allows(number) {
                    let what = format!("`{word}{figure})`: a number of the book belongs in the chart");
                    found.push(Finding::new(&source.path, number, what));
                }
            }
        }
    }
    found
}
