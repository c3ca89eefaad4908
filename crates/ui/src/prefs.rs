//! What this browser remembers: how the page looks, and which battles it holds keys to.

use crate::route::Route;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// The next one when the button is pressed.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Dark,
            Theme::Dark => Theme::Light,
            Theme::Light => Theme::System,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// A battle this browser holds a key to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// Its link, from the `#` on.
    pub link: String,
    /// Its name.
    pub title: String,
    /// The side led, or how it is played.
    pub role: String,
}

/// What is remembered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    pub theme: Theme,
    /// Moves slide and smoke drifts; the system's own wish for calm is obeyed besides.
    pub still: bool,
    pub battles: Vec<Kept>,
}

const SHELF: &str = "grognard";
/// So many battles are remembered.
const MOST: usize = 40;

/// The memory as a signal; every change is written down.
#[derive(Clone, Copy)]
pub struct Prefs(pub RwSignal<Memory>);

impl Prefs {
    /// Reads what was written down.
    pub fn load() -> Prefs {
        let text = storage().and_then(|shelf| shelf.get_item(SHELF).ok().flatten());
        let memory = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let prefs = Prefs(RwSignal::new(memory));
        Effect::new(move |_| prefs.0.with(write_down));
        prefs
    }

    /// Remembers a battle, the newest first.
    pub fn keep(&self, route: &Route, title: &str, role: &str) {
        let kept = Kept { link: route.hash(), title: title.to_owned(), role: role.to_owned() };
        self.0.update(|memory| {
            memory.battles.retain(|other| other.link != kept.link);
            memory.battles.insert(0, kept);
            memory.battles.truncate(MOST);
        });
    }

    /// Forgets a battle.
    pub fn forget(&self, link: &str) {
        self.0.update(|memory| memory.battles.retain(|kept| kept.link != link));
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

fn write_down(memory: &Memory) {
    if let (Some(shelf), Ok(text)) = (storage(), serde_json::to_string(memory)) {
        // A full or forbidden shelf costs the memory, not the battle.
        let _ = shelf.set_item(SHELF, &text);
    }
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", memory.theme.word());
        let _ = root.set_attribute("data-still", if memory.still { "yes" } else { "no" });
    }
}
