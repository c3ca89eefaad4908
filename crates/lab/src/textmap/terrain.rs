//! The ground as characters: areas as a loose pattern, lines as what they are.

use super::{Grid, Ink};
use engine::scene::Scene;
use table::terrain::TerrainKind;
use table::{Outline, Shape, Vec2};

/// Glyph, ink, and how many cells lie between two glyphs of an area.
fn look(kind: TerrainKind) -> (char, Ink, usize) {
    use TerrainKind as T;
    match kind {
        T::Clearing => (' ', Ink::Plain, 1),
        T::Woods => ('♣', Ink::Green, 2),
        T::Scrub => ('\'', Ink::Green, 2),
        T::Orchard => ('o', Ink::Green, 2),
        T::Crops => (':', Ink::Faint, 2),
        T::Difficult => (',', Ink::Faint, 2),
        T::Marsh => ('%', Ink::Green, 2),
        T::Hedge => ('&', Ink::Green, 1),
        T::Fence => ('x', Ink::Stone, 1),
        T::Wall => ('#', Ink::Stone, 1),
        T::Abatis => ('Y', Ink::Green, 1),
        T::Earthwork => ('M', Ink::Stone, 1),
        T::Redoubt => ('M', Ink::Stone, 1),
        T::Building => ('▣', Ink::Roof, 1),
        T::Town => ('▣', Ink::Roof, 2),
        T::Hill => ('^', Ink::Faint, 3),
        T::Road => ('·', Ink::Stone, 1),
        T::Track => ('.', Ink::Stone, 2),
        T::Railway => ('+', Ink::Stone, 1),
        T::Stream => ('~', Ink::Water, 1),
        T::River | T::Lake => ('≈', Ink::Water, 1),
        T::Ford => ('·', Ink::Water, 1),
        T::Bridge | T::Pontoon => ('∏', Ink::Stone, 1),
        T::Swamp => ('%', Ink::Water, 2),
        T::Cliff => ('V', Ink::Stone, 1),
    }
}

/// What lies under what: hills first, then what grows, then water and ways, then what was built.
fn depth(kind: TerrainKind) -> u8 {
    use TerrainKind as T;
    match kind {
        T::Hill => 0,
        T::Crops | T::Difficult | T::Marsh | T::Scrub | T::Swamp => 1,
        T::Woods | T::Orchard => 2,
        T::Clearing => 3,
        T::Stream | T::River | T::Lake => 4,
        T::Road | T::Track | T::Railway => 5,
        T::Ford | T::Bridge | T::Pontoon => 6,
        T::Redoubt | T::Building | T::Town => 7,
        _ => 8,
    }
}

/// Draws all features, the lowest first.
pub(super) fn draw(grid: &mut Grid, scene: &Scene) {
    let mut features: Vec<_> = scene.features.iter().collect();
    features.sort_by_key(|feature| (depth(feature.kind), feature.level));
    for feature in features {
        let Ok(shape) = Shape::new(feature.outline.clone()) else { continue };
        let (glyph, ink, sparse) = look(feature.kind);
        let sparse = if feature.kind == TerrainKind::Hill && feature.level > 1 { 2 } else { sparse };
        match &feature.outline {
            Outline::Line { points, width } if width.as_f64() < grid.cell.1 => {
                let places: Vec<Vec2> = points.iter().map(|point| point.vec()).collect();
                thin_line(grid, &places, glyph, ink, sparse);
            }
            _ => area(grid, &shape, glyph, ink, sparse),
        }
    }
}

/// Fills the cells whose middle lies inside; a piece smaller than a cell still shows.
fn area(grid: &mut Grid, shape: &Shape, glyph: char, ink: Ink, sparse: usize) {
    let mut any = false;
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            if shape.contains(grid.place(column, row)) {
                any = true;
                // Every other row is shifted, so that a pattern does not fall into columns.
                if (column + (row % 2) * (sparse / 2)).is_multiple_of(sparse) {
                    grid.set(column, row, glyph, ink);
                }
            }
        }
    }
    if !any {
        let (column, row) = grid.cell_of(shape.bounds().centre());
        grid.set(column, row, glyph, ink);
    }
}

fn thin_line(grid: &mut Grid, places: &[Vec2], glyph: char, ink: Ink, sparse: usize) {
    let step = grid.cell.0.min(grid.cell.1) * 0.5;
    let mut seen = Vec::new();
    for pair in places.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let count = (from.distance(to) / step).ceil().clamp(1.0, 4_000.0) as usize;
        for n in 0..=count {
            let cell = grid.cell_of(from.lerp(to, n as f64 / count as f64));
            if seen.last() != Some(&cell) {
                seen.push(cell);
            }
        }
    }
    for (column, row) in seen.into_iter().step_by(sparse) {
        grid.set(column, row, glyph, ink);
    }
}

/// What the glyphs of this map mean, in as few lines as fit.
pub(super) fn key(scene: &Scene, width: usize) -> Vec<String> {
    let mut kinds: Vec<TerrainKind> = scene.features.iter().map(|feature| feature.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut lines: Vec<String> = Vec::new();
    for kind in kinds {
        let note = format!("{} {}", look(kind).0, kind.name());
        match lines.last_mut() {
            Some(line) if line.chars().count() + note.chars().count() + 3 <= width => {
                line.push_str("   ");
                line.push_str(&note);
            }
            _ => lines.push(note),
        }
    }
    lines
}
