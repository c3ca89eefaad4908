//! Keys for people, ids for the house: `"@guards"` in a draft becomes `"u7"` before it is decoded, and back.

use crate::ids::{CommandId, CommanderId, FeatureId, UnitId};
use crate::ruleset::Ruleset;
use crate::state::Muster;
use serde_json::Value;

/// The largest draft anybody is asked to read.
const MOST_NODES: usize = 20_000;
/// The deepest; reading goes down by recursion, and a draft need not come from a JSON text, whose depth is limited.
const MOST_DEPTH: usize = 64;

/// Turns `@keys` into ids and makes sure every id exists. All unknown names are reported together.
pub fn inward<R: Ruleset>(muster: &Muster<R>, draft: &Value) -> Result<Value, Vec<String>> {
    let mut wrong = Vec::new();
    let mut nodes = MOST_NODES;
    let value = walk(draft, &mut nodes, MOST_DEPTH, &mut |text| match text.strip_prefix('@') {
        Some(key) => find(muster, key).unwrap_or_else(|| {
            wrong.push(format!("nothing on the table is called `{key}`"));
            text.to_owned()
        }),
        None => {
            if let Some((letter, number)) = as_id(text)
                && number >= length(muster, letter)
            {
                wrong.push(format!("there is no `{text}`"));
            }
            text.to_owned()
        }
    });
    match value {
        None => Err(vec!["the order is too large".to_owned()]),
        Some(_) if !wrong.is_empty() => Err(wrong),
        Some(value) => Ok(value),
    }
}

/// Turns ids into `@keys`. An id whose key another piece bears too stays as it is, so that the way back is the same.
pub fn outward<R: Ruleset>(muster: &Muster<R>, value: &Value) -> Value {
    // What the house writes itself may be as large as the battle is.
    let mut nodes = usize::MAX;
    walk(value, &mut nodes, usize::MAX, &mut |text| {
        let key = as_id(text).and_then(|(letter, number)| key(muster, letter, number));
        match key.filter(|key| find(muster, key).as_deref() == Some(text)) {
            Some(key) => format!("@{key}"),
            None => text.to_owned(),
        }
    })
    .unwrap_or(Value::Null)
}

fn walk(value: &Value, nodes: &mut usize, depth: usize, change: &mut impl FnMut(&str) -> String) -> Option<Value> {
    *nodes = nodes.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    Some(match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(list) => {
            Value::Array(list.iter().map(|item| walk(item, nodes, depth, change)).collect::<Option<Vec<_>>>()?)
        }
        Value::Object(map) => Value::Object(
            map.iter()
                .map(|(key, item)| Some((change(key), walk(item, nodes, depth, change)?)))
                .collect::<Option<serde_json::Map<_, _>>>()?,
        ),
        other => other.clone(),
    })
}

fn as_id(text: &str) -> Option<(char, usize)> {
    let letter = text.chars().next().filter(|letter| "ucgf".contains(*letter))?;
    let digits = text.get(1..).filter(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))?;
    Some((letter, digits.parse().unwrap_or(usize::MAX)))
}

fn length<R: Ruleset>(muster: &Muster<R>, letter: char) -> usize {
    match letter {
        UnitId::LETTER => muster.units.len(),
        CommanderId::LETTER => muster.commanders.len(),
        CommandId::LETTER => muster.commands.len(),
        _ => muster.ground.features.len(),
    }
}

fn key<R: Ruleset>(muster: &Muster<R>, letter: char, number: usize) -> Option<&str> {
    match letter {
        UnitId::LETTER => muster.units.get(number).map(|card| card.key.as_str()),
        CommanderId::LETTER => muster.commanders.get(number).map(|card| card.key.as_str()),
        CommandId::LETTER => muster.commands.get(number).map(|card| card.key.as_str()),
        _ => muster.ground.features.get(number).map(|feature| feature.key.as_str()),
    }
}

fn find<R: Ruleset>(muster: &Muster<R>, key: &str) -> Option<String> {
    let unit = muster.units.iter().position(|card| card.key == key).map(|n| UnitId(n as u16).to_string());
    let commander =
        || muster.commanders.iter().position(|card| card.key == key).map(|n| CommanderId(n as u16).to_string());
    let command = || muster.commands.iter().position(|card| card.key == key).map(|n| CommandId(n as u16).to_string());
    let feature =
        || muster.ground.features.iter().position(|card| card.key == key).map(|n| FeatureId(n as u16).to_string());
    unit.or_else(commander).or_else(command).or_else(feature)
}
