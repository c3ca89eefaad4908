//! Cases: one situation each, in a TOML file a wargamer can read. The format is specified in `docs/formats.md`.
//!
//! A case is a set-up read leniently, a place to start, and steps. Each step gives an order (or only dice), scripts
//! every die, and says what must come of it: events, state, refusals. A case also lists the clauses it exercises, and
//! fails if one of them is never cited: take the clause out of the code, and the case falls.

use engine::battle::Keep;
use engine::facade::{self, Board};
use engine::setup::{Mode, muster_sheet, read_edition};
use engine::sheet::{Faults, Sheet, SheetTable};
use engine::{Battle, EditionNo, Lots, Ruleset, Scripted, Side, State, SubmitError, Telling, Verdict, Viewer};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use table::{Length, SLACK};

/// What came of a case.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CaseReport {
    /// Its title.
    pub title: String,
    /// Its ruleset.
    pub ruleset: String,
    /// Every clause cited while it ran.
    pub cited: BTreeSet<String>,
    /// The clauses it says it exercises.
    pub claimed: Vec<String>,
    /// What went wrong; empty means it passed.
    pub failures: Vec<String>,
}

impl CaseReport {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// A case that could not even be begun.
    pub fn broken(ruleset: &str, failures: Vec<String>) -> CaseReport {
        CaseReport { ruleset: ruleset.to_owned(), failures, ..CaseReport::default() }
    }
}

/// The state a case begins in, for drawing it.
pub fn opening<R: Telling>(text: &str) -> Result<State<R>, Faults> {
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return Err(faults) };
    let mut root = sheet.root();
    let case = read::<R>(&mut root, text, &mut faults)?;
    case.and_then(|case| case.state).ok_or(faults)
}

/// Everything wrong with a case file of a ruleset, without running it.
pub fn faults<R: Telling>(text: &str) -> Faults {
    let mut faults = Faults::default();
    match Sheet::parse(text, &mut faults).map(|sheet| read::<R>(&mut sheet.root(), text, &mut faults).map(drop)) {
        Some(Err(more)) => more,
        Some(Ok(())) | None => faults,
    }
}

struct Case<R: Ruleset> {
    edition: EditionNo,
    title: String,
    claimed: Vec<String>,
    state: Option<State<R>>,
    muster_refused: Vec<String>,
    muster_cautions: Vec<String>,
    muster_never: Vec<String>,
    opening_dice: Vec<String>,
    opening_expect: Expectation,
    steps: Vec<Step>,
    found: Faults,
}

#[derive(Default)]
struct Expectation {
    events: Vec<Value>,
    never: Vec<Value>,
    state: Option<Value>,
}

struct Step {
    name: String,
    by: Option<String>,
    order: Option<Value>,
    motion: Option<engine::Motion>,
    dice: Vec<String>,
    refused: Vec<String>,
    cautioned: Vec<String>,
    measure: Option<(table::Point, table::Point)>,
    odds: Option<Value>,
    no_odds: bool,
    unsaid: Vec<String>,
    candidates: Option<usize>,
    expect: Expectation,
}

const MOST_STEPS: usize = 500;

fn read<R: Telling>(root: &mut SheetTable<'_, '_>, text: &str, faults: &mut Faults) -> Result<Option<Case<R>>, Faults> {
    let _: Option<String> = root.optional("format", faults);
    let edition = read_edition::<R>(root, faults);
    let _: Option<String> = root.optional("vector", faults);
    let _: Option<String> = root.optional("note", faults);
    let title: Option<String> = root.has("title").then_some(()).and_then(|()| peek(root, "title", faults));
    let claimed: Vec<String> = root.get("clauses", faults).unwrap_or_default();
    let muster_refused: Vec<String> = root.optional("muster_refused", faults).unwrap_or_default();
    let muster_cautions: Vec<String> = root.optional("muster_cautions", faults).unwrap_or_default();
    let muster_never: Vec<String> = root.optional("muster_never", faults).unwrap_or_default();
    let mode = match root.optional::<String>("mode", faults).as_deref() {
        None | Some("case") => Mode::Case,
        Some("battle") => Mode::Battle,
        Some(other) => {
            root.fault("mode", format!("`{other}` is not a mode; expected case or battle"), faults);
            Mode::Case
        }
    };
    let opening_dice = root.optional("dice", faults).unwrap_or_default();
    let opening_expect = read_expectation(root, faults);
    let steps: Vec<Step> = root.tables("step", faults).into_iter().map(|table| read_step(table, faults)).collect();
    if steps.len() > MOST_STEPS {
        root.fault("step", format!("more than {MOST_STEPS} steps"), faults);
    }
    let mut found = Faults::default();
    let wants_trouble = !muster_refused.is_empty() || !muster_cautions.is_empty() || !muster_never.is_empty();
    let state = if wants_trouble {
        // The set-up's own faults are what the case is about: they are kept apart.
        Sheet::parse(text, &mut found);
        muster_sheet::<R>(root, edition, text, None, mode, &mut found)?
    } else {
        muster_sheet::<R>(root, edition, text, None, mode, faults)?
    };
    root.finish(faults);
    Ok(faults.is_clean().then_some(Case {
        edition,
        title: title.unwrap_or_default(),
        claimed,
        state,
        muster_refused,
        muster_cautions,
        muster_never,
        opening_dice,
        opening_expect,
        steps,
        found,
    }))
}

fn peek(root: &mut SheetTable<'_, '_>, key: &str, faults: &mut Faults) -> Option<String> {
    root.optional(key, faults)
}

fn read_expectation(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Expectation {
    Expectation {
        events: table.optional("expect", faults).unwrap_or_default(),
        never: table.optional("never", faults).unwrap_or_default(),
        state: table.json("state", faults),
    }
}

fn read_step(mut table: SheetTable<'_, '_>, faults: &mut Faults) -> Step {
    let step = Step {
        name: table.path().to_owned(),
        by: table.optional("by", faults),
        order: table.json("order", faults),
        motion: table.optional("motion", faults),
        dice: table.optional("dice", faults).unwrap_or_default(),
        refused: table.optional("refused", faults).unwrap_or_default(),
        cautioned: table.optional("cautioned", faults).unwrap_or_default(),
        measure: table.optional("measure", faults),
        odds: table.json("odds", faults),
        no_odds: table.optional("no_odds", faults).unwrap_or(false),
        unsaid: table.optional("unsaid", faults).unwrap_or_default(),
        candidates: table.optional("candidates", faults),
        expect: read_expectation(&mut table, faults),
    };
    if step.by.is_none() {
        table.fault("by", "`by` is missing: which side acts", faults);
    }
    let deeds =
        usize::from(step.order.is_some()) + usize::from(step.motion.is_some()) + usize::from(step.measure.is_some());
    if deeds > 1 || (deeds == 0 && step.candidates.is_none() && step.expect.state.is_none()) {
        table.fault("order", "a step gives one order, one motion or one measurement, or checks the state", faults);
    }
    let _: Option<String> = table.optional("note", faults);
    table.finish(faults);
    step
}

/// Runs a case of a ruleset.
pub fn run<R: Telling>(text: &str) -> CaseReport {
    let mut faults = Faults::default();
    let ruleset = |edition: EditionNo| R::edition(edition).id;
    let broken = |faults: Faults| {
        CaseReport::broken(ruleset(EditionNo::default()), faults.faults.iter().map(ToString::to_string).collect())
    };
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return broken(faults) };
    let mut root = sheet.root();
    let case = match read::<R>(&mut root, text, &mut faults) {
        Ok(Some(case)) => case,
        Ok(None) => return broken(faults),
        Err(faults) => return broken(faults),
    };
    let mut report = CaseReport {
        title: case.title.clone(),
        ruleset: ruleset(case.edition).to_owned(),
        claimed: case.claimed.clone(),
        ..CaseReport::default()
    };
    check_muster(&case, &mut report);
    if let Some(state) = case.state {
        play::<R>(state, &case.opening_dice, &case.opening_expect, &case.steps, &mut report);
    } else if case.muster_refused.is_empty() {
        report.failures.push("the set-up gives no battle".to_owned());
    }
    for claim in &case.claimed {
        // Rulings are documents, not clauses the code cites; they are listed for the reader.
        if !is_ruling(claim) && !report.cited.contains(claim) {
            report.failures.push(format!("clause {claim} is claimed and never cited"));
        }
    }
    report
}

fn is_ruling(claim: &str) -> bool {
    claim
        .split_once('.')
        .is_some_and(|(_, rest)| rest.starts_with('R') && rest[1..].bytes().all(|b| b.is_ascii_digit()))
}

/// Faults and cautions of the set-up, found by the clause or words they name.
fn check_muster<R: Ruleset>(case: &Case<R>, report: &mut CaseReport) {
    let lists = [
        (&case.muster_refused, &case.found.faults, "refuses"),
        (&case.muster_cautions, &case.found.cautions, "cautions"),
    ];
    for (wanted, found, verb) in lists {
        for words in wanted {
            match found.iter().find(|fault| fault.to_string().contains(words.as_str())) {
                Some(fault) => {
                    let cited = fault.what.rsplit_once('[').and_then(|(_, id)| id.strip_suffix(']'));
                    report.cited.extend(cited.map(str::to_owned));
                }
                None => report.failures.push(format!("the set-up never {verb} \"{words}\"")),
            }
        }
    }
    for words in &case.muster_never {
        let found = case
            .found
            .faults
            .iter()
            .chain(&case.found.cautions)
            .find(|fault| fault.to_string().contains(words.as_str()));
        report.failures.extend(found.map(|fault| format!("the set-up should never say \"{words}\": {fault}")));
    }
    if case.muster_refused.is_empty() {
        report.failures.extend(case.found.faults.iter().map(ToString::to_string));
    }
}

fn play<R: Telling>(
    state: State<R>,
    opening_dice: &[String],
    opening: &Expectation,
    steps: &[Step],
    report: &mut CaseReport,
) {
    let Some(dice) = script(opening_dice, "dice", report) else { return };
    let mut battle = Battle::begin(state, Box::new(dice.clone()), Keep::Everything);
    if let Some(fault) = battle.fault() {
        report.failures.push(fault.to_string());
        return;
    }
    cite(&battle, 0, report);
    expect(&battle, 0, opening, "opening", report);
    use_up(&dice, "opening", report);
    for step in steps {
        if !take_step(&mut battle, step, report) {
            return;
        }
    }
}

fn script(lines: &[String], name: &str, report: &mut CaseReport) -> Option<SharedScript> {
    let mut script = Scripted::default();
    for line in lines {
        if let Err(error) = script.add(line) {
            report.failures.push(format!("{name}: {error}"));
            return None;
        }
    }
    Some(SharedScript(std::sync::Arc::new(std::sync::Mutex::new(script))))
}

/// A script the runner can look at after the battle has used it.
#[derive(Clone)]
struct SharedScript(std::sync::Arc<std::sync::Mutex<Scripted>>);

impl engine::Dice for SharedScript {
    fn throw(&mut self, pool: engine::Pool) -> Result<engine::Pips, engine::DiceError> {
        match self.0.lock() {
            Ok(mut script) => script.throw(pool),
            Err(_) => Err(engine::DiceError::Missing(pool.to_string())),
        }
    }
}

fn side_named<R: Ruleset>(state: &State<R>, key: &str) -> Option<Side> {
    state.muster().sides.iter().find(|(_, card)| card.key == key).map(|(side, _)| side)
}

fn take_step<R: Telling>(battle: &mut Battle<R>, step: &Step, report: &mut CaseReport) -> bool {
    let by = step.by.clone().unwrap_or_default();
    let Some(side) = side_named(battle.state(), &by) else {
        report.failures.push(format!("{}: no side is called `{by}`", step.name));
        return false;
    };
    let Some(dice) = script(&step.dice, &step.name, report) else { return false };
    battle.set_dice(Box::new(dice.clone()));
    let from = battle.events().len();
    check_extras(battle, side, step, report);
    let fine = match (&step.order, step.motion) {
        (Some(draft), _) => give_order(battle, side, draft, step, report),
        (None, Some(motion)) => match battle.motion(side, motion) {
            Ok(_) => true,
            Err(error) => {
                report.failures.push(format!("{}: {error}", step.name));
                false
            }
        },
        (None, None) => true,
    };
    if !fine {
        return false;
    }
    cite(battle, from, report);
    expect(battle, from, &step.expect, &step.name, report);
    use_up(&dice, &step.name, report);
    true
}

/// Every die a case scripts must be thrown.
fn use_up(dice: &SharedScript, name: &str, report: &mut CaseReport) {
    if let Ok(script) = dice.0.lock()
        && let Err(error) = script.finish()
    {
        report.failures.push(format!("{name}: {error}"));
    }
}

fn cite<R: Ruleset>(battle: &Battle<R>, from: usize, report: &mut CaseReport) {
    let cited = battle.events().iter().skip(from).flat_map(|event| event.cited());
    report.cited.extend(cited.map(|clause| clause.to_string()));
    if let Some(outcome) = battle.outcome() {
        report.cited.insert(outcome.clause.clone());
    }
}

fn give_order<R: Telling>(
    battle: &mut Battle<R>,
    side: Side,
    draft: &Value,
    step: &Step,
    report: &mut CaseReport,
) -> bool {
    let order = match facade::decode(battle.state(), draft) {
        Ok(order) => order,
        Err(error) => {
            report.failures.push(format!("{}: the order cannot be read: {error}", step.name));
            return false;
        }
    };
    let verdict = battle.check(side, &order);
    for clause in &step.cautioned {
        if !verdict.cautions.iter().any(|note| note.clause.as_str() == clause) {
            report.failures.push(format!("{}: no caution cites {clause}", step.name));
        }
    }
    let no = battle.asked().map(|asked| asked.no).unwrap_or_default();
    let result = battle.submit(side, no, order).map(|_| ());
    match (result, step.refused.is_empty()) {
        (Ok(()), true) => true,
        (Ok(()), false) => {
            report.failures.push(format!("{}: the order was accepted, and should be refused", step.name));
            false
        }
        (Err(SubmitError::Refused(verdict)), false) => {
            check_refusal(&verdict, step, report);
            true
        }
        (Err(SubmitError::NotYours), false) if step.refused.iter().any(|word| word == "not-yours") => true,
        (Err(SubmitError::Refused(verdict)), true) => {
            report.failures.push(format!("{}: refused: {}", step.name, reasons(&verdict)));
            false
        }
        (Err(error), _) => {
            report.failures.push(format!("{}: {error}", step.name));
            false
        }
    }
}

fn reasons(verdict: &Verdict) -> String {
    let notes: Vec<String> = verdict.refusals.iter().map(|note| format!("{} [{}]", note.text, note.clause)).collect();
    notes.join("; ")
}

fn check_refusal(verdict: &Verdict, step: &Step, report: &mut CaseReport) {
    for clause in &step.refused {
        if verdict.refusals.iter().any(|note| note.clause.as_str() == clause) {
            report.cited.insert(clause.clone());
        } else {
            report.failures.push(format!("{}: refused, but not by {clause}: {}", step.name, reasons(verdict)));
        }
    }
}

fn check_extras<R: Telling>(battle: &Battle<R>, side: Side, step: &Step, report: &mut CaseReport) {
    let board = facade::TypedBoard::new(battle.view(Viewer::Side(side)));
    if let Some((a, b)) = step.measure {
        match (board.measure(a, b), step.refused.is_empty()) {
            (Ok(_), true) => {}
            (Ok(length), false) => {
                report.failures.push(format!("{}: the tape says {length}, and should be refused", step.name))
            }
            (Err(note), true) => report.failures.push(format!("{}: measuring refused: {}", step.name, note.text)),
            (Err(note), false) => {
                if step.refused.iter().any(|clause| clause == note.clause.as_str()) {
                    report.cited.insert(note.clause.to_string());
                } else {
                    report.failures.push(format!("{}: measuring refused by {}", step.name, note.clause));
                }
            }
        }
    }
    check_unsaid(&board, step, report);
    if let Some(draft) = &step.order {
        let odds = board.odds(draft);
        if step.no_odds && odds.is_some() {
            report.failures.push(format!("{}: odds are told, and should not be", step.name));
        }
        if let Some(wanted) = &step.odds {
            let found = serde_json::to_value(&odds).unwrap_or(Value::Null);
            if let Some(path) = differs(&found, wanted) {
                report.failures.push(format!("{}: odds differ at {path}: {found}", step.name));
            }
        }
    }
    if let Some(least) = step.candidates {
        let Some(asked) = battle.asked() else { return };
        let view = battle.view(Viewer::Side(side));
        let found = R::candidates(&view, asked, side, &mut Lots::new(1), 200);
        let refused = found.iter().filter(|order| !R::check(&view, asked, side, order).is_legal()).count();
        if found.len() < least || refused > 0 {
            report.failures.push(format!("{}: {} candidates, {refused} of them refused", step.name, found.len()));
        }
    }
}

/// Words, such as a distance, that nothing told to the side before it commits itself may contain: neither the question,
/// nor the judgement of the order, nor its odds, nor the cards of the pieces.
fn check_unsaid(board: &impl Board, step: &Step, report: &mut CaseReport) {
    if step.unsaid.is_empty() {
        return;
    }
    let order = step.order.as_ref();
    let cards: Vec<Vec<String>> = board.scene().pieces.iter().filter_map(|piece| board.card(&piece.key)).collect();
    let said = json!({
        "question": board.prompt(),
        "judgement": order.map(|draft| board.check(draft).ok()),
        "odds": order.map(|draft| board.odds(draft)),
        "cards": cards,
    });
    let said = said.to_string();
    for words in step.unsaid.iter().filter(|words| said.contains(words.as_str())) {
        report.failures.push(format!("{}: \"{words}\" is told, and should not be: {said}", step.name));
    }
}

fn expect<R: Telling>(battle: &Battle<R>, from: usize, wanted: &Expectation, name: &str, report: &mut CaseReport) {
    let view = battle.view(Viewer::Umpire);
    let told: Vec<Value> =
        battle.events().iter().skip(from).filter_map(|event| facade::tell(&view, event)).map(flatten).collect();
    let mut next = 0;
    for event in &wanted.events {
        match told.iter().skip(next).position(|found| differs(found, event).is_none()) {
            Some(place) => next += place + 1,
            None => {
                let list: Vec<String> = told.iter().map(brief).collect();
                report
                    .failures
                    .push(format!("{name}: no such event (in this order): {event}; there were: {}", list.join(" · ")));
            }
        }
    }
    for event in &wanted.never {
        if let Some(found) = told.iter().find(|found| differs(found, event).is_none()) {
            report.failures.push(format!("{name}: this should not happen: {found}"));
        }
    }
    if let Some(state) = &wanted.state {
        let found = facade::pieces_json(battle.state());
        if let Some(path) = differs(&found, state) {
            let at = path.split('.').filter(|key| !key.is_empty()).try_fold(&found, |value, key| value.get(key));
            report.failures.push(format!("{name}: the state differs at {path}: found {}", at.unwrap_or(&Value::Null)));
        }
    }
}

fn brief(event: &Value) -> String {
    let mut short = event.clone();
    if let Some(map) = short.as_object_mut() {
        for key in ["text", "also", "reckoning"] {
            map.remove(key);
        }
    }
    short.to_string()
}

/// An event as a case sees it: its fields beside its clause, dice and reckoning.
fn flatten(told: engine::scene::Told) -> Value {
    let mut value = told.event;
    if let Some(map) = value.as_object_mut() {
        map.insert("clause".to_owned(), json!(told.clause));
        map.insert("also".to_owned(), json!(told.also));
        map.insert("rolls".to_owned(), json!(told.rolls));
        map.insert("text".to_owned(), json!(told.text));
        map.insert("reckoning".to_owned(), told.reckoning.unwrap_or(Value::Null));
    }
    value
}

/// Where `wanted` asks for something `found` does not have; objects are compared only in the fields asked for, lists in
/// full except that a list of words may be a subset, lengths within the house tolerance. `"none"` is what is not there:
/// TOML has no word for it.
fn differs(found: &Value, wanted: &Value) -> Option<String> {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => wanted.iter().find_map(|(key, value)| {
            let inner = found.get(key).unwrap_or(&Value::Null);
            differs(inner, value).map(|path| format!("{key}.{path}"))
        }),
        (Value::Array(found), Value::Array(wanted)) => {
            let words = !wanted.is_empty()
                && wanted
                    .iter()
                    .chain(found)
                    .all(|item| item.as_str().is_some_and(|word| word.parse::<Length>().is_err()));
            if words {
                return wanted.iter().any(|item| !found.contains(item)).then(String::new);
            }
            if found.len() != wanted.len() {
                return Some(String::new());
            }
            found.iter().zip(wanted).enumerate().find_map(|(n, (a, b))| differs(a, b).map(|path| format!("{n}.{path}")))
        }
        (Value::String(a), Value::String(b)) => same_words(a, b).then_some(()).is_none().then(String::new),
        (Value::Number(a), Value::Number(b)) => {
            let close = a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() < 1e-6);
            (!close).then(String::new)
        }
        (Value::Null, Value::String(word)) if word == "none" => None,
        (a, b) => (a != b).then(String::new),
    }
}

fn same_words(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (a.parse::<Length>(), b.parse::<Length>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= SLACK,
        _ => false,
    }
}
