//! Whether an order may be given: by whom, to whom, how far away, how often. R07 to R11, R88, R89.

use super::{
    Arm, Clause, CommanderId, Field, Formation, Fpw, Length, Level, Mark, Order, Point, SLACK, Side, UnitId, Verdict,
    View, What, brigade, facts, field, fire, formation, furthest, gap, holder, independent, is_engaged, is_linked,
    is_there, radius, radius_clause, serves, soldiers, to_general,
};

/// Judges an order in the command phase.
pub fn check(view: &View<'_, Fpw>, side: Side, current: Option<CommanderId>, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    match order {
        Order::Pass => {}
        Order::Command { general, what, units } => {
            check_command(field, side, current, *general, *what, units, &mut verdict);
        }
        Order::Raise { general, who } => check_raise(field, side, current, *general, *who, &mut verdict),
        _ => drop(
            verdict
                .refuse(Clause::CommandSecond, "this is the command phase: give an order through a general, or end it"),
        ),
    }
    verdict
}

fn check_general(
    field: &Field,
    side: Side,
    current: Option<CommanderId>,
    general: CommanderId,
    verdict: &mut Verdict,
) -> bool {
    let card = field.muster().commander(general);
    let staff = field.commander(general);
    let before = verdict.refusals.len();
    if card.side != side {
        verdict.refuse(Clause::DirectCommand, format!("{} is not on your side", card.name));
    } else if !staff.is_present() {
        verdict.refuse(Clause::GeneralRemoved, format!("{} is not on the table", card.name));
    } else if staff.own.done {
        // Whoever is not giving orders now was left for another general, whether or not he had failed before.
        let left = current.is_some_and(|current| current != general);
        let clause = if left { Clause::NoReturn } else { Clause::FailedIsDone };
        let text = format!("{} gives no more orders this turn", card.name);
        verdict.refuse(clause, text).at(Mark::Spot(staff.pose.at));
    }
    if let Some(former) = current.filter(|former| *former != general)
        && !field.commander(former).own.done
    {
        let text = format!("{} will give no more orders this turn", field.muster().commander(former).name);
        verdict.caution(Clause::NoReturn, text);
    }
    verdict.refusals.len() == before
}

/// Judges an order to units.
fn check_command(
    field: &Field,
    side: Side,
    current: Option<CommanderId>,
    general: CommanderId,
    what: What,
    units: &[UnitId],
    verdict: &mut Verdict,
) {
    if !check_general(field, side, current, general, verdict) {
        return;
    }
    if units.is_empty() {
        verdict.refuse(Clause::UnitOrBrigade, "an order goes to a unit or to a brigade");
    }
    for (n, &unit) in units.iter().enumerate() {
        if units.iter().skip(n + 1).any(|other| *other == unit) {
            verdict.refuse(Clause::UnitOrBrigade, "a unit is named twice").about(unit);
        }
        if !is_there(field, unit) || field.side_of(unit) != side {
            verdict.refuse(Clause::DirectCommand, "this is not a unit of yours on the table").about(unit);
            continue;
        }
        check_holder(field, general, what, unit, verdict);
        check_radius(field, general, unit, verdict);
        check_fit(field, what, unit, verdict);
    }
    if units.len() > 1 && units.iter().all(|unit| is_there(field, *unit)) {
        check_group(field, units, verdict);
    }
    check_what(field, side, what, units, verdict);
}

fn check_holder(field: &Field, general: CommanderId, what: What, unit: UnitId, verdict: &mut Verdict) {
    if holder(field, unit) == Some(general) || what == What::Scout {
        return;
    }
    let (name, card) = (&field.card(unit).name, field.muster().commander(general));
    if card.facts.level == Level::Division {
        let text = format!("{name} is not under {}'s direct command", card.name);
        verdict.refuse(Clause::DirectCommand, text).about(unit);
    } else if !facts(field, unit).independent {
        let text = format!("{name} belongs to a division, and {} does not order it himself", card.name);
        verdict.refuse(Clause::DivisionsOutOfBounds, text).about(unit);
    } else if soldiers(field, unit).turn.from_above {
        let text = format!("{name} has had its one order from above this turn");
        verdict.refuse(Clause::IndependentFromAbove, text).about(unit);
    }
}

fn check_radius(field: &Field, general: CommanderId, unit: UnitId, verdict: &mut Verdict) {
    let Some(radius) = radius(field, general) else { return };
    let quad = field::general_quad(field, general);
    let distance = furthest(field, quad, unit);
    if distance > radius.value + SLACK {
        let card = field.muster().commander(general);
        let text = format!(
            "the furthest base of {} is {} from {}, whose radius is {}",
            field.card(unit).name,
            distance.show(table::Unit::Inch),
            card.name,
            radius.value.show(table::Unit::Inch)
        );
        let (from, to) = (Point::from_vec(quad.centre), field.unit(unit).pose().at);
        let clause = radius_clause(card.facts.level);
        verdict.refuse(clause, text).about(unit).at(Mark::Measured(from, to, distance));
    }
}

/// Whether a unit can take any order at all now.
fn check_fit(field: &Field, what: What, unit: UnitId, verdict: &mut Verdict) {
    let (own, facts) = (soldiers(field, unit), facts(field, unit));
    if own.turn.withdrew {
        verdict.refuse(Clause::GoesOnWithdrawing, "it is withdrawing and takes no orders this turn").about(unit);
    }
    if is_engaged(field, unit) {
        verdict.refuse(Clause::CarriedOver, "it is in close combat and takes no orders").about(unit);
    }
    if facts.is_scout() && what != What::Scout {
        verdict.refuse(Clause::ScoutsMoveFreely, "scouts take no orders but the one that sets them free").about(unit);
    }
    let moves = matches!(what, What::Move | What::ByRoad | What::Reform | What::Charge);
    if !moves {
        return;
    }
    let chart = &field.charts().command;
    let march = formation(field, unit).is_march();
    if own.turn.initiative {
        verdict.refuse(Clause::MoveOnce, "it has moved on its own initiative this turn").about(unit);
    } else if own.turn.halted && own.turn.moves > 0 && march {
        verdict.refuse(Clause::MarchHalts, "it has halted and gets no more move orders this turn").about(unit);
    } else if own.turn.moves > 0 && (!march || own.turn.halted || what == What::Charge) {
        verdict.refuse(Clause::MoveOnce, "it has moved this turn").about(unit);
    } else if i32::from(own.turn.moves) >= chart.march_orders.value.get() {
        verdict.refuse(Clause::ThreeMarchOrders, "it has had all its march orders of this turn").about(unit);
    }
    match what {
        What::ByRoad if !march => {
            verdict.refuse(Clause::MarchByRoad, "only a march column marches by road").about(unit);
        }
        What::Charge if facts.arm.is_artillery() || march => {
            let text = "only foot and horse in line or dense formation advance to contact";
            verdict.refuse(Clause::AdvanceDeclared, text).about(unit);
        }
        _ => {}
    }
}

/// One arm, one brigade or one level of guns, linked by gaps of an inch.
fn check_group(field: &Field, units: &[UnitId], verdict: &mut Verdict) {
    let guns: Vec<UnitId> = units.iter().copied().filter(|unit| facts(field, *unit).arm.is_artillery()).collect();
    let others: Vec<UnitId> = units.iter().copied().filter(|unit| !guns.contains(unit)).collect();
    let arms = |arm: Arm| others.iter().any(|unit| facts(field, *unit).arm == arm);
    if arms(Arm::Infantry) && arms(Arm::Cavalry) {
        verdict.refuse(Clause::OneArm, "foot and horse need orders of their own");
    }
    if !guns.is_empty() && !others.is_empty() && !units.iter().all(|unit| formation(field, *unit).is_march()) {
        verdict.refuse(Clause::OneArm, "guns share an order with foot or horse only if all are in march column");
        verdict.refuse(Clause::MarchingMixedBrigade, "not all of them are in march column");
    }
    if let Some((first, rest)) = others.split_first() {
        let home = brigade(field, *first);
        for unit in rest.iter().filter(|unit| home.is_none() || brigade(field, **unit) != home) {
            let text = format!("{} is not of the same brigade", field.card(*unit).name);
            verdict.refuse(Clause::BrigadeGap, text).about(*unit);
        }
    }
    if let Some((first, rest)) = guns.split_first() {
        let level = facts(field, *first).level;
        for unit in rest.iter().filter(|unit| facts(field, **unit).level != level) {
            let text = format!("{} is held at another level of command", field.card(*unit).name);
            verdict.refuse(Clause::BatteryLevels, text).about(*unit);
        }
    }
    check_links(field, units, verdict);
}

fn check_links(field: &Field, units: &[UnitId], verdict: &mut Verdict) {
    let mut linked: Vec<UnitId> = units.iter().copied().take(1).collect();
    let mut next = 0;
    while let Some(&link) = linked.get(next) {
        linked.extend(units.iter().copied().filter(|unit| is_linked(field, link, *unit)).collect::<Vec<_>>());
        let mut seen = Vec::new();
        linked.retain(|unit| {
            !seen.contains(unit) && {
                seen.push(*unit);
                true
            }
        });
        next += 1;
    }
    for unit in units.iter().filter(|unit| !linked.contains(unit)) {
        let nearest = units.iter().filter(|other| *other != unit).map(|other| gap(field, *unit, *other)).min();
        let text = format!(
            "{} is {} from the rest of its brigade; an order spans gaps of {}",
            field.card(*unit).name,
            nearest.unwrap_or(Length::ZERO).show(table::Unit::Inch),
            field.charts().command.brigade_gap.value.0.show(table::Unit::Inch)
        );
        verdict.refuse(Clause::BrigadeGap, text).about(*unit).at(Mark::Spot(field.unit(*unit).pose().at));
    }
}

fn check_what(field: &Field, side: Side, what: What, units: &[UnitId], verdict: &mut Verdict) {
    match what {
        What::Fire => {
            for &unit in units.iter().filter(|unit| is_there(field, **unit)) {
                fire::may_fire_ordered(field, unit, verdict);
            }
        }
        What::Attach(host) => independent::check_attach(field, side, host, units, verdict),
        What::Detach => independent::check_detach(field, units, verdict),
        What::Scout => {
            for &unit in units {
                if !facts(field, unit).is_scout() {
                    verdict.refuse(Clause::ScoutsMoveFreely, "this is no scouting cavalry").about(unit);
                } else if soldiers(field, unit).freed {
                    verdict.refuse(Clause::ScoutsMoveFreely, "it moves freely already").about(unit);
                }
            }
        }
        What::Move => {
            for &unit in units.iter().filter(|unit| formation(field, **unit) == Formation::Deployed) {
                verdict
                    .caution(Clause::LimberingIsForm, "guns in action can only turn; to go, they reform")
                    .about(unit);
            }
        }
        What::ByRoad | What::Reform | What::Charge => {}
    }
}

fn check_raise(
    field: &Field,
    side: Side,
    current: Option<CommanderId>,
    general: CommanderId,
    who: CommanderId,
    verdict: &mut Verdict,
) {
    if !check_general(field, side, current, general, verdict) {
        return;
    }
    let (card, other) = (field.muster().commander(general), field.muster().commander(who));
    if card.facts.level == Level::Division {
        verdict.refuse(Clause::HigherCommand, format!("{} has no general under him", card.name));
    } else if !serves(field, who, general) {
        verdict.refuse(Clause::PassBonus, format!("{} does not serve under {}", other.name, card.name));
    }
    if !field.commander(who).is_present() {
        verdict.refuse(Clause::PassBonus, format!("{} is not on the table", other.name));
        return;
    }
    let distance = to_general(field.commander(general).quad(), field.commander(who).quad());
    if let Some(radius) = radius(field, general).filter(|radius| distance > radius.value + SLACK) {
        let (from, to) = (field.commander(general).pose.at, field.commander(who).pose.at);
        let text = format!(
            "{} is {} away, and the radius is {}",
            other.name,
            distance.show(table::Unit::Inch),
            radius.value.show(table::Unit::Inch)
        );
        verdict.refuse(radius_clause(card.facts.level), text).at(Mark::Measured(from, to, distance));
    }
    if field.commander(who).own.done {
        verdict.caution(Clause::PassBonus, format!("{} gives no more orders this turn anyway", other.name));
    }
}
