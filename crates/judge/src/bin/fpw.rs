//! Judges battles of `fpw`.

fn main() {
    grognard_judge::run::<fpw::Fpw>();
}
