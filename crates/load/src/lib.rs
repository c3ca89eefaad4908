//! A load client: battles played through the real server over real sockets, as browsers would play them.
//!
//! [`soak`] kills the server again and again and looks for orders that were acknowledged and then lost; [`bench`] holds
//! many battles at once and measures how long both players wait.

pub mod bench;
pub mod soak;

mod child;
mod http;
mod pace;
mod player;
mod record;

pub use child::{House, find_server};
