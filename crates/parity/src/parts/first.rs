//! The part of the parity report about the measurements and the older rulebooks.

fn main() {
    parity::tell(&parity::PARTS[0]);
}
