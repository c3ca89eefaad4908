//! The worked examples of the calculation.

use super::Calculation;
use crate::Guns;
use crate::charts::Charts;
use crate::clause::Clause as C;
use engine::Ruleset;
use engine::chart::ChartTree;
use engine::reckoning::{Fixed, Step};

pub fn charts() -> Charts {
    ChartTree::printed(Guns::EDITIONS[0].charts).unwrap().read().unwrap()
}

fn sums(status: u8, counted: u8, halves: &[C], adds: &[C], doubles: &[C]) -> Calculation {
    Calculation {
        status,
        counted,
        halves: halves.iter().copied().collect(),
        adds: adds.iter().copied().collect(),
        doubles: doubles.iter().copied().collect(),
        disordered: false,
    }
}

#[test]
fn the_example_of_the_book_loses_one() {
    let shot = sums(7, 4, &[], &[C::TargetCharging], &[]);
    assert_eq!(shot.result(&charts(), 9), (15, 1));
    let sheet = shot.reckoning(&charts(), 9);
    assert_eq!(sheet.total, Fixed(150));
    let lines: Vec<_> = sheet.lines.iter().map(|line| (line.clause, line.step, line.value.0)).collect();
    assert_eq!(
        lines,
        [
            (C::StatusNow.into(), Step::Look, 700),
            (C::CountElements.into(), Step::Look, 400),
            (C::LookUpFactor.into(), Step::Add, 120),
            (C::TargetCharging.into(), Step::Add, -50),
            (C::DieNine.into(), Step::Add, 80),
        ]
    );
}

#[test]
fn hard_cover_halves_before_breech_loaders_count() {
    let shot = sums(8, 8, &[C::TargetHardCover], &[C::TargetLoose, C::BreechLoaders], &[]);
    assert_eq!(shot.result(&charts(), 7), (11, 1));
    assert_eq!(shot.result(&charts(), 3), (5, 0));
}

#[test]
fn magazine_rifles_double_after_what_is_added() {
    let adds = [C::TargetLoose, C::BeyondShortRange, C::BreechLoaders];
    let shot = sums(9, 10, &[], &adds, &[C::MagazineWeapons]);
    assert_eq!(shot.result(&charts(), 3), (38, 3));
    // Nothing left to double stays nothing.
    let shot = sums(1, 1, &[C::TargetProne], &[C::FirerShelled], &[C::MagazineWeapons]);
    assert_eq!(shot.result(&charts(), 5), (-3, 0));
}

#[test]
fn disorder_halves_last_of_all() {
    let shot = Calculation { disordered: true, ..sums(6, 6, &[], &[C::BreechLoaders], &[]) };
    assert_eq!(shot.result(&charts(), 10), (14, 1));
    let lost = Calculation { disordered: true, ..sums(1, 1, &[], &[], &[]) };
    assert_eq!(lost.result(&charts(), 1), (-5, 0));
}

#[test]
fn machine_guns_alone_have_no_magazine() {
    let shot = sums(4, 8, &[], &[C::BeyondShortRange, C::BreechLoaders], &[]);
    assert_eq!(shot.result(&charts(), 2), (5, 0));
    assert_eq!(shot.result(&charts(), 7), (15, 1));
}

#[test]
fn guns_at_guns_in_battery() {
    let shot = sums(6, 6, &[C::CounterBatteryFire], &[C::BeyondShortRange, C::BreechLoaders], &[]);
    assert_eq!(shot.result(&charts(), 8), (10, 1));
}

#[test]
fn ranging_halves_and_ranged_fire_does_not() {
    let adds = [C::TargetLoose, C::BeyondShortRange, C::BreechLoaders];
    assert_eq!(sums(6, 4, &[C::FirerRanging], &adds, &[]).result(&charts(), 10), (10, 1));
    assert_eq!(sums(6, 4, &[], &adds, &[]).result(&charts(), 8), (10, 1));
}

#[test]
fn a_screen_of_three_fires_with_the_mean_of_its_battalions() {
    assert_eq!(sums(7, 3, &[], &[], &[]).result(&charts(), 5), (11, 1));
}

#[test]
fn beyond_the_print() {
    assert_eq!(sums(14, 10, &[], &[], &[]).result(&charts(), 5), (44, 4));
    let shot = sums(12, 20, &[], &[], &[]);
    assert_eq!(shot.result(&charts(), 5), (92, 9));
    assert!(!shot.is_in_print(&charts()));
    assert!(shot.reckoning(&charts(), 5).lines.iter().any(|line| line.clause == C::TableExtended.into()));
}

#[test]
fn several_halves_halve_once_and_every_addition_counts_in_the_order_of_the_list() {
    let halves = [C::CounterBatteryFire, C::TargetProne, C::FirerMoved];
    let shot = sums(10, 3, &halves, &[C::BreechLoaders, C::FirerShelled, C::TargetMounted], &[]);
    // 1.5 halves to 0.7, not to 0.75; then -0.5 +0.5 +0.5.
    assert_eq!(shot.result(&charts(), 6), (12, 1));
    let sheet = shot.reckoning(&charts(), 6);
    let lines: Vec<_> = sheet.lines.iter().skip(3).map(|line| (line.clause, line.step)).collect();
    assert_eq!(
        lines,
        [
            (C::TargetProne.into(), Step::Halve),
            (C::FirerMoved.into(), Step::Look),
            (C::CounterBatteryFire.into(), Step::Look),
            (C::FirerShelled.into(), Step::Add),
            (C::TargetMounted.into(), Step::Add),
            (C::BreechLoaders.into(), Step::Add),
            (C::DieFiveSix.into(), Step::Add),
        ]
    );
}
