//! What a player does at the table, in a player's words. Everything goes through what the page shows: buttons, the map,
//! the order of battle.

use crate::browser::Browser;
use anyhow::{Context, Result};
use picture::Sheet;
use serde_json::Value;
use table::{Length, Point};

/// A line of the chronicle, as the page prints it.
const CHRONICLE: &str =
    "return [...document.querySelectorAll('[data-test=\"told\"] .sentence')].map((one) => one.textContent)";

impl Browser {
    /// Waits until the table is drawn and somebody is asked something, or the battle is over.
    pub async fn at_table(&self) -> Result<()> {
        self.until("the table to be drawn", "return !!document.querySelector('[data-ready=\"table\"]')").await?;
        self.until("a question", "return !!document.querySelector('[data-test=\"question\"] h2')").await?;
        Ok(())
    }

    /// What is asked, or what is waited for.
    pub async fn question(&self) -> Result<String> {
        let words = self.js("return document.querySelector('[data-test=\"question\"] h2')?.textContent ?? ''").await?;
        Ok(words.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until the question holds these words.
    pub async fn asked(&self, words: &str) -> Result<()> {
        let script = format!(
            "return (document.querySelector('[data-test=\"question\"] h2')?.textContent ?? '').includes({words:?})"
        );
        self.until(&format!("the question “{words}”"), &script).await.map(drop)
    }

    /// Takes a unit in hand by its line in the order of battle.
    pub async fn select(&self, key: &str) -> Result<()> {
        self.click_on(&format!("[data-test=\"unit\"][data-key=\"{key}\"]")).await?;
        self.seen(&format!("[data-test=\"card\"][data-key=\"{key}\"]")).await.map(drop)
    }

    /// Presses an order on the card of the unit in hand.
    pub async fn order(&self, label: &str) -> Result<()> {
        self.click_on(&format!("[data-test=\"card\"] [data-test=\"order\"][data-order=\"{label}\"]")).await
    }

    /// Presses an order that belongs to no single unit.
    pub async fn general_order(&self, label: &str) -> Result<()> {
        self.click_on(&format!("[data-test=\"general-orders\"] [data-test=\"order\"][data-order=\"{label}\"]")).await
    }

    /// Presses the last of them: the one that ends, declines or passes.
    pub async fn general_order_last(&self) -> Result<()> {
        self.click_on("[data-test=\"general-orders\"] [data-test=\"order\"]:last-child").await
    }

    /// Everything in the chronicle that is shown, the newest first or last as the page has it.
    pub async fn chronicle(&self) -> Result<Vec<String>> {
        let lines = self.js(CHRONICLE).await?;
        Ok(serde_json::from_value(lines)?)
    }

    /// Waits until a sentence of the chronicle holds these words, and gives the sentence.
    pub async fn told(&self, words: &str) -> Result<String> {
        let script = format!(
            "return [...document.querySelectorAll('[data-test=\"told\"] .sentence')]
               .map((one) => one.textContent).find((one) => one.includes({words:?})) ?? null"
        );
        let sentence = self.until(&format!("the chronicle to tell “{words}”"), &script).await?;
        Ok(sentence.as_str().unwrap_or_default().to_owned())
    }

    /// The middle of a piece in the window. Where it is sliding, its place when it has arrived.
    pub async fn piece(&self, key: &str) -> Result<(f64, f64)> {
        self.still().await?;
        let script = format!(
            "const piece = document.querySelector('[data-test=\"piece\"][data-key=\"{key}\"]');
             const box = piece?.getBoundingClientRect();
             if (!box || !box.width) return null;
             const tries = [[0, 0], [3, 1], [-3, 1], [3, -4], [-3, -4], [0, 6], [0, -6], [7, 0], [-7, 0]];
             const near = tries.map(([x, y]) => [box.x + box.width / 2 + x, box.y + box.height / 2 + y]);
             return near.find(([x, y]) => piece.contains(document.elementFromPoint(x, y))) ?? near[0]"
        );
        place(&self.until(&format!("{key} to be drawn"), &script).await?)
    }

    /// Waits until nothing slides or fades any more.
    pub async fn still(&self) -> Result<()> {
        let script = "return document.getAnimations().every((one) => one.playState !== 'running')";
        self.until("the page to be still", script).await.map(drop)
    }

    /// Where a place of the table is in the window.
    pub async fn spot(&self, table_inches: (i32, i32), at_inches: (f64, f64)) -> Result<(f64, f64)> {
        let sheet = Sheet::new((Length::whole_inches(table_inches.0), Length::whole_inches(table_inches.1)));
        let at = sheet.at(Point { x: Length::inches(at_inches.0), y: Length::inches(at_inches.1) });
        let script = format!(
            "const box = document.querySelector('[data-ready=\"table\"]').getBoundingClientRect();
             const zoom = box.width / {};
             return [box.x + {} * zoom, box.y + {} * zoom]",
            sheet.page.0, at.x, at.y
        );
        place(&self.js(&script).await?)
    }
}

fn place(value: &Value) -> Result<(f64, f64)> {
    let read = |n: usize| value.get(n).and_then(Value::as_f64).context("no place in the window");
    Ok((read(0)?, read(1)?))
}
