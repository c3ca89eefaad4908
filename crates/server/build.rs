//! The page is embedded when the server is compiled: a page built anew must compile the server anew, also when files
//! have come or gone.
#![allow(clippy::print_stdout)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
}
