//! The server as its users meet it: every route and every refusal without a socket, live play over real ones, and what
//! happens when the process dies.

#[path = "server/desk.rs"]
mod desk;
#[path = "server/library.rs"]
mod library;
#[path = "server/live.rs"]
mod live;
#[path = "server/veil.rs"]
mod veil;
