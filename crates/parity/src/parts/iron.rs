//! The part of the parity report about `iron`.

fn main() {
    parity::tell(&parity::PARTS[1]);
}
