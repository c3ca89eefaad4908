//! 2.6: rally tests of both sides. Sections 17.2.8 to 17.2.11, D.4, A-98, A-124.

#[cfg(test)]
mod tests;

use super::Days;
use super::charts::{Charts, Condition};
use super::clause::Clause;
use super::event::{DaysEvent, Doing, Test};
use super::field::{self, Few, Field};
use super::formation::{Formation, Shape};
use super::morale::{self, Occasion};
use super::order::{Decision, Order, Reform};
use super::sequence::{self, Given, Phase};
use super::unit::{OrderState, Part};
use super::{evolution, ground, hidden, rout, settle, space, staff};
use engine::{BySide, CommanderId, Deed, Event, Flow, Side, Umpire, UnitId, Verdict, View};
use smallvec::SmallVec;

/// Asks both sides who helps whom, then rolls. Where nobody has a choice the dice are thrown at once.
pub fn advance(umpire: &mut Umpire<'_, Days>, asked: bool) -> Flow<Days> {
    if asked {
        return Flow::Done;
    }
    let field = umpire.state();
    let choice = BySide(Side::BOTH.map(|side| has_choice(field, side)));
    match sequence::ask(choice, Decision::Rally) {
        Some(question) => question,
        None => {
            test_all(umpire, &Given::default());
            Flow::Done
        }
    }
}

/// Units of a side that must or may try, in roster order. Whole units: their parts share their state.
pub fn triers(field: &Field, side: Side) -> Few {
    let tries = |id: &UnitId| is_bound_to_try(field, *id) || may_choose(field, *id);
    candidates(field, side).filter(tries).collect()
}

/// Whole units with something of them on the table, out of contact.
fn candidates(field: &Field, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let free = move |id: &UnitId| {
        let bodies = morale::bodies(field, *id);
        field.side_of(*id) == side
            && field::facts(field, *id).part.is_none()
            && morale::has_order(field, *id)
            && !bodies.is_empty()
            && bodies.iter().all(|body| field::troops(field, *body).contact.is_empty())
    };
    field.muster().unit_ids().filter(free)
}

/// Whether a unit has to be tested: disordered on ground that does not keep it so, shaken, or gone to ground, and not
/// charging (days.17.2-g, A-98).
pub fn is_bound_to_try(field: &Field, unit: UnitId) -> bool {
    let own = field::troops(field, unit);
    let bodies = morale::bodies(field, unit);
    let charges = bodies.iter().any(|body| field::troops(field, *body).charge.is_some());
    if charges || field::pursued(field, unit).is_some() {
        return false;
    }
    match own.order {
        OrderState::Good => own.to_ground,
        OrderState::Disordered => own.to_ground || !kept_down(field, unit),
        OrderState::Shaken => true,
        OrderState::Routing => false,
    }
}

/// Routing and pursuing units may try or not (days.17.2.11-a).
pub fn may_choose(field: &Field, unit: UnitId) -> bool {
    field::is_routing(field, unit) || field::pursued(field, unit).is_some()
}

/// Whether the ground keeps a unit from getting into order.
pub(crate) fn kept_down(field: &Field, unit: UnitId) -> bool {
    morale::bodies(field, unit).iter().any(|body| ground::disorders(field, *body) || ground::in_swamp(field, *body))
}

/// Generals who could help a unit.
pub fn helpers(field: &Field, unit: UnitId) -> SmallVec<[CommanderId; 4]> {
    let side = field.side_of(unit);
    let may = |id: &CommanderId| {
        field.muster().commander(*id).side == side && is_free(field, *id) && staff::may_help(field, *id, unit)
    };
    field.muster().commander_ids().filter(may).collect()
}

/// Fit, on the table, and has not tried this turn.
fn is_free(field: &Field, general: CommanderId) -> bool {
    let commander = field.commander(general);
    commander.is_present() && commander.own.is_fit() && !commander.own.rallied
}

/// Whether a side has anything to decide: a general who could help, or a unit that runs or pursues.
fn has_choice(field: &Field, side: Side) -> bool {
    triers(field, side).into_iter().any(|unit| may_choose(field, unit) || !helpers(field, unit).is_empty())
}

/// Judges who helps whom.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::default();
    let (help, decline, form) = match order {
        Order::Pass => return verdict,
        Order::Rally { help, decline, form } => (help, decline, form),
        _ => return Verdict::refused(Clause::SheetRallying, "this is the time for rallying"),
    };
    let field: &Field = view;
    let trying = triers(field, side);
    let known = |unit: UnitId| unit.index() < field.muster().units.len() && trying.contains(&unit);
    for (n, one) in help.iter().enumerate() {
        if !known(one.unit) {
            verdict.refuse(Clause::WhoHasToTest, "this unit does not rally now").about(one.unit);
            continue;
        }
        let is_own = usize::from(one.general.0) < field.muster().commanders.len()
            && field.muster().commander(one.general).side == side;
        if !is_own {
            verdict.refuse(Clause::GeneralsWhoRallyTroops, "he is no general of this side").about(one.unit);
            continue;
        }
        if !is_free(field, one.general) {
            let text = "a general who routs, is away or has tried already rallies nobody";
            verdict.refuse(Clause::GeneralsWhoRallyTroops, text).about(one.unit);
        } else if !staff::may_help(field, one.general, one.unit) {
            verdict.refuse(Clause::ReachOfCommand, "this general cannot help this unit").about(one.unit);
        }
        if help[..n].iter().any(|other| other.general == one.general) {
            verdict.refuse(Clause::OneUnitAtATime, "a general helps one unit in a turn").about(one.unit);
        }
        if help[..n].iter().any(|other| other.unit == one.unit) {
            verdict.refuse(Clause::ChoosingAmongGenerals, "one general helps a unit, not several").about(one.unit);
        }
    }
    for unit in decline {
        if !known(*unit) || !may_choose(field, *unit) {
            let text = "only routing and pursuing units may leave a rally undone";
            verdict.refuse(Clause::RallyingIsADuty, text).about(*unit);
        }
    }
    for reform in form {
        judge_form(field, known(reform.unit), reform, &mut verdict);
    }
    verdict
}

fn judge_form(field: &Field, known: bool, reform: &Reform, verdict: &mut Verdict) {
    if !known || !may_choose(field, reform.unit) {
        let text = "only routing and pursuing units form anew when they rally";
        verdict.refuse(Clause::FacingAboutOnceRallied, text).about(reform.unit);
        return;
    }
    if !is_rallying_shape(reform.formation) {
        let text = "rallied troops form line or column";
        verdict.refuse(Clause::FacingAboutOnceRallied, text).about(reform.unit);
    }
    let judged = evolution::may_form(field, reform.unit, reform.formation);
    verdict.refusals.extend(judged.refusals);
}

const fn is_rallying_shape(formation: Formation) -> bool {
    matches!(formation.shape, Shape::Line | Shape::March | Shape::Manoeuvre | Shape::Column | Shape::Limbered)
}

/// Rolls.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    test_all(umpire, &given);
    umpire.replace(Phase::Rallying { asked: true });
}

/// One unit's try, as its owner wants it.
pub(crate) struct Try {
    /// Who tries.
    pub(crate) unit: UnitId,
    /// With whose help.
    pub(crate) helper: Option<CommanderId>,
    form: Option<Formation>,
}

/// Takes all tests, whoever has the initiative first (D.3). Scores are those of the beginning: nobody's rally makes
/// another's easier.
fn test_all(umpire: &mut Umpire<'_, Days>, given: &Given) {
    let mut tries = Vec::new();
    for side in sequence::in_turn(umpire.state()) {
        tries.extend(tries_of(umpire.state(), side, given[side].as_ref()));
    }
    let mut passed = Vec::new();
    for one in tries {
        if let Some(general) = one.helper {
            let event = Event::own(Clause::GeneralsWhoRallyTroops, DaysEvent::TriedToRally { general });
            let helps = super::staff::help_clauses(umpire.state(), general, one.unit);
            let event = helps.into_iter().fold(event.also(Clause::OneUnitAtATime), Event::also);
            hidden::announce(umpire, one.unit, event);
        }
        let chosen = may_choose(umpire.state(), one.unit);
        let duty = if chosen { Clause::StoppingFlightOrPursuit } else { Clause::RallyingIsADuty };
        let lying = field::troops(umpire.state(), one.unit).to_ground;
        let clauses: &[Clause] = if lying { &[duty, Clause::GettingUpAgain] } else { &[duty] };
        let spokesman = morale::bodies(umpire.state(), one.unit).first().copied().unwrap_or(one.unit);
        let occasion = Occasion { helped_by: one.helper, ..Occasion::default() };
        let tested = morale::roll_citing(umpire, spokesman, Test::Rally, &occasion, clauses);
        if tested.passed {
            passed.push((one, tested.margin));
        }
    }
    for (one, margin) in passed {
        succeed(umpire, &one, margin);
    }
}

/// Who of a side tries, with whose help. A side that was not asked or declined tries with everybody and no general.
pub(crate) fn tries_of(field: &Field, side: Side, order: Option<&Order>) -> Vec<Try> {
    let (help, decline, form) = match order {
        Some(Order::Rally { help, decline, form }) => (help.as_slice(), decline.as_slice(), form.as_slice()),
        _ => (&[][..], &[][..], &[][..]),
    };
    let mut tries = Vec::new();
    for unit in triers(field, side) {
        if decline.contains(&unit) && may_choose(field, unit) {
            continue;
        }
        let helper = help.iter().find(|one| one.unit == unit).map(|one| one.general);
        let form = form.iter().find(|one| one.unit == unit).map(|one| one.formation);
        tries.push(Try { unit, helper, form });
    }
    tries
}

/// What a passed test does (C-17).
fn succeed(umpire: &mut Umpire<'_, Days>, one: &Try, margin: i32) {
    let (unit, own) = (one.unit, field::troops(umpire.state(), one.unit).clone());
    if own.order == OrderState::Routing {
        stop_running(umpire, one);
        return;
    }
    if field::pursued(umpire.state(), unit).is_some() {
        stop_pursuing(umpire, one);
        return;
    }
    if own.to_ground {
        let event = Event::own(Clause::GettingUpAgain, DaysEvent::ToGround { unit, down: false });
        hidden::announce(umpire, unit, event);
    }
    let field = umpire.state();
    let order = better(field.charts(), own.order, margin, kept_down(field, unit));
    if order == own.order {
        return;
    }
    let clause =
        if own.order == OrderState::Shaken { Clause::ShakenUntilRallied } else { Clause::ShakingOffLastTurnsTrouble };
    announce_order(umpire, unit, order, clause);
}

/// The rung a unit climbs to. Ground that disorders keeps it at disordered.
pub(crate) fn better(charts: &Charts, order: OrderState, margin: i32, kept_down: bool) -> OrderState {
    let outcome = &charts.outcome;
    let to = match order {
        OrderState::Shaken if -margin >= outcome.good_by.value.get() => OrderState::Good,
        OrderState::Shaken => rung(outcome.rally_shaken.value),
        OrderState::Disordered => rung(outcome.rally_disordered.value),
        OrderState::Good | OrderState::Routing => order,
    };
    if kept_down && to == OrderState::Good && order != OrderState::Good { OrderState::Disordered } else { to }
}

/// The rung a condition of the chart means.
const fn rung(condition: Condition) -> OrderState {
    match condition {
        Condition::Good | Condition::ToGround => OrderState::Good,
        Condition::Disordered => OrderState::Disordered,
        Condition::Shaken => OrderState::Shaken,
        Condition::Routing => OrderState::Routing,
    }
}

fn announce_order(umpire: &mut Umpire<'_, Days>, unit: UnitId, order: OrderState, clause: Clause) {
    let event = Event::own(clause, DaysEvent::OrderIs { unit, order });
    hidden::announce(umpire, unit, event);
}

/// Routers halt, face about and form; they do nothing else this turn.
fn stop_running(umpire: &mut Umpire<'_, Days>, one: &Try) {
    let order = rung(umpire.charts().outcome.rally_routing.value);
    announce_order(umpire, one.unit, order, Clause::FacingAboutOnceRallied);
    staff::rout_with(umpire, one.unit, false);
    for body in morale::bodies(umpire.state(), one.unit) {
        form_up(umpire, body, one.form.filter(|_| body == one.unit), true);
    }
}

/// Pursuers rein in and form where they are.
fn stop_pursuing(umpire: &mut Umpire<'_, Days>, one: &Try) {
    let field = umpire.state();
    let mut bodies = morale::bodies(field, one.unit);
    bodies.retain(|body| field::troops(field, *body).pursuing.is_some());
    for body in &bodies {
        let event = Event::own(Clause::StoppingFlightOrPursuit, DaysEvent::Pursues { unit: *body, after: None });
        hidden::announce(umpire, *body, event);
    }
    let order = rung(umpire.charts().outcome.rally_pursuing.value);
    if field::order(umpire.state(), one.unit) < OrderState::Disordered {
        announce_order(umpire, one.unit, order, Clause::OtherWaysToLoseOrder);
    }
    for body in bodies {
        form_up(umpire, body, one.form.filter(|_| body == one.unit), false);
    }
}

/// How a body forms that was told nothing: as it runs, or in open order where it knows nothing else.
fn usual(field: &Field, unit: UnitId, old: Formation) -> Formation {
    let loose = field::facts(field, unit).part_kind() == Some(Part::Screen)
        || (field::is_foot(field, unit) && !evolution::may_form(field, unit, old).is_legal());
    if loose { Formation::usual(Shape::Skirmish) } else { old }
}

/// Forms a body round its middle, facing about or not; where there is no room it stays a column.
fn form_up(umpire: &mut Umpire<'_, Days>, unit: UnitId, form: Option<Formation>, about: bool) {
    let field = umpire.state();
    let here = field.unit(unit);
    let (from, quad, old) = (here.pose(), *here.quad(), here.body.formation);
    let facing = if about { from.facing.reversed() } else { from.facing };
    let wanted = form.unwrap_or_else(|| usual(field, unit, old));
    let fits = |formation: Formation| {
        let pose = rout::centred(field, unit, formation, quad.centre, facing);
        let on_table = field::stands_at(field, unit, pose, formation).iter().all(|stand| field.ground().holds(stand));
        (on_table && space::crowded(field, unit, pose, formation).is_empty()).then_some((formation, pose))
    };
    let stay = (old, rout::centred(field, unit, old, quad.centre, facing));
    let (formation, to) = fits(wanted).or_else(|| fits(old)).unwrap_or(stay);
    if formation != old || to != from {
        let deed = Deed::Reformed { unit, formation, to };
        hidden::announce(umpire, unit, Event::new(Clause::FacingAboutOnceRallied, deed));
    }
    for doing in [Doing::Rallied, Doing::Reformed] {
        let did = Event::own(Clause::FacingAboutOnceRallied, DaysEvent::Did { unit, doing });
        hidden::announce(umpire, unit, did);
    }
    settle::moved(umpire, unit, from);
}
