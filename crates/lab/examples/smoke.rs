#![allow(clippy::print_stdout)]
use bots::Level;
use engine::battle::Keep;
use engine::{BySide, Seed};
use rules::awi::Awi;
fn main() {
    let games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20);
    let lv = |n: usize| std::env::args().nth(n).and_then(|n| n.parse().ok()).unwrap_or(Level::Random);
    let levels = BySide([lv(2), lv(3)]);
    for scenario in rules::SCENARIOS {
        let mustered = match engine::setup::muster::<Awi>(scenario.text, None, engine::setup::Mode::Battle) {
            Ok(m) => m,
            Err(f) => { println!("{}: {f}", scenario.id); continue; }
        };
        for c in &mustered.cautions.cautions { println!("caution {c}"); }
        let start = std::time::Instant::now();
        let (mut wins, mut dec, mut turns, mut refused, mut faults) = ([0, 0, 0], 0, 0, 0, 0);
        for g in 0..games {
            let (_b, f) = lab::fight::fight(mustered.state.clone(), Seed::from_number(g), levels, Keep::Events);
            dec += f.decisions; turns += u32::from(f.turns); refused += f.refused;
            if let Some(x) = f.fault { faults += 1; if faults < 4 { println!("FAULT seed {g}: {x}"); } }
            match f.outcome.and_then(|o| o.winner) { Some(engine::Side::A) => wins[0] += 1, Some(_) => wins[1] += 1, None => wins[2] += 1 }
        }
        let t = start.elapsed().as_secs_f64();
        println!("{}: wins {wins:?} faults {faults} refused {refused} turns {:.1} decisions {dec} {:.0} games/s {:.0} dec/s", scenario.id, f64::from(turns) / games as f64, games as f64 / t, f64::from(dec) / t);
    }
}
