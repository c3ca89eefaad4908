//! speed
use crate::{Exit, args::BenchArgs, page::Page};
pub fn bench(_args: &BenchArgs, _page: &mut Page) -> anyhow::Result<Exit> { Ok(Exit::Fine) }
