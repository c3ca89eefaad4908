//! Hosts battles of `awi`.

fn main() {
    grognard_host::run::<awi::Awi>();
}
