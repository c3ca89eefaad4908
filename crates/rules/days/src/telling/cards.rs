//! Cards, badges and looks of units and generals: strength, state, command, what a unit has done and may do.

mod figures;
mod signs;
#[cfg(test)]
mod tests;

use super::sentences::working;
use super::speech::{capital, formation_words, order_words, rank, serves};
use crate::Days;
use crate::charts::{count as figure, reach};
use crate::clause::Clause;
use crate::event::TurnStep;
use crate::field::{self, Field, attached, facts, parts_out, state, troops, whole};
use crate::movement::limits;
use crate::order::Decision;
use crate::shooting::weapon;
use crate::unit::{Arm, Crest, Facts, Health, OrderState, Part, Trait};
use crate::{evolution, ground, staff, works};
use book::telling::voice::{self, inches};
use engine::{CommanderId, UnitId, View, Whereabouts};
pub use signs::{badges, looks};
use table::Length;

/// A unit's card.
pub fn unit(view: &View<'_, Days>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let piece = field.unit(unit);
    if piece.whereabouts == Whereabouts::Unseen {
        return vec!["Nothing is known of it.".to_owned()];
    }
    let mut lines = vec![field.card(unit).name.clone(), capital(&what(facts(field, unit)))];
    if !piece.is_present() {
        lines.push(absence(field, unit));
        lines.extend(worth(field, unit));
        return lines;
    }
    lines.push(strength(field, unit));
    lines.extend(figures::weapon(field, unit));
    lines.push(format!("Formation: {}", formation_words(field::formation(field, unit))));
    lines.extend(figures::pace(field, unit));
    lines.push(order(field, unit));
    lines.extend(conditions(field, unit));
    lines.extend(battery(field, unit));
    lines.extend(labours(field, unit));
    lines.extend(chain(view, unit));
    lines.extend(worth(field, unit));
    lines.extend(done(&troops(field, unit).turn));
    lines.extend(prospects(view, unit));
    lines
}

/// Why it is not on the table.
fn absence(field: &Field, unit: UnitId) -> String {
    let own = troops(field, unit);
    match (field.unit(unit).whereabouts, own.evaded_off, own.waits_at) {
        (Whereabouts::Gone, _, _) => "Out of the battle".to_owned(),
        (_, Some((turn, edge)), _) => {
            let back = u32::from(turn) + figure(field.charts().constant.evader_back);
            format!("Evaded over the {} edge in turn {turn}; may come back in turn {back}", voice::edge(edge))
        }
        (_, _, Some((edge, _))) => format!("Waits behind the {} edge", voice::edge(edge)),
        _ if facts(field, unit).part.is_some() => "Not sent out".to_owned(),
        _ => "Not on the table yet".to_owned(),
    }
}

/// What it is, in a line.
fn what(facts: &Facts) -> String {
    let class = format!("Class {}", facts.class);
    match facts.part_kind() {
        Some(Part::Screen) => return format!("skirmishers sent out, {class}"),
        Some(Part::Squadron) => return format!("squadron that charges alone, {class}"),
        Some(Part::Holders) => return "horse holders".to_owned(),
        Some(Part::Crew) => return format!("gunners away from their guns, {class}"),
        None => {}
    }
    let size = |one: &str| voice::count(usize::from(facts.start), one);
    match facts.arm {
        Arm::Infantry => format!("{}, {class}, {} at the start", foot(facts), size("stand")),
        Arm::Cavalry => format!("{}, {class}, {} at the start", horse(facts), size("stand")),
        Arm::Artillery => format!("{}, {class}, {} at the start", guns(facts), size("model")),
        Arm::Engineers => {
            let men = usize::from(facts.start.saturating_sub(1));
            format!("engineer officer with {} at the start", voice::count(men, "pioneer"))
        }
        Arm::Wagon => "pontoon wagon".to_owned(),
    }
}

fn foot(facts: &Facts) -> String {
    let kinds = [
        (Trait::Light, "light infantry"),
        (Trait::Irregular, "irregular infantry"),
        (Trait::LineInfantry, "line infantry"),
    ];
    let kind = kinds.into_iter().find(|(kind, _)| facts.is(*kind)).map_or("infantry", |(_, words)| words);
    let only = if facts.is(Trait::SkirmishOnly) { " that only skirmishes" } else { "" };
    format!("{kind}{only}")
}

fn horse(facts: &Facts) -> String {
    let kinds = [
        (Trait::Cuirassier, "cuirassiers"),
        (Trait::Heavy, "heavy cavalry"),
        (Trait::Medium, "medium cavalry"),
        (Trait::Light, "light cavalry"),
    ];
    let kind = kinds.into_iter().find(|(kind, _)| facts.is(*kind)).map_or("cavalry", |(_, words)| words);
    let lance = if facts.is(Trait::Lance) { " with lances" } else { "" };
    format!("{kind}{lance}")
}

fn guns(facts: &Facts) -> String {
    let kinds = [
        (Trait::Mitrailleuse, "mitrailleuse battery"),
        (Trait::Siege, "siege battery"),
        (Trait::Horse, "horse battery"),
        (Trait::Foot, "foot battery"),
    ];
    kinds.into_iter().find(|(kind, _)| facts.is(*kind)).map_or("battery", |(_, words)| words).to_owned()
}

/// What is left of what it began with, its parts that are out counted in.
fn strength(field: &Field, unit: UnitId) -> String {
    let here = field::count(field, unit);
    let facts = facts(field, unit);
    if facts.part.is_some() {
        return format!("{} here; of {}", capital(&stands(here)), voice::unit(field, whole(field, unit)));
    }
    match facts.arm {
        Arm::Artillery => {
            let (crew, start) = (field::strength(field, unit), field::start(field, unit));
            format!("{} of {} left, {crew} of {start} crew", voice::number(usize::from(here)), models(facts.start))
        }
        Arm::Engineers => format!("{} left", voice::count(usize::from(here.saturating_sub(1)), "pioneer")),
        Arm::Wagon => format!("{} of pontoons", inches(carried(field, unit))),
        Arm::Infantry | Arm::Cavalry => {
            let (left, start) = (field::strength(field, unit), field::start(field, unit));
            let half = if field::below_half(field, unit) { ", below half" } else { "" };
            let out: Vec<String> = parts_out(field, unit).into_iter().map(|part| part_words(field, part)).collect();
            let out = if out.is_empty() { String::new() } else { format!("; {}", out.join(", ")) };
            format!("{left} of {start} stands left{half}{out}")
        }
    }
}

fn stands(count: u8) -> String {
    voice::count(usize::from(count), "stand")
}

fn models(count: u8) -> String {
    voice::count(usize::from(count), "model")
}

fn part_words(field: &Field, part: UnitId) -> String {
    let there = voice::number(usize::from(field::count(field, part)));
    match facts(field, part).part_kind() {
        Some(Part::Screen) => format!("{there} out skirmishing"),
        Some(Part::Squadron) => format!("{there} out as a squadron"),
        Some(Part::Holders) => format!("{there} holding the horses"),
        Some(Part::Crew) | None => format!("{there} apart"),
    }
}

/// The pontoons of the party a wagon belongs to: it is the unit before it in the roster.
fn carried(field: &Field, wagon: UnitId) -> Length {
    let key = field.card(wagon).key.strip_suffix("-wagon").unwrap_or_default();
    let party = field.muster().unit_ids().find(|id| field.card(*id).key == key);
    party.map_or(Length::ZERO, |party| troops(field, party).pontoons)
}

/// Its rung, and what keeps it there.
fn order(field: &Field, unit: UnitId) -> String {
    let own = state(field, unit);
    let why = match own.order {
        OrderState::Good => "",
        OrderState::Disordered if own.swamped => ": a swamp did it, and only a rally outside ends it",
        OrderState::Disordered if ground::disorders(field, unit) => ": the ground it stands on keeps it so",
        OrderState::Disordered if own.turn.forced => ": it has marched too hard",
        OrderState::Disordered => ": a quiet turn or a rally ends it",
        OrderState::Shaken => ": only a rally ends it",
        OrderState::Routing => ": it runs until it rallies",
    };
    format!("{}{why}", capital(order_words(own.order)))
}

/// Everything that holds of it now beside its order.
fn conditions(field: &Field, unit: UnitId) -> Vec<String> {
    let (own, all) = (troops(field, unit), state(field, unit));
    let mut lines = Vec::new();
    if let Some(charge) = &own.charge {
        let left = inches(charge.left);
        lines.push(format!("{}, {left} in hand", capital(&signs::charging(field, charge))));
    }
    if !own.contact.is_empty() {
        let names: Vec<&str> = own.contact.iter().map(|id| voice::unit(field, *id)).collect();
        let won = if own.won_last { ", with the upper hand" } else { "" };
        lines.push(format!("In close assault with {}{won}", voice::list(&names)));
    }
    if let Some((into, _)) = own.broke_into {
        lines.push(format!("Breaks through into {}", voice::unit(field, into)));
    }
    if let Some(after) = field::pursued(field, unit) {
        lines.push(format!("Pursues {}", voice::unit(field, after)));
    }
    let chargers = field::chargers(field, unit);
    if !chargers.is_empty() {
        let names: Vec<&str> = chargers.iter().map(|id| voice::unit(field, *id)).collect();
        lines.push(format!("Charged by {}", voice::list(&names)));
    }
    let signs = [
        (all.to_ground, "Gone to ground"),
        (facts(field, unit).arm == Arm::Cavalry && !all.mounted, "Fights on foot"),
        (all.holders_lost, "Its horses are gone for good"),
        (all.crew_away, "Its gunners are away from the guns"),
        (all.fought_before, "Has fought at close quarters before"),
        (all.routed_before, "Has routed before"),
        (own.crest == Some(Crest::Behind), "Stands behind the crest"),
        (own.crest == Some(Crest::Over), "Stands over the crest"),
        (field::is_hidden(field.unit(unit)), "Hidden from the enemy"),
    ];
    lines.extend(signs.into_iter().filter(|sign| sign.0).map(|(_, words)| words.to_owned()));
    if field.charts().switch.first_fire.value && weapon::weapon(field, unit).is_some_and(|one| one.gun().is_none()) {
        lines.push(if all.first_fire_used { "First volley spent" } else { "First volley still to come" }.to_owned());
    }
    lines.extend(all.pushed_back.map(|turn| format!("Pushed back in turn {turn}")));
    lines.extend(own.relieved.map(|by| format!("Crowded by {} after a passage of lines", voice::unit(field, by))));
    lines
}

/// The guns one by one, and the horses.
fn battery(field: &Field, unit: UnitId) -> Vec<String> {
    let own = troops(field, unit);
    if !field::is_battery(field, unit) {
        return Vec::new();
    }
    let each = own.guns.iter().zip(1..).map(|(gun, no)| {
        let past = u8::from(field.ledger().step > TurnStep::Shooting);
        let damaged = match gun.damaged.saturating_sub(past) {
            0 => String::new(),
            phases => format!(", damaged for {}", voice::count(usize::from(phases), "more Shooting Phase")),
        };
        format!("Gun {no}: {} crew{damaged}", gun.crew)
    });
    let team = match (evolution::is_stuck(field, unit), evolution::short_of_horses(field, unit)) {
        (true, _) => ": too few to move the guns",
        (false, true) => ": moves like foot artillery",
        (false, false) => "",
    };
    each.chain([format!("{}{team}", capital(&voice::count(usize::from(own.horses), "horse")))]).collect()
}

/// What it works at, and whom it goes along with.
fn labours(field: &Field, unit: UnitId) -> Vec<String> {
    let own = troops(field, unit);
    let mut lines = Vec::new();
    if let Some(work) = &own.work {
        let need = works::phases_for(field, &work.task);
        lines.push(format!("{}: {} of {need} Movement Phases done", capital(&working(field, &work.task)), work.phases));
    }
    if facts(field, unit).arm == Arm::Engineers {
        lines.push(format!("{} of pontoons in hand", inches(own.pontoons)));
    }
    lines.extend(own.attached.map(|with| format!("With {}", voice::unit(field, with))));
    let generals = attached(field, unit);
    if !generals.is_empty() {
        let names: Vec<&str> = generals.iter().map(|id| voice::commander(field, *id)).collect();
        lines.push(format!("{} with it", voice::list(&names)));
    }
    lines
}

/// Who commands it, and whether he reaches it; the latter is told to its own side alone.
fn chain(view: &View<'_, Days>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let muster = field.muster();
    let mut names = Vec::new();
    let mut command = field::command(field, unit);
    while let Some(id) = command {
        let card = muster.command(id);
        let leader = card.commander.map(|id| format!(" ({})", voice::commander(field, id))).unwrap_or_default();
        names.push(format!("{}{leader}", card.name));
        command = card.parent;
    }
    let mut lines = Vec::new();
    if facts(field, whole(field, unit)).independent {
        lines.push("Independent: needs no general".to_owned());
    } else if !names.is_empty() {
        lines.push(format!("Of {}", names.join(", ")));
    }
    if view.viewer().knows(field.side_of(unit)) && !facts(field, whole(field, unit)).independent {
        let told = if staff::in_command(field, unit) { "In command" } else { "Out of command" };
        lines.push(told.to_owned());
    }
    lines
}

fn worth(field: &Field, unit: UnitId) -> Option<String> {
    let facts = facts(field, unit);
    (facts.points > 0).then(|| format!("{} points", facts.points))
}

fn done(turn: &crate::unit::TurnRecord) -> Option<String> {
    let did = [
        (turn.moved, "moved"),
        (turn.reformed, "changed formation"),
        (turn.forced, "made a forced march"),
        (turn.screened, "sent skirmishers out or took them in"),
        (turn.tried_charge, "tried a charge"),
        (turn.charge_failed, "failed to charge: no nearer to the enemy"),
        (turn.feinted, "feinted"),
        (turn.stood, "stood to meet a charge"),
        (turn.evaded, "evaded"),
        (turn.passed_lines, "took part in a passage of lines"),
        (turn.halted, "halted by fire: no nearer to the enemy"),
        (turn.stopped, "stopped short: no more moves"),
        (turn.rallied, "rallied: no other move"),
        (turn.pushed, "pushed back"),
        (turn.fought, "fought at close quarters"),
        (turn.worked, "worked"),
        (turn.searched, "looked for a ford"),
        (turn.silenced, "ridden through: cannot fire"),
        (turn.shot_from_behind, "shot at from behind"),
    ];
    let mut acts: Vec<String> = did.into_iter().filter(|(is, _)| *is).map(|(_, words)| words.to_owned()).collect();
    let counted = [(turn.fired, "fired"), (turn.reserved, "kept fire back"), (turn.lost, "lost to fire")];
    acts.extend(counted.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    if turn.routed > Length::ZERO {
        acts.push(format!("ran {}", inches(turn.routed)));
    }
    (!acts.is_empty()).then(|| format!("This turn: {}", acts.join("; ")))
}

/// Why a unit may not do what is asked for; told to its own side alone.
fn prospects(view: &View<'_, Days>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let side = field.side_of(unit);
    let Some(asked) = field.asked().filter(|asked| view.viewer().knows(side) && asked.who.includes(side)) else {
        return Vec::new();
    };
    let told = |what: &str, reasons: &[(Clause, &'static str)]| {
        reasons.iter().map(|(clause, text)| format!("{what}: {text} [{}]", clause.id())).collect::<Vec<_>>()
    };
    match &asked.decision {
        Decision::Move => match (limits::objections(field, unit).as_slice(), limits::keeps_off(field, unit)) {
            ([], Some(reason)) => told("Goes no nearer to the enemy", &[reason]),
            (reasons, _) => told("May not move", reasons),
        },
        Decision::Fire | Decision::Defend => told("May not fire", &weapon::silence(field, unit)),
        _ => Vec::new(),
    }
}

/// A general's card.
pub fn officer(view: &View<'_, Days>, id: CommanderId) -> Vec<String> {
    let field: &Field = view;
    let (card, piece) = (field.muster().commander(id), field.commander(id));
    let own = &piece.own;
    let quality = own.quality.map_or("not known yet what he is worth", crate::unit::Quality::word);
    let mut lines = vec![
        card.name.clone(),
        capital(&format!("{}, {quality}", rank(card.facts.rank))),
        format!("Commands {}", voice::command(field, card.commands)),
        format!("Listened to by {}", serves(card.facts.serves)),
    ];
    lines.extend((card.facts.points > 0).then(|| format!("{} points", card.facts.points)));
    match own.health {
        Health::Fit => {}
        Health::Wounded { until, since, .. } => lines.push(format!("Wounded in turn {since}; away until turn {until}")),
        Health::Killed { since } => lines.push(format!("Killed in turn {since}")),
        Health::Captured { since } => lines.push(format!("Taken prisoner in turn {since}")),
    }
    if own.lost_before > 0 {
        lines.push(format!("Follows {} lost before him", voice::count(usize::from(own.lost_before), "general")));
    }
    if !piece.is_present() {
        let gone = piece.whereabouts == Whereabouts::Gone;
        let words = match own.health {
            Health::Fit if !gone => Some("Not on the table yet"),
            Health::Fit => Some("Out of the battle"),
            _ => None,
        };
        lines.extend(words.map(str::to_owned));
        return lines;
    }
    lines.extend(own.attached.map(|unit| format!("With {}", voice::unit(field, unit))));
    let signs = [
        (own.routing, "Swept away in a rout"),
        (own.unhorsed, "Has lost his horse: stays where he is"),
        (own.rallied, "Has helped to rally this turn"),
        (own.moved, "Has ridden this turn"),
    ];
    lines.extend(signs.into_iter().filter(|sign| sign.0).map(|(_, words)| words.to_owned()));
    let radius = field.charts().constant.command_radius;
    lines.push(format!("His word reaches {}{}", inches(reach(radius)), figures::papers(&[radius.source])));
    lines.extend(figures::ride(field));
    lines
}
