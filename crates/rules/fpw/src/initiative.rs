//! Initiative moves: what units near the enemy do without orders, and the rides of free scouts. R24 to R26, R87.

use super::Fpw;
use super::clause::Clause;
use super::event::FpwEvent;
use super::field::{
    self, Field, bodies_at, facts, formation, gap_between, is_engaged, is_there, known, reactive_range, soldiers,
    troops,
};
use super::movement::{self, Plan};
use super::order::{Decision, Going, Order, Step};
use super::unit::{Arm, Formation};
use super::{charge, hidden, march, sight};
use engine::{Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Who};
use table::march::{Leg, Track};
use table::{Angle, Length, SLACK, convex};

/// Asks for the next initiative move while anybody has one.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, side: Side) -> Flow<Fpw> {
    let field = umpire.state();
    let mut units = troops(field, side).map(|(id, _)| id);
    if units.any(|id| may_act(field, id)) { Flow::Ask(Who::One(side), Decision::Initiative) } else { Flow::Done }
}

/// Whether a unit has anything to do on its own initiative.
pub fn may_act(field: &Field, unit: UnitId) -> bool {
    let own = soldiers(field, unit);
    let facts = facts(field, unit);
    if own.turn.initiative || own.turn.withdrew || !is_there(field, unit) {
        return false;
    }
    if facts.is_scout() {
        return own.freed;
    }
    let idle = facts.arm == Arm::Cavalry && formation(field, unit) == Formation::March;
    !idle && sight::enemy_near(field, unit, reactive_range(field)) && !is_engaged(field, unit)
}

/// Judges an initiative move.
pub fn check(view: &View<'_, Fpw>, side: Side, order: &Order) -> Verdict {
    let field: &Field = view;
    let mut verdict = Verdict::fine();
    let unit = match order {
        Order::Pass => return verdict,
        Order::Reform(step) | Order::LimberBack(step) | Order::HalfAndUnlimber(step) => step.unit,
        Order::Charge(aim) => aim.unit,
        Order::Retire { unit } | Order::Unlimber { unit, .. } | Order::Scout { unit, .. } => *unit,
        _ => {
            let text = "these are the initiative moves: move a unit near the enemy, or end them";
            return Verdict::refused(Clause::InitiativeFirst, text);
        }
    };
    if !is_there(field, unit) || field.side_of(unit) != side {
        verdict.refuse(Clause::InitiativeFirst, "this is not a unit of yours on the table").about(unit);
        return verdict;
    }
    if let Order::Scout { legs, .. } = order {
        check_scout(view, unit, legs, &mut verdict);
        return verdict;
    }
    check_unit(field, unit, &mut verdict);
    check_act(view, unit, order, &mut verdict);
    verdict
}

fn check_unit(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let own = soldiers(field, unit);
    if facts(field, unit).is_scout() {
        verdict.refuse(Clause::ScoutsMoveFreely, "scouts ride, they do nothing else").about(unit);
    }
    if own.turn.initiative {
        verdict.refuse(Clause::InitiativeNearEnemy, "it has made its initiative move").about(unit);
    }
    if own.turn.withdrew {
        verdict.refuse(Clause::GoesOnWithdrawing, "it is withdrawing").about(unit);
    }
    if is_engaged(field, unit) {
        verdict.refuse(Clause::CarriedOver, "it is in close combat").about(unit);
    }
    let range = reactive_range(field);
    if !sight::enemy_near(field, unit, range) {
        let text = format!("it sees no enemy within {}", range.show(table::Unit::Inch));
        verdict.refuse(Clause::InitiativeNearEnemy, text).about(unit).at(Mark::Spot(field.unit(unit).pose().at));
    }
}

fn check_act(view: &View<'_, Fpw>, unit: UnitId, order: &Order, verdict: &mut Verdict) {
    let field: &Field = view;
    let (arm, drawn) = (facts(field, unit).arm, formation(field, unit));
    match order {
        Order::Reform(step) => {
            if arm != Arm::Infantry || drawn != Formation::March {
                verdict
                    .refuse(Clause::InitiativeReform, "only foot in march column reforms without orders")
                    .about(unit);
            } else if step.formation.is_none_or(|new| new == Formation::March) {
                verdict.refuse(Clause::InitiativeReform, "it must leave the march column").about(unit);
            } else {
                movement::check_steps(view, std::slice::from_ref(step), Going::Reform, verdict);
            }
        }
        Order::Charge(aim) => {
            if drawn.is_march() || arm.is_artillery() {
                let text = "only foot and horse out of march column advance to contact";
                verdict.refuse(Clause::InitiativeAdvance, text).about(unit);
            } else {
                charge::check_aim(view, aim, verdict);
            }
        }
        Order::Retire { .. } => {
            if arm != Arm::Cavalry || drawn == Formation::March {
                verdict
                    .refuse(Clause::InitiativeRetire, "only horse out of march column retires like this")
                    .about(unit);
            } else if retreat(field, unit).is_none() {
                verdict.refuse(Clause::InitiativeRetire, "there is no way back").about(unit);
            }
        }
        Order::LimberBack(step) => {
            if drawn != Formation::Deployed || step.formation != Some(Formation::Limbered) || step.after {
                verdict.refuse(Clause::InitiativeLimber, "guns in action limber, then go").about(unit);
            } else {
                movement::check_steps(view, std::slice::from_ref(step), Going::Reform, verdict);
                check_withdraws(field, step, verdict);
            }
        }
        Order::Unlimber { facing, .. } => {
            if drawn != Formation::Limbered {
                verdict.refuse(Clause::InitiativeDeploy, "only limbered guns go into action").about(unit);
            } else {
                let step = unlimber(unit, *facing);
                movement::check_steps(view, &[step], Going::Reform, verdict);
            }
        }
        Order::HalfAndUnlimber(step) => {
            if drawn != Formation::Limbered || step.formation != Some(Formation::Deployed) || !step.after {
                verdict.refuse(Clause::InitiativeHalfAndDeploy, "limbered guns go, then unlimber").about(unit);
            } else {
                movement::check_steps(view, std::slice::from_ref(step), Going::Reform, verdict);
            }
        }
        _ => {}
    }
}

/// Guns that limber on their own initiative do so to get away.
fn check_withdraws(field: &Field, step: &Step, verdict: &mut Verdict) {
    let plan = Plan::of(field, step);
    let nearest = |pose: table::Pose, drawn: Formation| {
        let quads = bodies_at(field, step.unit, pose, drawn);
        known(field, field.side_of(step.unit).other())
            .map(|(id, _)| gap_between(&quads, &field::bodies(field, id)))
            .min()
            .unwrap_or(Length::MAX)
    };
    let (before, after) =
        (nearest(field.unit(step.unit).pose(), Formation::Deployed), nearest(plan.end, plan.formation));
    if after + SLACK < before {
        let text = "it would come nearer to the enemy, which is no withdrawal";
        verdict.refuse(Clause::InitiativeLimber, text).about(step.unit).at(Mark::Spot(plan.end.at));
    }
}

fn unlimber(unit: UnitId, facing: Option<Angle>) -> Step {
    Step { unit, formation: Some(Formation::Deployed), facing, after: false, legs: Vec::new() }
}

/// About, and at full pace straight away from the nearest visible enemy, as far as ground, table and bodies allow.
pub fn retreat(field: &Field, unit: UnitId) -> Option<Step> {
    let (_, enemy) = sight::seen_enemies(field, unit, reactive_range(field)).into_iter().next()?;
    let piece = field.unit(unit);
    let (theirs, ours) = convex::nearest_points(field.unit(enemy).quad().points(), piece.quad().points());
    let way = (ours - theirs).normalised();
    let drawn = piece.body.formation;
    let footprint = field.footprint(unit, drawn);
    let turned = piece.pose().about(footprint.depth);
    let by = Angle::millidegrees(Angle::of(way).as_millidegrees() - turned.facing.as_millidegrees());
    let legs = |go: Length| vec![Leg::About, Leg::Oblique { by, go }];
    let plot = |go: Length| Track::plot(piece.pose(), footprint, &legs(go));
    let full = movement::full_pace(field, unit);
    let mut go = movement::over_ground(field, full, drawn, &plot(full));
    let clear = |go: Length| {
        let track = plot(go);
        let end = bodies_at(field, unit, track.end(), drawn);
        let mut enemies = known(field, field.side_of(unit).other());
        track.stays_on(field.ground())
            && movement::is_free(field, unit, &end)
            && enemies.all(|(_, other)| track.meets(other.quad().points()).is_none())
    };
    while go > Length::ZERO && !clear(go) {
        // tidy: allow(how finely room is looked for)
        go -= Length::whole_inches(1) / 2;
    }
    (go > SLACK).then(|| Step { unit, formation: None, facing: None, after: false, legs: legs(go) })
}

/// A free scout rides where it likes, as far as a scout rides.
fn check_scout(view: &View<'_, Fpw>, unit: UnitId, legs: &[Leg], verdict: &mut Verdict) {
    let field: &Field = view;
    if !facts(field, unit).is_scout() || !soldiers(field, unit).freed {
        verdict.refuse(Clause::ScoutsMoveFreely, "only scouts that passed their roll ride freely").about(unit);
        return;
    }
    if soldiers(field, unit).turn.initiative {
        verdict.refuse(Clause::ScoutsMoveFreely, "it has ridden this turn").about(unit);
        return;
    }
    if legs.len() > movement::MOST_LEGS {
        verdict
            .refuse(Clause::ScoutsMoveFreely, format!("a path has at most {} legs", movement::MOST_LEGS))
            .about(unit);
        return;
    }
    if legs.iter().any(movement::is_backward_length) {
        verdict.refuse(Clause::ScoutsMoveFreely, "a leg cannot be shorter than nothing").about(unit);
        return;
    }
    let drawn = formation(field, unit);
    let track = Track::plot(field.unit(unit).pose(), field.footprint(unit, drawn), legs);
    let have = movement::over_ground(field, field.charts().pace.scout.value.0, drawn, &track);
    let line = Mark::Line(track.start().at, track.end().at);
    if track.length() > have + SLACK {
        let (need, have) = (track.length().show(table::Unit::Inch), have.show(table::Unit::Inch));
        verdict
            .refuse(Clause::ScoutsMoveFreely, format!("the ride is {need} long, and it has {have}"))
            .about(unit)
            .at(line);
    }
    if !track.stays_on(field.ground()) {
        verdict
            .refuse(Clause::ScoutsMoveFreely, "the ride leaves the table")
            .about(unit)
            .at(Mark::Spot(track.end().at));
    }
    if !movement::is_free(field, unit, &bodies_at(field, unit, track.end(), drawn)) {
        verdict
            .refuse(Clause::ScoutsSingly, "there is no room for it there")
            .about(unit)
            .at(Mark::Spot(track.end().at));
    }
    for (id, enemy) in known(field, field.side_of(unit).other()) {
        if !facts(field, id).is_scout() && track.meets(enemy.quad().points()).is_some() {
            let text = format!("it cannot ride through {}", field.card(id).name);
            verdict.refuse(Clause::ScoutsLeave, text).about(id).at(Mark::Spot(enemy.pose().at));
        }
    }
}

/// Makes an initiative move.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, side: Side, order: Order) {
    let (unit, clause) = match &order {
        Order::Reform(step) => (step.unit, Clause::InitiativeReform),
        Order::Charge(aim) => (aim.unit, Clause::InitiativeAdvance),
        Order::Retire { unit } => (*unit, Clause::InitiativeRetire),
        Order::LimberBack(step) => (step.unit, Clause::InitiativeLimber),
        Order::Unlimber { unit, .. } => (*unit, Clause::InitiativeDeploy),
        Order::HalfAndUnlimber(step) => (step.unit, Clause::InitiativeHalfAndDeploy),
        Order::Scout { unit, .. } => (*unit, Clause::ScoutsMoveFreely),
        _ => return umpire.end(),
    };
    let used = Event::own(clause, FpwEvent::InitiativeUsed { unit }).also(Clause::InitiativeNearEnemy);
    hidden::announce(umpire, unit, used);
    let step = match order {
        Order::Charge(aim) => return charge::begin(umpire, vec![aim], false),
        Order::Reform(step) | Order::LimberBack(step) => Some(step),
        Order::HalfAndUnlimber(step) => {
            hidden::announce(umpire, unit, Event::own(clause, FpwEvent::DeployedLate { unit }));
            Some(step)
        }
        Order::Unlimber { facing, .. } => Some(unlimber(unit, facing)),
        Order::Retire { .. } => retreat(umpire.state(), unit),
        Order::Scout { legs, .. } => Some(Step { unit, formation: None, facing: None, after: false, legs }),
        _ => None,
    };
    if let Some(step) = step {
        march::begin(umpire, side, vec![step]);
    }
}
