//! The stage of the end-to-end tests: the real server as a process that can be killed, real browsers, and between each
//! browser and the server a tap that keeps every byte the browser was sent.

pub mod browser;
pub mod crowd;
pub mod http;
pub mod player;
pub mod server;
pub mod stage;
pub mod tap;

pub use browser::{Browser, Screen};
pub use stage::Stage;
