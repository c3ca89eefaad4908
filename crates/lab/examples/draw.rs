#![allow(clippy::all, clippy::unwrap_used, clippy::print_stdout)]
use engine::{Seed, Viewer, BySide};
use bots::Level;
fn main() {
    let id = std::env::args().nth(1).unwrap();
    let steps: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let out = std::env::args().nth(3).unwrap();
    let mut duel = lab::duel::start(rules::scenario(&id).unwrap().text, None, Seed::from_number(3), BySide([Some(Level::Careful), Some(Level::Careful)])).unwrap();
    for _ in 0..steps { if !duel.bot_turn().unwrap() { break; } }
    let scene = duel.game().board(Viewer::Umpire).scene();
    std::fs::write(&out, lab::picture::svg(&scene)).unwrap();
    for line in lab::textmap::draw(&scene, lab::textmap::Style::default()) { println!("{line}"); }
}
