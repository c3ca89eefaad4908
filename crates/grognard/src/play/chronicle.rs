//! What happened, as sentences with dice, reckoning and clause.

use crate::page::Page;
use engine::scene::Told;
use serde_json::Value;
use std::io;

/// Tells events; a figure comes with its papers.
pub fn tell(page: &mut Page, told: &[Told]) -> io::Result<()> {
    for event in told {
        page.wrapped("  · ", 4, &format!("{} [{}]", event.text.trim(), event.clause))?;
        let mut notes: Vec<String> = event.rolls.iter().map(|roll| format!("dice {roll}")).collect();
        notes.extend(event.reckoning.as_ref().map(reckoning));
        if !notes.is_empty() {
            page.wrapped("      ", 6, &notes.join(" · "))?;
        }
    }
    Ok(())
}

/// `3 dice, score needed 4, first volley +1`.
fn reckoning(value: &Value) -> String {
    let lines = value["lines"].as_array().into_iter().flatten().map(|line| {
        let label = line["label"].as_str().unwrap_or_default();
        let figure = &line["value"];
        let figure = match line["step"].as_str() {
            Some("add") if figure.as_f64().is_some_and(|figure| figure >= 0.0) => format!("+{figure}"),
            _ => figure.to_string(),
        };
        let source = line["source"].as_str().unwrap_or_default();
        let papers = if source == "house" { " (house rule)" } else { "" };
        format!("{label} {figure}{papers}")
    });
    lines.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_come_with_their_signs() {
        let value = json!({ "lines": [
            { "label": "dice", "step": "look", "value": 3, "source": "printed" },
            { "label": "first volley", "step": "add", "value": 1, "source": "house" },
            { "label": "soft cover", "step": "add", "value": -1, "source": "printed" },
        ] });
        assert_eq!(reckoning(&value), "dice 3, first volley +1 (house rule), soft cover -1");
    }
}
