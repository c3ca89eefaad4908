//! Exact odds of charges and close combat, from the very resolvers the umpire uses.

use super::Fpw;
use super::approach::{Line, line_of};
use super::charge::does_close;
use super::charts::Charts;
use super::clause::Clause;
use super::combat;
use super::contact::aspect;
use super::event::FpwEvent;
use super::field::{Field, facts, level, soldiers};
use super::followup::surplus_of;
use super::order::Aim;
use super::reaction::escapes;
use super::strikes::{Strike, strikes};
use super::unit::{Arm, Aspect, Impetus, Soldiers};
use engine::{Deed, Event, Odds, Pool, Spread, UnitId};
use table::Length;

/// The test to close with so many markers.
pub fn close_spread(markers: u32) -> Spread<bool> {
    Spread::of_pool(Pool::d6(1), |pips| pips.first().is_some_and(|pip| does_close(i32::from(*pip), markers)))
}

/// A unit's test to close as a plot.
pub fn close(field: &Field, unit: UnitId) -> Odds {
    let spread = close_spread(soldiers(field, unit).markers());
    let word = |closes: &bool| if *closes { "closes" } else { "goes back" }.to_owned();
    Odds::plot(format!("{} tests to close", field.card(unit).name), &spread, word)
}

/// Whether cavalry gets away from a charger so far off who may go so far.
pub fn evade_spread(charts: &Charts, gap: Length, allowance: Length) -> Spread<bool> {
    Spread::of_pool(charts.react.evade.value.0, |pips| {
        let run = Length::whole_inches(pips.iter().map(|pip| i32::from(*pip)).sum());
        escapes(gap, run, allowance)
    })
}

/// Evading a charge as a plot; room to run is taken for granted.
pub fn evade(field: &Field, line: &Line) -> Odds {
    let spread = evade_spread(field.charts(), line.gap, line.allowance);
    let word = |away: &bool| if *away { "escapes" } else { "is caught in rear" }.to_owned();
    Odds::plot(format!("{} evades", field.card(line.meets).name), &spread, word)
}

/// Hits of a set of strikes.
pub fn hits_spread(strikes: &[Strike]) -> Spread<i32> {
    strikes.iter().fold(Spread::certain(0), |sum, strike| {
        let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(pips.first().is_some_and(|pip| strike.hits(*pip))));
        sum.plus(&Spread::sum_of(strike.dice.value.max(0) as usize, &die))
    })
}

/// How a unit comes out of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Fate {
    Stands,
    Withdraws,
    Removed,
}

impl Fate {
    fn word(self) -> &'static str {
        match self {
            Fate::Stands => "stands",
            Fate::Withdraws => "withdraws",
            Fate::Removed => "is removed",
        }
    }
}

/// What so many hits in close combat do to a unit (R61, R77, R78). Hits fall on the least degraded stand, so all are
/// degraded as soon as there is one for each that was not.
pub fn fate(arm: Arm, own: &Soldiers, hits: u32) -> Fate {
    let (stands, degradation) = (u32::from(own.count()), own.degradation() + hits);
    if arm == Arm::Cavalry {
        return if degradation > stands { Fate::Removed } else { Fate::Stands };
    }
    let all = own.degraded_stands() + hits >= stands;
    match (surplus_of(stands, own.disruption(), degradation, all), arm) {
        (0, _) => Fate::Stands,
        (_, Arm::Infantry) => Fate::Withdraws,
        _ => Fate::Removed,
    }
}

/// What one unit strikes another with.
fn blows(field: &Field, unit: UnitId, foe: UnitId) -> Vec<Strike> {
    strikes(field, unit, &[]).into_iter().filter(|strike| strike.at == foe).collect()
}

/// Hits each way in the next round between two units in contact: given by the first, given by the second.
pub fn round_spread(field: &Field, a: UnitId, b: UnitId) -> Spread<(i32, i32)> {
    let theirs = hits_spread(&blows(field, b, a));
    hits_spread(&blows(field, a, b)).then(|own| theirs.map(|enemy| (*own, *enemy)))
}

/// The next round between two units in contact: who withdraws, and the hits each way.
pub fn round(field: &Field, a: UnitId, b: UnitId) -> Odds {
    let spread = round_spread(field, a, b);
    let end = |unit: UnitId, hits: i32| fate(facts(field, unit).arm, soldiers(field, unit), hits.max(0) as u32);
    let fates = spread.map(|(given, taken)| (end(a, *taken), end(b, *given)));
    let (own, enemy) = (&field.card(a).name, &field.card(b).name);
    let told = Odds::plot(format!("a round between {own} and {enemy}"), &fates, |(first, second)| {
        format!("{own} {}, {enemy} {}", first.word(), second.word())
    });
    let brings = |unit: UnitId, foe: UnitId| {
        let mut told = combat::reckoning(&blows(field, unit, foe));
        let name = &field.card(unit).name;
        told.lines.iter_mut().for_each(|line| line.label = format!("{name}: {}", line.label).into());
        told
    };
    let hits = Odds::plot("hits given and taken", &spread, |(given, taken)| format!("{given} : {taken}"));
    let hits = hits.counting(&brings(a, b)).counting(&brings(b, a));
    told.followed_by(hits)
}

/// The field as it would be if a charge struck home now.
pub fn struck_home(field: &Field, line: &Line) -> Field {
    let (unit, with) = (line.unit, line.meets);
    let impetus = Some(Impetus { level: level(field, with) <= level(field, unit) });
    let contact = FpwEvent::Contact {
        unit,
        with,
        aspect: Aspect::Front,
        other_aspect: aspect(field, with, line.from.at.vec()),
        impetus,
        other_impetus: None,
    };
    let events: [Event<Fpw>; 2] = [
        Event::new(Clause::TestToClose, Deed::Moved { unit, to: line.contact(), path: Vec::new() }),
        Event::own(Clause::TestToClose, contact),
    ];
    field.folded(&events)
}

/// A charge as it stands now, fire on the way left out: the test to close, an evader's chances, the first round.
pub fn charge(field: &Field, aim: &Aim) -> Option<Odds> {
    let line = line_of(field, aim)?;
    let mut plot = close(field, aim.unit);
    let horse = |unit: UnitId| facts(field, unit).arm == Arm::Cavalry;
    if horse(aim.unit) && horse(line.meets) && !facts(field, line.meets).heavy {
        plot.then.push(evade(field, &line));
    }
    plot.then.push(round(&struck_home(field, &line), aim.unit, line.meets));
    Some(plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_to_close_needs_as_much_as_there_are_markers() {
        assert_eq!(close_spread(0).ways_of(&true), (1, 1));
        assert_eq!(close_spread(4).ways_of(&true), (1, 2));
        assert_eq!(close_spread(7).ways_of(&false), (1, 1));
    }

    #[test]
    fn markers_beyond_the_stands_drive_infantry_back_and_unmake_cavalry() {
        let mut foot = Soldiers::fresh(3);
        assert_eq!(fate(Arm::Infantry, &foot, 3), Fate::Stands);
        assert_eq!(fate(Arm::Infantry, &foot, 4), Fate::Withdraws);
        foot.stands.iter_mut().for_each(|stand| stand.disruption = 2);
        assert_eq!(fate(Arm::Infantry, &foot, 2), Fate::Stands);
        assert_eq!(fate(Arm::Infantry, &foot, 3), Fate::Withdraws);
        assert_eq!(fate(Arm::Cavalry, &Soldiers::fresh(2), 2), Fate::Stands);
        assert_eq!(fate(Arm::Cavalry, &Soldiers::fresh(2), 3), Fate::Removed);
        assert_eq!(fate(Arm::FootArtillery, &Soldiers::fresh(1), 2), Fate::Removed);
    }
}
