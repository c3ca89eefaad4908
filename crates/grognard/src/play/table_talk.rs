//! What is shown on request: map, help, cards, clauses, the chronicle.

use super::chronicle;
use super::session::Session;
use crate::page::wrap;
use crate::shipped;
use anyhow::Result;
use engine::scene::Scene;
use engine::{Side, Viewer};
use lab::textmap::{Style, draw};

/// Events `log` tells unless more are asked for.
const LATELY: usize = 12;

/// The opening of a sitting.
pub fn welcome(session: &mut Session<'_>) -> Result<()> {
    let scene = session.duel.game().board(Viewer::Spectator).scene();
    let sides = session.duel.game().sides();
    session.page.line(format!("{}: {} against {}", scene.title, sides[0].1, sides[1].1))?;
    for side in Side::BOTH {
        let name = &sides[side.index()].1;
        match session.duel.bot(side) {
            Some(level) => session.page.line(format!("  {name}: the {level} bot"))?,
            None => session.page.line(format!("  {name}: you"))?,
        }
    }
    session.page.line("  A number takes a suggestion; ? for help.")?;
    Ok(())
}

/// The map with its legend.
pub fn map(session: &mut Session<'_>, side: Side) -> Result<()> {
    let scene: Scene = session.duel.game().board(Viewer::Side(side)).scene();
    session.page.blank()?;
    session.page.line(format!("{} · {}", scene.title, scene.when))?;
    let fitting = Style::fitting(&scene, session.page.width, session.colour);
    let style = Style { columns: session.columns.unwrap_or(fitting.columns), ..fitting };
    for line in draw(&scene, style) {
        session.page.line(line)?;
    }
    Ok(())
}

const COMMANDS: &[(&str, &str)] = &[
    ("1, 2, 3 …", "takes a suggestion"),
    ("more", "more suggestions"),
    ("odds 3, odds ORDER", "the odds of a suggestion or of a typed order"),
    ("hint", "what a veteran would do, with the best other ways; their numbers take them"),
    ("map", "draws the table"),
    ("card UNIT", "a unit's card; UNIT is its key, label or name"),
    ("clause ID", "a clause of the rules with its rulings; the ID is the word in square brackets"),
    ("log, log 50", "what happened lately"),
    ("undo", "takes your last order back, before any die"),
    ("save FILE", "saves the battle"),
    ("draw, concede", "offers a draw, gives the battle up"),
    ("quit", "saves and leaves"),
];

/// The words that answer the question, and those that always work.
pub fn help(session: &mut Session<'_>, side: Side) -> Result<()> {
    let usage = session.duel.game().board(Viewer::Side(side)).usage();
    session.page.line("  To answer:")?;
    list(session, usage.iter().map(|(words, what)| (words.as_str(), what.as_str())))?;
    session.page.line("  At any time:")?;
    list(session, COMMANDS.iter().copied())
}

fn list<'w>(session: &mut Session<'_>, rows: impl Iterator<Item = (&'w str, &'w str)>) -> Result<()> {
    const COLUMN: usize = 26;
    for (words, what) in rows {
        let mut first = format!("    {words:<COLUMN$}  ");
        // Long words stand alone, their meaning below.
        if words.chars().count() > COLUMN {
            session.page.line(first.trim_end())?;
            first = " ".repeat(COLUMN + 6);
        }
        for line in wrap(&first, COLUMN + 6, what, session.page.width) {
            session.page.line(line)?;
        }
    }
    Ok(())
}

/// A unit's card, found by key, label or name.
pub fn card(session: &mut Session<'_>, side: Side, wanted: &str) -> Result<()> {
    let board = session.duel.game().board(Viewer::Side(side));
    let scene = board.scene();
    let low = wanted.trim_start_matches('@').to_lowercase();
    let labels = lab::textmap::labels(&scene);
    let plain = |text: &str| text.trim_start_matches('@').to_lowercase();
    let found = scene
        .pieces
        .iter()
        .zip(&labels)
        .find(|(piece, label)| plain(&piece.key) == low || label.as_str() == wanted || plain(&piece.name) == low);
    let found = found.or_else(|| {
        let part = |text: &str| !low.is_empty() && plain(text).contains(&low);
        scene
            .pieces
            .iter()
            .zip(&labels)
            .find(|(piece, label)| plain(label) == low || part(&piece.key) || part(&piece.name))
    });
    let key = found.map_or(low.clone(), |(piece, _)| piece.key.clone());
    let lines = board.card(&key);
    drop(board);
    match (lines, found) {
        (Some(lines), _) => {
            for line in lines {
                session.page.wrapped("  ", 4, &line)?;
            }
        }
        (None, Some((piece, _))) => session.page.line(format!("  {}: {}", piece.name, piece.formation))?,
        (None, None) => session.page.line(format!("  nothing on the table is called `{wanted}`"))?,
    }
    Ok(())
}

/// A clause with its text and rulings; the rulebook's prefix may be left out.
pub fn clause(session: &mut Session<'_>, wanted: &str) -> Result<()> {
    let ruleset = session.duel.game().replay().header.ruleset;
    let Some(Ok(registry)) = rules::registry(&ruleset) else { return Ok(()) };
    let wanted = wanted.trim_matches(['[', ']', '.', ' ']);
    let Some(entry) = registry.find(wanted).or_else(|| registry.find(&format!("{ruleset}.{wanted}"))) else {
        session
            .page
            .line(format!("  no clause is called `{wanted}`; try one from the brackets, such as [{ruleset}.12-d]"))?;
        return Ok(());
    };
    let title = format!("{}  {} (section {})", entry.id, entry.title, entry.source);
    session.page.wrapped("  ", 4, &title)?;
    session.page.wrapped("    ", 4, &entry.text)?;
    for number in &entry.rulings {
        match shipped::decision(&ruleset, *number) {
            Some((question, decision)) => session.page.wrapped("    ruling ", 6, &format!("{question} {decision}"))?,
            None => session.page.line(format!("    ruling {ruleset}-{number:04}"))?,
        }
    }
    Ok(())
}

/// The last events.
pub fn log(session: &mut Session<'_>, side: Side, count: &str) -> Result<()> {
    let count = count.parse().unwrap_or(LATELY);
    let told = session.duel.game().chronicle(Viewer::Side(side), 0);
    let from = told.len().saturating_sub(count);
    chronicle::tell(session.page, told.get(from..).unwrap_or_default())?;
    Ok(())
}
