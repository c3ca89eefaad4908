//! The toy's files: charts, clauses and set-ups, small enough to be read beside the tests.

use super::Ambush;
use engine::battle::Keep;
use engine::game::TypedGame;
use engine::setup::{self, Mode};
use engine::{Battle, Dice, Faults, Lots, Ruleset, Scripted, Seed, Side, State, Viewer};

pub const CHARTS: &str = r#"
[march]
source = "printed"
clause = "ambush.march-a"
allowance = "6in"
most_legs = { v = 3, source = "ours", ruling = 7 }
on_roads = false

[sight]
source = "reconstructed"
ruling = 4
discovery = "4in"

[fire]
source = "printed"
clause = "ambush.fire-a"
reach = "12in"
need = 8
endures = { v = 2, clause = "ambush.fire-b", source = "derived" }
at_close = 1
bands = [{ to = "4in", modifier = 1 }, { to = "12in", modifier = 0 }]

[fire.range]
source = "ours"
ruling = 9
close = "4in"
words = "within a stone's throw"
"#;

pub const CLAUSES: &str = r#"
[[clause]]
id = "ambush.deploy-a"
kind = "setup"
title = "Deployment"
text = "Units stand where the set-up says."
source = "1"
[[clause]]
id = "ambush.plan-a"
kind = "enforced"
title = "Sealed plans"
text = "Both sides write one order."
source = "2"
rulings = [3, 4]
setting = "plans"
"#;

/// A meadow with two open units and one hidden unit for each side. The hidden ones lie in the middle, between the
/// lines, where plans lead right through them.
pub const MEADOW: &str = r#"
format = "grognard/setup 1"
ruleset = "ambush"
title = "A meadow"
date = "A May morning"
turn_limit = 6

[table]
size = ["4ft", "3ft"]
[table.features.wood]
kind = "woods"
name = "The wood"
disc = { centre = ["10in", "18in"], radius = "4in" }
[table.features.lane]
kind = "road"
line = [["0in", "6in"], ["48in", "6in"]]
width = "1in"

[sides.north]
name = "Northerners"
edges = ["north"]
zone = [["0in", "24in"], ["48in", "36in"]]
[sides.south]
name = "Southerners"
edges = ["south"]
zone = [["0in", "0in"], ["48in", "12in"]]

[powder]
north = 11
south = 22

[brigades.van]
side = "north"
leader = "ney"
[brigades.rear]
side = "south"

[leaders.ney]
side = "north"
brigade = "van"
chief = true
[leaders.ord]
side = "south"
brigade = "rear"

[units.alpha]
side = "north"
name = "The Alphas"
brigade = "van"
arm = "foot"
pose = ["12in", "26in", 180]
[units.beta]
side = "north"
arm = "horse"
pose = ["30in", "26in", 180]
[units.lurkers]
side = "north"
name = "The Lurkers"
arm = "foot"
pose = ["40in", "20in", 180]
hidden = true
[units.gamma]
side = "south"
arm = "foot"
pose = ["12in", "10in", 0]
[units.delta]
side = "south"
arm = "horse"
pose = ["30in", "10in", 0]
[units.creepers]
side = "south"
name = "The Creepers"
arm = "foot"
pose = ["20in", "15in", 0]
hidden = true
"#;

pub fn swapped(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(MEADOW.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "the meadow has no {old:?}");
        text.replacen(old, new, 1)
    })
}

/// The meadow with a slip of the house.
pub fn slipping(slip: &str) -> String {
    swapped(&[("[table]\n", &format!("[settings]\nslip = \"{slip}\"\n\n[table]\n"))])
}

pub fn state(text: &str) -> State<Ambush> {
    setup::muster::<Ambush>(text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}")).state
}

pub fn faults(text: &str, house: Option<&str>) -> Faults {
    match setup::muster::<Ambush>(text, house, Mode::Battle) {
        Ok(_) => panic!("no fault was found"),
        Err(faults) => faults,
    }
}

pub fn battle(text: &str, seed: u64) -> Battle<Ambush> {
    Battle::seeded(state(text), Seed::from_number(seed), Keep::Everything)
}

pub fn game(text: &str, seed: u64) -> TypedGame<Ambush> {
    TypedGame::start(text, None, Seed::from_number(seed)).unwrap_or_else(|faults| panic!("{faults}"))
}

pub fn script(throws: &[&str]) -> Box<dyn Dice> {
    let mut script = Scripted::default();
    throws.iter().for_each(|throw| script.add(throw).unwrap());
    Box::new(script)
}

/// One random candidate for whoever is awaited, or nothing when the battle is over.
pub fn random_order(battle: &Battle<Ambush>, lots: &mut Lots) -> Option<(Side, super::Order)> {
    let (asked, side) = (battle.asked()?, battle.awaited()?);
    // Either side may be the first to seal.
    let other = asked.who.includes(side.other()) && battle.state().sealed(side.other()).is_none();
    let side = if other && lots.below(2) == 1 { side.other() } else { side };
    let orders = Ambush::candidates(&battle.view(Viewer::Side(side)), asked, side, lots, 12);
    Some((side, lots.pick(&orders)?.clone()))
}

/// Plays a battle to its end with random candidates.
pub fn play_out(battle: &mut Battle<Ambush>, lots: &mut Lots) {
    while let Some((side, order)) = random_order(battle, lots) {
        let no = battle.asked().unwrap().no;
        battle.submit(side, no, order).unwrap();
    }
}
