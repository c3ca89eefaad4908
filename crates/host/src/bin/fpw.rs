//! Hosts battles of `fpw`.

fn main() {
    grognard_host::run::<fpw::Fpw>();
}
