//! Set-ups: the part of a scenario file that any game shares, and the way from texts to an opening state.

use crate::chart::ChartTree;
use crate::edition::{Edition, EditionNo};
use crate::ids::BySide;
use crate::ruleset::{Opening, Ruleset};
use crate::sheet::{Faults, Sheet, SheetTable};
use crate::state::{SideCard, State};
use std::collections::BTreeSet;
use table::terrain::{Edge, Feature, Ground, TerrainKind};
use table::{Length, Outline, Point, Shape};

/// The format line of a set-up file.
pub const FORMAT: &str = "grognard/setup 1";
/// The format line of a house-rule file.
pub const HOUSE_FORMAT: &str = "grognard/house 1";
/// No table is longer than this, and none shorter than a foot.
const LONGEST_TABLE: Length = Length::whole_inches(480);
const SHORTEST_TABLE: Length = Length::whole_inches(12);
const MOST_FEATURES: usize = 400;

/// How strictly a set-up is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A battle: chain of command and deployment must be in order.
    Battle,
    /// A case: one situation, with whatever is needed to show it.
    Case,
}

/// What every set-up says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupHeader {
    /// The battle's name.
    pub title: String,
    /// When it was fought.
    pub date: String,
    /// A few sentences for newcomers.
    pub about: String,
    /// Rounds after which it ends.
    pub turn_limit: Option<u16>,
    /// The side that begins, as written; the dice decide where it is left out.
    pub first: Option<crate::ids::Side>,
    /// The two sides.
    pub sides: BySide<SideCard>,
}

/// An opening state with what was unusual about its set-up.
pub struct Mustered<R: Ruleset> {
    /// The state before the first page is turned.
    pub state: State<R>,
    /// Allowed, but worth a second look.
    pub cautions: Faults,
}

/// From texts to an opening state. `house` is a house-rule file laid over the set-up.
pub fn muster<R: Ruleset>(text: &str, house: Option<&str>, mode: Mode) -> Result<Mustered<R>, Faults> {
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return Err(faults) };
    let mut root = sheet.root();
    if mode == Mode::Battle {
        expect_format(&mut root, FORMAT, &mut faults);
    }
    let edition = read_edition::<R>(&mut root, &mut faults);
    let state = muster_sheet::<R>(&mut root, edition, text, house, mode, &mut faults)?;
    root.finish(&mut faults);
    match state {
        Some(state) if faults.is_clean() => Ok(Mustered { state, cautions: faults }),
        _ => Err(faults),
    }
}

/// The same for a table inside a larger file, such as a case. The caller finishes the table.
pub fn muster_sheet<R: Ruleset>(
    root: &mut SheetTable<'_, '_>,
    edition: EditionNo,
    text: &str,
    house: Option<&str>,
    mode: Mode,
    faults: &mut Faults,
) -> Result<Option<State<R>>, Faults> {
    let header = read_header(root, mode, faults);
    let ground = read_ground(root, R::NATURES, faults);
    let mut settings = R::Settings::default();
    if let Some(mut table) = root.table("settings", faults) {
        R::read_settings(&mut settings, &mut table, faults);
        table.finish(faults);
    }
    let mut tree = ChartTree::printed(R::edition(edition).charts)?;
    if let Some(mut table) = root.table("house", faults) {
        lay_house::<R>(&mut table, &mut tree, &mut settings, faults);
        table.finish(faults);
    }
    if let Some(house) = house {
        read_house::<R>(house, edition, &mut tree, &mut settings)?;
    }
    let charts = tree.read::<R::Charts>()?;
    let (Some(header), Some(ground)) = (header, ground) else {
        // The rulebook cannot read its own entries without sides and ground.
        root.release();
        return Ok(None);
    };
    let digest = digest(R::edition(edition), text, house);
    let opening = Opening { edition, header, ground, charts, settings, digest };
    Ok(R::muster(root, opening, mode, faults))
}

/// Reads a house-rule file over figures and switches; its faults name its own lines.
pub fn read_house<R: Ruleset>(
    text: &str,
    edition: EditionNo,
    tree: &mut ChartTree,
    settings: &mut R::Settings,
) -> Result<(), Faults> {
    let mut faults = Faults::default();
    let Some(sheet) = Sheet::parse(text, &mut faults) else { return Err(faults) };
    let mut root = sheet.root();
    expect_format(&mut root, HOUSE_FORMAT, &mut faults);
    expect_edition(&mut root, R::edition(edition), &mut faults);
    let _: Option<String> = root.optional("title", &mut faults);
    let _: Option<String> = root.optional("about", &mut faults);
    lay_house::<R>(&mut root, tree, settings, &mut faults);
    root.finish(&mut faults);
    faults.or(())
}

fn lay_house<R: Ruleset>(
    table: &mut SheetTable<'_, '_>,
    tree: &mut ChartTree,
    settings: &mut R::Settings,
    faults: &mut Faults,
) {
    if let Some(mut charts) = table.table("charts", faults) {
        tree.lay_over::<R::Charts>(&mut charts, faults);
    }
    if let Some(mut switches) = table.table("settings", faults) {
        R::read_settings(settings, &mut switches, faults);
        switches.finish(faults);
    }
}

fn digest(edition: &Edition, text: &str, house: Option<&str>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for part in [edition.id, &edition.revision.to_string(), text, house.unwrap_or("")] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// Complains unless the file says which format it follows.
pub fn expect_format(root: &mut SheetTable<'_, '_>, format: &str, faults: &mut Faults) {
    if let Some(found) = root.get::<String>("format", faults)
        && found != format
    {
        root.fault("format", format!("expected \"{format}\", found \"{found}\""), faults);
    }
}

/// The book a file says it is for; the first of the family, and a fault, where it says something else.
pub fn read_edition<R: Ruleset>(root: &mut SheetTable<'_, '_>, faults: &mut Faults) -> EditionNo {
    let Some(found) = root.get::<String>("ruleset", faults) else { return EditionNo::default() };
    R::edition_no(&found).unwrap_or_else(|| {
        let ours: Vec<String> = R::EDITIONS.iter().map(|edition| format!("\"{}\"", edition.id)).collect();
        root.fault("ruleset", format!("expected {}, found \"{found}\"", ours.join(" or ")), faults);
        EditionNo::default()
    })
}

fn expect_edition(root: &mut SheetTable<'_, '_>, edition: &Edition, faults: &mut Faults) {
    if let Some(found) = root.get::<String>("ruleset", faults)
        && found != edition.id
    {
        root.fault("ruleset", format!("expected \"{}\", found \"{found}\"", edition.id), faults);
    }
}

fn read_header(root: &mut SheetTable<'_, '_>, mode: Mode, faults: &mut Faults) -> Option<SetupHeader> {
    // Everything is read before anything is given up: an entry nobody read would be called unknown.
    let title = root.get::<String>("title", faults);
    let sides = read_sides(root, mode, faults);
    let first = root.optional::<String>("first", faults).and_then(|key| {
        let found = sides.as_ref()?.iter().find(|(_, card)| card.key == key).map(|(side, _)| side);
        if found.is_none() {
            root.fault("first", format!("no side is called `{key}`"), faults);
        }
        found
    });
    let turn_limit = root.optional::<u16>("turn_limit", faults);
    if turn_limit.is_some_and(|limit| limit == 0 || limit > 200) {
        root.fault("turn_limit", "expected 1 to 200 rounds", faults);
    }
    if mode == Mode::Battle && turn_limit.is_none() && !root.has("turn_limit") {
        root.caution("turn_limit", "a battle without a limit ends only by defeat", faults);
    }
    let date = root.optional("date", faults).unwrap_or_default();
    let about = root.optional("about", faults).unwrap_or_default();
    // A missing title is written down and stops nothing, so that the faults of the pieces are named as well.
    Some(SetupHeader { title: title.unwrap_or_default(), date, about, turn_limit, first, sides: sides? })
}

fn read_sides(root: &mut SheetTable<'_, '_>, mode: Mode, faults: &mut Faults) -> Option<BySide<SideCard>> {
    let mut cards = Vec::new();
    for (key, mut table) in root.group("sides", faults) {
        let name = table.optional("name", faults).unwrap_or_else(|| key.clone());
        // What cannot be read is a fault already; calling it missing as well would send people the wrong way.
        let known = faults.faults.len();
        let edges: Vec<Edge> = table.optional("edges", faults).unwrap_or_default();
        if edges.is_empty() && faults.faults.len() == known {
            table.fault("edges", "a side needs at least one table edge of its own", faults);
        }
        let known = faults.faults.len();
        let zones = read_zones(&mut table, faults);
        if mode == Mode::Battle && zones.is_empty() && faults.faults.len() == known {
            table.fault("zone", "a side needs a deployment zone", faults);
        }
        table.finish(faults);
        cards.push(SideCard { key, name, edges, zones });
    }
    match <[SideCard; 2]>::try_from(cards) {
        Ok(pair) => Some(BySide(pair)),
        Err(cards) => {
            root.fault("sides", format!("expected exactly two sides, found {}", cards.len()), faults);
            None
        }
    }
}

/// Reads `zone` or `zones`: rectangles by two corners.
pub fn read_zones(table: &mut SheetTable<'_, '_>, faults: &mut Faults) -> Vec<(Point, Point)> {
    let one: Option<(Point, Point)> = table.optional("zone", faults);
    let many: Option<Vec<(Point, Point)>> = table.optional("zones", faults);
    let all = one.into_iter().chain(many.unwrap_or_default());
    all.map(|(a, b)| (Point::new(a.x.min(b.x), a.y.min(b.y)), Point::new(a.x.max(b.x), a.y.max(b.y)))).collect()
}

fn read_ground(root: &mut SheetTable<'_, '_>, natures: &[&str], faults: &mut Faults) -> Option<Ground> {
    let Some(mut table) = root.table("table", faults) else {
        root.fault("table", "`table` is missing", faults);
        return None;
    };
    let size: Option<(Length, Length)> = table.get("size", faults);
    for side in size.iter().flat_map(|size| [size.0, size.1]) {
        if side < SHORTEST_TABLE || side > LONGEST_TABLE {
            table.fault("size", format!("a table is {SHORTEST_TABLE} to {LONGEST_TABLE} long and wide"), faults);
        }
    }
    let wind = table.optional("wind", faults);
    let mut features = Vec::new();
    let mut keys = BTreeSet::new();
    for (key, mut entry) in table.group("features", faults) {
        if !keys.insert(key.clone()) {
            faults.push(entry.span(), entry.path(), "two features have this key");
        }
        if let Some(feature) = read_feature(key, &mut entry, natures, faults) {
            features.push(feature);
        }
        entry.finish(faults);
    }
    if features.len() > MOST_FEATURES {
        table.fault("features", format!("more than {MOST_FEATURES} terrain features"), faults);
        features.clear();
    }
    table.finish(faults);
    Some(Ground { size: size?, features, wind })
}

fn read_feature(key: String, entry: &mut SheetTable<'_, '_>, natures: &[&str], faults: &mut Faults) -> Option<Feature> {
    let kind: Option<TerrainKind> = entry.get("kind", faults);
    let name = entry.optional("name", faults).unwrap_or_default();
    let level = entry.optional("level", faults).unwrap_or(0);
    let crests = entry.optional("crests", faults).unwrap_or_default();
    let nature: Vec<String> = entry.optional("nature", faults).unwrap_or_default();
    for word in nature.iter().filter(|word| !natures.contains(&word.as_str())) {
        let known = if natures.is_empty() { "none".to_owned() } else { natures.join(", ") };
        entry.fault("nature", format!("`{word}` is nothing this game knows of the ground; it knows: {known}"), faults);
    }
    let width: Length = entry.optional("width", faults).unwrap_or_default();
    let rectangle: Option<(Point, Point)> = entry.optional("rectangle", faults);
    let polygon: Option<Vec<Point>> = entry.optional("polygon", faults);
    let line: Option<Vec<Point>> = entry.optional("line", faults);
    let disc: Option<(Point, Length)> = entry.table("disc", faults).and_then(|mut disc| {
        let (centre, radius) = (disc.get("centre", faults), disc.get("radius", faults));
        disc.finish(faults);
        Some((centre?, radius?))
    });
    let mut outlines = Vec::new();
    outlines.extend(rectangle.map(|(a, b)| Outline::Area(vec![a, Point::new(b.x, a.y), b, Point::new(a.x, b.y)])));
    outlines.extend(polygon.map(Outline::Area));
    outlines.extend(line.map(|points| Outline::Line { points, width }));
    outlines.extend(disc.map(|(centre, radius)| Outline::Disc { centre, radius }));
    if ["rectangle", "polygon", "line", "disc"].iter().filter(|key| entry.has(key)).count() != 1 {
        let what = "needs exactly one of rectangle, polygon, line or disc";
        faults.push(entry.span(), entry.path(), what);
        return None;
    }
    let shape = match Shape::new(outlines.pop()?) {
        Ok(shape) => shape,
        Err(error) => {
            faults.push(entry.span(), entry.path(), error.to_string());
            return None;
        }
    };
    Some(Feature { key, name, kind: kind?, shape, level, crests, nature })
}

/// A key made of a name, for pieces a set-up names without giving a key.
pub fn slug(name: &str) -> String {
    let mut key = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            key.push(letter);
        } else if !key.is_empty() && !key.ends_with('-') {
            key.push('-');
        }
    }
    key.trim_end_matches('-').to_owned()
}
