//! `cargo xtask test`: everything a release needs, one step after the other, and a plain count at the end.

use crate::{coverage, documents, fuzz, page, parity_check, tidy};
use anyhow::{Context, Result, bail};
use shell::{browser, toolchain};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long the fuzzer runs inside the tests.
const FUZZ_SECONDS: u64 = 30;

/// What a step counted.
#[derive(Clone, Copy, Default)]
pub struct Count {
    /// Checks that held.
    pub passed: usize,
    /// Checks that did not.
    pub failed: usize,
}

impl Count {
    /// Checks that all held.
    pub fn passed(passed: usize) -> Count {
        Count { passed, failed: 0 }
    }
}

type Step = (&'static str, fn(&mut Count) -> Result<()>);

const STEPS: &[Step] = &[
    ("toolchain", |_| toolchain::ensure()),
    ("format", |_| shell::cargo(&["fmt", "--all", "--check"])),
    ("lints", |_| shell::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    ("tidy", |count| adding(count, tidy::run())),
    ("documents", |count| adding(count, documents::run())),
    ("page", |count| adding(count, page::check())),
    ("browser", |_| browser::ensure().map(drop)),
    ("tests", cargo_test),
    ("coverage", |count| adding(count, coverage::run(true))),
    ("parity", |count| adding(count, parity_check::run())),
    ("fuzz", |count| adding(count, fuzz::run(&fuzz::Options { seconds: FUZZ_SECONDS, seed: 1 }))),
];

/// Runs every step, also after one has failed, so that one run tells everything.
pub fn run() -> Result<()> {
    let mut total = Count::default();
    let mut failed = Vec::new();
    let mut times: Vec<(&str, Duration)> = Vec::new();
    for (n, (name, step)) in STEPS.iter().enumerate() {
        println!("[{}/{}] {name}", n + 1, STEPS.len());
        let begun = Instant::now();
        let mut count = Count::default();
        if let Err(error) = step(&mut count) {
            println!("    FAILED: {error:#}");
            failed.push(*name);
            count.failed = count.failed.max(1);
        }
        total.passed += count.passed;
        total.failed += count.failed;
        times.push((name, begun.elapsed()));
    }
    println!();
    for (name, time) in times {
        let mark = if failed.contains(&name) { "FAILED" } else { "fine" };
        println!("{name:<12} {:>7.1} s  {mark}", time.as_secs_f64());
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn adding(count: &mut Count, result: Result<Count>) -> Result<()> {
    result.map(|found| *count = found)
}

/// Runs the workspace's tests, shows what they say and counts the results from it.
fn cargo_test(count: &mut Count) -> Result<()> {
    let arguments = ["test", "--workspace", "--no-fail-fast"];
    println!("    cargo {}", arguments.join(" "));
    let mut child =
        shell::command("cargo", &arguments).stdout(Stdio::piped()).spawn().context("cargo does not start")?;
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines() {
            let line = line?;
            let (passed, failed) = results(&line);
            count.passed += passed;
            count.failed += failed;
            println!("{line}");
        }
    }
    let status = child.wait()?;
    if !status.success() || count.failed > 0 {
        bail!("{} tests failed", count.failed);
    }
    if count.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

/// Reads `test result: ok. 12 passed; 0 failed; …`.
fn results(line: &str) -> (usize, usize) {
    let Some(rest) = line.strip_prefix("test result:") else { return (0, 0) };
    let number = |word: &str| {
        let before = rest.split(word).next().filter(|before| before.len() < rest.len())?;
        before.split_whitespace().last()?.parse().ok()
    };
    (number("passed").unwrap_or(0), number("failed").unwrap_or(0))
}

#[cfg(test)]
mod checks {
    use super::results;

    #[test]
    fn the_closing_line_of_a_test_binary_is_read() {
        assert_eq!(results("test result: ok. 12 passed; 3 failed; 0 ignored; 0 measured"), (12, 3));
        assert_eq!(results("test some::name ... ok"), (0, 0));
    }
}
