//! Judges battles of `guns`.

fn main() {
    grognard_judge::run::<guns::Guns>();
}
