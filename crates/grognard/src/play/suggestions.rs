//! Which of many candidates a player is shown: the advised one first, then something for every piece, then the rest.

use engine::facade::Draft;
use serde_json::Value;

/// Picks at most `limit`; declining is always the last of them.
pub fn pick(advice: Option<Draft>, found: Vec<Draft>, fallback: Option<Draft>, limit: usize) -> Vec<Draft> {
    let mut groups: Vec<(Option<String>, Vec<Draft>)> = Vec::new();
    for draft in found {
        if Some(&draft) == fallback.as_ref() || Some(&draft) == advice.as_ref() {
            continue;
        }
        let who = piece_of(&draft);
        match groups.iter_mut().find(|group| group.0 == who) {
            Some(group) => group.1.push(draft),
            None => groups.push((who, vec![draft])),
        }
    }
    // One of each piece's in turn, so that no piece fills the list alone.
    let longest = groups.iter().map(|group| group.1.len()).max().unwrap_or(0);
    let in_turn = (0..longest).flat_map(|n| groups.iter().filter_map(move |group| group.1.get(n)));
    let room = limit.saturating_sub(usize::from(fallback.is_some()) + usize::from(advice.is_some())).max(1);
    let mut picked: Vec<Draft> = in_turn.take(room).cloned().collect();
    // What belongs to one piece stands together.
    let rank = |draft: &Draft| groups.iter().position(|group| group.0 == piece_of(draft));
    picked.sort_by_key(rank);
    let mut all: Vec<Draft> = advice.into_iter().chain(picked).collect();
    if let Some(fallback) = fallback
        && !all.contains(&fallback)
    {
        all.push(fallback);
    }
    all
}

/// The first piece an order names.
fn piece_of(draft: &Draft) -> Option<String> {
    match draft {
        Value::String(text) => text.starts_with('@').then(|| text.clone()),
        Value::Array(list) => list.iter().find_map(piece_of),
        Value::Object(map) => map.values().find_map(piece_of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hold(unit: &str, n: i32) -> Draft {
        json!({ "hold": { "unit": unit, "n": n } })
    }

    #[test]
    fn every_piece_gets_a_word_and_declining_comes_last() {
        let found = vec![hold("@a", 1), hold("@a", 2), hold("@a", 3), hold("@b", 1), hold("@c", 1), json!("pass")];
        let picked = pick(Some(hold("@b", 1)), found, Some(json!("pass")), 5);
        assert_eq!(picked, [hold("@b", 1), hold("@a", 1), hold("@a", 2), hold("@c", 1), json!("pass")]);
        assert_eq!(pick(None, Vec::new(), Some(json!("pass")), 5), [json!("pass")]);
        assert_eq!(pick(Some(json!("pass")), vec![json!("pass")], Some(json!("pass")), 5), [json!("pass")]);
    }
}
