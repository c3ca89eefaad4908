//! Dealing activation dice (activate-b to -e, R44): what is legal, what the house deals, whether there is a choice.
//!
//! `needs` holds, for each nominated brigade, the face at which each of its units would answer, lowest first; a die
//! activates a brigade when at least one unit would (R46). A deal gives each brigade the number of a die, or none.

/// The faces at which the units of a brigade answer, lowest first; empty where nobody ever would.
pub type Needs = Vec<u8>;

/// What is wrong with a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It has not one entry for each brigade.
    Entries,
    /// There is no such die.
    NoSuchDie(u8),
    /// The same die twice.
    Twice(u8),
    /// This die is left over, and this brigade could be activated with it.
    Wasted {
        /// The die's number.
        die: u8,
        /// The brigade's number.
        brigade: usize,
    },
}

/// How many units of a brigade a die makes answer.
pub fn answering(needs: &Needs, die: u8) -> usize {
    needs.iter().filter(|need| **need <= die).count()
}

/// Whether a die activates a brigade.
pub fn activates(needs: &Needs, die: u8) -> bool {
    needs.iter().any(|need| *need <= die)
}

/// What each brigade really gets: a die that cannot activate it is discarded there.
pub fn effective(needs: &[Needs], dice: &[u8], deal: &[Option<u8>]) -> Vec<Option<u8>> {
    let useful = |(needs, die): (&Needs, &Option<u8>)| {
        die.filter(|die| value(dice, *die).is_some_and(|face| activates(needs, face)))
    };
    needs.iter().zip(deal.iter().chain(std::iter::repeat(&None))).map(useful).collect()
}

fn value(dice: &[u8], die: u8) -> Option<u8> {
    dice.get(usize::from(die)).copied()
}

/// Everything wrong with a deal. No die left over may be able to activate a brigade left out; how many are activated is
/// the owner's affair.
pub fn flaws(needs: &[Needs], dice: &[u8], deal: &[Option<u8>]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    if deal.len() != needs.len() {
        flaws.push(Flaw::Entries);
    }
    for (n, die) in deal.iter().enumerate().filter_map(|(n, die)| Some((n, (*die)?))) {
        if value(dice, die).is_none() {
            flaws.push(Flaw::NoSuchDie(die));
        } else if deal.iter().take(n).any(|other| *other == Some(die)) {
            flaws.push(Flaw::Twice(die));
        }
    }
    if flaws.is_empty() {
        flaws.extend(wasted(needs, dice, deal));
    }
    flaws
}

fn wasted(needs: &[Needs], dice: &[u8], deal: &[Option<u8>]) -> Vec<Flaw> {
    let given = effective(needs, dice, deal);
    let idle: Vec<usize> = (0..needs.len()).filter(|n| given.get(*n).copied().flatten().is_none()).collect();
    let mut wasted = Vec::new();
    for (die, face) in (0..=u8::MAX).zip(dice).filter(|(die, _)| !given.contains(&Some(*die))) {
        let usable = idle.iter().filter(|n| needs.get(**n).is_some_and(|needs| activates(needs, *face)));
        wasted.extend(usable.map(|n| Flaw::Wasted { die, brigade: *n }));
    }
    wasted
}

/// The house's deal: as many brigades as can be activated, each with the least die that does it, the easiest first;
/// dice left over, if they are better, then go to brigades in which they would rouse more units.
pub fn greedy(needs: &[Needs], dice: &[u8]) -> Vec<Option<u8>> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|n| needs.get(*n).and_then(|needs| needs.first().copied()).unwrap_or(u8::MAX));
    let mut left: Vec<(u8, u8)> = dice.iter().copied().zip(0..=u8::MAX).collect();
    left.sort_unstable();
    let mut deal = vec![None; needs.len()];
    for n in order {
        let Some(needs) = needs.get(n) else { continue };
        if let Some(place) = left.iter().position(|(face, _)| activates(needs, *face)) {
            deal[n] = Some(left.remove(place).1);
        }
    }
    improve(needs, dice, &mut deal, left);
    deal
}

fn improve(needs: &[Needs], dice: &[u8], deal: &mut [Option<u8>], mut left: Vec<(u8, u8)>) {
    for (needs, given) in needs.iter().zip(deal) {
        let Some(now) = given.and_then(|die| value(dice, die)) else { continue };
        let better = left.iter().position(|(face, _)| answering(needs, *face) > answering(needs, now));
        if let Some(place) = better {
            *given = Some(left.remove(place).1);
        }
    }
}

/// Whether the owner could deal the dice to another effect than the house would. Exchanging, taking and handing on one
/// die at a time is tried; where none of that matters the deal is as good as forced.
pub fn has_choice(needs: &[Needs], dice: &[u8]) -> bool {
    let house = greedy(needs, dice);
    let outcome = |deal: &[Option<u8>]| -> Vec<usize> {
        let given = effective(needs, dice, deal);
        let roused = |(needs, die): (&Needs, &Option<u8>)| {
            die.and_then(|die| value(dice, die)).map_or(0, |face| answering(needs, face))
        };
        needs.iter().zip(&given).map(roused).collect()
    };
    let usual = outcome(&house);
    let differs = |deal: &[Option<u8>]| outcome(deal) != usual && flaws(needs, dice, deal).is_empty();
    let spare: Vec<u8> =
        (0..=u8::MAX).zip(dice).map(|(die, _)| die).filter(|die| !house.contains(&Some(*die))).collect();
    let mut deal = house.clone();
    for one in 0..house.len() {
        for other in one + 1..house.len() {
            deal.swap(one, other);
            if differs(&deal) {
                return true;
            }
            deal.swap(one, other);
        }
        for die in &spare {
            let before = deal[one].replace(*die);
            if differs(&deal) {
                return true;
            }
            deal[one] = before;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V02: two brigades that need 4, one that needs 5, and the dice 6, 4 and 3.
    fn example() -> (Vec<Needs>, [u8; 3]) {
        (vec![vec![4, 4], vec![4, 4, 4], vec![5, 5]], [6, 4, 3])
    }

    #[test]
    fn the_rulebooks_deals_are_legal() {
        let (needs, dice) = example();
        assert!(flaws(&needs, &dice, &[Some(1), None, Some(0)]).is_empty());
        assert!(flaws(&needs, &dice, &[Some(0), Some(1), None]).is_empty());
        assert!(flaws(&needs, &dice, &[Some(0), Some(1), Some(2)]).is_empty(), "the 3 is discarded on the last");
    }

    #[test]
    fn a_die_that_could_activate_somebody_may_not_be_left() {
        let (needs, dice) = example();
        let left = flaws(&needs, &dice, &[Some(0), None, None]);
        assert_eq!(left, [Flaw::Wasted { die: 1, brigade: 1 }]);
        let parked = flaws(&needs, &dice, &[Some(0), None, Some(1)]);
        assert_eq!(parked, [Flaw::Wasted { die: 1, brigade: 1 }], "putting it where it fails leaves it unused");
        assert!(!flaws(&needs, &dice, &[None, None, None]).is_empty());
    }

    #[test]
    fn a_deal_names_each_die_once() {
        let (needs, dice) = example();
        assert_eq!(flaws(&needs, &dice, &[Some(0), Some(0), None]), [Flaw::Twice(0)]);
        assert_eq!(flaws(&needs, &dice, &[Some(7), None, None]), [Flaw::NoSuchDie(7)]);
        assert_eq!(flaws(&needs, &dice, &[Some(0)]), [Flaw::Entries]);
    }

    #[test]
    fn the_house_activates_as_many_as_it_can_and_always_legally() {
        let (needs, dice) = example();
        assert_eq!(greedy(&needs, &dice).iter().flatten().count(), 2);
        for a in 1..=6 {
            for b in 1..=6 {
                for c in 1..=6 {
                    let dice = [a, b, c];
                    let deal = greedy(&needs, &dice);
                    assert!(flaws(&needs, &dice, &deal).is_empty(), "{dice:?}");
                }
            }
        }
    }

    #[test]
    fn a_better_die_left_over_rouses_more() {
        let needs = vec![vec![4, 5], vec![]];
        assert_eq!(greedy(&needs, &[4, 6]), [Some(1), None], "nobody else has a use for the 6");
    }

    #[test]
    fn some_deals_leave_no_choice() {
        let (needs, dice) = example();
        assert!(has_choice(&needs, &dice));
        assert!(!has_choice(&needs, &[1, 2, 3]), "nobody answers");
        assert!(!has_choice(&needs, &[6, 6, 6]), "everybody does");
        assert!(!has_choice(&[vec![4]], &[5]));
        assert!(!has_choice(&[vec![4], vec![4]], &[6, 4]), "either die does for either");
        assert!(has_choice(&[vec![4], vec![4]], &[6, 3]));
        assert!(has_choice(&[vec![4, 5], vec![4, 5]], &[5, 4]), "somewhere a unit out of its zone stays deaf");
    }
}
