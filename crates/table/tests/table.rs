//! The tests of the tape measure: worked figures by chapter, then the laws that hold for any table.

// Worked figures are exact, and comparing them to the bit is the point.
#![allow(clippy::float_cmp)]
// Helpers that set up a test may fail it.
#![allow(clippy::expect_used)]

#[path = "table/given.rs"]
mod given;

#[path = "table/arcs.rs"]
mod arcs;
#[path = "table/contact.rs"]
mod contact;
#[path = "table/degenerate.rs"]
mod degenerate;
#[path = "table/forms.rs"]
mod forms;
#[path = "table/laws.rs"]
mod laws;
#[path = "table/layouts.rs"]
mod layouts;
#[path = "table/marching.rs"]
mod marching;
#[path = "table/numbers.rs"]
mod numbers;
#[path = "table/shapes.rs"]
mod shapes;
#[path = "table/sights.rs"]
mod sights;
