//! Odds of morale tests: after losses, of charges, of rallies.

use super::{plot_of, total};
use crate::charts::{Charts, Condition, Wound, plain};
use crate::clause::Clause;
use crate::event::{DaysEvent, Test};
use crate::field::{self, Field};
use crate::morale::{self, Occasion};
use crate::order::Order;
use crate::rally::{self, Try};
use crate::unit::{Health, OrderState};
use book::telling::voice;
use engine::{CommanderId, Deed, Event, Odds, Reckoning, Side, Spread, Stake, UnitId};

/// Score less die: below nought is a pass.
pub fn margins(charts: &Charts, score: i32) -> Spread<i32> {
    Spread::of_pool(charts.test.dice.value.0, |pips| score - total(pips))
}

/// Whether a test is passed.
pub fn passes(charts: &Charts, score: i32) -> Spread<bool> {
    margins(charts, score).map(|margin| *margin < 0)
}

/// The score of a test, line by line.
pub fn sum(field: &Field, unit: UnitId, test: Test, against: Option<UnitId>) -> Reckoning {
    morale::score(field, unit, test, &Occasion { against, ..Occasion::default() })
}

/// The score of a test.
pub fn score(field: &Field, unit: UnitId, test: Test, against: Option<UnitId>) -> i32 {
    sum(field, unit, test, against).whole()
}

/// Says what counts in a test, and what each line makes of the chance to pass it.
pub fn counting(charts: &Charts, sum: &Reckoning, plot: Odds) -> Odds {
    plot.weighing(sum, Stake::Chance, |score| passes(charts, score).chance(|passed| *passed))
}

/// What comes of a unit that was under fire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shot {
    /// Nothing.
    Steady,
    /// Halted, and what else is the least that happens.
    Halted(OrderState, bool),
    /// Halted and shaken.
    Shaken,
    /// Runs.
    Routs,
    /// Too few are left.
    Gone,
}

impl Shot {
    /// In words.
    pub fn label(&self) -> String {
        let word = match self {
            Shot::Steady => "steady",
            Shot::Halted(_, true) => "halted, goes to ground",
            Shot::Halted(OrderState::Good, _) => "halted",
            Shot::Halted(..) => "halted and disordered",
            Shot::Shaken => "halted and shaken",
            Shot::Routs => "routs",
            Shot::Gone => "destroyed",
        };
        word.to_owned()
    }
}

/// The test after losses of a unit that has lost them already.
pub fn after_fire(field: &Field, unit: UnitId) -> Spread<Shot> {
    let charts = field.charts();
    let lies_down = field::is_foot(field, unit) && !field::facts(field, unit).is_battery();
    let score = score(field, unit, Test::Casualties, morale::shot_by(field, unit));
    margins(charts, score).map(|margin| {
        if *margin < 0 {
            return Shot::Steady;
        }
        match morale::under_fire(charts, lies_down, *margin) {
            Condition::Routing => Shot::Routs,
            Condition::Shaken => Shot::Shaken,
            Condition::ToGround => Shot::Halted(OrderState::Good, true),
            Condition::Disordered => Shot::Halted(OrderState::Disordered, false),
            Condition::Good => Shot::Halted(OrderState::Good, false),
        }
    })
}

/// The field with and without each of the generals at risk, before the test of the unit they ride with.
pub fn with_generals_at_risk(
    field: &Field,
    bodies: &[UnitId],
    mut test: impl FnMut(&Field) -> Spread<Shot>,
) -> Spread<Shot> {
    let generals: Vec<CommanderId> = bodies.iter().flat_map(|body| field::attached(field, *body)).collect();
    let lost = falls(field.charts());
    let fates = generals.iter().fold(Spread::certain(Vec::<bool>::new()), |fates, _| {
        fates.then(|so_far| lost.map(|lost| so_far.iter().copied().chain([*lost]).collect()))
    });
    fates.then(|fates| {
        let fallen = generals.iter().zip(fates).filter(|(_, lost)| **lost).flat_map(|(general, _)| {
            let health = Health::Killed { since: field.turn() };
            let dies = Event::own(Clause::WhenGeneralsAreWounded, DaysEvent::Health { general: *general, health });
            [dies, Event::new(Clause::WithoutAGeneral, Deed::CommanderLost { commander: *general })]
        });
        let fallen: Vec<_> = fallen.collect();
        if fallen.is_empty() { test(field) } else { test(&field.folded(&fallen)) }
    })
}

/// Whether a general with a unit that is hit has to leave it.
fn falls(charts: &Charts) -> Spread<bool> {
    let (dice, need) = (charts.test.dice.value.0, plain(charts.constant.attached_hit).value);
    super::at_least(dice, need).then(|hit| {
        if *hit {
            wounds(charts).map(|wound| matches!(wound, Fate::Away(_) | Fate::Killed))
        } else {
            Spread::certain(false)
        }
    })
}

/// What a hit does to a general.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Fate {
    Unhurt,
    Unhorsed,
    Away(u8),
    Killed,
}

impl Fate {
    /// In words.
    pub fn label(&self) -> String {
        match self {
            Fate::Unhurt => "unhurt".to_owned(),
            Fate::Unhorsed => "his horse is shot".to_owned(),
            Fate::Away(turns) => format!("away for {}", voice::count(usize::from(*turns), "turn")),
            Fate::Killed => "killed".to_owned(),
        }
    }
}

/// The wound table.
pub fn wounds(charts: &Charts) -> Spread<Fate> {
    Spread::of_pool(charts.test.dice.value.0, |pips| {
        match charts.wound.general.on(total(pips).unsigned_abs() as u8).value {
            Wound::Unhurt | Wound::Pioneers(_) => Fate::Unhurt,
            Wound::Unhorsed => Fate::Unhorsed,
            Wound::Away(turns) => Fate::Away(turns),
            Wound::Killed => Fate::Killed,
        }
    })
}

/// So many hits on a general on his own: whoever is away or dead is not hit again.
pub fn after_hits(charts: &Charts, hits: u8) -> Spread<Fate> {
    let one = wounds(charts);
    (0..hits).fold(Spread::certain(Fate::Unhurt), |fate, _| {
        fate.then(|so_far| match so_far {
            Fate::Away(_) | Fate::Killed => Spread::certain(*so_far),
            Fate::Unhurt | Fate::Unhorsed => one.map(|more| *so_far.max(more)),
        })
    })
}

// --- Rallies --------------------------------------------------------------------------------

/// The rally tests of a side with the help that is ordered.
pub fn of_rallies(field: &Field, side: Side, order: &Order) -> Vec<Odds> {
    let (commanders, muster) = (field.muster().commanders.len(), field.muster());
    let own =
        |one: &Try| one.helper.is_none_or(|id| usize::from(id.0) < commanders && muster.commander(id).side == side);
    rally::tries_of(field, side, Some(order)).iter().filter(|one| own(one)).map(|one| of_rally(field, one)).collect()
}

fn of_rally(field: &Field, one: &Try) -> Odds {
    let (unit, own) = (one.unit, field::troops(field, one.unit));
    let spokesman = morale::bodies(field, unit).first().copied().unwrap_or(unit);
    let occasion = Occasion { helped_by: one.helper, ..Occasion::default() };
    let sum = morale::score(field, spokesman, Test::Rally, &occasion);
    let score = sum.whole();
    let title = format!("{} against {score}", voice::does(voice::unit(field, unit), "rally"));
    if rally::may_choose(field, unit) {
        let (yes, no) = if field::is_routing(field, unit) { ("halts", "runs on") } else { ("reins in", "chases on") };
        return counting(field.charts(), &sum, plot_of(title, &passes(field.charts(), score), yes, no));
    }
    let kept_down = rally::kept_down(field, unit);
    let spread = margins(field.charts(), score).map(|margin| {
        let passed = *margin < 0;
        let order = if passed { rally::better(field.charts(), own.order, *margin, kept_down) } else { own.order };
        (passed, order)
    });
    let plot = Odds::plot(title, &spread, |(passed, order)| match (passed, own.to_ground) {
        (false, _) => "fails".to_owned(),
        (true, true) => format!("gets up, {}", in_order(*order)),
        (true, false) => in_order(*order).to_owned(),
    });
    counting(field.charts(), &sum, plot)
}

const fn in_order(order: OrderState) -> &'static str {
    match order {
        OrderState::Good => "good order",
        OrderState::Disordered => "disordered",
        OrderState::Shaken => "shaken",
        OrderState::Routing => "routing",
    }
}
