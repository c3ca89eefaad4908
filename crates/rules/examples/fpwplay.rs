use engine::battle::Keep;
use engine::setup::Mode;
use engine::{Battle, Lots, Ruleset, Seed, Viewer};
use rules::fpw::Fpw;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let games: u64 = args[1].parse().unwrap();
    for path in &args[2..] {
        let text = std::fs::read_to_string(path).unwrap();
        let state = match engine::setup::muster::<Fpw>(&text, None, Mode::Battle) {
            Ok(m) => m.state,
            Err(f) => {
                println!("{path}: {f}");
                continue;
            }
        };
        let mut total = 0u64;
        let mut wins = [0; 3];
        let mut turns = 0u64;
        let start = std::time::Instant::now();
        for seed in 0..games {
            let mut battle = Battle::seeded(state.clone(), Seed::from_number(seed), Keep::Events);
            let mut lots = Lots::new(seed);
            let mut n = 0;
            while let Some(side) = battle.awaited() {
                n += 1;
                if n > 20000 {
                    println!("{path} seed {seed}: too long {:?}", battle.asked());
                    break;
                }
                let (no, order) = {
                    let view = battle.view(Viewer::Side(side));
                    let asked = battle.asked().unwrap();
                    let mut found = Fpw::candidates(&view, asked, side, &mut lots, 6);
                    let pick = lots.below(found.len());
                    (asked.no, found.swap_remove(pick))
                };
                let said = format!("{order:?}");
                if let Err(error) = battle.submit(side, no, order).map(|_| ()) {
                    println!("{path} seed {seed} decision {n}: {error:?}\n  {said}");
                    break;
                }
            }
            total += n;
            turns += u64::from(battle.state().turn());
            match battle.outcome().and_then(|o| o.winner) {
                Some(engine::Side::A) => wins[0] += 1,
                Some(_) => wins[1] += 1,
                None => wins[2] += 1,
            }
        }
        println!(
            "{path}: {games} games {total} decisions {:.0}/s, wins {wins:?}, mean turn {:.1}",
            total as f64 / start.elapsed().as_secs_f64(),
            turns as f64 / games as f64
        );
    }
}
