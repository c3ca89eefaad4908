//! `cargo xtask parity`: builds the parity programs for WASM, runs them side by side in an interpreter, and compares
//! their reports with those computed natively. Law 9.

use crate::tests::Count;
use anyhow::{Context, Result, anyhow, bail};
use parity::{PARTS, Part};
use shell::toolchain;
use std::time::Instant;
use wasmi::{Engine, Linker, Module, Store, Val};

/// Builds, runs, compares.
pub fn run() -> Result<Count> {
    toolchain::ensure()?;
    for scenario in rules::SCENARIOS {
        if !parity::REPLAYS.iter().any(|(name, _)| *name == scenario.id) {
            bail!("{} has no golden battle: run `cargo xtask golden`", scenario.id);
        }
        let parts = PARTS.iter().filter(|part| part.rulesets.contains(&scenario.ruleset)).count();
        if parts != 1 {
            bail!("{} is in {parts} parts of the report, and should be in one", scenario.ruleset);
        }
    }
    shell::cargo(&[
        "build",
        "--quiet",
        "--profile",
        "parity",
        "--target",
        toolchain::WASM,
        "--package",
        "grognard-parity",
    ])?;
    let begun = Instant::now();
    let checked: Vec<Result<usize>> = std::thread::scope(|scope| {
        let running: Vec<_> = PARTS.iter().map(|part| scope.spawn(|| check(part))).collect();
        let crashed = || Err(anyhow!("the interpreter crashed"));
        running.into_iter().map(|one| one.join().unwrap_or_else(|_| crashed())).collect()
    });
    let lines: usize = checked.into_iter().collect::<Result<Vec<usize>>>()?.into_iter().sum();
    let took = begun.elapsed().as_secs_f64();
    println!(
        "    {lines} lines of measurements, battles and {} replays are the same: {took:.1} s",
        parity::REPLAYS.len()
    );
    Ok(Count::passed(lines))
}

/// Runs one part on both sides and compares them; so many lines are the same.
fn check(part: &Part) -> Result<usize> {
    let file = shell::target().join(toolchain::WASM).join("parity").join(format!("{}.wasm", part.program));
    let code = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let begun = Instant::now();
    let there = in_wasm(&code)?;
    let took = begun.elapsed().as_secs_f64();
    println!("    {}: WASM, {} KiB, ran {took:.1} s", part.rulesets.join(", "), code.len() / 1024);
    let here = parity::report(part);
    compare(&here, &there)?;
    let faults: Vec<&str> = parity::faults(&here).collect();
    if !faults.is_empty() {
        bail!("the same everywhere, and wrong:\n  {}", faults.join("\n  "));
    }
    Ok(here.lines().count())
}

/// Runs the program and finds the report it left in its memory.
fn in_wasm(code: &[u8]) -> Result<String> {
    let engine = Engine::default();
    let module = Module::new(&engine, code)?;
    let imports: Vec<String> =
        module.imports().map(|import| format!("{}.{}", import.module(), import.name())).collect();
    if !imports.is_empty() {
        bail!("the house asks its host for something under WASM: {}", imports.join(", "));
    }
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    let main = instance.get_func(&store, "main").context("the program exports no `main`")?;
    let kind = main.ty(&store);
    let arguments: Vec<Val> = kind.params().iter().map(|param| Val::default_for_ty(*param)).collect();
    let mut results: Vec<Val> = kind.results().iter().map(|result| Val::default_for_ty(*result)).collect();
    main.call(&mut store, &arguments, &mut results).context("the program stopped inside WASM")?;
    let memory = instance.get_memory(&store, "memory").context("the program exports no memory")?;
    let report = parity::find(memory.data(&store)).context("the program left no report in its memory")?;
    Ok(report.to_owned())
}

/// Names the first line that differs.
fn compare(here: &str, there: &str) -> Result<()> {
    if here == there {
        return Ok(());
    }
    let (mut ours, mut theirs) = (here.lines(), there.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => bail!("native and WASM differ:\n  native: {}\n  WASM:   {}", a.unwrap_or("-"), b.unwrap_or("-")),
        }
    }
}

#[cfg(test)]
mod checks {
    use super::compare;

    #[test]
    fn a_report_left_in_memory_is_found() {
        let report = "table 1: 00\nreplay x: fault: y\n";
        let mut memory = vec![7; 1000];
        memory.extend(parity::mark());
        memory.extend(b"not a length");
        memory.extend(parity::mark());
        memory.extend(format!("{:010}", report.len()).bytes());
        memory.extend(report.bytes());
        memory.extend([0; 100]);
        assert_eq!(parity::find(&memory), Some(report));
        assert_eq!(parity::find(&memory[..1000]), None);
        assert_eq!(parity::faults(report).count(), 1);
    }

    #[test]
    fn the_first_difference_is_named() {
        assert!(compare("a\nb\n", "a\nb\n").is_ok());
        let error = compare("a\nb\n", "a\nc\n").unwrap_err().to_string();
        assert!(error.contains("native: b") && error.contains("WASM:   c"), "{error}");
    }
}
