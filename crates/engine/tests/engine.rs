//! The tests of the umpire, on a rulebook small enough to be read beside them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod toy;

#[path = "engine/chances.rs"]
mod chances;
#[path = "engine/charts.rs"]
mod charts;
#[path = "engine/hidden.rs"]
mod hidden;
#[path = "engine/hostile.rs"]
mod hostile;
#[path = "engine/laws.rs"]
mod laws;
#[path = "engine/motions.rs"]
mod motions;
#[path = "engine/naming.rs"]
mod naming;
#[path = "engine/replays.rs"]
mod replays;
#[path = "engine/sealed.rs"]
mod sealed;
#[path = "engine/setups.rs"]
mod setups;
#[path = "engine/sheets.rs"]
mod sheets;
