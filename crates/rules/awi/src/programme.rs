//! Chapter 3d: what a piece may do in its turn. One programme each, from the list of section D. R27, R43 to R45, R55.

use super::Awi;
use super::charge;
use super::clause::Clause;
use super::event::{AwiEvent, Cause};
use super::field::{Field, facts, is_engaged, is_there, soldiers, touching_enemies, troops};
use super::fire;
use super::morale;
use super::movement::{self, March};
use super::officers::is_open;
use super::order::{Going, Order};
use super::sequence::Phase;
use super::unit::{Arm, Aspect, Class, Condition, Formation, Task};
use engine::{Deed, Event, Mark, Side, Umpire, UnitId, Verdict, View};
use table::{Angle, Point, Pose, Quad, Vec2};

/// The unit an order is for.
pub fn subject(order: &Order) -> Option<UnitId> {
    match order {
        Order::Hold { unit }
        | Order::Move { unit, .. }
        | Order::FireThenMove { unit, .. }
        | Order::Reform { unit, .. }
        | Order::Limber { unit, .. }
        | Order::Unlimber { unit, .. }
        | Order::Load { unit }
        | Order::Charge { unit, .. }
        | Order::BreakOff { unit, .. }
        | Order::TurnInMelee { unit, .. } => Some(*unit),
        _ => None,
    }
}

/// Judges an activation: all the reasons.
pub fn check(view: &View<'_, Awi>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    match order {
        Order::Pass => return verdict,
        Order::Ride { commander, to } => {
            movement::check_ride(view, *commander, *to, side, &mut verdict);
            return verdict;
        }
        Order::Fire { unit, .. } | Order::Shell { unit, .. } | Order::Snipe { unit, .. } => {
            verdict
                .refuse(Clause::PhaseOrder, "firing comes after movement; fire first only to move after it")
                .about(*unit);
            return verdict;
        }
        _ => {}
    }
    let Some(unit) = subject(order) else {
        verdict.refuse(Clause::PhaseOrder, "this is the Movement part: give a piece its programme, or end it");
        return verdict;
    };
    if !check_able(field, unit, side, &mut verdict) {
        return verdict;
    }
    check_contact(field, unit, order, &mut verdict);
    check_raw(field, unit, order, &mut verdict);
    match order {
        Order::Move { half, by_road, legs, with, .. } => {
            check_move(view, unit, *half, *by_road, legs, with, &mut verdict)
        }
        Order::FireThenMove { at, grape, .. } => fire::check_shot(field, unit, *at, *grape, &mut verdict),
        Order::Reform { formation, facing, .. } => check_reform(field, unit, *formation, *facing, &mut verdict),
        Order::Limber { facing, .. } => check_limber(field, unit, Formation::Limbered, *facing, &mut verdict),
        Order::Unlimber { facing, .. } => check_limber(field, unit, Formation::Unlimbered, *facing, &mut verdict),
        Order::Load { .. } => check_load(field, unit, &mut verdict),
        Order::Charge { at, bearing, with, .. } => charge::check(view, unit, *at, *bearing, with, &mut verdict),
        Order::TurnInMelee { face, .. } => check_turn(field, unit, *face, &mut verdict),
        _ => {}
    }
    verdict
}

fn check_able(field: &Field, unit: UnitId, side: Side, verdict: &mut Verdict) -> bool {
    if !is_there(field, unit) || field.side_of(unit) != side {
        verdict.refuse(Clause::TurnsAlternate, "this is not a unit of yours on the table").about(unit);
        return false;
    }
    let own = soldiers(field, unit);
    if own.task != Task::None {
        verdict.refuse(Clause::FireAndMove, format!("it has {} already this turn", own.task.word())).about(unit);
    }
    match own.condition {
        Condition::Steady => {}
        Condition::Routing => drop(verdict.refuse(Clause::TestToRally, "a routing unit obeys no order").about(unit)),
        Condition::Pursuing => {
            verdict.refuse(Clause::PursuerStops, "it is in pursuit and has not halted").about(unit);
        }
        Condition::Disordered => drop(verdict.refuse(Clause::ChargeFallsShort, "it is disordered").about(unit)),
    }
    verdict.is_legal()
}

fn check_contact(field: &Field, unit: UnitId, order: &Order, verdict: &mut Verdict) {
    let in_melee = matches!(order, Order::BreakOff { .. } | Order::TurnInMelee { .. });
    match (is_engaged(field, unit), in_melee) {
        (true, false) if !matches!(order, Order::Hold { .. }) => {
            verdict.refuse(Clause::BreakOff, "it is in a melee: it may hold, break off or turn").about(unit);
        }
        (false, true) => drop(verdict.refuse(Clause::BreakOff, "it is not in a melee").about(unit)),
        _ => {}
    }
}

fn check_raw(field: &Field, unit: UnitId, order: &Order, verdict: &mut Verdict) {
    if facts(field, unit).class != Class::Raw {
        return;
    }
    let two_things = match order {
        Order::Move { half, .. } | Order::BreakOff { half, .. } => *half,
        Order::FireThenMove { .. } => true,
        Order::Reform { to_fire, .. } => *to_fire,
        _ => false,
    };
    if two_things {
        verdict
            .refuse(Clause::RawOneThing, "Raw troops do one thing in a turn: move, fire or change formation")
            .about(unit);
    }
}

fn check_move(
    view: &View<'_, Awi>,
    unit: UnitId,
    half: bool,
    by_road: bool,
    legs: &[table::Leg],
    with: &[engine::CommanderId],
    verdict: &mut Verdict,
) {
    let field: &Field = view;
    let formation = field.unit(unit).body.formation;
    if by_road && !matches!(formation, Formation::Column | Formation::Limbered) {
        verdict.refuse(Clause::RoadColumn, "only a column, or guns on the move, gain by a road").about(unit);
    }
    if legs.is_empty() {
        return;
    }
    if movement::throws_for_move(field, unit, by_road) {
        let raw = movement::basic(field, unit).2.is_some();
        let clause = if raw { Clause::RawFootMove } else { Clause::RoadColumn };
        verdict.refuse(clause, "dice decide how far it goes: the path is asked after them").about(unit);
        return;
    }
    let going = if half { Going::Half } else { Going::Full };
    let allowance = movement::certain_allowance(field, unit, going);
    movement::check_path(view, &March { unit, going, allowance }, legs, with, verdict);
}

fn check_reform(field: &Field, unit: UnitId, formation: Formation, facing: Option<Angle>, verdict: &mut Verdict) {
    let facts = facts(field, unit);
    if facts.arm == Arm::Artillery {
        verdict.refuse(Clause::Limbering, "guns limber or unlimber").about(unit);
        return;
    }
    if !facts.formations().contains(&formation) {
        verdict.refuse(Clause::FormationChange, format!("it cannot form {}", formation.word())).about(unit);
        return;
    }
    if formation == field.unit(unit).body.formation {
        verdict.refuse(Clause::FormationChange, format!("it is in {} already", formation.word())).about(unit);
        return;
    }
    check_room(field, unit, formation, facing, Clause::FormationChange, verdict);
}

fn check_limber(field: &Field, unit: UnitId, into: Formation, facing: Option<Angle>, verdict: &mut Verdict) {
    if facts(field, unit).arm != Arm::Artillery {
        verdict.refuse(Clause::Limbering, "only guns limber and unlimber").about(unit);
    } else if field.unit(unit).body.formation == into {
        verdict.refuse(Clause::Limbering, format!("it is {} already", into.word())).about(unit);
    } else {
        check_room(field, unit, into, facing, Clause::Limbering, verdict);
    }
}

/// The new footprint must be free of other pieces and impassable ground (C.5).
fn check_room(
    field: &Field,
    unit: UnitId,
    into: Formation,
    facing: Option<Angle>,
    clause: Clause,
    verdict: &mut Verdict,
) {
    let old = field.unit(unit).pose();
    let quad = facts(field, unit).footprint(into).quad(Pose { facing: facing.unwrap_or(old.facing), ..old });
    if !is_open(field.ground(), &quad, facts(field, unit).arm) {
        verdict.refuse(clause, "the new formation does not fit on this ground").about(unit).at(Mark::Spot(old.at));
    }
    movement::check_free(field, unit, &quad, verdict);
    for (id, enemy) in troops(field, field.side_of(unit).other()) {
        if table::quads_touch(&quad, enemy.quad()) {
            verdict.refuse(clause, format!("the new formation would touch {}", field.card(id).name)).about(id);
        }
    }
}

fn check_load(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let facts = facts(field, unit);
    if !facts.small_arms && facts.arm != Arm::Artillery {
        verdict.refuse(Clause::Loading, "it has nothing to load").about(unit);
    } else if soldiers(field, unit).loaded {
        verdict.refuse(Clause::Loading, "it is loaded already").about(unit);
    }
}

fn check_turn(field: &Field, unit: UnitId, face: UnitId, verdict: &mut Verdict) {
    let enemies = touching_enemies(field, unit);
    let aspect = |enemy: UnitId| soldiers(field, enemy).attack_on(unit).map_or(Aspect::Front, |attack| attack.aspect);
    if !enemies.contains(&face) {
        verdict.refuse(Clause::FlankAttack, "it can turn only to face an enemy it touches").about(unit);
        return;
    }
    if enemies.iter().any(|enemy| aspect(*enemy) == Aspect::Front) {
        verdict.refuse(Clause::FlankAttack, "it is engaged to its front, and cannot turn its back on that").about(unit);
        return;
    }
    let quad = facts(field, unit).footprint(field.unit(unit).body.formation).quad(turned_pose(field, unit, face));
    let onto_enemy = troops(field, field.side_of(face)).any(|(_, enemy)| table::quads_overlap(&quad, enemy.quad()));
    if onto_enemy || !is_open(field.ground(), &quad, facts(field, unit).arm) {
        verdict.refuse(Clause::FlankAttack, "there is no room to turn").about(unit);
    }
    movement::check_free(field, unit, &quad, verdict);
}

/// The pose after turning to face an attacker: the front is laid where the edge nearest to him was.
pub fn turned_pose(field: &Field, unit: UnitId, face: UnitId) -> Pose {
    let (quad, pose) = (field.unit(unit).quad(), field.unit(unit).pose());
    let enemy = field.unit(face).quad().centre;
    let middle = |a: Vec2, b: Vec2| (a + b) * 0.5;
    let [fl, fr, rr, rl] = quad.corners;
    let edges = [
        (middle(rr, rl), pose.facing + Angle::SOUTH),
        (middle(fr, rr), pose.facing + Angle::EAST),
        (middle(rl, fl), pose.facing + Angle::WEST),
    ];
    let ahead = |(at, facing): &(Vec2, Angle)| (enemy - *at).dot(facing.unit());
    let best = edges.iter().max_by(|a, b| ahead(a).total_cmp(&ahead(b)));
    best.map_or(pose, |(at, facing)| Pose { at: Point::from_vec(*at), facing: *facing })
}

fn set_task(umpire: &mut Umpire<'_, Awi>, unit: UnitId, task: Task, clause: Clause) {
    let raw = facts(umpire.state(), unit).class == Class::Raw;
    umpire.announce(Event::own(clause, AwiEvent::Task { unit, task }).also_if(raw, Clause::RawOneThing));
}

/// Carries an activation out.
pub fn execute(umpire: &mut Umpire<'_, Awi>, order: Order) {
    match order {
        Order::Pass => umpire.end(),
        Order::Ride { commander, to } => movement::ride(umpire, commander, to),
        Order::Hold { unit } => set_task(umpire, unit, Task::Held, Clause::KindsOfMove),
        Order::Move { unit, half, by_road, legs, with } => {
            let (task, going) = if half { (Task::MovedHalf, Going::Half) } else { (Task::Moved, Going::Full) };
            set_task(umpire, unit, task, if half { Clause::FireAndMove } else { Clause::KindsOfMove });
            let allowance = movement::throw_allowance(umpire, unit, going, by_road);
            let march = March { unit, going, allowance };
            if legs.is_empty() {
                umpire.begin(Phase::March(march));
            } else {
                movement::walk(umpire, &march, legs, &with);
            }
        }
        Order::FireThenMove { unit, at, grape } => {
            set_task(umpire, unit, Task::FiredAndMoves, Clause::FireAndMove);
            umpire.begin(Phase::ThenMove { unit });
            umpire.begin(Phase::Shot(fire::Shot::aimed(unit, at, grape)));
        }
        Order::Reform { unit, formation, facing, to_fire } => {
            let task = if to_fire { Task::ReformedToFire } else { Task::Reformed };
            set_task(umpire, unit, task, Clause::FormationChange);
            reform(umpire, unit, formation, facing, Clause::FormationChange);
            if !to_fire && facts(umpire.state(), unit).class != Class::Raw {
                let allowance = movement::throw_allowance(umpire, unit, Going::AfterReform, false);
                umpire.begin(Phase::March(March { unit, going: Going::AfterReform, allowance }));
            }
        }
        Order::Limber { unit, facing } => {
            set_task(umpire, unit, Task::Limbered, Clause::Limbering);
            reform(umpire, unit, Formation::Limbered, facing, Clause::Limbering);
        }
        Order::Unlimber { unit, facing } => {
            set_task(umpire, unit, Task::Limbered, Clause::Limbering);
            reform(umpire, unit, Formation::Unlimbered, facing, Clause::Limbering);
        }
        Order::Load { unit } => {
            set_task(umpire, unit, Task::Loaded, Clause::Loading);
            umpire.announce(Event::own(Clause::Loading, AwiEvent::Loaded { unit }).also(Clause::SmokeMarksTheUnloaded));
        }
        Order::Charge { unit, at, bearing, with } => charge::declare(umpire, unit, at, bearing, with),
        Order::BreakOff { unit, half } => break_off(umpire, unit, half),
        Order::TurnInMelee { unit, face } => {
            set_task(umpire, unit, Task::Turned, Clause::FlankAttack);
            let to = turned_pose(umpire.state(), unit, face);
            umpire.announce(Event::new(Clause::FlankAttack, Deed::Moved { unit, to, path: Vec::new() }));
            umpire.announce(Event::own(Clause::FlankAttack, AwiEvent::Faced { unit, enemy: face }));
            super::officers::make_room(umpire);
            movement::tread_on_sharpshooters(umpire, unit, None);
        }
        _ => umpire.fault("an order that is no programme reached the Movement part"),
    }
}

fn reform(umpire: &mut Umpire<'_, Awi>, unit: UnitId, into: Formation, facing: Option<Angle>, clause: Clause) {
    let old = umpire.state().unit(unit).pose();
    let to = Pose { facing: facing.unwrap_or(old.facing), ..old };
    umpire.announce(Event::new(clause, Deed::Reformed { unit, formation: into, to }));
    super::officers::make_room(umpire);
    movement::tread_on_sharpshooters(umpire, unit, None);
}

fn break_off(umpire: &mut Umpire<'_, Awi>, unit: UnitId, half: bool) {
    let task = if half { Task::BrokeOffHalf } else { Task::BrokeOff };
    let untested = slips_away(umpire.state(), unit);
    if untested || morale::test(umpire, unit, Cause::BreakOff) {
        set_task(umpire, unit, task, if untested { Clause::ScenarioTerms } else { Clause::BreakOff });
        let going = if half { Going::BreakingOffHalf } else { Going::BreakingOff };
        let allowance = movement::throw_allowance(umpire, unit, going, false);
        umpire.begin(Phase::March(March { unit, going, allowance }));
    } else {
        set_task(umpire, unit, Task::Stuck, Clause::BreakOff);
    }
}

/// A scenario's militia that may go untested once it has fired.
fn slips_away(field: &Field, unit: UnitId) -> bool {
    let brigade = field.muster().scenario.slips_away;
    brigade.is_some() && brigade == field.card(unit).command && soldiers(field, unit).volleyed
}

/// Whether a covered ground is free for a unit in every respect; for those who look for orders.
pub fn fits(field: &Field, unit: UnitId, quad: &Quad) -> bool {
    let mut verdict = Verdict::fine();
    movement::check_free(field, unit, quad, &mut verdict);
    verdict.is_legal() && is_open(field.ground(), quad, facts(field, unit).arm)
}
