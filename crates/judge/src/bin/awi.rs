//! Judges battles of `awi`.

fn main() {
    grognard_judge::run::<awi::Awi>();
}
