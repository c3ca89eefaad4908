//! Dice and odds: the frozen stream, every face as likely as the next, and odds that agree with counting.

use crate::toy::*;
use engine::battle::Keep;
use engine::game::{Game, TypedGame};
use engine::{Battle, Dice, DiceError, Die, Lots, Odds, Pool, Scripted, Seed, Seeded, Side, Spread, UnitId, Viewer};
use serde_json::json;

/// ChaCha with 12 rounds as its inventor wrote it down, 64-bit counter and no nonce: the words of the first blocks.
fn chacha12(key: [u8; 32], blocks: u32) -> Vec<u32> {
    let word = |n: usize| u32::from_le_bytes(key[4 * n..4 * n + 4].try_into().unwrap());
    let quarter = |s: &mut [u32; 16], [a, b, c, d]: [usize; 4]| {
        for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            s[x] = s[x].wrapping_add(s[y]);
            s[z] = (s[z] ^ s[x]).rotate_left(by);
        }
    };
    let mut words = Vec::new();
    for block in 0..blocks {
        let mut start = [0u32; 16];
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        (0..8).for_each(|n| start[4 + n] = word(n));
        start[12] = block;
        let mut s = start;
        for _ in 0..6 {
            [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]].into_iter().for_each(|q| quarter(&mut s, q));
            [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]].into_iter().for_each(|q| quarter(&mut s, q));
        }
        words.extend((0..16).map(|n| s[n].wrapping_add(start[n])));
    }
    words
}

#[test]
fn seeded_dice_are_chacha12_words_taken_in_order() {
    for number in [0, 1, 1779, u64::MAX] {
        let seed = Seed::from_number(number);
        let mut words = chacha12(seed.0, 40).into_iter();
        let mut dice = Seeded::new(seed);
        for die in [Die::D6, Die::D10_FROM_ZERO, Die::new(20), Die::new(4), Die::new(100), Die::new(1)] {
            let thrown = dice.throw(Pool::of(60, die)).unwrap();
            let limit = u32::MAX / u32::from(die.sides) * u32::from(die.sides);
            for pip in thrown {
                let word = words.by_ref().find(|word| *word < limit).unwrap();
                assert_eq!(u32::from(pip), word % u32::from(die.sides) + u32::from(die.first));
            }
        }
    }
}

#[test]
fn every_face_is_as_likely_as_the_next() {
    for (die, seed) in [(Die::D6, 1), (Die::D10_FROM_ZERO, 2), (Die::new(20), 3), (Die::new(7), 4)] {
        let mut dice = Seeded::new(Seed::from_number(seed));
        let mut counts = vec![0u32; usize::from(die.sides)];
        let throws = 3_000;
        for _ in 0..throws {
            for pip in dice.throw(Pool::of(60, die)).unwrap() {
                counts[usize::from(pip - die.first)] += 1;
            }
        }
        let expected = f64::from(throws * 60) / f64::from(die.sides);
        let chi: f64 = counts.iter().map(|n| (f64::from(*n) - expected) * (f64::from(*n) - expected) / expected).sum();
        // Far beyond the 99.9th percentile even of nineteen degrees of freedom.
        assert!(chi < 50.0, "{die:?}: {chi} {counts:?}");
        assert!(die.faces().map(usize::from).eq(usize::from(die.first)..usize::from(die.first) + counts.len()));
    }
}

#[test]
fn seeds_are_written_derived_and_committed_to() {
    let seed = Seed::from_number(7);
    assert_eq!(seed.to_string().parse(), Ok(seed));
    assert_eq!(serde_json::from_value::<Seed>(serde_json::to_value(seed).unwrap()).unwrap(), seed);
    for wrong in ["", "12", &"g".repeat(64), &"ä".repeat(32), &"+0".repeat(32)] {
        assert!(wrong.parse::<Seed>().is_err(), "{wrong}");
    }
    assert_ne!(seed.derive("bot", 1), seed.derive("bot", 2));
    assert_ne!(seed.derive("bot", 1), seed.derive("lab", 1));
    assert_eq!(seed.derive("bot", 1), seed.derive("bot", 1));
    assert_eq!(seed.commitment().len(), 64);
    assert!(!seed.commitment().contains(&seed.to_string()));
}

#[test]
fn pools_read_write_and_stay_within_bounds() {
    for text in ["3d6", "1d10", "2d6+1d8", "1d4+2d6+3d20", "60d6"] {
        assert_eq!(text.parse::<Pool>().unwrap().to_string(), text);
    }
    assert_eq!(" 2D6 + 1d8 ".parse::<Pool>().unwrap(), Pool::d6(2).and(1, Die::new(8)));
    for wrong in
        ["", "d6", "3", "0d6", "61d6", "31d6+30d6", "3d1", "3d101", "1d4+1d6+1d8+1d10", "-1d6", "3d6+", "3d6d6"]
    {
        assert!(wrong.parse::<Pool>().is_err(), "{wrong}");
    }
    assert_eq!(Pool::d6(255).len(), 60);
    assert_eq!(Pool::d6(50).and(50, Die::new(8)).and(50, Die::new(4)).len(), 60, "sixty dice, of whatever kinds");
    assert!(Pool::d6(0).is_empty());
    assert_eq!(Pool::d6(0).to_string(), "no dice");
    assert_eq!(Die::new(255).faces().last(), Some(255));
}

#[test]
fn scripts_know_only_faces_the_die_bears() {
    let script = |text: &str| {
        let mut script = Scripted::default();
        script.add(text).map(|()| script)
    };
    let mut ten = script("1d10: 10").unwrap();
    assert!(matches!(ten.throw(Pool::one(Die::D10_FROM_ZERO)), Err(DiceError::NotAFace { .. })));
    assert_eq!(ten.throw(Pool::one(Die::new(10))).unwrap().as_slice(), [10]);
    let mut zero = script("2d10: 0 9").unwrap();
    assert!(matches!(zero.throw(Pool::of(2, Die::new(10))), Err(DiceError::NotAFace { .. })));
    assert_eq!(zero.throw(Pool::of(2, Die::D10_FROM_ZERO)).unwrap().as_slice(), [0, 9]);
    let mut mixed = script("2d6+1d8: 1, 6, 8").unwrap();
    assert!(matches!(mixed.throw(Pool::d6(3)), Err(DiceError::WrongDie { .. })));
    assert_eq!(mixed.throw(Pool::d6(2).and(1, Die::new(8))).unwrap().as_slice(), [1, 6, 8]);
    assert!(script("1d8: 9").is_err() && script("2d6: 1 two").is_err() && script("1d100: 300").is_err());
}

#[test]
fn lots_are_private_repeatable_and_in_bounds() {
    let draw = |number| (0..50).map(|_| Lots::new(number).below(1000)).collect::<Vec<_>>();
    assert_eq!(draw(1), draw(1));
    let mut lots = Lots::new(3);
    assert!((0..2000).all(|_| lots.below(7) < 7));
    assert_eq!((lots.below(0), lots.below(1)), (0, 0));
    assert_eq!(lots.pick::<u8>(&[]), None);
    assert!((0..2000).map(|_| lots.unit()).all(|unit| (0.0..1.0).contains(&unit)));
    let mean = (0..4000).map(|_| lots.normal()).sum::<f64>() / 4000.0;
    assert!(mean.abs() < 0.1, "{mean}");
}

#[test]
fn spreads_agree_with_counting_by_hand() {
    let sums =
        Spread::of_pool(Pool::d6(2).and(1, Die::new(4)), |pips| pips.iter().map(|pip| i32::from(*pip)).sum::<i32>());
    let mut counts = [0u128; 17];
    for a in 1..=6 {
        for b in 1..=6 {
            for c in 1..=4 {
                counts[a + b + c] += 1;
            }
        }
    }
    for (sum, count) in counts.iter().enumerate().skip(3) {
        let (ways, total) = sums.ways_of(&(sum as i32));
        assert_eq!(ways * 144, count * total, "{sum}");
    }
    assert_eq!(sums.ways_of(&99).0, 0);
    let six = Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0]));
    let by_hand = Spread::sum_of(2, &six).plus(&Spread::of_pool(Pool::one(Die::new(4)), |pips| i32::from(pips[0])));
    assert_eq!(sums, by_hand);
    assert!((sums.mean() - 9.5).abs() < 1e-12);
    assert!((sums.chance(|sum| *sum >= 16) - 1.0 / 144.0).abs() < 1e-15);
    assert_eq!(Spread::of_pool(Pool::d6(0), |pips| pips.len()).ways_of(&0), (1, 1));
    assert_eq!(Spread::of_pool(Pool::of(1, Die::new(255)), |pips| pips[0] == 255).ways_of(&true), (1, 255));
    let zero = Spread::of_pool(Pool::one(Die::D10_FROM_ZERO), |pips| pips[0]);
    assert_eq!((zero.ways_of(&0), zero.ways_of(&10)), ((1, 10), (0, 10)));
}

#[test]
fn what_follows_is_weighed_by_what_came_before() {
    // A D6 for the number of D6 thrown next, hits on 5 and 6: counted by hand over all branches.
    let chain = Spread::of_pool(Pool::d6(1), |pips| pips[0])
        .then(|count| Spread::of_pool(Pool::d6(*count), |pips| pips.iter().filter(|pip| **pip >= 5).count()));
    let none: f64 = (1..=6).map(|count| (0..count).fold(1.0, |chance, _| chance * 2.0 / 3.0)).sum::<f64>() / 6.0;
    assert!((chain.chance(|hits| *hits == 0) - none).abs() < 1e-12);
    assert!((chain.chances().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
    let told = chain.map(|hits| *hits > 0);
    assert!((told.chance(|any| *any) - (1.0 - none)).abs() < 1e-12);
}

#[test]
fn more_dice_than_numbers_are_rounded_and_never_wrong() {
    let six = Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0]));
    let sixty = Spread::sum_of(60, &six);
    assert!((sixty.mean() - 210.0).abs() < 1e-6, "{}", sixty.mean());
    assert!((sixty.chances().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
    let fair: f64 = sixty.chance(|sum| *sum < 210) - sixty.chance(|sum| *sum > 210);
    assert!(fair.abs() < 1e-9, "the odds are the same on both sides of the middle: {fair}");
    // Sixty successes at one in six: the chance of none is (5/6)^60.
    let none: f64 = (0..60).fold(1.0, |chance, _| chance * 5.0 / 6.0);
    let hits = Spread::sum_of(60, &six.map(|pip| i32::from(*pip == 6)));
    assert!((hits.chance(|hits| *hits == 0) - none).abs() < 1e-9);
    // Branches whose totals have no common measure.
    let odd = Spread::of_pool(Pool::one(Die::new(100)), |pips| pips[0]).then(|pip| {
        let sides = 101 + (pip % 100);
        Spread::sum_of(6, &Spread::of_pool(Pool::one(Die::new(sides)), |pips| i32::from(pips[0] == 1)))
    });
    assert!((odd.chances().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
    let none: f64 = (1..=100u32)
        .map(|pip| 101.0 + f64::from(pip % 100))
        .map(|sides| (0..6).fold(1.0, |chance, _| chance * (sides - 1.0) / sides))
        .sum::<f64>()
        / 100.0;
    assert!((odd.chance(|ones| *ones == 0) - none).abs() < 1e-9);
}

#[test]
fn odds_print_in_lowest_terms() {
    let spread = Spread::of_pool(Pool::d6(2), |pips| pips.iter().sum::<u8>() >= 8);
    let odds = Odds::plot("a volley", &spread, |hit| hit.to_string()).followed_by(Odds::default());
    let bars: Vec<_> = odds.bars.iter().map(|bar| (bar.label.as_str(), bar.exact.as_str())).collect();
    assert_eq!(bars, [("false", "7/12"), ("true", "5/12")]);
    assert_eq!(odds.then.len(), 1);
}

/// The Alphas before the Gammas' muskets.
fn under_fire(dice: Option<Box<dyn Dice>>) -> Battle<Ambush> {
    let dice = dice.unwrap_or_else(|| script(&[]));
    let mut battle: Battle<Ambush> = Battle::begin(state(MEADOW), dice, Keep::Events);
    let no = battle.asked().unwrap().no;
    let march = json!({ "march": { "unit": "u0", "legs": ["ahead 5in"] } });
    battle.submit(Side::A, no, serde_json::from_value(march).unwrap()).unwrap();
    battle.submit(Side::B, no, Order::Hold).unwrap();
    battle
}

#[test]
fn a_boards_odds_are_those_of_the_umpire_throwing_every_face() {
    let mut hits = 0;
    for a in 1..=6 {
        for b in 1..=6 {
            let mut battle = under_fire(Some(script(&[&format!("2d6: {a} {b}")])));
            let no = battle.asked().unwrap().no;
            battle.submit(Side::B, no, Order::Fire { with: UnitId(3) }).unwrap();
            hits += u32::from(battle.state().unit(UnitId(0)).own.hits);
        }
    }
    let mut game = TypedGame::<Ambush>::start(MEADOW, None, Seed::from_number(1)).unwrap();
    game.battle = under_fire(None);
    let odds = game.board(Viewer::Side(Side::B)).odds(&json!({ "fire": { "with": "@gamma" } })).unwrap();
    let hit = odds.bars.iter().find(|bar| bar.label == "a hit").unwrap();
    assert!((hit.chance - f64::from(hits) / 36.0).abs() < 1e-12);
    assert_eq!((hit.exact.as_str(), hits), ("5/12", 15));
    assert!(game.board(Viewer::Side(Side::A)).odds(&json!({ "fire": { "with": "@alpha" } })).is_none());
    assert!(game.board(Viewer::Side(Side::B)).odds(&json!("pass")).is_none());
}
