//! `cargo xtask fuzz`: bots against bots, spoiled files for every loader, spoiled orders for every question. What
//! panics, hangs or contradicts itself is written to `target/fuzz/`. Law 7, and the promise about bad input.

mod attack;
mod spoil;

use crate::tests::Count;
use anyhow::{Result, bail};
use engine::Lots;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A job that takes longer than this hangs.
const HANG: Duration = Duration::from_secs(30);
/// After so many findings there is enough to mend.
const MOST_FINDINGS: usize = 20;

/// What the fuzzer is told.
#[derive(clap::Args)]
pub struct Options {
    /// How long it runs.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub seconds: u64,
    /// Where its lots come from; the same seed makes the same jobs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// One job: what it does and the file it does it to.
#[derive(Clone, Default)]
pub struct Job {
    /// Which attack, and on what.
    pub name: String,
    /// The spoiled file.
    pub input: String,
    /// How the file's name ends.
    pub ending: &'static str,
}

/// What came of it, where it is worth writing out.
struct Finding {
    job: Job,
    what: String,
}

/// What the worker is at, for whoever watches it.
#[derive(Default)]
struct Watched {
    job: Job,
    since: Option<Instant>,
    panic: Option<String>,
}

type Shared = Arc<Mutex<Watched>>;

fn look(shared: &Shared) -> MutexGuard<'_, Watched> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs until the time is up.
pub fn run(options: &Options) -> Result<Count> {
    let shared = Shared::default();
    let (sender, findings) = mpsc::channel::<Finding>();
    let ammunition = attack::Ammunition::gather()?;
    let until = Instant::now() + Duration::from_secs(options.seconds);
    println!("    {} s from seed {}", options.seconds, options.seed);
    let quiet = catch_panics(&shared);
    let worker = {
        let (shared, seed) = (shared.clone(), options.seed);
        std::thread::spawn(move || work(&shared, &sender, &ammunition, seed, until))
    };
    let mut written = Vec::new();
    loop {
        match findings.recv_timeout(Duration::from_millis(200)) {
            Ok(finding) => written.push(write_out(&finding.job, &finding.what, written.len())?),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        let hanging = look(&shared).since.is_some_and(|since| since.elapsed() > HANG);
        if hanging || written.len() >= MOST_FINDINGS {
            let job = look(&shared).job.clone();
            if hanging {
                written.push(write_out(&job, "hangs", written.len())?);
            }
            // The worker cannot be stopped; it ends with the program.
            bail!("{} findings, the first in {}", written.len(), shell::shown(&written[0]));
        }
    }
    std::panic::set_hook(quiet);
    let jobs = worker.join().map_err(|_| anyhow::anyhow!("the fuzzer itself fell over"))?;
    println!("    {jobs}");
    if let Some(first) = written.first() {
        bail!("{} findings, the first in {}", written.len(), shell::shown(first));
    }
    Ok(Count::passed(jobs.total))
}

type Hook = Box<dyn Fn(&std::panic::PanicHookInfo<'_>) + Sync + Send + 'static>;

/// Keeps what a panic says for the finding, instead of the terminal.
fn catch_panics(shared: &Shared) -> Hook {
    let old = std::panic::take_hook();
    let shared = shared.clone();
    std::panic::set_hook(Box::new(move |info| {
        look(&shared).panic = Some(info.to_string());
    }));
    old
}

/// How many jobs of each kind were done.
#[derive(Default)]
struct Done {
    total: usize,
    kinds: Vec<(&'static str, usize)>,
    slowest: (Duration, String),
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        write!(f, "{}; slowest {:.1} s: {}", kinds.join(", "), self.slowest.0.as_secs_f64(), self.slowest.1)
    }
}

fn work(
    shared: &Shared,
    findings: &mpsc::Sender<Finding>,
    ammunition: &attack::Ammunition,
    seed: u64,
    until: Instant,
) -> Done {
    let mut lots = Lots::new(seed);
    let mut done = Done { kinds: attack::KINDS.iter().map(|kind| (kind.name, 0)).collect(), ..Done::default() };
    while Instant::now() < until {
        let pick = done.total % attack::KINDS.len();
        let kind = &attack::KINDS[pick];
        let job = (kind.load)(ammunition, &mut lots);
        let begun = Instant::now();
        *look(shared) = Watched { job: job.clone(), since: Some(begun), panic: None };
        let result = catch_unwind(AssertUnwindSafe(|| (kind.fire)(&job, &mut lots)));
        let panic = look(shared).panic.take();
        look(shared).since = None;
        let what = match result {
            Ok(Ok(())) => None,
            Ok(Err(what)) => Some(what),
            Err(_) => Some(format!("panics: {}", panic.unwrap_or_default())),
        };
        if let Some(what) = what {
            let _ = findings.send(Finding { job: job.clone(), what });
        }
        if begun.elapsed() > done.slowest.0 {
            done.slowest = (begun.elapsed(), job.name);
        }
        done.kinds[pick].1 += 1;
        done.total += 1;
    }
    done
}

fn write_out(job: &Job, what: &str, number: usize) -> Result<PathBuf> {
    let folder = shell::target().join("fuzz");
    std::fs::create_dir_all(&folder)?;
    let name: String = job.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let path = folder.join(format!("{number:02}-{name}.{}", job.ending));
    std::fs::write(&path, &job.input)?;
    std::fs::write(path.with_extension("why.txt"), format!("{}\n{what}\n", job.name))?;
    println!("    FOUND {}: {}: {}", shell::shown(&path), job.name, what.lines().next().unwrap_or_default());
    Ok(path)
}
