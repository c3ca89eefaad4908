//! Keys, mouse and fingers.

use super::{Browser, Screen};
use anyhow::Result;
use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use std::time::Duration;

/// How long each step of a drag takes.
const STEP: Duration = Duration::from_millis(16);
const STEPS: u32 = 12;

impl Browser {
    /// Presses keys one after the other; special keys are those of [`fantoccini::key::Key`].
    pub async fn keys(&self, keys: impl IntoIterator<Item = char>) -> Result<()> {
        let mut actions = KeyActions::new("keys".to_owned());
        for value in keys {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        Ok(self.client.perform_actions(actions).await?)
    }

    /// Presses and lets go at a place of the window, with what the screen is made for.
    pub async fn touch(&self, at: (f64, f64)) -> Result<()> {
        self.stroke(&[at], Duration::from_millis(40)).await
    }

    /// Draws a line through places of the window, pressed all the way.
    pub async fn drag(&self, places: &[(f64, f64)]) -> Result<()> {
        let mut path = Vec::new();
        for pair in places.windows(2) {
            if let [from, to] = pair {
                path.extend((0..=STEPS).map(|n| {
                    let part = f64::from(n) / f64::from(STEPS);
                    (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
                }));
            }
        }
        self.stroke(&path, STEP).await
    }

    async fn stroke(&self, path: &[(f64, f64)], pause: Duration) -> Result<()> {
        let down = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
        let up = PointerAction::Up { button: MOUSE_BUTTON_LEFT };
        let mut steps = Vec::new();
        for (n, (x, y)) in path.iter().enumerate() {
            steps.push(PointerAction::MoveTo { duration: Some(Duration::ZERO), x: *x, y: *y });
            if n == 0 {
                steps.push(down.clone());
            }
            steps.push(PointerAction::Pause { duration: pause });
        }
        steps.push(up);
        let actions = match self.screen {
            Screen::Desktop => Actions::from(fold(MouseActions::new("mouse".to_owned()), steps)),
            Screen::Phone => Actions::from(fold(TouchActions::new("finger".to_owned()), steps)),
        };
        self.client.perform_actions(actions).await?;
        Ok(self.client.release_actions().await?)
    }
}

fn fold<S: InputSource<Action = PointerAction>>(source: S, steps: Vec<PointerAction>) -> S {
    steps.into_iter().fold(source, InputSource::then)
}
