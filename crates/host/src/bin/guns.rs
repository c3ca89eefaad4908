//! Hosts battles of `guns`.

fn main() {
    grognard_host::run::<guns::Guns>();
}
