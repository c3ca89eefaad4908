//! The server alone, for the end-to-end tests: `e2e-server FOLDER PORT SEED` prints its port when it is open.
//! The battles' seeds are numbered from SEED, so that a story is told with the same dice every time.
#![allow(clippy::print_stdout)]

use anyhow::{Context, Result};
use server::{Limits, LogForm, Options};

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let data = arguments.next().context("which folder?")?.into();
    let port = arguments.next().and_then(|port| port.to_str()?.parse().ok()).context("which port?")?;
    let seed = arguments.next().and_then(|seed| seed.to_str()?.parse().ok()).context("which seed?")?;
    let host = std::net::Ipv4Addr::LOCALHOST.into();
    let options =
        Options { data, host, port: Some(port), log: LogForm::Plain, limits: Limits::default(), rehearsal: Some(seed) };
    server::run(options, |address| println!("{}", address.at.port()))?;
    Ok(())
}
