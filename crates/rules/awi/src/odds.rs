//! Exact odds from the very resolvers the umpire uses. Under `no_premeasuring` a side is told the odds of each band, not
//! which band it is; of each officer's help, not whether he is in reach (E.2).

use super::Awi;
use super::charge;
use super::charts::{Charts, plain};
use super::event::Band;
use super::field::{Field, facts, fire_distance, soldiers};
use super::fire::{self, Volley};
use super::melee::{Comparison, Fighter, compare, fighter};
use super::morale::{self, Trial};
use super::officers::Help;
use super::order::{Decision, Order, Piece};
use super::unit::{Arm, Class};
use engine::{Asked, Odds, Pool, Side, Spread, Stake, UnitId, View};
use smallvec::SmallVec;
use table::Length;

/// Odds of an order, as far as its side may know them.
pub fn odds(view: &View<'_, Awi>, asked: &Asked<Awi>, _side: Side, order: &Order) -> Option<Odds> {
    let field: &Field = view;
    match (&asked.decision, order) {
        (
            Decision::Activate | Decision::Fire,
            Order::Fire { unit, at, grape } | Order::FireThenMove { unit, at, grape },
        ) => shot(field, *unit, *at, *grape),
        (Decision::Fire, Order::Shell { .. }) => Some(shell(field.charts())),
        (Decision::Fire, Order::Snipe { at, .. }) => Some(snipe(field.charts(), *at)),
        (Decision::Activate, Order::Charge { unit, at, .. }) => Some(charge(field, *unit, *at)),
        (Decision::Activate, Order::BreakOff { unit, .. }) => Some(test(field, *unit, "to break off")),
        (Decision::Pursuer { unit }, Order::TryHalt) => Some(test(field, *unit, "to halt")),
        (Decision::Support { .. }, Order::Support { unit }) => {
            let test = test(field, *unit, "to support");
            Some(match bands(field, *unit, decision_target(asked)?, false).into_iter().next() {
                Some(volley) => test.followed_by(volley_plot("hits on the charger", &volley)),
                None => test,
            })
        }
        (Decision::FailedChargeVolley { unit, at }, Order::Shoot) => shot(field, *unit, *at, false),
        (Decision::OfficerAttempt { by, .. }, Order::Attempt { .. }) => {
            Some(attempt(field.charts(), facts(field, *by).arm == Arm::Artillery))
        }
        (Decision::Pursue { unit, .. }, Order::Pursue) => Some(pursuit(field, *unit)),
        _ => None,
    }
}

fn decision_target(asked: &Asked<Awi>) -> Option<UnitId> {
    match &asked.decision {
        Decision::Support { charger, .. } => Some(*charger),
        _ => None,
    }
}

fn hits_label(hits: &i32) -> String {
    match hits {
        1 => "1 hit".to_owned(),
        n => format!("{n} hits"),
    }
}

/// A volley as a plot.
pub fn volley_plot(title: impl Into<String>, volley: &Volley) -> Odds {
    let hits = |modifier: i32| {
        let hits = |pips: &[u8]| i32::from(pips.first().copied().unwrap_or_default()) + modifier >= volley.need.value;
        f64::from(volley.dice.value.max(0)) * Spread::of_pool(Pool::d6(1), hits).chance(|hit| *hit)
    };
    Odds::plot(title, &volley.odds(), hits_label).weighing(&volley.reckoning(), Stake::Mean("hits"), hits)
}

fn bands(field: &Field, by: UnitId, at: UnitId, grape: bool) -> Vec<Volley> {
    let all: &[Band] =
        if fire::is_battery(field, by) { &[Band::Short, Band::Medium, Band::Long] } else { &[Band::Short, Band::Long] };
    let near = if grape { &all[..1] } else { all };
    near.iter().filter_map(|band| fire::volley(field, by, at, *band, grape)).collect()
}

fn band_word(band: Band) -> &'static str {
    match band {
        Band::Short => "short range",
        Band::Medium => "medium range",
        Band::Long => "long range",
    }
}

/// A shot: the band where the tape may be laid, every band where it may not.
fn shot(field: &Field, by: UnitId, at: UnitId, grape: bool) -> Option<Odds> {
    let name = &field.card(at).name;
    if !field.settings().no_premeasuring {
        let band = fire::band(field, by, fire_distance(field, by, at), grape)?;
        let volley = fire::volley(field, by, at, band, grape)?;
        return Some(volley_plot(format!("hits on {name} at {}", band_word(band)), &volley));
    }
    let mut plots = bands(field, by, at, grape)
        .into_iter()
        .map(|volley| volley_plot(format!("hits on {name} if it proves to be {}", band_word(volley.band)), &volley));
    let mut first = plots.next()?;
    first.then.extend(plots);
    Some(first)
}

fn pass_label(passed: &bool) -> String {
    if *passed { "passes" } else { "fails" }.to_owned()
}

/// A morale test as a plot.
pub fn test_plot(title: impl Into<String>, trial: &Trial) -> Odds {
    let passes = |help: i32| match trial.need {
        Some(need) => {
            let score = |pips: &[u8]| i32::from(pips.first().copied().unwrap_or_default()) + help >= need.value;
            Spread::of_pool(Pool::one(trial.die), score).chance(|passed| *passed)
        }
        None => 1.0,
    };
    Odds::plot(title, &trial.odds(), pass_label).weighing(&trial.reckoning(None), Stake::Chance, passes)
}

/// A unit's own test: with the officers who touch it, which anybody can see, and with those who may be near enough.
fn test(field: &Field, unit: UnitId, purpose: &str) -> Odds {
    let name = &field.card(unit).name;
    if !field.settings().no_premeasuring {
        return test_plot(format!("{name} tests {purpose}"), &morale::trial(field, unit));
    }
    let (class, marks) = (facts(field, unit).class, soldiers(field, unit).marks);
    let alone = morale::trial_with(field, class, marks, None);
    let mut plot = test_plot(format!("{name} tests {purpose}, no officer in reach"), &alone);
    for (id, officer) in field.commanders() {
        let card = field.muster().commander(id);
        if !officer.is_present() || !super::officers::commands(field, id, unit) {
            continue;
        }
        let touching = table::quads_touch(officer.quad(), field.unit(unit).quad());
        let factor = field.charts().rating(card.facts.rating).map(|pair| pair[usize::from(touching)].get());
        let help = Help { who: id, rating: card.facts.rating, factor, is_division: false, others: false };
        let how = if touching { "beside it" } else { "if he is near enough" };
        let trial = morale::trial_with(field, class, marks, Some(help));
        plot.then.push(test_plot(format!("with {} {how}", card.name), &trial));
    }
    plot
}

/// A shell: dud or not, then hits if it finds anybody.
pub fn shell(charts: &Charts) -> Odds {
    let dud = charts.shell.dud.value.get();
    let drift = Spread::of_pool(charts.drift(), |pips| i32::from(pips[0]) != dud);
    let need = charts.shell.need.value.get();
    let die = Spread::of_pool(Pool::d6(1), |pips| i32::from(i32::from(pips[0]) >= need));
    let hits = Spread::sum_of(charts.shell.dice.value.get().max(0) as usize, &die);
    Odds::plot("the shell", &drift, |bursts| if *bursts { "bursts" } else { "dud" }.to_owned()).followed_by(Odds::plot(
        "hits to share, if it falls on anybody",
        &hits,
        hits_label,
    ))
}

fn die_from(need: i32, title: String) -> Odds {
    let spread = Spread::of_pool(Pool::d6(1), |pips| i32::from(pips[0]) >= need);
    Odds::plot(title, &spread, |hit| if *hit { "hit" } else { "miss" }.to_owned())
}

/// A sharpshooter.
pub fn snipe(charts: &Charts, at: Piece) -> Odds {
    let what = if matches!(at, Piece::Commander(_)) { "kills" } else { "hits" };
    let short = die_from(plain(charts.sharpshooter.short).value, format!("{what} if it proves to be short range"));
    short.followed_by(die_from(plain(charts.sharpshooter.long).value, format!("{what} if it proves to be long range")))
}

/// Spending a hit on an officer.
pub fn attempt(charts: &Charts, guns: bool) -> Odds {
    let need = charts.officer.killed_on.value.get();
    let kill = Spread::of_pool(Pool::d6(1), |pips| if i32::from(pips[0]) >= need { 2 } else { 1 });
    let picked = if guns {
        Spread::certain(true)
    } else {
        Spread::of_pool(charts.officer.pick_out.value.0, |pips| pips.iter().all(|pip| Some(pip) == pips.first()))
    };
    let chain = picked.then(|picked| if *picked { kill.clone() } else { Spread::certain(0) });
    Odds::plot("a hit spent on the commander", &chain, |end| {
        match end {
            0 => "not picked out, the hit stays on the unit",
            1 => "unhurt, the hit is lost",
            _ => "killed",
        }
        .to_owned()
    })
}

fn pursuit(field: &Field, unit: UnitId) -> Odds {
    let dice = match facts(field, unit).arm {
        Arm::Cavalry => field.charts().rout.horse.value.0,
        _ => field.charts().rout.foot.value.0,
    };
    let total = Spread::of_pool(dice, |pips| pips.iter().map(|pip| i32::from(*pip)).sum::<i32>());
    Odds::plot("how far the pursuit goes", &total, |inches| format!("{inches}″"))
}

/// How a charge may begin and be met: own test, reach, the enemy's stand, his fire, the first round.
fn charge(field: &Field, unit: UnitId, at: UnitId) -> Odds {
    let mut plot = test(field, unit, "to charge");
    if charge::certain_distance(field, unit).is_none() {
        let reach = Spread::of_pool(field.charts().charge.die.value.0, |pips| i32::from(pips[0]));
        plot.then.push(Odds::plot("how far it charges, before the commander's factor", &reach, |inches| {
            format!("{inches}″")
        }));
    }
    let receive = morale::trial_with(field, facts(field, at).class, soldiers(field, at).marks, None);
    plot.then.push(test_plot(format!("{} stands, no officer in reach", field.card(at).name), &receive));
    if fire::can_fire(field, at) {
        for volley in bands(field, at, unit, false).into_iter().filter(|volley| volley.band != Band::Medium) {
            let title = format!("hits by its fire, resolved as {}", band_word(volley.band));
            plot.then.push(volley_plot(title, &volley));
        }
    }
    let mut own = fighter(field, unit, &[]);
    let bonus = &field.charts().melee.modifier.first_round_of_charge;
    own.modifiers.push((super::clause::Clause::ChargeBonus, "charged in", plain(*bonus)));
    plot.then.push(melee_plot("first round, on level open ground", &own, &fighter(field, at, &[])));
    plot
}

type Scores = SmallVec<[i8; 4]>;

/// Every set of valid scores a fighter may throw, with its ways: one die at a time, equal sets gathered, so that pools
/// of any size stay small.
fn all_scores(fighter: &Fighter) -> Spread<Scores> {
    let die = Spread::of_pool(Pool::d6(1), |pips| fighter.scores(pips));
    (0..fighter.dice.value.clamp(0, 20)).fold(Spread::certain(Scores::new()), |so_far, _| {
        so_far.then(|scores| {
            die.map(|more| {
                let mut all = scores.clone();
                all.extend(more.iter().copied());
                all.sort_unstable_by(|a, b| b.cmp(a));
                all
            })
        })
    })
}

/// Comparisons won by either in one round.
pub fn melee_spread(a: &Fighter, b: &Fighter) -> Spread<Comparison> {
    let theirs = all_scores(b);
    let pair = |scores: &Scores| scores.iter().map(|score| (*score, ())).collect::<SmallVec<[(i8, ()); 4]>>();
    all_scores(a).then(|own| {
        let own = pair(own);
        theirs.map(|enemy| compare(&own, &pair(enemy), |_, ()| {}))
    })
}

/// A round of melee as a plot: marks lost by each.
pub fn melee_plot(title: impl Into<String>, a: &Fighter, b: &Fighter) -> Odds {
    let losses = melee_spread(a, b).map(|result| (result.wins[1], result.wins[0]));
    let rounds = losses.map(|(own, enemy)| match own.cmp(enemy) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    });
    let word = |end: &i32| {
        ["wins the round", "drawn", "loses the round"][usize::try_from(*end).unwrap_or(1).min(2)].to_owned()
    };
    // What the other brings counts against this one: both are told, each under its own head.
    let brings = |fighter: &Fighter, whose: &str| {
        let mut told = fighter.reckoning();
        told.lines.iter_mut().for_each(|line| line.label = format!("{whose}: {}", line.label).into());
        told
    };
    Odds::plot(title, &rounds, word).counting(&brings(a, "own")).counting(&brings(b, "enemy")).followed_by(Odds::plot(
        "marks lost, own and enemy",
        &losses,
        |(own, enemy)| format!("{own} : {enemy}"),
    ))
}

/// A fighter described by class and arm alone, for the command line.
pub fn plain_fighter(charts: &Charts, class: Class, mounted: bool, modifiers: Fighters) -> Fighter {
    let row = &charts.class(class).melee;
    let dice = match row.horse {
        Some(horse) if mounted => plain(horse),
        _ => plain(row.foot),
    };
    Fighter { dice, valid_from: plain(charts.melee.valid_from), modifiers, row: class.melee_clause() }
}

/// Modifiers of a fighter.
pub type Fighters = SmallVec<[(super::clause::Clause, &'static str, engine::Cited<i32>); 4]>;

/// How a described charge ends, before the melee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum ChargeEnd {
    Refuses,
    FallsShort,
    EnemyRuns,
    ShotDown,
    GoesIn,
}

/// A charge described by its parts: start test, distance (none: always reaches), receive test, fire, own marks.
pub fn charge_spread(
    start: &Trial,
    reach: Option<(&Charts, i32, Length)>,
    receive: &Trial,
    fire: Option<&Volley>,
    marks: i32,
) -> Spread<ChargeEnd> {
    let reaches = match reach {
        None => Spread::certain(true),
        Some((charts, factor, gap)) => {
            Spread::of_pool(charts.charge.die.value.0, |pips| Length::whole_inches(i32::from(pips[0]) + factor) >= gap)
        }
    };
    let hits = fire.map_or(Spread::certain(0), Volley::odds);
    start.odds().then(|started| {
        if !started {
            return Spread::certain(ChargeEnd::Refuses);
        }
        reaches.then(|reached| {
            if !reached {
                return Spread::certain(ChargeEnd::FallsShort);
            }
            receive.odds().then(|stands| {
                if !stands {
                    return Spread::certain(ChargeEnd::EnemyRuns);
                }
                hits.map(|hits| if *hits >= marks { ChargeEnd::ShotDown } else { ChargeEnd::GoesIn })
            })
        })
    })
}
