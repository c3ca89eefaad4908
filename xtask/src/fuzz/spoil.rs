//! Ways to spoil a text and a draft.

use engine::Lots;
use serde_json::{Value, json};

const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "7",
    "255",
    "256",
    "-32769",
    "65536",
    "2147483648",
    "-2147483649",
    "9223372036854775807",
    "99999999999999999999",
    "1e308",
    "0.1",
    "-0.0",
    "0.0000001",
    "nan",
    "inf",
    "\"\"",
    "true",
    "[]",
    "{}",
];
const LENGTHS: &[&str] = &[
    "\"0in\"",
    "\"-1in\"",
    "\"0.001mm\"",
    "\"99999in\"",
    "\"480in\"",
    "\"1e9in\"",
    "\"in\"",
    "\"100m\"",
    "\"40ft\"",
    "\"12\"",
];
const BITS: &[&str] =
    &["[", "]", "{", "}", "\"", "'", "=", ",", "\n", "#", "[[step]]\n", "\u{0}", "é", "\u{202e}", "@", "\\"];

/// A text with a few things wrong with it; now and then with nothing wrong at all.
pub fn text(text: &str, lots: &mut Lots) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..lots.below(4) {
        match lots.below(10) {
            0 => remove_line(&mut lines, lots),
            1 => repeat_line(&mut lines, lots),
            2 => swap_lines(&mut lines, lots),
            3 => lines.truncate(lots.below(lines.len() + 1)),
            4 => change(&mut lines, lots, insert),
            5 => change(&mut lines, lots, cut),
            6 => change(&mut lines, lots, |line, lots| value_from(line, LENGTHS, lots)),
            _ => change(&mut lines, lots, number),
        }
    }
    let mut out = lines.join("\n");
    out.push('\n');
    if lots.below(8) == 0 {
        let end = lots.below(out.len());
        let end = (end..out.len()).find(|place| out.is_char_boundary(*place)).unwrap_or(out.len());
        out.truncate(end);
    }
    out
}

fn remove_line(lines: &mut Vec<String>, lots: &mut Lots) {
    if !lines.is_empty() {
        lines.remove(lots.below(lines.len()));
    }
}

fn repeat_line(lines: &mut Vec<String>, lots: &mut Lots) {
    if let Some(line) = lots.pick(lines).cloned() {
        let times = if lots.below(20) == 0 { 500 } else { 1 };
        let place = lots.below(lines.len());
        (0..times).for_each(|_| lines.insert(place, line.clone()));
    }
}

fn swap_lines(lines: &mut [String], lots: &mut Lots) {
    if !lines.is_empty() {
        let (a, b) = (lots.below(lines.len()), lots.below(lines.len()));
        lines.swap(a, b);
    }
}

fn change(lines: &mut [String], lots: &mut Lots, how: impl Fn(&str, &mut Lots) -> String) {
    if !lines.is_empty() {
        let place = lots.below(lines.len());
        lines[place] = how(&lines[place], lots);
    }
}

fn boundary(line: &str, lots: &mut Lots) -> usize {
    let place = lots.below(line.len() + 1);
    (place..=line.len()).find(|place| line.is_char_boundary(*place)).unwrap_or(line.len())
}

fn insert(line: &str, lots: &mut Lots) -> String {
    let place = boundary(line, lots);
    let mut bit = lots.pick(BITS).copied().unwrap_or_default().to_owned();
    if lots.below(30) == 0 {
        bit = bit.repeat(3000);
    }
    format!("{}{bit}{}", &line[..place], &line[place..])
}

fn cut(line: &str, lots: &mut Lots) -> String {
    let (a, b) = (boundary(line, lots), boundary(line, lots));
    format!("{}{}", &line[..a.min(b)], &line[a.max(b)..])
}

/// Another value behind the equals sign.
fn value_from(line: &str, values: &[&str], lots: &mut Lots) -> String {
    let value = lots.pick(values).copied().unwrap_or_default();
    line.split_once('=').map_or_else(|| line.to_owned(), |(key, _)| format!("{key}= {value}"))
}

/// Another number in the place of one of the line's.
fn number(line: &str, lots: &mut Lots) -> String {
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|(at, c)| {
            c.is_ascii_digit() && !line[..*at].ends_with(|before: char| before.is_ascii_digit() || before == '.')
        })
        .map(|(at, _)| at)
        .collect();
    let Some(&start) = lots.pick(&starts) else { return value_from(line, NUMBERS, lots) };
    let end = line[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(line.len(), |length| start + length);
    format!("{}{}{}", &line[..start], lots.pick(NUMBERS).copied().unwrap_or_default(), &line[end..])
}

/// A draft with something wrong with it. `names` are the pieces it may be made to speak of.
pub fn draft(draft: &Value, names: &[String], lots: &mut Lots) -> Value {
    let mut spoiled = draft.clone();
    for _ in 0..=lots.below(3) {
        let count = nodes(&spoiled);
        let mut target = lots.below(count);
        visit(&mut spoiled, &mut target, &mut |value| replace(value, names, lots));
    }
    spoiled
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(nodes).sum(),
        Value::Object(map) => map.values().map(nodes).sum(),
        _ => 0,
    }
}

fn visit(value: &mut Value, target: &mut usize, change: &mut impl FnMut(&mut Value)) {
    if *target == 0 {
        change(value);
        *target = usize::MAX;
        return;
    }
    *target -= 1;
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| visit(item, target, change)),
        Value::Object(map) => map.values_mut().for_each(|item| visit(item, target, change)),
        _ => {}
    }
}

fn replace(value: &mut Value, names: &[String], lots: &mut Lots) {
    *value = match (&*value, lots.below(12)) {
        (Value::Array(list), 0..=3) if !list.is_empty() => repeated(list, 1 + lots.below(30)),
        (Value::Array(_), 4) => json!([]),
        (Value::Object(map), 0..=3) if !map.is_empty() => {
            let mut map = map.clone();
            let key = map.keys().nth(lots.below(map.len())).cloned().unwrap_or_default();
            map.remove(&key);
            Value::Object(map)
        }
        (Value::String(text), 0..=3) if text.starts_with('@') => json!(lots.pick(names).cloned().unwrap_or_default()),
        (Value::String(_), 0..=3) => json!(any_words(lots)),
        (Value::Number(_), 0..=5) => json!(any_number(lots)),
        (Value::Bool(truth), 0..=8) => json!(!truth),
        (_, 9) => Value::Null,
        (_, 10) => json!(any_number(lots)),
        (_, 11) => json!(any_words(lots)),
        (other, _) => other.clone(),
    };
}

fn repeated(list: &[Value], times: usize) -> Value {
    Value::Array(list.iter().cycle().take(list.len() * times).cloned().collect())
}

fn any_number(lots: &mut Lots) -> f64 {
    const SOME: &[f64] = &[0.0, -1.0, 0.5, 45.0, 90.0, 359.999, 360.0, -720.0, 1e6, 1e9, -1e18, 255.0, 65536.0];
    lots.pick(SOME).copied().unwrap_or(0.0)
}

/// Words an order may hold, right and wrong.
pub fn any_words(lots: &mut Lots) -> String {
    const SOME: &[&str] = &[
        "ahead 4in",
        "ahead -4in",
        "back 2in",
        "left 1in",
        "wheel left 30",
        "wheel right 180",
        "oblique left 45 3in",
        "about",
        "to 12in 30in",
        "to -5in 900in",
        "turn right 90",
        "turn left 181",
        "ahead 4000in",
        "0in",
        "6in",
        "6.5in",
        "-3in",
        "40in",
        "line",
        "column",
        "skirmish",
        "limbered",
        "u0",
        "u999",
        "u99999999999",
        "c0",
        "g0",
        "f0",
        "u+1",
        "@",
        "",
        "pass",
        "nothing",
    ];
    lots.pick(SOME).copied().unwrap_or_default().to_owned()
}
