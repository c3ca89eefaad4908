//! The lie of the land: what each piece of ground is, and the crests of hills (section 15, A-77, A-113).

use super::super::Days;
use super::super::charts::reach;
use super::super::clause::Clause;
use super::super::settings::{Nature, Weight};
use engine::ruleset::Opening;
use engine::{Faults, SheetTable};
use table::terrain::{Feature, Ground, TerrainKind};
use table::{Length, Outline, Point, Vec2};

/// The highest level of a hill: Low is 1, High is 2.
const HIGH: u8 = 2;
/// Places along a hill's spine where its breadth is tried.
const TRIALS: i32 = 32;

/// What each feature is, by its number; hills without crests get the usual two.
pub(super) fn survey(root: &SheetTable<'_, '_>, opening: &mut Opening<Days>, faults: &mut Faults) -> Vec<Nature> {
    let broad = reach(opening.charts.constant.river_wider);
    let mut survey = Survey { root, faults };
    survey.table(opening);
    let natures = opening.ground.features.iter().map(|feature| survey.nature(feature)).collect();
    for feature in &opening.ground.features {
        survey.water(feature, broad);
        survey.hill(feature);
        survey.ford(feature, &opening.ground);
        survey.road(feature, &opening.ground);
    }
    for feature in opening.ground.features.iter_mut().filter(|feature| feature.kind == TerrainKind::Hill) {
        if feature.crests.is_empty() {
            feature.crests = usual_crests(feature);
        }
    }
    natures
}

/// Which way water runs, for players who use boats (days.15.3-b).
const FLOWS: &[&str] = &["north", "east", "south", "west"];
/// What is painted on a model house and means nothing (days.15.7-b).
const PAINTED: [&str; 3] = ["doors", "windows", "walls"];

/// Words that exclude each other, each pair with what it is about.
type Pair = (&'static str, &'static str);

struct Survey<'r, 's, 't, 'f> {
    root: &'r SheetTable<'s, 't>,
    faults: &'f mut Faults,
}

impl Survey<'_, '_, '_, '_> {
    fn fault(&mut self, feature: &Feature, clause: Clause, what: &str) {
        let path = format!("table.features.{}", feature.key);
        self.faults.push(self.root.span_of("table"), &path, format!("{what} [{}]", clause.id()));
    }

    fn caution(&mut self, path: &str, clause: Clause, what: &str) {
        self.faults.caution(self.root.span_of("table"), path, format!("{what} [{}]", clause.id()));
    }

    /// Other tables than the usual are for the players to agree on.
    fn table(&mut self, opening: &Opening<Days>) {
        let constant = &opening.charts.constant;
        let usual = (reach(constant.table_width), reach(constant.table_depth));
        if opening.ground.size != usual {
            let what = format!("the usual table is {} by {}", usual.0, usual.1);
            self.caution("table.size", Clause::SizeOfTheTable, &what);
        }
    }

    fn nature(&mut self, feature: &Feature) -> Nature {
        use TerrainKind as K;
        let weight: Pair = ("light", "heavy");
        let (clause, known, usual): (Clause, &[&str], Weight) = match feature.kind {
            K::Woods => (Clause::LightAndHeavyWoods, &["light", "heavy", "undefined"], Weight::Undefined),
            K::Orchard => (Clause::LightAndHeavyWoods, &["light", "heavy", "undefined"], Weight::Light),
            K::Town | K::Building => (Clause::TownsAndVillages, &["light", "heavy"], Weight::Heavy),
            K::Hedge | K::Fence | K::Abatis => {
                (Clause::WallsWorksAndBarriers, &["light", "heavy", "wood", "stone"], Weight::Light)
            }
            K::Wall | K::Earthwork | K::Redoubt => {
                (Clause::WallsWorksAndBarriers, &["light", "heavy", "wood", "stone"], Weight::Heavy)
            }
            K::Hill => (Clause::WhatAHillIsLike, &["gentle", "steep", "easy", "difficult"], Weight::Undefined),
            K::Bridge | K::Pontoon => (Clause::GroundIsWhatItShows, &["wood", "stone"], Weight::Undefined),
            K::River | K::Stream => (Clause::GroundIsWhatItShows, FLOWS, Weight::Undefined),
            _ => (Clause::GroundIsWhatItShows, &[], Weight::Undefined),
        };
        if feature.kind == K::Cliff {
            self.fault(feature, Clause::GroundIsWhatItShows, "the book knows no cliffs: lay a steep hill");
        }
        for word in feature.nature.iter().filter(|word| !known.contains(&word.as_str())) {
            let what = match known {
                [] => format!("{} is never `{word}`", feature.kind.name()),
                _ => format!("{} is never `{word}`, but {}", feature.kind.name(), known.join(" or ")),
            };
            let painted = clause == Clause::TownsAndVillages && PAINTED.contains(&word.as_str());
            self.fault(feature, if painted { Clause::DoorsAndWindows } else { clause }, &what);
        }
        if feature.nature.iter().filter(|word| FLOWS.contains(&word.as_str())).count() > 1 {
            self.fault(feature, Clause::WhichWayItFlows, "flows one way, and both players know which");
        }
        let has = |word: &str| feature.nature.iter().any(|one| one == word);
        for (one, other) in [weight, ("gentle", "steep"), ("easy", "difficult"), ("wood", "stone")] {
            if !(has(one) && has(other)) {
                continue;
            }
            match (one, feature.kind) {
                ("light", K::Town | K::Building) => {
                    let what = "a village of two sorts is laid in two pieces, one light and one heavy";
                    self.fault(feature, Clause::AVillageOfTwoSorts, what);
                }
                _ => self.fault(feature, clause, &format!("is either {one} or {other}")),
            }
        }
        if has("undefined") && (has("light") || has("heavy")) {
            self.fault(
                feature,
                Clause::BeforeAnyoneIsPlaced,
                "is either defined before anybody is placed or undefined",
            );
        }
        if feature.kind == K::Woods && feature.nature.is_empty() {
            let path = format!("table.features.{}", feature.key);
            let what = "neither light nor heavy: a die tells when somebody comes near";
            self.caution(&path, Clause::WoodsNobodyHasNamed, what);
        }
        let weight = match () {
            () if has("light") => Weight::Light,
            () if has("heavy") => Weight::Heavy,
            () if has("undefined") => Weight::Undefined,
            () => usual,
        };
        let timber =
            matches!(feature.kind, K::Woods | K::Orchard | K::Town | K::Building | K::Fence | K::Abatis | K::Pontoon);
        Nature {
            weight,
            steep: has("steep"),
            difficult: has("difficult") || matches!(feature.kind, K::Difficult | K::Scrub),
            wooden: (timber || has("wood")) && !has("stone"),
        }
    }

    /// A river is wider than a stream (days.15.3-a).
    fn water(&mut self, feature: &Feature, broad: Length) {
        let breadth = breadth(feature);
        let what = match feature.kind {
            TerrainKind::River if breadth <= broad => {
                format!("is {breadth} wide: water no wider than {broad} is a stream")
            }
            TerrainKind::Stream if breadth > broad => format!("is {breadth} wide: water wider than {broad} is a river"),
            _ => return,
        };
        self.fault(feature, Clause::RiverOrStream, &what);
    }

    /// Low or High, an area, with its crests on it.
    fn hill(&mut self, feature: &Feature) {
        if feature.kind != TerrainKind::Hill {
            return;
        }
        if feature.shape.is_line() {
            self.fault(feature, Clause::WhatAHillIsLike, "a hill is an area");
        }
        if !(1..=HIGH).contains(&feature.level) {
            self.fault(feature, Clause::WhatAHillIsLike, "a hill is Low, level = 1, or High, level = 2");
        }
        let strays = |crest: &Vec<Point>| {
            crest.len() < 2 || crest.iter().any(|at| feature.shape.distance(at.vec()) > table::SLACK.as_f64())
        };
        if feature.crests.iter().any(strays) {
            self.fault(feature, Clause::TwoCrestsToAHill, "a crest is a line on its hill");
        }
    }

    /// Known fords are marked: a road that goes into a river without one is worth a second look.
    fn road(&mut self, feature: &Feature, ground: &Ground) {
        let leads = matches!(feature.kind, TerrainKind::Road | TerrainKind::Track) && feature.shape.is_line();
        if let Some(river) = dry_crossing(feature, ground).filter(|_| leads) {
            let path = format!("table.features.{}", feature.key);
            let what = format!("goes into `{}` with neither bridge nor ford", river.key);
            self.caution(&path, Clause::FordsEveryoneKnows, &what);
        }
    }

    /// A ford is a place of some water.
    fn ford(&mut self, feature: &Feature, ground: &Ground) {
        if feature.kind != TerrainKind::Ford {
            return;
        }
        let is_water = |other: &&Feature| {
            matches!(other.kind, TerrainKind::River | TerrainKind::Stream | TerrainKind::Lake)
                && other.shape.distance(feature.shape.centre()) <= table::SLACK.as_f64()
        };
        if !ground.features.iter().any(|other| is_water(&other)) {
            self.fault(feature, Clause::WhatAFordIs, "a ford lies in some water");
        }
    }
}

/// Where a road goes through a river with neither bridge nor ford.
fn dry_crossing<'g>(road: &Feature, ground: &'g Ground) -> Option<&'g Feature> {
    let crossings = [TerrainKind::Bridge, TerrainKind::Pontoon, TerrainKind::Ford];
    let leads_over = |place: Vec2| {
        let over = ground.features.iter().filter(|one| crossings.contains(&one.kind));
        over.into_iter().any(|one| one.shape.distance(place) <= table::SLACK.as_f64())
    };
    let places = road.shape.corners();
    let wets = |river: &&Feature| {
        places.windows(2).any(|pair| {
            let [from, to] = pair else { return false };
            let stretches = river.shape.clip((*from, *to));
            stretches.into_iter().any(|(a, b)| !leads_over(*from + (*to - *from) * ((a + b) / 2.0)))
        })
    };
    ground.features.iter().filter(|one| one.kind == TerrainKind::River).find(wets)
}

/// How wide a piece of water is: the width of a line, the lesser side of an area.
fn breadth(feature: &Feature) -> Length {
    match feature.shape.outline() {
        Outline::Line { width, .. } => *width,
        Outline::Disc { radius, .. } => *radius * 2,
        Outline::Area(_) => frame(&feature.shape.corners()).map_or(Length::ZERO, |frame| Length::from_um(frame.across)),
    }
}

/// The least rectangle around an area.
struct Frame {
    middle: Vec2,
    /// The way its longer side runs.
    way: Vec2,
    along: f64,
    across: f64,
}

/// Some side of the least rectangle lies along an edge.
fn frame(corners: &[Vec2]) -> Option<Frame> {
    let next = corners.iter().cycle().skip(1);
    let frames = corners.iter().zip(next).filter_map(|(from, to)| {
        let edge = *to - *from;
        let length = edge.length_squared().sqrt();
        (length > 0.0).then(|| framed(corners, edge * (1.0 / length)))
    });
    frames.min_by(|a, b| (a.along * a.across).total_cmp(&(b.along * b.across)))
}

fn framed(corners: &[Vec2], way: Vec2) -> Frame {
    let side = way.perp_right();
    let extent = |axis: Vec2| {
        let reach = corners.iter().map(|corner| corner.x * axis.x + corner.y * axis.y);
        reach.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let ((low, high), (near, far)) = (extent(way), extent(side));
    let middle = way * ((low + high) / 2.0) + side * ((near + far) / 2.0);
    let (along, across) = (high - low, far - near);
    if along < across {
        return Frame { middle, way: side, along: across, across: along };
    }
    Frame { middle, way, along, across }
}

/// Along the spine, and across where the hill is widest (days.15.1-b, A-113).
pub(super) fn usual_crests(feature: &Feature) -> Vec<Vec<Point>> {
    let Some(frame) = frame(&feature.shape.corners()) else { return Vec::new() };
    let side = frame.way.perp_right();
    let spine = longest(feature, frame.middle, frame.way * (frame.along / 2.0));
    let breadths = (-TRIALS..=TRIALS).filter_map(|trial| {
        let at = frame.middle + frame.way * (frame.along / 2.0 * f64::from(trial) / f64::from(TRIALS));
        Some((trial.abs(), longest(feature, at, side * (frame.across / 2.0))?))
    });
    // Of equal breadths the one nearest to the middle.
    let widest = breadths.max_by(|(a, one), (b, other)| {
        let (wide, wider) = (extent(one), extent(other));
        if (wide - wider).abs() <= table::SLACK.as_f64() { b.cmp(a) } else { wide.total_cmp(&wider) }
    });
    let line = |(from, to): (Vec2, Vec2)| vec![Point::from_vec(from), Point::from_vec(to)];
    spine.into_iter().chain(widest.map(|(_, crest)| crest)).map(line).collect()
}

fn extent(line: &(Vec2, Vec2)) -> f64 {
    (line.1 - line.0).length_squared().sqrt()
}

/// The longest stretch of a line through a place that lies on the feature.
fn longest(feature: &Feature, middle: Vec2, half: Vec2) -> Option<(Vec2, Vec2)> {
    let (from, way) = (middle - half, half * 2.0);
    let stretches = feature.shape.clip((from, middle + half));
    let longest = stretches.into_iter().max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
    Some((from + way * longest.0, from + way * longest.1))
}
