//! Command: who may order whom, radius, the roll and its factors, what a unit may be ordered in a turn. E.1, R02 to R16,
//! R88, R89.

mod judge;

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{
    self, Field, facts, formation, furthest, gap, in_dense, is_engaged, is_there, reactive_range, rough, soldiers,
    troops,
};
use super::order::{Decision, Going, Order, What};
use super::sequence::Phase;
use super::settings::BrigadeRoll;
use super::unit::{Arm, Formation, Level, Weapon};
use super::{blunder, fire, generals, hidden, independent, sight};
use book::figures::plain;
use engine::{
    Cited, CommandId, CommanderId, Event, Flow, Mark, Reckoning, Side, Source, Umpire, UnitId, Verdict, View, Who,
};
use serde::{Deserialize, Serialize};
use table::{Length, Point, SLACK};

pub use judge::check;

/// The command phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Commanding {
    /// Whose.
    pub side: Side,
    /// Who is giving orders.
    pub current: Option<CommanderId>,
}

/// Units that obey, waiting to be told where to go or what to shoot at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Obeying {
    /// Whose.
    pub side: Side,
    /// Who obeys.
    pub units: Vec<UnitId>,
    /// What they do.
    pub task: Task,
}

/// What units that obey do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Task {
    March(Going),
    Charge,
    Shoot,
}

/// A score to throw or less, and how it comes about.
#[derive(Clone, Debug)]
pub struct Target {
    /// The score.
    pub value: i32,
    /// Its lines.
    pub reckoning: Reckoning,
}

/// The general under whose direct command a unit is.
pub fn holder(field: &Field, unit: UnitId) -> Option<CommanderId> {
    let muster = field.muster();
    let command = muster.command(field.card(unit).command?);
    command.commander.or_else(|| muster.command(command.parent?).commander)
}

/// The brigade a unit belongs to: a command without a general of its own.
pub fn brigade(field: &Field, unit: UnitId) -> Option<CommandId> {
    field.card(unit).command.filter(|id| field.muster().command(*id).commander.is_none())
}

/// Whether one general serves under another, directly or not.
pub fn is_under(field: &Field, low: CommanderId, high: CommanderId) -> bool {
    let muster = field.muster();
    let mut command = muster.command(muster.commander(low).commands).parent;
    while let Some(id) = command {
        let card = muster.command(id);
        if card.commander == Some(high) {
            return true;
        }
        command = card.parent;
    }
    false
}

/// A general's radius; none for the whole table.
pub fn radius(field: &Field, general: CommanderId) -> Option<Cited<Length>> {
    let chart = &field.charts().command;
    match generals::level(field, general) {
        Level::Division => Some(chart.division_radius.map(|reach| reach.0)),
        Level::Corps => Some(chart.corps_radius.map(|reach| reach.0)),
        Level::Army => None,
    }
}

fn radius_clause(level: Level) -> Clause {
    match level {
        Level::Division => Clause::DivisionRadius,
        Level::Corps => Clause::CorpsRadius,
        Level::Army => Clause::ArmyRadius,
    }
}

/// The groups a general may give one order to: brigades and batteries linked by gaps of at most an inch (R89).
pub fn groups(field: &Field, general: CommanderId) -> Vec<Vec<UnitId>> {
    let side = field.muster().commander(general).side;
    let mine: Vec<UnitId> = troops(field, side)
        .map(|(id, _)| id)
        .filter(|id| holder(field, *id) == Some(general) && !facts(field, *id).is_scout())
        .collect();
    let mut groups: Vec<Vec<UnitId>> = Vec::new();
    for &unit in &mine {
        if groups.iter().any(|group| group.contains(&unit)) {
            continue;
        }
        let mut group = vec![unit];
        let mut next = 0;
        while let Some(&link) = group.get(next) {
            for &other in &mine {
                if !group.contains(&other) && is_fellow(field, unit, other) && is_linked(field, link, other) {
                    group.push(other);
                }
            }
            next += 1;
        }
        group.sort();
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

fn is_fellow(field: &Field, a: UnitId, b: UnitId) -> bool {
    let (one, other) = (facts(field, a), facts(field, b));
    if one.arm.is_artillery() && other.arm.is_artillery() {
        return one.level == other.level;
    }
    brigade(field, a).is_some() && brigade(field, a) == brigade(field, b) && one.arm == other.arm
}

fn is_linked(field: &Field, a: UnitId, b: UnitId) -> bool {
    field::within(field, a, b, field.charts().command.brigade_gap.value.0)
}

/// The score at or under which a unit obeys, with its reckoning (E.1). `ordered` are all the units of the order: whoever
/// rides with one of them helps them all (R15).
pub fn target(field: &Field, general: CommanderId, what: What, unit: UnitId, ordered: &[UnitId]) -> Target {
    let chart = &field.charts().command;
    let factor = &chart.factor;
    let mut reckoning = value_lines(field, general);
    let own = soldiers(field, unit);
    let against = |reckoning: &mut Reckoning, clause: Clause, label: &'static str, count: i32, each: Cited<i32>| {
        if count != 0 {
            reckoning.add(clause, label, each.map(|value| -value * count));
        }
    };
    let earlier = i32::from(own.turn.orders);
    against(&mut reckoning, Clause::EarlierOrders, "earlier orders this turn", earlier, plain(factor.earlier_order));
    let distance = furthest(field, field::general_quad(field, general), unit);
    let steps = steps(field, distance);
    against(&mut reckoning, Clause::Distance, "distance from the general", steps, plain(factor.each_step));
    let near = i32::from(sight::enemy_near(field, unit, reactive_range(field)));
    against(&mut reckoning, Clause::EnemyNear, "visible enemy near", near, plain(factor.enemy_near));
    let dense = i32::from(in_dense(field, unit));
    against(&mut reckoning, Clause::DenseTerrain, "in dense terrain", dense, plain(factor.dense_terrain));
    let disrupted = i32::from(own.disruption() > 0);
    against(&mut reckoning, Clause::Disrupted, "disrupted", disrupted, plain(factor.disrupted));
    let degraded = i32::from(own.degradation() > 0);
    against(&mut reckoning, Clause::Degraded, "degraded stands", degraded, plain(factor.degraded));
    match field.commander(general).own.attached {
        Some(with) if with == unit || ordered.contains(&with) => {
            against(&mut reckoning, Clause::AttachedHere, "the general rides with it", 1, plain(factor.attached_here));
        }
        Some(_) => {
            let each = plain(factor.attached_elsewhere);
            against(&mut reckoning, Clause::AttachedElsewhere, "the general rides with others", 1, each);
        }
        None => {}
    }
    let by_road = i32::from(what == What::ByRoad);
    against(&mut reckoning, Clause::MarchByRoad, "march column by road", by_road, plain(factor.march_on_road));
    let clause =
        if facts(field, unit).nation == super::unit::Nation::French { Clause::FrenchWhat } else { Clause::GermanWhat };
    against(&mut reckoning, clause, "lasting penalty", i32::from(own.penalty), plain(chart.penalty));
    Target { value: reckoning.whole(), reckoning }
}

fn steps(field: &Field, distance: Length) -> i32 {
    let step = field.charts().command.factor.step.value.get();
    // The tolerance works for whoever is told that he stands at a full step.
    (distance + SLACK).as_um() / step.as_um().max(1)
}

fn value_lines(field: &Field, general: CommanderId) -> Reckoning {
    let (card, own) = (field.muster().commander(general), &field.commander(general).own);
    let chart = &field.charts().command;
    let clause = match (card.facts.level, card.facts.nation) {
        (Level::Division, _) => Clause::DivisionValue,
        (_, super::unit::Nation::French) => Clause::FrenchHigherValue,
        (_, super::unit::Nation::German) => Clause::GermanHigherValue,
    };
    let mut reckoning = Reckoning::new();
    let value = i32::from(card.facts.value);
    let printed = field.charts().command_value(card.facts.level, card.facts.nation);
    let source = if printed.value == value { printed.source } else { Source::House };
    reckoning.add(clause, "command value", Cited::new(value, source));
    let room = (chart.bonus_cap.value.get() - value).max(0);
    let bonus = (i32::from(own.bonus) * chart.bonus.value.get()).min(room);
    if bonus > 0 {
        reckoning.add(Clause::PassBonus, "bonus from above", Cited::new(bonus, chart.bonus.source));
    }
    reckoning
}

/// The score at or under which a general raises another (R08).
pub fn raise_target(field: &Field, general: CommanderId, who: CommanderId) -> Target {
    let factor = &field.charts().command.factor;
    let mut reckoning = value_lines(field, general);
    let (quad, recipient) = (field.commander(general).quad(), field.commander(who));
    let earlier = i32::from(recipient.own.raised);
    if earlier > 0 {
        let each = plain(factor.earlier_order).map(|value| -value * earlier);
        reckoning.add(Clause::EarlierOrders, "earlier rolls for him", each);
    }
    let steps = steps(field, to_general(quad, recipient.quad()));
    if steps > 0 {
        reckoning.add(Clause::Distance, "distance between them", plain(factor.each_step).map(|value| -value * steps));
    }
    let mut dense = field.ground().features.iter().filter(|feature| rough(feature.kind) == field::Rough::Dense);
    if dense.any(|feature| feature.shape.overlaps_quad(recipient.quad())) {
        reckoning.add(Clause::DenseTerrain, "he is in dense terrain", plain(factor.dense_terrain).map(|value| -value));
    }
    if field.commander(general).own.attached.is_some() {
        let each = plain(factor.attached_elsewhere).map(|value| -value);
        reckoning.add(Clause::AttachedElsewhere, "the general rides with a unit", each);
    }
    Target { value: reckoning.whole(), reckoning }
}

/// From a general's nearest point to another's furthest.
fn to_general(from: &table::Quad, to: &table::Quad) -> Length {
    let far = to.corners.iter().map(|corner| table::convex::distance(from.points(), *corner)).fold(0.0, f64::max);
    Length::from_um(far)
}

/// Opens the command phase.
pub fn begin(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    generals::note_absent(umpire, side);
    umpire.begin(Phase::Command(Commanding { side, current: None }));
}

/// Asks for the next order, or closes the phase.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, commanding: Commanding) -> Flow<Fpw> {
    let side = commanding.side;
    if anything_left(umpire.state(), side) {
        return Flow::Ask(Who::One(side), Decision::Command { current: commanding.current });
    }
    close(umpire, side);
    Flow::Again
}

/// Whether any general still has anybody to give an order to.
fn anything_left(field: &Field, side: Side) -> bool {
    generals::present(field, side).filter(|id| !field.commander(*id).own.done).any(|general| {
        let higher = generals::level(field, general) != Level::Division;
        let raises = higher && generals::present(field, side).any(|who| may_raise(field, general, who));
        raises
            || troops(field, side).any(|(unit, _)| {
                let own = soldiers(field, unit);
                let facts = facts(field, unit);
                let his = holder(field, unit) == Some(general) || (higher && facts.independent) || facts.is_scout();
                let most = field.charts().command.march_orders.value.get();
                let moves = !own.turn.halted && i32::from(own.turn.moves) < most;
                let moves = moves || (facts.is_scout() && !own.freed) || facts.independent || own.guest.is_some();
                let fires = !own.turn.fired_ordered && could_fire(field, unit);
                his && (moves || fires) && !own.turn.withdrew && in_radius(field, general, unit)
            })
    })
}

/// Whether a fire order might be of use: guns in action, and foot whose rifles reach beyond reactive range.
fn could_fire(field: &Field, unit: UnitId) -> bool {
    match formation(field, unit) {
        Formation::March | Formation::Limbered => false,
        Formation::Deployed => true,
        _ => matches!(facts(field, unit).weapon, Weapon::Chassepot | Weapon::BreechLoader),
    }
}

/// Whether a general may be raised by another at all, and it would do any good.
pub fn may_raise(field: &Field, general: CommanderId, who: CommanderId) -> bool {
    let staff = field.commander(who);
    let cap = field.charts().command.bonus_cap.value.get();
    let value = i32::from(field.muster().commander(who).facts.value) + i32::from(staff.own.bonus);
    staff.is_present() && !staff.own.done && value < cap && serves(field, who, general)
}

/// Whether a general passes bonuses to another: a corps general to those of his corps, an army general to every corps and
/// divisional general of his side (R08).
fn serves(field: &Field, who: CommanderId, general: CommanderId) -> bool {
    let (low, high) = (field.muster().commander(who), field.muster().commander(general));
    let lower = low.side == high.side && low.facts.level < high.facts.level;
    lower && (high.facts.level == Level::Army || is_under(field, who, general))
}

fn in_radius(field: &Field, general: CommanderId, unit: UnitId) -> bool {
    let Some(radius) = radius(field, general) else { return true };
    let quad = field::general_quad(field, general);
    !field::surely_beyond(quad, field.unit(unit).quad(), radius.value)
        && furthest(field, quad, unit) <= radius.value + SLACK
}

fn close(umpire: &mut Umpire<'_, Fpw>, side: Side) {
    generals::bring_back(umpire, side);
    umpire.replace(Phase::Standing { side, fired: false });
}

/// Carries an order of the command phase out.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, side: Side, order: Order) {
    match order {
        Order::Command { general, what, units } => {
            name(umpire, general);
            give(umpire, side, general, what, units);
        }
        Order::Raise { general, who } => {
            name(umpire, general);
            raise(umpire, side, general, who);
        }
        _ => close(umpire, side),
    }
}

/// The player turns to a general; the one before him is done (orders-f).
fn name(umpire: &mut Umpire<'_, Fpw>, general: CommanderId) {
    let Some(Phase::Command(commanding)) = umpire.phase() else { return };
    let former = commanding.current.replace(general);
    if former == Some(general) {
        return;
    }
    if let Some(former) = former.filter(|former| !umpire.state().commander(*former).own.done) {
        let event = Event::own(Clause::NoReturn, FpwEvent::Done { general: former });
        hidden::announce_general(umpire, former, event);
    }
    let event = Event::own(Clause::AnyOrderOfRank, FpwEvent::Named { general }).also(Clause::HigherFirst);
    hidden::announce_general(umpire, general, event);
}

fn give(umpire: &mut Umpire<'_, Fpw>, side: Side, general: CommanderId, what: What, units: Vec<UnitId>) {
    let field = umpire.state();
    let higher = generals::level(field, general) != Level::Division;
    let above: Vec<bool> = units.iter().map(|unit| higher && holder(field, *unit) != Some(general)).collect();
    let targets: Vec<Target> = units.iter().map(|unit| target(field, general, what, *unit, &units)).collect();
    let dice = field.charts().command.dice.value.0;
    let blunders = !higher && what != What::Scout;
    let double = field.charts().command.blunder.value.get();
    let roll = umpire.roll(dice, side);
    let score = roll.total();
    let scope = if units.len() > 1 { Clause::BrigadeGap } else { Clause::UnitOrBrigade };
    let rank = match (higher, above.contains(&true)) {
        (false, _) => Clause::DirectCommand,
        (true, false) => Clause::CorpsTroops,
        (true, true) => Clause::IndependentFromAbove,
    };
    let field = umpire.state();
    let guns = units.iter().filter(|unit| facts(field, **unit).arm.is_artillery()).count();
    let ordered = FpwEvent::Ordered { general, what, units: units.clone(), score: score.clamp(0, 255) as u8 };
    let event = Event::own(Clause::CommandRoll, ordered)
        .also(scope)
        .also(rank)
        .also_if(units.len() > 1 && guns == 0, Clause::Brigades)
        .also_if(guns > 1, Clause::BatteriesAsLiked)
        .also_if(guns > 0 && guns < units.len(), Clause::MarchingMixedBrigade)
        .also(radius_clause(generals::level(umpire.state(), general)))
        .also(Clause::WithinRadius)
        .rolled(roll);
    hidden::announce_all(umpire, &units, event);
    let blundered = blunders && score >= double;
    let mut obeying = Vec::new();
    for ((&unit, target), from_above) in units.iter().zip(targets).zip(above) {
        let obeys = score <= target.value && !blundered;
        let obeyed = FpwEvent::Obeyed { unit, target: target.value.clamp(-100, 100) as i8, obeys, from_above };
        let event = Event::own(Clause::LowEnoughActs, obeyed)
            .also(Clause::OneRollEachUnit)
            .also(Clause::SignOfFactors)
            .also(Clause::RadiusToFurthest)
            .because(target.reckoning);
        hidden::announce(umpire, unit, event);
        if obeys {
            obeying.push(unit);
        }
    }
    let failed = match umpire.state().settings().brigade_roll {
        BrigadeRoll::AnyUnit => obeying.is_empty(),
        BrigadeRoll::AllUnits => obeying.len() < units.len(),
    };
    if failed || blundered {
        hidden::announce_general(umpire, general, Event::own(Clause::FailedIsDone, FpwEvent::Done { general }));
    }
    if blundered {
        blunder::begin(umpire, side, general, what, units);
    } else if !obeying.is_empty() {
        carry_out(umpire, side, what, obeying);
    }
}

/// Units that obey do what they were ordered, or are asked how.
pub fn carry_out(umpire: &mut Umpire<'_, Fpw>, side: Side, what: What, units: Vec<UnitId>) {
    let task = match what {
        What::Move => Task::March(Going::Move),
        What::ByRoad => Task::March(Going::ByRoad),
        What::Reform => Task::March(Going::Reform),
        What::Charge => Task::Charge,
        What::Fire => Task::Shoot,
        What::Attach(host) => return independent::attach(umpire, host, &units),
        What::Detach => return independent::detach(umpire, &units),
        What::Scout => {
            for unit in units {
                hidden::announce(umpire, unit, Event::own(Clause::ScoutsMoveFreely, FpwEvent::Freed { unit }));
            }
            return;
        }
    };
    umpire.begin(Phase::Obey(Obeying { side, units, task }));
}

/// Asks units that obey for paths, targets or shots.
pub fn advance_obey(umpire: &mut Umpire<'_, Fpw>, mut obeying: Obeying) -> Flow<Fpw> {
    let field = umpire.state();
    obeying.units.retain(|unit| is_there(field, *unit));
    let Obeying { side, units, task } = obeying;
    if units.is_empty() {
        return Flow::Done;
    }
    let decision = match task {
        Task::March(going) => Decision::March { units, going },
        Task::Charge => Decision::Charges { units },
        Task::Shoot => Decision::Shots { units },
    };
    Flow::Ask(Who::One(side), decision)
}

fn raise(umpire: &mut Umpire<'_, Fpw>, side: Side, general: CommanderId, who: CommanderId) {
    let target = raise_target(umpire.state(), general, who);
    let roll = umpire.roll(umpire.charts().command.dice.value.0, side);
    let passed = roll.total() <= target.value;
    let raised = FpwEvent::Raised { general, who, target: target.value.clamp(-100, 100) as i8, passed };
    let event = Event::own(Clause::PassBonus, raised)
        .also(Clause::HigherCommand)
        .also(Clause::CommandRoll)
        .also(radius_clause(generals::level(umpire.state(), general)))
        .rolled(roll)
        .because(target.reckoning);
    // The reckoning tells how far they are apart, so it is secret while either of them is.
    let one = if hidden::is_hidden_general(umpire.state(), who) { who } else { general };
    hidden::announce_general(umpire, one, event);
    if !passed {
        hidden::announce_general(umpire, general, Event::own(Clause::FailedIsDone, FpwEvent::Done { general }));
    }
}
