//! The part of the parity report about `empire`.

fn main() {
    parity::tell(&parity::PARTS[2]);
}
