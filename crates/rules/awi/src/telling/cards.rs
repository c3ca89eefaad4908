//! Cards: a piece's strength, state, command, what it has done and what it may do.

use super::Offer;
use super::voice;
use crate::Awi;
use crate::clause::Clause;
use crate::courier;
use crate::field::{Field, facts, soldiers, touching_enemies, troops};
use crate::fire;
use crate::movement;
use crate::officers;
use crate::order::{Decision, Order};
use crate::programme;
use crate::unit::{Arm, Condition, Gun, Level, Task};
use engine::scene::Gesture;
use engine::{Asked, CommanderId, UnitId, Verdict, View, Whereabouts};

/// A unit's card.
pub fn unit(view: &View<'_, Awi>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let piece = field.unit(unit);
    if piece.whereabouts == Whereabouts::Unseen {
        return vec!["Nothing is known of it.".to_owned()];
    }
    let (facts, own, card) = (facts(field, unit), soldiers(field, unit), field.card(unit));
    if !facts.is_troops() {
        let about = "A lone sharpshooter: one shot, and he is gone".to_owned();
        return [card.name.clone(), about].into_iter().chain(prospects(view, unit)).collect();
    }
    let gun = facts.gun.map(|gun| format!(", {}", gun_word(gun))).unwrap_or_default();
    let mut lines = vec![
        card.name.clone(),
        capital(&format!("{} class, {}: {}{gun}", facts.class.word(), facts.arm.word(), facts.kind.word())),
    ];
    if !piece.is_present() {
        let gone = piece.whereabouts == Whereabouts::Gone;
        lines.push(if gone { "Out of the battle".to_owned() } else { "Not on the table yet".to_owned() });
        return lines;
    }
    lines.push(format!("Marks: {} of {}", own.marks, facts.marks));
    lines.push(format!("Formation: {}", piece.body.formation.word()));
    if facts.small_arms || facts.arm == Arm::Artillery {
        lines.push(if own.loaded { "Loaded".to_owned() } else { "Not loaded: smoke".to_owned() });
    }
    if facts.arm == Arm::Artillery {
        lines.push(format!("Grapeshot: {} left", voice::count(own.grape_left, "round")));
    }
    if facts.shell {
        lines.push("Has shell".to_owned());
    }
    lines.push(match movement::basic(field, unit) {
        (_, _, Some(dice)) => format!("Moves {dice} inches"),
        (plain, _, None) => format!("Moves {}", voice::inches(plain.value)),
    });
    lines.extend(state_lines(field, unit));
    if let Some(brigade) = card.command {
        let leader = field.muster().command(brigade).commander;
        let leader = leader.map(|id| format!(" ({})", voice::commander(field, id))).unwrap_or_default();
        lines.push(format!("Brigade: {}{leader}", voice::command(field, brigade)));
    }
    if view.viewer().knows(card.side)
        && let Some(order) = courier::standing(field, unit)
    {
        lines.push(format!("Under orders to {}", voice::standing(field, order)));
    }
    // Who is near enough to help is judged only at the test, unless the tape may be laid.
    if !field.settings().no_premeasuring
        && let Some(help) = officers::help(field, unit)
    {
        lines.push(format!("{} would add {:+} to its tests", voice::commander(field, help.who), help.factor.value));
    }
    if own.task != Task::None {
        lines.push(format!("This turn: {}", own.task.word()));
    }
    lines.extend(prospects(view, unit));
    lines
}

fn capital(text: &str) -> String {
    voice::sentence(text).trim_end_matches('.').to_owned()
}

/// What a unit may do now, or why it may not; told to its own side alone.
fn prospects(view: &View<'_, Awi>, unit: UnitId) -> Vec<String> {
    let field: &Field = view;
    let side = field.side_of(unit);
    let Some(asked) = field.asked().filter(|_| view.viewer().knows(side) && field.unit(unit).is_present()) else {
        return Vec::new();
    };
    if !asked.who.includes(side) || field.sealed(side).is_some() {
        let (text, clause) = match field.ledger().active == side {
            true => ("Waits for the enemy’s answer", Clause::PhaseOrder),
            false => ("Waits: it is the enemy’s turn", Clause::TurnsAlternate),
        };
        return vec![format!("{text} [{}]", clause.id())];
    }
    let mut offer = Offer::new(view, asked, side);
    offer.of_unit(unit);
    let mut lines = may(&offer.gestures).into_iter().collect::<Vec<_>>();
    let (verb, verdict) = match asked.decision {
        Decision::Activate if !movement::may_act(field, unit) => {
            ("act", programme::check(view, side, &Order::Hold { unit }))
        }
        Decision::Activate | Decision::Fire if facts(field, unit).is_troops() => {
            ("fire", against_firing(field, asked, unit))
        }
        _ => return lines,
    };
    lines.extend(verdict.refusals.first().map(|note| format!("May not {verb}: {} [{}]", note.text, note.clause)));
    lines
}

/// Whatever keeps a unit from firing, whomever it would fire at.
fn against_firing(field: &Field, asked: &Asked<Awi>, unit: UnitId) -> Verdict {
    let mut verdict = Verdict::fine();
    if asked.decision == Decision::Fire {
        fire::check_task(field, unit, &mut verdict);
    }
    fire::check_firer(field, unit, &mut verdict);
    verdict
}

/// The acts on offer in a line, each once: with whom one rides along is not said here.
fn may(gestures: &[Gesture]) -> Option<String> {
    let mut acts: Vec<String> = Vec::new();
    for gesture in gestures {
        let label = match gesture {
            Gesture::Button { label, .. }
            | Gesture::PickTarget { label, .. }
            | Gesture::DrawPath { label, .. }
            | Gesture::LayBlocks { label, .. }
            | Gesture::PickFormation { label, .. } => label,
            _ => continue,
        };
        let act = label.split(" with ").next().unwrap_or(label).trim_end_matches(", facing").to_lowercase();
        if !acts.contains(&act) {
            acts.push(act);
        }
    }
    (!acts.is_empty()).then(|| format!("May: {}", acts.join("; ")))
}

fn state_lines(field: &Field, unit: UnitId) -> Vec<String> {
    let own = soldiers(field, unit);
    let mut lines = Vec::new();
    match (own.condition, own.quarry) {
        (Condition::Steady, _) => {}
        (Condition::Pursuing, Some(quarry)) => lines.push(format!("Pursuing {}", voice::unit(field, quarry))),
        (other, _) => lines.push(voice::sentence(other.word()).trim_end_matches('.').to_owned()),
    }
    let enemies = touching_enemies(field, unit);
    if !enemies.is_empty() {
        let names: Vec<&str> = enemies.iter().map(|id| voice::unit(field, *id)).collect();
        lines.push(format!("In a melee with {}", voice::list(&names)));
    }
    lines
}

fn gun_word(gun: Gun) -> &'static str {
    match gun {
        Gun::Battalion => "battalion guns",
        Gun::SixPounder => "six-pounders",
        Gun::TwentyFourPounder => "twenty-four-pounders",
    }
}

/// A commander's card.
pub fn officer(view: &View<'_, Awi>, id: CommanderId) -> Vec<String> {
    let field: &Field = view;
    let (card, piece) = (field.muster().commander(id), field.commander(id));
    let [near, touching] = field.charts().rating(card.facts.rating).value.map(|factor| factor.get());
    let rank = match card.facts.level {
        Level::Brigade => "Brigade commander",
        Level::Division => "Divisional commander",
    };
    let mut lines = vec![
        card.name.clone(),
        format!("{rank}, {}: {near:+} to tests near him, {touching:+} to a unit he touches", card.facts.rating.word()),
        format!("Commands {}", voice::command(field, card.commands)),
    ];
    if !piece.is_present() {
        let fell = piece.whereabouts == Whereabouts::Gone;
        lines.push(if fell { "Out of the battle".to_owned() } else { "Not on the table yet".to_owned() });
        return lines;
    }
    let beside = troops(field, card.side).filter(|(_, unit)| table::quads_touch(unit.quad(), piece.quad()));
    let names: Vec<&str> = beside
        .filter(|(unit, _)| officers::commands(field, id, *unit))
        .map(|(unit, _)| voice::unit(field, unit))
        .collect();
    if !names.is_empty() {
        lines.push(format!("Attached to {}", voice::list(&names)));
    }
    if view.viewer().knows(card.side)
        && courier::is_structured(field, card.side)
        && let Some(order) = field.ledger().orders.get(card.commands.index()).copied().flatten()
    {
        lines.push(format!("Under orders to {}", voice::standing(field, order)));
    }
    if field.ledger().active == card.side {
        let reach = voice::inches(movement::commander_move(field));
        lines.push(if piece.own.moved {
            "Has ridden this turn".to_owned()
        } else {
            format!("May ride {reach} this turn")
        });
    }
    lines
}
