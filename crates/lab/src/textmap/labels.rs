//! Short labels of pieces, made of their keys: those are what a player types.

use engine::Side;
use engine::scene::{PieceKind, Scene, ScenePiece};
use std::collections::BTreeSet;

/// One label for each piece, in the scene's order; no two alike on a side.
pub fn labels(scene: &Scene) -> Vec<String> {
    let mut taken: BTreeSet<(Side, String)> = BTreeSet::new();
    scene
        .pieces
        .iter()
        .map(|piece| {
            let label = suggestions(piece).into_iter().find(|label| !taken.contains(&(piece.side, label.clone())));
            let label = label.unwrap_or_else(|| numbered(piece, &taken));
            taken.insert((piece.side, label.clone()));
            label
        })
        .collect()
}

fn cased(side: Side, text: &str) -> String {
    match side {
        Side::A => text.to_uppercase(),
        Side::B => text.to_lowercase(),
    }
}

fn mark(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::General => "*",
        PieceKind::ChiefGeneral => "**",
        PieceKind::Courier => "@",
        PieceKind::Sharpshooter | PieceKind::Sign(_) => "+",
        _ => "",
    }
}

/// Best first: initials of the words, then the first letters, then the first letter with each later one.
fn suggestions(piece: &ScenePiece) -> Vec<String> {
    let key: Vec<char> = piece.key.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect();
    let letters: Vec<char> = key.iter().copied().filter(|letter| letter.is_alphanumeric()).collect();
    let words: Vec<String> = key.split(|letter| *letter == '-').map(|word| word.iter().collect::<String>()).collect();
    let initials: String = words
        .iter()
        .map(|word| {
            let digits: String = word.chars().take_while(char::is_ascii_digit).take(2).collect();
            if digits.is_empty() { word.chars().take(1).collect() } else { digits }
        })
        .collect();
    let mut found = Vec::new();
    if words.len() > 1 {
        found.push(initials.chars().take(3).collect::<String>());
    }
    found.push(letters.iter().take(2).collect());
    found.push(letters.iter().take(3).collect());
    if let Some(first) = letters.first() {
        found.extend(letters.iter().skip(1).map(|letter| format!("{first}{letter}")));
    }
    let fits = |label: &String| (2..=3).contains(&label.chars().count());
    found.into_iter().filter(fits).map(|label| format!("{}{}", mark(piece.kind), cased(piece.side, &label))).collect()
}

fn numbered(piece: &ScenePiece, taken: &BTreeSet<(Side, String)>) -> String {
    let first: String = piece.key.chars().find(|letter| letter.is_alphanumeric()).into_iter().collect();
    let label = |n: usize| format!("{}{}{n}", mark(piece.kind), cased(piece.side, &first));
    (1..=taken.len() + 1).map(label).find(|label| !taken.contains(&(piece.side, label.clone()))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Seed, Viewer};

    #[test]
    fn labels_are_short_and_unlike() {
        for scenario in rules::SCENARIOS {
            let game = rules::start(scenario.text, None, Seed::from_number(1)).unwrap();
            let scene = game.board(Viewer::Umpire).scene();
            let all = labels(&scene);
            for side in Side::BOTH {
                let own: Vec<&String> =
                    scene.pieces.iter().zip(&all).filter(|(piece, _)| piece.side == side).map(|pair| pair.1).collect();
                let unlike: BTreeSet<&String> = own.iter().copied().collect();
                assert_eq!(own.len(), unlike.len(), "{}: {own:?}", scenario.id);
                assert!(own.iter().all(|label| (1..=5).contains(&label.chars().count())), "{own:?}");
            }
        }
    }
}
