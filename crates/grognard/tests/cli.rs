//! The real program, run as people and programs run it. One binary, so that everything is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "cli/files.rs"]
mod files;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/soak.rs"]
mod soak;
#[path = "cli/studies.rs"]
mod studies;
