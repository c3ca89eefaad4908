//! Exact odds of a volley from the very resolver the umpire uses: hits, the markers they leave, and who gives way.

use super::aim::{self, Die, Fire, Rule};
use super::charts::Charts;
use super::event::Manner;
use super::field::{Field, facts, is_there, soldiers};
use super::markers::Laying;
use super::morale;
use super::movement;
use super::order::Shot;
use super::volley;
use engine::{Odds, Pool, Spread, Stake, UnitId};
use table::Length;

/// What becomes of a unit under fire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// It stays where it is.
    Stands,
    /// It is driven back.
    Withdraws,
    /// It is gone.
    Removed,
}

/// Hits of dice with these factors: each die alone, summed.
pub fn hit_spread(charts: &Charts, factors: &[i32]) -> Spread<i32> {
    let need = charts.fire.need.value.get();
    factors.iter().fold(Spread::certain(0), |sum, factor| {
        sum.plus(&Spread::of_pool(Pool::d6(1), |pips| i32::from(i32::from(pips[0]) + factor >= need)))
    })
}

/// Markers after none, one, two and so on to `most` hits, over every face thrown for one too many: each from the one
/// before it, because the odds of all of them are wanted together.
pub fn mark_spreads(charts: &Charts, laying: Laying, most: i32) -> Vec<Spread<Laying>> {
    let need = charts.fire.degrade_on.value.get();
    let one_more = |laying: &Laying| {
        let mut next = laying.clone();
        match next.hit() {
            None => Spread::certain(next),
            Some(stand) => Spread::of_pool(Pool::d6(1), |pips| {
                let mut settled = next.clone();
                settled.settle(stand, i32::from(pips[0]) >= need);
                settled
            }),
        }
    };
    std::iter::successors(Some(Spread::certain(laying)), |so_far| Some(so_far.then(one_more)))
        .take(usize::try_from(most.max(0)).unwrap_or(0) + 1)
        .collect()
}

/// What becomes of a unit's markers under a spread of hits.
pub fn laid(charts: &Charts, fresh: &Laying, hits: &Spread<i32>) -> Spread<Laying> {
    let most = hits.chances().map(|(hits, _)| *hits).max().unwrap_or(0);
    let marks = mark_spreads(charts, fresh.clone(), most);
    let after = |hits: i32| usize::try_from(hits.max(0)).ok().and_then(|hits| marks.get(hits)).cloned();
    hits.then(|hits| after(*hits).unwrap_or_else(|| Spread::certain(fresh.clone())))
}

/// Whether a unit stands, withdraws or is gone once its markers lie. Ground that may bar its way is not looked at.
pub fn end_spread(field: &Field, unit: UnitId, laying: &Laying) -> Spread<End> {
    if laying.gone {
        return Spread::certain(End::Removed);
    }
    if laying.further == 0 {
        return Spread::certain(End::Stands);
    }
    let pace = movement::full_pace(field, unit);
    let pool = morale::withdrawal_pool(field, laying.further);
    let die =
        pool.dice().next().map_or(Spread::certain(0), |die| Spread::of_pool(Pool::one(die), |pips| i32::from(pips[0])));
    let inches = Spread::sum_of(pool.len(), &die);
    inches.map(|inches| if Length::whole_inches(*inches) > pace { End::Removed } else { End::Withdraws })
}

/// Odds of a volley, target by target; where fire may not all be put on one unit, for the choice made if none is.
pub fn volley_odds(field: &Field, shots: &[Shot], _manner: Manner, band: Option<u8>) -> Odds {
    let mut targets: Vec<UnitId> = shots.iter().map(|shot| shot.at).collect();
    targets.sort();
    targets.dedup();
    targets.retain(|at| is_there(field, *at) && !facts(field, *at).is_scout());
    let mut plots: Vec<Odds> =
        targets.iter().map(|at| fire_odds(field, &aim::gather(field, *at, shots, band, None), band)).collect();
    match plots.len() {
        1 => plots.remove(0),
        _ => Odds { title: "volleys".to_owned(), then: plots, ..Odds::default() },
    }
}

/// Odds of all fire at one unit.
pub fn fire_odds(field: &Field, fire: &Fire, band: Option<u8>) -> Odds {
    let name = |unit: UnitId| &field.card(unit).name;
    let factors =
        |aimed: bool| -> Vec<i32> { fire.dice.iter().filter(|die| die.aimed == aimed).map(Die::factor).collect() };
    let hits = hit_spread(field.charts(), &factors(true));
    let aimed: Vec<Die> = fire.dice.iter().filter(|die| die.aimed).cloned().collect();
    let sum = aim::reckon(field, &aimed);
    // What counts for every die shifts them all alike.
    let mean = |total: i32| {
        let shift = total - sum.whole();
        let factors: Vec<i32> = factors(true).iter().map(|factor| factor + shift).collect();
        hit_spread(field.charts(), &factors).mean()
    };
    let plot = Odds::plot(format!("hits on {}", name(fire.at)), &hits, hits_label);
    let mut plot = plot.weighing(&sum, Stake::Mean("hits"), mean);
    let seen = volley::seen_by(field, &fire.dice, fire.at);
    let front = match (&fire.rule, fire.behind) {
        (Rule::Batteries(_), _) => hits.map(|hits| {
            let shares = aim::shared_out(field, fire.at, &fire.rule, (*hits).clamp(0, 100) as u8);
            shares.iter().find(|share| share.0 == fire.at).map_or(0, |share| i32::from(share.1))
        }),
        (_, Some(behind)) => {
            let rear = hits.map(|hits| i32::from(stack(field, fire.at, behind, *hits).1));
            plot = after(field, behind, &rear, u16::MAX, plot);
            hits.map(|hits| i32::from(stack(field, fire.at, behind, *hits).0))
        }
        _ => hits,
    };
    plot = after(field, fire.at, &front, seen, plot);
    let beside = factors(false);
    if !beside.is_empty() {
        plot = plot.followed_by(Odds::plot("hits beside it", &hit_spread(field.charts(), &beside), hits_label));
    }
    match aim::close_behind(field, fire.at) {
        Some(behind) => {
            let carried = carried(field, fire, behind, band);
            plot.followed_by(Odds::plot(format!("hits carried on to {}", name(behind)), &carried, hits_label))
        }
        None => plot,
    }
}

fn stack(field: &Field, front: UnitId, rear: UnitId, hits: i32) -> (u8, u8) {
    let stands = |unit| soldiers(field, unit).count();
    aim::stack_shares(stands(front), stands(rear), hits.clamp(0, 100) as u8)
}

/// Adds what hits leave on a unit and what it then does.
fn after(field: &Field, unit: UnitId, hits: &Spread<i32>, seen: u16, plot: Odds) -> Odds {
    let fresh = Laying::new(field, unit, seen, &[]);
    let before = fresh.stands.clone();
    let laid = laid(field.charts(), &fresh, hits);
    let marks = laid.map(|laying| laying.added(&before));
    let name = &field.card(unit).name;
    let told = Odds::plot(format!("markers on {name}"), &marks, |(disruption, degradation)| {
        format!("{disruption} disruption, {degradation} degradation")
    });
    let plot = plot.followed_by(told);
    let ends = laid.then(|laying| end_spread(field, unit, laying));
    if ends.chance(|end| *end != End::Stands) <= 0.0 {
        return plot;
    }
    plot.followed_by(Odds::plot(format!("{name} after it"), &ends, |end| {
        let word = match end {
            End::Stands => "stands",
            End::Withdraws => "withdraws",
            End::Removed => "is gone",
        };
        word.to_owned()
    }))
}

/// Hits of sixes thrown again at whoever stands behind.
fn carried(field: &Field, fire: &Fire, behind: UnitId, band: Option<u8>) -> Spread<i32> {
    let on = field.charts().fire.overshoot_on.value.get();
    let again = |die: &Die| aim::carry_on(field, &[die.who], behind, band).first().map(Die::factor);
    let each = fire.dice.iter().filter(|die| die.at == fire.at).filter_map(again).map(|factor| {
        Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0]) >= on).then(|again| match again {
            true => hit_spread(field.charts(), &[factor]),
            false => Spread::certain(0),
        })
    });
    each.fold(Spread::certain(0), |sum, die| sum.plus(&die))
}

fn hits_label(hits: &i32) -> String {
    match hits {
        1 => "1 hit".to_owned(),
        n => format!("{n} hits"),
    }
}
