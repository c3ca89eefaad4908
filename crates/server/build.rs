//! The page and the rulings are read when the program is compiled, so cargo must look at their folders.

fn main() {
    #[allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
    for folder in ["page", "migrations", "../../docs/rulings", "build.rs"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
