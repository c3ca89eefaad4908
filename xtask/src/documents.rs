//! The documents do not lie: the examples of the pages on file formats are run, every name the loaders know is looked for
//! in them, and links between documents lead somewhere.

use crate::tests::Count;
use anyhow::{Context, Result, bail};
use engine::{Ruleset, Seed, Sheet};
use rules::awi::Awi;
use rules::days::Days;
use rules::fpw::Fpw;
use rules::guns::Guns;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The page on what all games have in common.
const COMMON: &str = "docs/formats.md";

/// A game: the page that describes its files, and where its code keeps the names they may hold.
struct Game {
    id: &'static str,
    /// The folder of its chapters; books of one family share it, and one page describes them all.
    family: &'static str,
    page: &'static str,
    /// Enums whose variants are words of files, each with its chapter.
    enums: &'static [(&'static str, &'static str)],
    /// Chapters whose enums are declared by their words.
    words: &'static [&'static str],
    /// Chapters that read files.
    readers: &'static [&'static str],
    /// Who the pieces of the sample orders are; everybody else is a unit.
    cast: &'static [(&'static str, &'static str)],
    /// Reads an order and writes it again.
    order: fn(Value) -> serde_json::Result<Value>,
}

const GAMES: &[Game] = &[
    Game {
        id: "awi",
        family: "awi",
        page: COMMON,
        enums: &[
            ("order", "Order"),
            ("order", "Decision"),
            ("order", "Verb"),
            ("order", "Going"),
            ("event", "AwiEvent"),
            ("event", "Cause"),
            ("sequence", "Phase"),
        ],
        words: &["unit"],
        readers: &["case", "muster", "muster/terms", "muster/units"],
        cast: &[("@howe", "c0"), ("@greene", "c0"), ("@guards-brigade", "g0"), ("@hill", "f0")],
        order: read_order::<Awi>,
    },
    Game {
        id: "fpw",
        family: "fpw",
        page: "docs/formats-fpw.md",
        enums: &[
            ("order", "Order"),
            ("order", "Decision"),
            ("order", "What"),
            ("order", "Going"),
            ("order", "Occasion"),
            ("event", "FpwEvent"),
            ("event", "Part"),
            ("event", "Blunder"),
            ("event", "Manner"),
            ("event", "MarkCause"),
            ("sequence", "Phase"),
            ("settings", "BrigadeRoll"),
            ("settings", "VictoryBy"),
            ("unit", "Absence"),
        ],
        words: &["unit"],
        readers: &["case", "muster", "muster/generals", "muster/units", "muster/terms"],
        cast: &[("@buddenbrock", "c0"), ("@alvensleben", "c0")],
        order: read_order::<Fpw>,
    },
    Game {
        id: "guns",
        family: "guns",
        page: "docs/formats-guns.md",
        enums: &[
            ("order", "Order"),
            ("order", "Decision"),
            ("order", "Matter"),
            ("order", "Step"),
            ("order", "Move"),
            ("event", "GunsEvent"),
            ("sequence", "Phase"),
            ("unit", "ChargeStage"),
        ],
        words: &["unit", "order", "event", "formation", "settings", "muster/quality"],
        readers: &["case", "muster", "muster/armies", "muster/generals", "muster/units", "muster/terms"],
        cast: &[
            ("@castagny", "c0"),
            ("@nayral", "c0"),
            ("@goltz", "c0"),
            ("@nayral-command", "g0"),
            ("@park-wall", "f0"),
        ],
        order: read_order::<Guns>,
    },
    Game {
        id: "iron",
        family: "days",
        page: "docs/formats-days.md",
        enums: &[
            ("order", "Order"),
            ("order", "Decision"),
            ("order", "Before"),
            ("order", "Step"),
            ("event", "DaysEvent"),
            ("sequence", "Phase"),
            ("deployment", "Stage"),
            ("charts", "Band"),
            ("unit", "Health"),
            ("unit", "Task"),
        ],
        words: &["unit", "event", "formation", "settings", "figures"],
        readers: &["case", "muster", "muster/armies", "muster/generals", "muster/kind", "muster/terms", "muster/units"],
        cast: &[
            ("@goeben", "c0"),
            ("@doering", "c0"),
            ("@frossard", "c0"),
            ("@doering-command", "g0"),
            ("@cavalry-command", "g0"),
            ("@farm", "f0"),
            ("@wood", "f0"),
            ("@brook", "f0"),
            ("@bridge", "f0"),
            ("@garden-wall", "f0"),
        ],
        order: read_order::<Days>,
    },
];

fn read_order<R: Ruleset>(draft: Value) -> serde_json::Result<Value> {
    let order: R::Order = serde_json::from_value(draft)?;
    serde_json::to_value(&order)
}

/// Checks the documents.
pub fn run() -> Result<Count> {
    let mut wrong = Vec::new();
    let mut passed = 0;
    let mut judge = |name: String, result: std::result::Result<(), String>| match result {
        Ok(()) => passed += 1,
        Err(what) => wrong.push(format!("{name}: {what}")),
    };
    for game in GAMES {
        for example in examples(&read(game.page)?) {
            judge(format!("{}:{} ({})", game.page, example.line, example.kind), example.run(game));
        }
    }
    let games = GAMES.iter().map(|game| Ok((game.page, game.names()?)));
    for (path, names) in
        std::iter::once(common_names().map(|names| (COMMON, names))).chain(games).collect::<Result<Vec<_>>>()?
    {
        let page = read(path)?;
        for (name, source) in names {
            judge(source, if is_named(&page, &name) { Ok(()) } else { Err(format!("{path} does not know `{name}`")) });
        }
    }
    for (document, link) in links()? {
        let target = document.parent().unwrap_or(&document).join(&link);
        judge(
            shell::shown(&document),
            if target.exists() { Ok(()) } else { Err(format!("leads to {link}, which is not there")) },
        );
    }
    wrong.iter().for_each(|what| println!("    {what}"));
    if !wrong.is_empty() {
        bail!("{} findings", wrong.len());
    }
    println!("    {passed} examples, names and links hold");
    Ok(Count::passed(passed))
}

fn is_named(page: &str, name: &str) -> bool {
    let ways = [
        format!("`{name}`"),
        format!("`\"{name}\"`"),
        format!("{name} = "),
        format!(".{name}`"),
        format!("[{name}]"),
        format!("[{name}."),
    ];
    ways.iter().any(|way| page.contains(way))
}

fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(shell::root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// A fenced block that says what it is.
struct Example {
    kind: String,
    line: usize,
    text: String,
}

fn examples(page: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (n, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(kind), false) => {
                found.push(Example { kind: kind.to_owned(), line: n + 1, text: String::new() });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                if let Some(last) = found.last_mut() {
                    last.text.push_str(line);
                    last.text.push('\n');
                }
            }
            (None, false) => {}
        }
    }
    found
}

impl Example {
    fn run(&self, game: &Game) -> std::result::Result<(), String> {
        let seed = Seed::from_number(1);
        match self.kind.as_str() {
            "toml case" => {
                let report = rules::case::run(&self.text);
                if report.passed() { Ok(()) } else { Err(report.failures.join("; ")) }
            }
            "toml setup" => rules::start(&self.text, None, seed).map(drop).map_err(|error| error.to_string()),
            "toml house" => {
                // A page of several books has files of each.
                let book = rules::ruleset_of(&self.text).unwrap_or_else(|| game.id.to_owned());
                let scenario = rules::SCENARIOS.iter().find(|scenario| scenario.ruleset == book);
                let setup = scenario.ok_or("no scenario")?.text;
                rules::start(setup, Some(&self.text), seed).map(drop).map_err(|error| error.to_string())
            }
            "toml orders" => game.orders(&self.text),
            _ => Ok(()),
        }
    }
}

impl Game {
    fn source(&self, chapter: &str) -> String {
        format!("crates/rules/{}/src/{chapter}.rs", self.family)
    }

    /// A sample order with ids for its names.
    fn with_ids(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text.starts_with('@') => {
                let role = self.cast.iter().find(|(name, _)| name == text);
                Value::String(role.map_or("u0", |(_, id)| id).to_owned())
            }
            Value::Array(list) => Value::Array(list.iter().map(|item| self.with_ids(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(key, item)| (key.clone(), self.with_ids(item))).collect())
            }
            other => other.clone(),
        }
    }

    /// Every line reads as an order, and every order has a line.
    fn orders(&self, text: &str) -> std::result::Result<(), String> {
        let mut seen = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let mut faults = engine::Faults::default();
            let sheet = Sheet::parse(line, &mut faults).ok_or_else(|| format!("{line}: {faults}"))?;
            let draft = sheet.root().json("order", &mut faults).ok_or_else(|| format!("{line}: no order"))?;
            let back = (self.order)(self.with_ids(&draft)).map_err(|error| format!("{line}: {error}"))?;
            seen.extend(back.as_str().map(str::to_owned).or_else(|| back.as_object()?.keys().next().cloned()));
        }
        let source = read(&self.source("order")).map_err(|error| error.to_string())?;
        match variants(&source, "Order").into_iter().find(|name| !seen.contains(name)) {
            Some(name) => Err(format!("no example of `{name}`")),
            None => Ok(()),
        }
    }

    /// Every name a file of this game may hold, with the source that knows it.
    fn names(&self) -> Result<Names> {
        let mut names = Names::new();
        for (chapter, name) in self.enums {
            names.extend(variants_of(&self.source(chapter), name)?);
        }
        for chapter in self.readers {
            names.extend(keys_of(&self.source(chapter))?);
        }
        for chapter in self.words {
            let path = self.source(chapter);
            names.extend(words(&read(&path)?).into_iter().map(|word| (word, path.clone())));
        }
        let settings = read(&self.source("settings"))?;
        let switches =
            settings.lines().filter_map(|line| line.trim().strip_prefix("take(&mut settings.")?.split_once(','));
        names.extend(switches.map(|(name, _)| (name.to_owned(), format!("a setting of {}", self.id))));
        Ok(names)
    }
}

/// Names files may hold, each with the source that knows it.
type Names = Vec<(String, String)>;

/// Every name a file of any game may hold.
fn common_names() -> Result<Names> {
    const ENUMS: &[(&str, &str)] = &[
        ("crates/engine/src/event.rs", "Deed"),
        ("crates/engine/src/event.rs", "Leaving"),
        ("crates/engine/src/battle.rs", "Motion"),
        ("crates/engine/src/state.rs", "Whereabouts"),
    ];
    const READERS: &[&str] =
        &["crates/rules/book/src/case.rs", "crates/rules/book/src/enlist.rs", "crates/engine/src/setup.rs"];
    let mut names = Names::new();
    for (path, name) in ENUMS {
        names.extend(variants_of(path, name)?);
    }
    // What only the engine says to itself is in no file.
    names.retain(|(name, _)| !["own", "unseen"].contains(&name.as_str()));
    for path in READERS {
        names.extend(keys_of(path)?);
    }
    names.extend(table_kinds()?);
    Ok(names)
}

fn variants_of(path: &str, name: &str) -> Result<Names> {
    let found = variants(&read(path)?, name);
    if found.is_empty() {
        bail!("{path} has no enum {name}");
    }
    Ok(found.into_iter().map(|variant| (variant, format!("{path} ({name})"))).collect())
}

fn keys_of(path: &str) -> Result<Names> {
    Ok(keys(&read(path)?).into_iter().map(|key| (key, path.to_owned())).collect())
}

fn table_kinds() -> Result<Vec<(String, String)>> {
    let text = read("crates/table/src/terrain.rs")?;
    let kinds = text.lines().skip_while(|line| *line != "kinds! {").skip(1).take_while(|line| *line != "}");
    Ok(kinds.filter_map(|line| Some((line.split('"').nth(1)?.to_owned(), "a kind of terrain".to_owned()))).collect())
}

/// The variants of an enum in the form files write them.
fn variants(source: &str, name: &str) -> Vec<String> {
    let opens = |line: &&str| {
        line.starts_with(&format!("pub enum {name} {{")) || line.starts_with(&format!("pub enum {name}<"))
    };
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for line in source.lines().skip_while(|line| !opens(line)) {
        let word: String = line.trim().chars().take_while(char::is_ascii_alphanumeric).collect();
        if depth == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) {
            found.push(snake(&word));
        }
        let code = line.split("//").next().unwrap_or_default();
        depth = (depth + code.matches('{').count()).saturating_sub(code.matches('}').count());
        if depth == 0 {
            break;
        }
    }
    found
}

fn snake(word: &str) -> String {
    let mut out = String::new();
    for letter in word.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// The words of the enums a chapter declares by their words.
fn words(source: &str) -> Vec<String> {
    let lines = source.lines().skip_while(|line| *line != "words! {").skip(1).take_while(|line| *line != "}");
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let quoted = line.split("= \"").skip(1).filter_map(|rest| rest.split_once('"'));
        found.extend(quoted.map(|(word, _)| word.to_owned()));
    }
    found
}

/// The keys a reader asks its sheet for.
fn keys(source: &str) -> Vec<String> {
    const CALLS: &[&str] = &[
        "get(\"",
        "optional(\"",
        "json(\"",
        "table(\"",
        "group(\"",
        "tables(\"",
        "has(\"",
        // With the type named, and through the helpers of the muster.
        ">(\"",
        "(root, \"",
        "(&mut table, \"",
        ".sides, \"",
    ];
    let mut found = Vec::new();
    for call in CALLS {
        for (at, _) in source.match_indices(call) {
            let key: String = source[at + call.len()..].chars().take_while(|c| *c != '"').collect();
            if !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found
}

/// Links from one document to another file of the house.
fn links() -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for document in shell::files(&shell::root(), &[".md"])? {
        let text = std::fs::read_to_string(&document)?;
        for (at, _) in text.match_indices("](") {
            let link: String = text[at + 2..].chars().take_while(|c| *c != ')').collect();
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                found.push((Path::new(&document).to_path_buf(), file.to_owned()));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn variants_are_read_off_the_source() {
        let source = "pub enum Order {\n    /// No.\n    Pass,\n    TurnInMelee {\n        Unit: u8,\n    },\n}\nenum X {\n    Y,\n}\n";
        assert_eq!(variants(source, "Order"), ["pass", "turn_in_melee"]);
    }

    #[test]
    fn words_are_read_off_the_source() {
        let source = "words! {\n    Arm { Foot = \"foot\", Horse = \"horse\", }\n}\nconst X: &str = \"y\";\n";
        assert_eq!(words(source), ["foot", "horse"]);
    }

    #[test]
    fn keys_are_read_off_the_source() {
        let source = "table.optional::<Vec<u8>>(\"markers\", faults); read_entry(&mut table, \"agenda\", faults)";
        assert_eq!(keys(source), ["markers", "agenda"]);
    }
}
