//! Judges battles of `iron` and `empire`.

fn main() {
    grognard_judge::run::<days::Days>();
}
