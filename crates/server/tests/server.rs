//! The server as its users meet it: every route and every refusal without a socket, live play over real ones, and what
//! happens when the process dies.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "server/battles.rs"]
mod battles;
#[path = "server/desk.rs"]
mod desk;
#[path = "server/library.rs"]
mod library;
#[path = "server/limits.rs"]
mod limits;
#[path = "server/live.rs"]
mod live;
#[path = "server/minds.rs"]
mod minds;
#[path = "server/motions.rs"]
mod motions;
#[path = "server/restart.rs"]
mod restart;
#[path = "server/solo.rs"]
mod solo;
#[path = "server/study.rs"]
mod study;
#[path = "server/veil.rs"]
mod veil;
