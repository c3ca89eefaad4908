//! Drafts with blanks: an order as the rulebook hands it out, completed by what the player pointed at.

use serde::Serialize;
use serde_json::Value;

/// What may be left blank.
#[allow(missing_docs)] // the names say it
pub mod blank {
    pub const PIECE: &str = "$piece";
    pub const TARGET: &str = "$target";
    pub const LEGS: &str = "$legs";
    pub const POINT: &str = "$point";
    pub const FORMATION: &str = "$formation";
    pub const FACING: &str = "$facing";
    pub const BEARING: &str = "$bearing";
    pub const DISTANCE: &str = "$distance";
    pub const PLAN: &str = "$plan";
    pub const DEAL: &str = "$deal";
    pub const BLOCKS: &str = "$blocks";
}

/// Whether a blank occurs anywhere in a draft.
pub fn has(draft: &Value, blank: &str) -> bool {
    match draft {
        Value::String(text) => text == blank,
        Value::Array(list) => list.iter().any(|item| has(item, blank)),
        Value::Object(fields) => fields.values().any(|item| has(item, blank)),
        _ => false,
    }
}

/// Whether any blank is left.
pub fn is_complete(draft: &Value) -> bool {
    match draft {
        Value::String(text) => !text.starts_with('$'),
        Value::Array(list) => list.iter().all(is_complete),
        Value::Object(fields) => fields.values().all(is_complete),
        _ => true,
    }
}

/// The draft with a blank filled wherever it occurs.
pub fn fill(draft: &Value, blank: &str, with: &impl Serialize) -> Value {
    let with = serde_json::to_value(with).unwrap_or(Value::Null);
    put(draft, blank, &with)
}

fn put(draft: &Value, blank: &str, with: &Value) -> Value {
    match draft {
        Value::String(text) if text == blank => with.clone(),
        Value::Array(list) => Value::Array(list.iter().map(|item| put(item, blank, with)).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, item)| (key.clone(), put(item, blank, with))).collect())
        }
        other => other.clone(),
    }
}

/// The draft without the fields that hold a blank: for blanks a player may leave to the rules.
pub fn without(draft: &Value, blank: &str) -> Value {
    match draft {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(_, item)| item.as_str() != Some(blank));
            Value::Object(kept.map(|(key, item)| (key.clone(), without(item, blank))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(|item| without(item, blank)).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blanks_are_filled_wherever_they_stand() {
        let draft = json!({ "fire": { "unit": "@a", "at": { "unit": "$target" }, "more": ["$target", 3] } });
        assert!(has(&draft, blank::TARGET) && !has(&draft, blank::LEGS) && !is_complete(&draft));
        let full = fill(&draft, blank::TARGET, &"@b");
        assert_eq!(full, json!({ "fire": { "unit": "@a", "at": { "unit": "@b" }, "more": ["@b", 3] } }));
        assert!(is_complete(&full));
    }

    #[test]
    fn a_blank_may_be_left_to_the_rules() {
        let draft = json!({ "reform": { "unit": "@a", "facing": "$facing" } });
        assert_eq!(without(&draft, blank::FACING), json!({ "reform": { "unit": "@a" } }));
    }
}
