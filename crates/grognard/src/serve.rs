//! `grognard serve`: the server and the browser table.

use crate::Exit;
use crate::page::Page;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use server::{Address, LogForm, Options};
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub const EXAMPLES: &str = "\
Ctrl-C closes the house: players are told to come back, everything taken is on the disk, and every battle goes on where
it was. See docs/server.md for hosting.

Examples:
  grognard serve --open
  grognard serve --port 9000 --data ./battles
  grognard serve --host 0.0.0.0 --port 80 --log json";

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The port; 8080, or a free one if that is taken.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen on; this machine alone if left out.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The folder the battles are kept in; made where it is missing.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The form of the logs, which go to the standard error.
    #[arg(long, value_name = "FORM", default_value = "plain", value_enum)]
    log: Form,
    /// Opens the browser, where there is one.
    #[arg(long)]
    open: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    Plain,
    Json,
}

pub fn serve(args: ServeArgs, page: &mut Page) -> Result<Exit> {
    let data = args.data.or_else(server::default_data).context("name a folder for the battles with --data")?;
    let log = match args.log {
        Form::Plain => LogForm::Plain,
        Form::Json => LogForm::Json,
    };
    let options =
        Options { data, host: args.host, port: args.port, log, limits: server::Limits::default(), rehearsal: None };
    let mut said = Ok(());
    server::run(options, |address| {
        said = say(address, page);
        if args.open {
            open(&url(address));
        }
    })?;
    said?;
    Ok(Exit::Fine)
}

fn say(address: Address, page: &mut Page) -> Result<()> {
    if address.elsewhere {
        page.line(format!("Port {} is taken, so another one was chosen.", server::DEFAULT_PORT))?;
    }
    page.line(format!("Grognard is at {}", url(address)))?;
    // Whoever waits for the line must not wait for the end.
    page.flush()?;
    Ok(())
}

/// An address a browser can go to: listening everywhere includes here.
fn url(address: Address) -> String {
    let mut at = address.at;
    if at.ip().is_unspecified() {
        at.set_ip(if at.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() });
    }
    format!("http://{at}/")
}

/// Opens the browser; where there is none nobody needs to hear of it.
fn open(url: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = Command::new(program)
        .args(before)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    drop(quiet);
}
