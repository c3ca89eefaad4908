//! Cards: a piece's strength, state, command, what it has done and what it may do.

use super::Offer;
use crate::Fpw;
use crate::clause::Clause;
use crate::command;
use crate::field::{Field, facts, soldiers, touching_enemies};
use crate::generals;
use crate::movement;
use crate::order::{Decision, Order, What};
use crate::unit::{Absence, Level, Quality, Weapon};
use book::telling::voice;
use engine::scene::{Gesture, PlanKind};
use engine::{Asked, CommanderId, Ruleset, Side, UnitId, View, Whereabouts};

/// A unit's card.
pub fn unit(view: &View<'_, Fpw>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let piece = field.unit(unit);
    if piece.whereabouts == Whereabouts::Unseen {
        return vec!["Nothing is known of it.".to_owned()];
    }
    let (facts, own, card) = (facts(field, unit), soldiers(field, unit), field.card(unit));
    let heavy = if facts.heavy { "heavy " } else { "" };
    let weapon = if facts.weapon == Weapon::None { String::new() } else { format!(", {}", facts.weapon.name()) };
    let arm = facts.arm.word().replace('_', " ");
    let mut lines = vec![card.name.clone(), capital(&format!("{}{heavy}{arm}{weapon}", quality(facts.quality)))];
    if facts.is_scout() {
        lines.push(if own.freed { "A patrol, riding free".to_owned() } else { "A patrol, under orders".to_owned() });
    }
    if !piece.is_present() {
        let words = match piece.whereabouts {
            Whereabouts::Gone => "Out of the battle".to_owned(),
            _ => match facts.enters {
                Some(turn) => format!("Comes on in turn {turn}"),
                None => "Not on the table yet".to_owned(),
            },
        };
        lines.push(words);
        return lines;
    }
    lines.push(format!("Stands: {} of {}", own.count(), facts.stands));
    lines.push(match (own.disruption(), own.degradation()) {
        (0, 0) => "No markers".to_owned(),
        (x, d) => {
            format!("Disruption {x}, degradation {d}{}", if own.all_degraded() { ", every stand degraded" } else { "" })
        }
    });
    lines.push(format!("Formation: {}", piece.body.formation.word()));
    let pace = movement::full_pace(field, unit);
    let half = movement::formed(field, pace);
    lines.push(format!(
        "Moves {}, or {} with a change of formation or facing",
        voice::inches(pace),
        voice::inches(half)
    ));
    lines.extend(state_lines(field, unit));
    lines.extend(chain(field, unit));
    lines.extend(done_lines(field, unit));
    lines.extend(prospects(view, unit));
    lines
}

fn capital(text: &str) -> String {
    voice::sentence(text).trim_end_matches('.').to_owned()
}

fn quality(quality: Quality) -> &'static str {
    match quality {
        Quality::Elite => "elite ",
        Quality::Regular => "",
        Quality::Landwehr => "landwehr ",
    }
}

fn state_lines(field: &Field, unit: UnitId) -> Vec<String> {
    let own = soldiers(field, unit);
    let mut lines = Vec::new();
    let enemies = touching_enemies(field, unit);
    if !enemies.is_empty() {
        let names: Vec<&str> = enemies.iter().map(|id| voice::unit(field, *id)).collect();
        lines.push(format!("Fighting {}", voice::list(&names)));
    }
    if let Some(host) = own.host {
        lines.push(format!("With {}", voice::unit(field, host)));
    }
    if let Some(guest) = own.guest {
        lines.push(format!("{} has joined it", voice::unit(field, guest)));
    }
    let leaders: Vec<&str> = generals::attached(field, unit).map(|id| voice::commander(field, id)).collect();
    if !leaders.is_empty() {
        lines.push(format!("Led by {}", voice::list(&leaders)));
    }
    if own.penalty > 0 {
        lines.push(format!("{} harder to command for good", own.penalty));
    }
    lines
}

/// Its brigade, and who commands above it.
fn chain(field: &Field, unit: UnitId) -> Vec<String> {
    let muster = field.muster();
    let mut lines = Vec::new();
    let mut command = field.card(unit).command;
    while let Some(id) = command {
        let card = muster.command(id);
        let leader = card.commander.map(|id| format!(" ({})", voice::commander(field, id))).unwrap_or_default();
        lines.push(format!("{}{leader}", card.name));
        command = card.parent;
    }
    if lines.is_empty() { Vec::new() } else { vec![format!("Of {}", lines.join(", "))] }
}

fn done_lines(field: &Field, unit: UnitId) -> Vec<String> {
    let turn = &soldiers(field, unit).turn;
    let mut acts = Vec::new();
    if turn.orders > 0 {
        acts.push(voice::count(usize::from(turn.orders), "command roll"));
    }
    if turn.moves > 0 {
        acts.push(voice::count(usize::from(turn.moves), "move"));
    }
    if turn.initiative {
        acts.push("initiative used".to_owned());
    }
    if turn.halted {
        acts.push("no further move".to_owned());
    }
    if turn.fired_ordered {
        acts.push("fired under orders".to_owned());
    }
    if turn.fired != 0 {
        acts.push(format!("{} fired in answer", voice::count(turn.fired.count_ones() as usize, "stand")));
    }
    if turn.deployed_late {
        acts.push("unlimbered too late to fire under orders".to_owned());
    }
    if turn.withdrew {
        acts.push("withdrawing".to_owned());
    }
    if acts.is_empty() { Vec::new() } else { vec![format!("This turn: {}", acts.join("; "))] }
}

/// What a unit may do now, or why it may not; told to its own side alone.
fn prospects(view: &View<'_, Fpw>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let side = field.side_of(unit);
    let Some(asked) = field.asked().filter(|_| view.viewer().knows(side) && field.unit(unit).is_present()) else {
        return Vec::new();
    };
    if !asked.who.includes(side) {
        let text = match field.ledger().active == side {
            true => "Waits for the enemy’s answer",
            false => "Waits: it is the enemy’s turn",
        };
        return vec![format!("{text} [{}]", Clause::ReactiveFire.id())];
    }
    let mut offer = Offer::new(view, asked, side);
    offer.of_unit(unit);
    may(&offer.gestures).or_else(|| why_not(view, asked, side, unit)).into_iter().collect()
}

/// Why nobody can order a unit about now.
fn why_not(view: &View<'_, Fpw>, asked: &Asked<Fpw>, side: Side, unit: UnitId) -> Option<String> {
    if !matches!(asked.decision, Decision::Command { .. }) {
        return None;
    }
    let general = command::holder(view, unit)?;
    let order = Order::Command { general, what: What::Move, units: vec![unit] };
    let verdict = Fpw::check(view, asked, side, &order);
    verdict.refusals.first().map(|note| format!("May not be ordered to move: {} [{}]", note.text, note.clause))
}

/// The acts on offer in a line, each once.
fn may(gestures: &[Gesture]) -> Option<String> {
    let mut acts: Vec<String> = Vec::new();
    for gesture in gestures {
        let label = match gesture {
            Gesture::Button { label, .. }
            | Gesture::PickTarget { label, .. }
            | Gesture::DrawPath { label, .. }
            | Gesture::PickFormation { label, .. } => label,
            Gesture::Plan { kind: PlanKind::Place { .. }, label, .. } => label,
            _ => continue,
        };
        let act = label.to_lowercase();
        if !acts.contains(&act) {
            acts.push(act);
        }
    }
    (!acts.is_empty()).then(|| format!("May: {}", acts.join("; ")))
}

/// A general's rank.
pub fn rank(level: Level) -> &'static str {
    match level {
        Level::Division => "divisional general",
        Level::Corps => "corps commander",
        Level::Army => "army commander",
    }
}

/// A general's card.
pub fn officer(view: &View<'_, Fpw>, id: CommanderId) -> Vec<String> {
    let field: &Field = view;
    let (card, piece) = (field.muster().commander(id), field.commander(id));
    let own = &piece.own;
    let cap = field.charts().command.bonus_cap.value.get();
    let value = (i32::from(card.facts.value) + i32::from(own.bonus)).min(cap.max(i32::from(card.facts.value)));
    let raised = if own.bonus > 0 { format!(", raised by {}", own.bonus) } else { String::new() };
    let mut lines = vec![
        card.name.clone(),
        capital(&format!("{}, command value {value}{raised}", rank(card.facts.level))),
        format!("Commands {}", voice::command(field, card.commands)),
    ];
    let command = &field.charts().command;
    lines.push(match card.facts.level {
        Level::Division => format!("Orders reach {}", voice::inches(command.division_radius.value.0)),
        Level::Corps => format!("Orders reach {}", voice::inches(command.corps_radius.value.0)),
        Level::Army => "Orders reach the whole table".to_owned(),
    });
    match own.absence {
        Absence::Present if !piece.is_present() => {
            let gone = piece.whereabouts == Whereabouts::Gone;
            lines.push(if gone { "Out of the battle".to_owned() } else { "Not on the table yet".to_owned() });
            return lines;
        }
        Absence::Present => {}
        Absence::Lost | Absence::Due => lines.push("Hit: another will take his place".to_owned()),
    }
    if let Some(unit) = own.attached {
        lines.push(format!("With {}", voice::unit(field, unit)));
    }
    if field.ledger().active == card.side {
        if own.done {
            lines.push("Gives no more orders this turn".to_owned());
        }
        if own.raised > 0 {
            lines.push(format!("{} to raise him this turn", voice::count(usize::from(own.raised), "roll")));
        }
        lines.push(match own.rode {
            true => "Has ridden this turn".to_owned(),
            false => format!("Rides up to {} in the generals’ part", voice::inches(generals::reach(field))),
        });
    }
    lines
}
