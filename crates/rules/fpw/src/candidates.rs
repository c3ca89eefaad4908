//! Orders worth considering: legal, repeatable from a seed, the fallback among them, best guess first.

use super::Fpw;
use super::command;
use super::field::{Field, facts, formation, gap, is_engaged, known, soldiers, troops};
use super::initiative;
use super::movement;
use super::order::{Aim, Decision, Going, Order, StandRef, Step, Target, What};
use super::unit::{Arm, Formation, Level};
use super::{approach, deployment, fire, generals};
use engine::{Asked, CommanderId, Lots, Ruleset, Side, UnitId, View};
use table::march::Leg;
use table::{Angle, Length, Point, Vec2};

/// Legal answers worth considering.
pub fn candidates(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let field: &Field = view;
    let mut found = match &asked.decision {
        Decision::Deploy => vec![deployment::as_drawn_up(field, side)],
        Decision::Enter => deployment::default_entry(field, side).into_iter().collect(),
        Decision::Initiative => initiatives(field, side, lots, limit),
        Decision::Command { current } => orders(field, side, *current, lots, limit),
        Decision::March { units, going } => marches(field, units, *going, lots),
        Decision::Charges { units } => charges(field, units, lots),
        Decision::Shots { units } => shots(field, units, lots),
        Decision::Blame { units } => units.iter().map(|unit| Order::Blame { unit: *unit }).collect(),
        Decision::Reaction { able, .. } => {
            let mut found = vec![Order::ReactAll];
            if let Some(shot) = lots.pick(able) {
                found.push(Order::React { units: vec![shot.unit], stands: Vec::new() });
            }
            found
        }
        Decision::Concentrate { stands, most, .. } => {
            let stands: Vec<StandRef> = stands.iter().copied().take(usize::from(*most)).collect();
            vec![Order::Concentrate { stands }]
        }
        Decision::CavalryReaction { .. } => vec![Order::CounterCharge, Order::Evade],
        Decision::FallBack { .. } => vec![Order::FallBack],
        Decision::NextFight { units } => units.iter().map(|unit| Order::Fight { unit: *unit }).collect(),
        Decision::Whom { among, .. } => among.iter().map(|unit| Order::Strike { unit: *unit }).collect(),
        Decision::StayOrGo { .. } => vec![Order::Go],
        Decision::FollowUp { unit, yielded, .. } => follow_ups(field, *unit, yielded, lots),
        Decision::Generals => rides(field, side, lots),
    };
    let mut kept = Vec::with_capacity(limit);
    for order in found.drain(..) {
        if kept.len() + 1 >= limit {
            break;
        }
        if Fpw::check(view, asked, side, &order).is_legal() {
            kept.push(order);
        }
    }
    kept.push(Order::Pass);
    kept
}

fn initiatives(field: &Field, side: Side, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let able: Vec<UnitId> =
        troops(field, side).map(|(id, _)| id).filter(|id| initiative::may_act(field, *id)).collect();
    let mut found = Vec::new();
    let from = lots.below(able.len());
    for n in 0..able.len() {
        if found.len() >= limit * 2 {
            break;
        }
        let Some(&unit) = able.get((from + n) % able.len()) else { break };
        found.extend(acts(field, unit, lots));
    }
    found
}

/// What a unit might do on its own initiative.
fn acts(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<Order> {
    let (facts, drawn) = (facts(field, unit), formation(field, unit));
    let toward = nearest_enemy(field, unit).map(|enemy| bearing(field, unit, field.unit(enemy).quad().centre));
    let half = movement::formed(field, movement::full_pace(field, unit));
    match (facts.arm, drawn) {
        _ if facts.is_scout() => {
            let turn = Leg::Turn(Angle::whole(lots.below(24) as i32 * 15));
            vec![Order::Scout { unit, legs: vec![turn, Leg::Ahead(Length::whole_inches(3 + lots.below(8) as i32))] }]
        }
        (Arm::Infantry, Formation::March) => {
            let step = |legs| Step { unit, formation: Some(Formation::Line), facing: toward, after: false, legs };
            vec![Order::Reform(step(vec![Leg::Ahead(half)])), Order::Reform(step(Vec::new()))]
        }
        (Arm::Cavalry, Formation::March) => Vec::new(),
        (Arm::FootArtillery | Arm::HorseArtillery, Formation::Limbered) => {
            let go = vec![Leg::Ahead(half)];
            let step = Step { unit, formation: Some(Formation::Deployed), facing: toward, after: true, legs: go };
            vec![Order::Unlimber { unit, facing: toward }, Order::HalfAndUnlimber(step)]
        }
        (Arm::FootArtillery | Arm::HorseArtillery, _) => {
            let back = toward.map(Angle::reversed);
            let legs = vec![Leg::Ahead(half)];
            let step = Step { unit, formation: Some(Formation::Limbered), facing: back, after: false, legs };
            vec![Order::LimberBack(step)]
        }
        (arm, _) => {
            let mut found: Vec<Order> =
                approach::reachable(field, unit).into_iter().take(2).map(Order::Charge).collect();
            if arm == Arm::Cavalry {
                found.push(Order::Retire { unit });
            }
            found
        }
    }
}

fn nearest_enemy(field: &Field, unit: UnitId) -> Option<UnitId> {
    let middle = field.unit(unit).quad().centre;
    known(field, field.side_of(unit).other())
        .filter(|(id, _)| !facts(field, *id).is_scout())
        .min_by(|a, b| {
            let apart = |quad: &table::Quad| (quad.centre - middle).length_squared();
            apart(a.1.quad()).total_cmp(&apart(b.1.quad()))
        })
        .map(|(id, _)| id)
}

/// The bearing from a unit's middle to a place.
pub fn bearing(field: &Field, unit: UnitId, to: Vec2) -> Angle {
    Angle::of(to - field.unit(unit).quad().centre)
}

fn orders(field: &Field, side: Side, current: Option<CommanderId>, lots: &mut Lots, limit: usize) -> Vec<Order> {
    let free = |id: &CommanderId| !field.commander(*id).own.done;
    let able: Vec<CommanderId> = generals::present(field, side).filter(free).collect();
    let general = current.filter(|id| free(id) && lots.below(8) > 0).or_else(|| lots.pick(&able).copied());
    let Some(general) = general else { return Vec::new() };
    let mut found = Vec::new();
    if generals::level(field, general) != Level::Division {
        let low: Vec<CommanderId> =
            able.iter().copied().filter(|who| command::may_raise(field, general, *who)).collect();
        if let Some(&who) = lots.pick(&low) {
            found.push(Order::Raise { general, who });
        }
    }
    let mine: Vec<UnitId> = troops(field, side)
        .map(|(id, _)| id)
        .filter(|id| command::holder(field, *id) == Some(general) || facts(field, *id).is_scout())
        .filter(|id| !soldiers(field, *id).turn.withdrew && !is_engaged(field, *id))
        .collect();
    let groups = command::groups(field, general);
    let from = lots.below(mine.len());
    for n in 0..mine.len() {
        if found.len() >= limit * 2 {
            break;
        }
        let Some(&unit) = mine.get((from + n) % mine.len()) else { break };
        let group = groups.iter().find(|group| group.contains(&unit)).filter(|_| lots.below(3) > 0);
        let units = group.cloned().unwrap_or_else(|| vec![unit]);
        found.extend(whats(field, unit, lots).into_iter().map(|what| Order::Command {
            general,
            what,
            units: units.clone(),
        }));
    }
    found
}

/// Orders a unit might be given, likeliest first.
fn whats(field: &Field, unit: UnitId, lots: &mut Lots) -> Vec<What> {
    let (facts, own, drawn) = (facts(field, unit), soldiers(field, unit), formation(field, unit));
    if facts.is_scout() {
        return vec![What::Scout];
    }
    let mut found = Vec::new();
    let may_move = !own.turn.halted;
    if !own.turn.fired_ordered && !fire::ordered_targets(field, unit).is_empty() {
        found.push(What::Fire);
    }
    if may_move && !facts.arm.is_artillery() && !drawn.is_march() && !approach::reachable(field, unit).is_empty() {
        found.push(What::Charge);
    }
    if may_move {
        if drawn != Formation::Deployed {
            found.push(What::Move);
        }
        if drawn.is_march() && lots.below(2) == 0 {
            found.push(What::ByRoad);
        }
        if lots.below(3) == 0 || drawn.is_march() {
            found.push(What::Reform);
        }
    }
    if facts.independent && lots.below(4) == 0 {
        let hosts: Vec<UnitId> = troops(field, field.side_of(unit))
            .map(|(id, _)| id)
            .filter(|id| super::field::within(field, unit, *id, movement::full_pace(field, unit)) && *id != unit)
            .collect();
        found.extend(lots.pick(&hosts).map(|host| What::Attach(*host)));
    }
    if own.guest.is_some() && lots.below(6) == 0 {
        found.push(What::Detach);
    }
    found
}

/// Legs that bring a unit nearer to a place, so far at most.
pub fn legs_to(field: &Field, unit: UnitId, goal: Vec2, most: Length) -> Vec<Leg> {
    let pose = field.unit(unit).pose();
    let way = goal - pose.at.vec();
    let go = most.min(Length::from_um(way.length()));
    let by = Angle::millidegrees(Angle::of(way).as_millidegrees() - pose.facing.as_millidegrees());
    let limit = field.charts().pace.oblique.value.get() * 1000;
    match by.signed() {
        angle if angle.abs() < 2000 => vec![Leg::Ahead(go)],
        angle if angle.abs() <= limit => vec![Leg::Oblique { by, go }],
        angle => vec![Leg::Oblique { by: Angle::millidegrees(limit * angle.signum()), go }],
    }
}

fn marches(field: &Field, units: &[UnitId], going: Going, lots: &mut Lots) -> Vec<Order> {
    let Some(&first) = units.first() else { return Vec::new() };
    let full = movement::full_pace(field, first);
    let half = matches!(going, Going::HalfPace | Going::Reform);
    let pace = if half { movement::formed(field, full) } else { full };
    let mut found = Vec::new();
    let toward = nearest_enemy(field, first).map(|enemy| field.unit(enemy).quad().centre);
    if going == Going::Reform {
        for &unit in units {
            let into = facts(field, unit).formations(soldiers(field, unit).count());
            let others: Vec<Formation> = into.iter().copied().filter(|new| *new != formation(field, unit)).collect();
            let facing = toward.map(|place| bearing(field, unit, place));
            let new = lots.pick(&others).copied();
            found.push(Order::March {
                moves: vec![Step { unit, formation: new, facing, after: false, legs: Vec::new() }],
            });
        }
        return found;
    }
    for share in [4, 3, 2, 1] {
        let go = pace * share / 4;
        let goal = toward.unwrap_or_else(|| field.ground().bounds().centre());
        found.push(Order::Together { legs: legs_to(field, first, goal, go) });
        found.push(Order::Together { legs: vec![Leg::Ahead(go)] });
    }
    let wheel = Leg::Wheel {
        pivot: if lots.below(2) == 0 { table::Flank::Left } else { table::Flank::Right },
        by: Angle::whole(10 + lots.below(5) as i32 * 10),
    };
    let single = |legs| vec![Step { unit: first, formation: None, facing: None, after: false, legs }];
    found.push(Order::March { moves: single(vec![wheel]) });
    found.push(Order::March { moves: single(vec![Leg::Back(Length::whole_inches(1 + lots.below(3) as i32))]) });
    let swap = lots.below(found.len());
    found.swap(0, swap);
    found
}

fn charges(field: &Field, units: &[UnitId], lots: &mut Lots) -> Vec<Order> {
    let aims: Vec<Vec<Aim>> = units.iter().map(|unit| approach::reachable(field, *unit)).collect();
    let all: Vec<Aim> = aims.iter().filter_map(|one| one.first().copied()).collect();
    let mut found = Vec::new();
    if !all.is_empty() {
        found.push(Order::Charges { charges: all });
    }
    let any: Vec<Aim> = aims.into_iter().flatten().collect();
    for _ in 0..2 {
        found.extend(lots.pick(&any).map(|aim| Order::Charges { charges: vec![*aim] }));
    }
    found
}

fn shots(field: &Field, units: &[UnitId], lots: &mut Lots) -> Vec<Order> {
    let mut found = Vec::new();
    for _ in 0..2 {
        let shots: Vec<Target> = units
            .iter()
            .filter_map(|&unit| {
                let targets = fire::ordered_targets(field, unit);
                let at = lots.pick(&targets).copied()?;
                Some(Target { unit, at: facts(field, unit).arm.is_artillery().then_some(at) })
            })
            .collect();
        if !shots.is_empty() {
            found.push(Order::Shots { shots });
        }
    }
    found
}

fn follow_ups(field: &Field, unit: UnitId, yielded: &[UnitId], lots: &mut Lots) -> Vec<Order> {
    let mut found = vec![Order::FollowUp { at: None }];
    let reach = movement::full_pace(field, unit);
    let near: Vec<UnitId> = known(field, field.side_of(unit).other())
        .map(|(id, _)| id)
        .filter(|id| !yielded.contains(id) && gap(field, unit, *id) <= reach)
        .collect();
    found.extend(lots.pick(&near).map(|at| Order::FollowUp { at: Some(*at) }));
    let facing = nearest_enemy(field, unit).map(|enemy| bearing(field, unit, field.unit(enemy).quad().centre));
    found.push(Order::Reform(Step { unit, formation: None, facing, after: false, legs: Vec::new() }));
    found
}

fn rides(field: &Field, side: Side, lots: &mut Lots) -> Vec<Order> {
    let able: Vec<CommanderId> = generals::present(field, side).filter(|id| !field.commander(*id).own.rode).collect();
    let Some(&commander) = lots.pick(&able) else { return Vec::new() };
    let mine: Vec<UnitId> =
        troops(field, side).map(|(id, _)| id).filter(|id| command::holder(field, *id) == Some(commander)).collect();
    let mut found = Vec::new();
    found.extend(lots.pick(&mine).map(|unit| Order::Join { commander, unit: *unit }));
    if let Some(&unit) = lots.pick(&mine) {
        let place = field.unit(unit).quad().centre;
        let off = Angle::whole(lots.below(24) as i32 * 15).unit() * (60_000.0 + lots.unit() * 40_000.0);
        found.push(Order::Ride { commander, to: Point::from_vec(place + off) });
    }
    if field.commander(commander).own.attached.is_some() {
        found.push(Order::Leave { commander });
    }
    found
}
