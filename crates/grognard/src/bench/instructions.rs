//! Instructions of a battle and of a decision, counted by valgrind's callgrind: the same figure on a busy machine as on
//! an idle one, as long as the program is the same.

use anyhow::{Context, Result, bail};
use lab::bench::{Better, Measure};
use serde_json::Value;
use std::process::{Command, Stdio};

/// Instructions of one battle between careful bots, for every rulebook.
pub fn count(progress: &dyn Fn(&str)) -> Result<Vec<Measure>> {
    let mut measures = Vec::new();
    for id in rules::IDS {
        progress(&format!("instructions of {id}"));
        let scenario = format!("{id}/s40");
        // What the program needs to start is in both runs, so that the difference is the second battle alone.
        let (one, two) = (run(&scenario, 1)?, run(&scenario, 2)?);
        let battle = two.instructions.saturating_sub(one.instructions) as f64;
        let decisions = two.decisions.saturating_sub(one.decisions).max(1) as f64;
        let mut row = |what: String, unit: &'static str, figure: f64| {
            let blank = Measure::plain(what, unit, Better::Less);
            measures.push(Measure { samples: vec![figure], ..blank });
        };
        row(format!("instructions of a battle of {id}"), "million", battle / 1e6);
        row(format!("instructions of a decision of {id}"), "thousand", battle / decisions / 1e3);
    }
    Ok(measures)
}

/// What one run of some battles took.
struct Counted {
    instructions: u64,
    decisions: u64,
}

fn run(scenario: &str, games: u32) -> Result<Counted> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["sim", scenario, "--games", &games.to_string(), "--seed", "1", "--jobs", "1", "--json"])
        .stdin(Stdio::null())
        .output()
        .context("cannot start valgrind, which counts the instructions; install it, or leave --instructions out")?;
    if !output.status.success() {
        bail!("{scenario} could not be counted: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the battles counted have no report")?;
    let decisions = report["decisions"].as_u64().context("the report tells no decisions")?;
    let told = String::from_utf8_lossy(&output.stderr);
    let instructions = collected(&told).context("valgrind did not say what it counted")?;
    Ok(Counted { instructions, decisions })
}

/// Reads `==42== Collected : 123456`.
fn collected(told: &str) -> Option<u64> {
    let line = told.lines().find(|line| line.contains("Collected"))?;
    line.split(':').nth(1)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn what_callgrind_counted_is_read() {
        let told = "==7== Events    : Ir\n==7== Collected : 1234567\n==7== \n";
        assert_eq!(collected(told), Some(1_234_567));
        assert_eq!(collected("valgrind: no such tool"), None);
    }
}
