//! Hosts battles of `iron` and `empire`.

fn main() {
    grognard_host::run::<days::Days>();
}
