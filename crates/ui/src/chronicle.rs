//! The chronicle: every event as a sentence with its dice, its reckoning line by line, and its clause.

use crate::desk::Desk;
use crate::dice::Dice;
use crate::notice::ClauseLink;
use engine::scene::Told;
use leptos::prelude::*;
use serde_json::Value;
use std::rc::Rc;

/// So many lines are shown before one asks for more.
const PAGE: usize = 60;

#[component]
pub fn Chronicle(desk: Desk) -> impl IntoView {
    let shown = RwSignal::new(PAGE);
    let lines = move || {
        let filter = desk.filter.get();
        desk.with(|chair| {
            let wanted = |told: &&Rc<Told>| filter.as_ref().is_none_or(|key| mentions(told, key));
            let total = chair.chronicle.iter().filter(wanted).count();
            let most = shown.get();
            let list: Vec<(usize, Rc<Told>, bool)> = chair
                .chronicle
                .iter()
                .enumerate()
                .rev()
                .filter(|(_, told)| wanted(told))
                .take(most)
                .map(|(n, told)| (n, Rc::clone(told), n >= chair.read))
                .collect();
            (list, total)
        })
    };
    let filtered = move || {
        desk.filter.get().map(|key| {
            let name = desk.name_of(&key);
            view! {
                <p class="filter">"Only " {name} " "
                    <button class="plain" on:click=move |_| desk.filter.set(None)>"Show everything"</button>
                </p>
            }
        })
    };
    view! {
        <section class="chronicle" aria-labelledby="chronicle-title" data-test="chronicle">
            <h2 id="chronicle-title">"Chronicle"</h2>
            {filtered}
            <ol>
                {move || {
                    let (list, total) = lines();
                    let more = total > list.len();
                    let entries = list.into_iter().map(|(n, told, fresh)| entry(desk, n, &told, fresh)).collect_view();
                    view! {
                        {entries}
                        {more.then(|| view! {
                            <li><button class="plain" on:click=move |_| shown.update(|n| *n += 4 * PAGE)>"Earlier events"</button></li>
                        })}
                    }
                }}
            </ol>
        </section>
    }
}

/// The newest sentence, read aloud.
#[component]
pub fn Herald(desk: Desk) -> impl IntoView {
    let words = move || {
        desk.with(|chair| {
            let fresh = chair.chronicle.iter().skip(chair.read).map(|told| told.text.clone());
            fresh.collect::<Vec<_>>().join(" ")
        })
    };
    view! { <p class="visually-hidden" aria-live="polite" data-test="herald">{words}</p> }
}

/// Whether an event is about a piece: its key stands somewhere in it.
pub fn mentions(told: &Told, key: &str) -> bool {
    fn holds(value: &Value, key: &str) -> bool {
        match value {
            Value::String(text) => text == key,
            Value::Array(list) => list.iter().any(|item| holds(item, key)),
            Value::Object(fields) => fields.values().any(|item| holds(item, key)),
            _ => false,
        }
    }
    holds(&told.event, key)
}

/// Whether a line only says where we are: no die, no sum, nobody's name. A turn of many steps has many of them.
fn is_quiet(told: &Told) -> bool {
    fn names_somebody(value: &Value) -> bool {
        match value {
            Value::String(text) => text.starts_with('@'),
            Value::Array(list) => list.iter().any(names_somebody),
            Value::Object(fields) => fields.values().any(names_somebody),
            _ => false,
        }
    }
    told.rolls.is_empty() && told.reckoning.is_none() && !names_somebody(&told.event)
}

fn entry(desk: Desk, n: usize, told: &Told, fresh: bool) -> AnyView {
    let clauses: Vec<String> = std::iter::once(told.clause.clone()).chain(told.also.iter().cloned()).collect();
    let reckoning = told.reckoning.as_ref().map(|value| reckoning(desk, value));
    view! {
        <li class:fresh=fresh class:quiet=is_quiet(told) data-test="told" data-line=n>
            <p class="sentence">{told.text.clone()}</p>
            <Dice rolls=told.rolls.clone()/>
            {reckoning}
            <p class="clauses">
                {clauses.into_iter().map(|clause| view! { <ClauseLink desk clause/> }).collect_view()}
            </p>
        </li>
    }
    .into_any()
}

/// The sum behind a throw: what each line adds, which clause says so, and where its figure comes from.
fn reckoning(desk: Desk, value: &Value) -> AnyView {
    let lines = value.get("lines").and_then(Value::as_array).cloned().unwrap_or_default();
    let rows = lines.iter().map(|line| {
        let text = |field: &str| line.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let figure = line.get("value").map(ToString::to_string).unwrap_or_default();
        let figure = match text("step").as_str() {
            "add" if !figure.starts_with('-') => format!("+{figure}"),
            "times" => format!("×{figure}"),
            "halve" => "halved".to_owned(),
            "double" => "doubled".to_owned(),
            _ => figure.replace('-', "−"),
        };
        let source = source_word(line.get("source"));
        view! {
            <tr>
                <th scope="row">{text("label")}</th>
                <td class="figure">{figure}</td>
                <td class="source">{source}</td>
                <td><ClauseLink desk clause=text("clause")/></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <details class="reckoning"><summary>"Reckoning"</summary><table><tbody>{rows}</tbody></table></details>
    }
    .into_any()
}

/// Where a figure comes from, in a word.
fn source_word(source: Option<&Value>) -> String {
    match source {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Object(fields)) => fields
            .iter()
            .next()
            .map(|(word, ruling)| format!("{word} ({})", ruling.as_str().unwrap_or_default()))
            .unwrap_or_default(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_mentions_the_pieces_in_it() {
        let told = Told {
            text: String::new(),
            clause: String::new(),
            also: Vec::new(),
            rolls: Vec::new(),
            reckoning: None,
            event: json!({ "event": "volley", "by": "@guards", "hits": [{ "on": "@line" }] }),
        };
        assert!(mentions(&told, "@guards") && mentions(&told, "@line") && !mentions(&told, "@guns"));
    }

    #[test]
    fn sources_are_said_in_a_word() {
        assert_eq!(source_word(Some(&json!("printed"))), "printed");
        assert_eq!(source_word(Some(&json!({ "reconstructed": "iron-0003" }))), "reconstructed (iron-0003)");
    }
}
