//! CPU time of the thread that asks. Wall time lies on a busy machine; figures of speed are per CPU second.

use std::time::Duration;

/// CPU time this thread has used so far.
#[cfg(unix)]
pub fn thread_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let whole = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::new(whole, u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// CPU time of the whole program so far, its start included.
#[cfg(unix)]
pub fn process_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let whole = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::new(whole, u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// The same, by the clock of whichever thread asks.
#[cfg(not(unix))]
pub fn process_cpu() -> Duration {
    thread_cpu()
}

/// Where no such clock is at hand, the wall clock stands in and errs on the slow side.
#[cfg(not(unix))]
pub fn thread_cpu() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// Runs something and says how much CPU time it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = thread_cpu();
    let result = work();
    (result, thread_cpu().saturating_sub(began))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_runs_while_we_work() {
        let (sum, took) = timed(|| (0..2_000_000_u64).fold(0_u64, |sum, n| sum.wrapping_mul(31).wrapping_add(n)));
        assert!(took > Duration::ZERO, "{sum}");
    }
}
