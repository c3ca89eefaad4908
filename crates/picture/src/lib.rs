//! The table as a picture: a standalone SVG in the manner of a period campaign map.
//!
//! The ground is drawn from what lies lowest to what was built last; then the pieces, stand by stand; then the
//! lettering, which looks for a free spot. The first side's stands are filled dark, the second's light, so the two can
//! be told apart without colour.

mod areas;
mod effects;
mod frame;
mod layers;
mod lettering;
mod lines;
mod pen;
mod pieces;
mod relief;
mod signs;

pub use layers::Sheet;
pub use pen::escape;

use engine::scene::{PieceKind, Scene, SceneFeature, Sign};
use pen::{Cloth, Pen};
use table::terrain::TerrainKind;
use table::{Outline, Shape, Vec2};

/// The scene as an SVG file.
pub fn svg(scene: &Scene) -> String {
    let mut pen = Pen::new(scene.size);
    frame::open(&mut pen, scene);
    pen.put("<g clip-path=\"url(#table)\">");
    ground(&mut pen, scene);
    pen.put("</g>");
    let mut cloth = Cloth::default();
    spare(&pen, scene, &mut cloth);
    pieces::draw(&mut pen, scene, &mut cloth);
    frame::compass(&mut pen, &mut cloth);
    lettering::pieces(&mut pen, scene, &mut cloth);
    lettering::features(&mut pen, scene, &mut cloth);
    frame::close(&mut pen, scene);
    pen.finish()
}

/// Names keep off walls, works and roofs where they can.
fn spare(pen: &Pen, scene: &Scene, cloth: &mut Cloth) {
    // The wind has its corner, and the compass another.
    let winds = scene.pieces.iter().filter(|piece| piece.kind == PieceKind::Sign(Sign::Wind));
    cloth.cover_all(winds.filter_map(|wind| Some(pieces::patch_of(pen, wind)?.grown(pen.px(2.0)))));
    for feature in scene.features.iter().filter(|feature| depth(feature.kind) >= depth(TerrainKind::Building)) {
        let Ok(shape) = Shape::new(feature.outline.clone()) else { continue };
        let corners = shape.corners();
        if feature.kind == TerrainKind::Building {
            cloth.cover_all(pen::Patch::around(corners.iter().map(|corner| pen.at(*corner))));
        }
        if let Outline::Line { points, .. } = &feature.outline {
            let places: Vec<Vec2> = points.iter().map(|point| point.vec()).collect();
            let spots = pen::along(&places, false, 0.5 * pen::INCH);
            cloth.cover_all(
                spots.into_iter().filter_map(|(place, _)| {
                    pen::Patch::around([pen.at(place)]).map(|patch| patch.grown(pen.px(0.25)))
                }),
            );
        }
    }
}

/// What lies under what.
fn depth(kind: TerrainKind) -> u8 {
    use TerrainKind as T;
    match kind {
        T::Crops | T::Clearing => 0,
        T::Hill => 1,
        T::Difficult | T::Marsh | T::Swamp | T::Scrub => 2,
        T::Lake | T::River | T::Stream => 3,
        T::Road | T::Track | T::Railway => 4,
        T::Ford | T::Bridge | T::Pontoon => 5,
        T::Woods | T::Orchard => 6,
        T::Redoubt | T::Building | T::Town => 7,
        T::Hedge | T::Fence | T::Wall | T::Abatis | T::Earthwork | T::Cliff => 8,
    }
}

fn ground(pen: &mut Pen, scene: &Scene) {
    let mut features: Vec<&SceneFeature> = scene.features.iter().collect();
    features.sort_by_key(|feature| (depth(feature.kind), feature.level));
    let is_way = |feature: &&&SceneFeature| depth(feature.kind) == depth(TerrainKind::Road);
    let under = |feature: &&&SceneFeature| depth(feature.kind) < depth(TerrainKind::Road);
    let over = |feature: &&&SceneFeature| depth(feature.kind) > depth(TerrainKind::Road);
    features.iter().filter(under).for_each(|feature| put(pen, feature));
    // All edges before all beds, so that roads run into each other where they meet.
    features.iter().filter(is_way).for_each(|feature| lines::road_edges(pen, feature));
    features.iter().filter(is_way).for_each(|feature| put(pen, feature));
    features.iter().filter(over).for_each(|feature| put(pen, feature));
}

fn put(pen: &mut Pen, feature: &SceneFeature) {
    let Ok(shape) = Shape::new(feature.outline.clone()) else { return };
    let mut lots = pen::lots_of(&feature.key);
    match feature.kind {
        TerrainKind::Hill => relief::hill(pen, feature, &shape, &mut lots),
        _ if shape.is_line() => lines::draw(pen, feature, &mut lots),
        _ => areas::draw(pen, feature, &shape, &mut lots),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Seed, Viewer};

    fn scene(id: &str) -> Scene {
        let game = rules::start(rules::scenario(id).unwrap().text, None, Seed::from_number(1)).unwrap();
        game.board(Viewer::Umpire).scene()
    }

    /// A small reader of XML: tags balance, attributes are quoted, nothing is left bare.
    fn check_xml(text: &str) {
        let mut open: Vec<String> = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>') && !rest[..start].contains('\0'), "bare > near {:.60}", rest);
            let end = start + rest[start..].find('>').expect("a tag is closed");
            let tag = &rest[start + 1..end];
            assert!(!tag.contains('<'), "{tag}");
            assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
            match (tag.strip_prefix('/'), tag.ends_with('/') || tag.starts_with('?')) {
                (Some(name), _) => assert_eq!(open.pop().as_deref(), Some(name)),
                (None, true) => {}
                (None, false) => open.push(tag.split_whitespace().next().unwrap_or_default().to_owned()),
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(
            text.replace("&amp;", "")
                .replace("&lt;", "")
                .replace("&gt;", "")
                .replace("&quot;", "")
                .replace("&apos;", "")
                .matches('&')
                .count()
                == 0
        );
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn every_scenario_is_a_well_formed_picture() {
        for scenario in rules::SCENARIOS {
            let picture = svg(&scene(scenario.id));
            assert!(picture.starts_with("<?xml"), "{}", scenario.id);
            check_xml(&picture);
            assert!(picture.len() < 3 << 20, "{} takes {} bytes", scenario.id, picture.len());
        }
    }

    #[test]
    fn the_same_scene_is_the_same_picture() {
        assert_eq!(svg(&scene("awi/cowpens")), svg(&scene("awi/cowpens")));
    }

    #[test]
    fn names_cannot_break_out() {
        let mut scene = scene("awi/skirmish");
        scene.title = "<script>alert(\"&\")</script>\u{0}\u{8}".to_owned();
        for piece in &mut scene.pieces {
            piece.name = "\"/><image href='x'/>".to_owned();
        }
        for feature in &mut scene.features {
            feature.name = "]]><&".to_owned();
        }
        let picture = svg(&scene);
        check_xml(&picture);
        assert!(!picture.contains("<script") && !picture.contains("<image"));
    }

    #[test]
    fn every_kind_of_ground_can_be_drawn() {
        let mut scene = scene("awi/skirmish");
        let templates: Vec<_> = scene.features.clone();
        scene.features = TerrainKind::ALL
            .into_iter()
            .flat_map(|kind| templates.iter().map(move |feature| SceneFeature { kind, ..feature.clone() }))
            .collect();
        check_xml(&svg(&scene));
    }
}
