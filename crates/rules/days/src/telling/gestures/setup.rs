//! Gestures before the battle and of arrivals.

use super::super::Offer;
use crate::candidates;
use crate::deployment::judge::{turn_of, zones};
use crate::deployment::{self, brigades};
use crate::evolution;
use crate::field::{Field, base_edge, facts};
use crate::order::{Arrival, Order, Placement, WorkPlacement};
use book::telling::voice;
use engine::scene::{Gesture, PlanKind};
use engine::{CommandId, UnitId};
use serde_json::{Value, json};
use table::terrain::Edge;
use table::{Length, Point};

/// Shares of an edge at which brigades are offered to come on.
const ALONG: [i32; 7] = [1, 2, 3, 4, 5, 6, 7];
/// Into so many pieces an edge is cut for them.
const PARTS: i32 = 8;

impl<'v> Offer<'v, '_> {
    /// Who stands for a command: its general, else its first unit.
    fn leader(&self, command: CommandId) -> String {
        let general = self.view.muster().command(command).commander;
        let first = crate::field::members(self.view, command).next();
        match (general, first) {
            (Some(general), _) => self.key(general),
            (None, Some(unit)) => self.key(unit),
            (None, None) => self.key(command),
        }
    }

    fn kept_off(&self) -> Vec<CommandId> {
        let kept = &self.view.muster().scenario.kept_off;
        let all = brigades::brigades(self.view, self.side).into_iter();
        all.filter(|id| kept.get(id.index()).copied().unwrap_or(false)).collect()
    }

    /// What stays off, who hides, where works lie: each by itself, the rest as the set-up says.
    pub fn reserves(&mut self) {
        let field: &'v Field = self.view;
        let off = self.kept_off();
        let hides = |unit: &UnitId| deployment::default_place(field, *unit).is_some_and(|place| place.hidden);
        let hidden: Vec<Placement> = brigades::wholes(field, self.side)
            .filter(hides)
            .filter_map(|unit| deployment::default_place(field, unit))
            .collect();
        self.button("As the scenario says", Some('e'), &Order::Pass);
        let usual = |off: Vec<CommandId>, hidden: Vec<Placement>, works| Order::Reserve { off, hidden, works };
        if !off.is_empty() {
            let nobody = usual(Vec::new(), hidden.clone(), Vec::new());
            if self.allows(&nobody) {
                self.button("Nobody stays off the table", None, &nobody);
            }
        }
        self.brigades_off(&hidden);
        self.hiding(&off);
        self.works(&off, &hidden);
    }

    fn brigades_off(&mut self, hidden: &[Placement]) {
        let mut options = Vec::new();
        for brigade in brigades::brigades(self.view, self.side) {
            let order = Order::Reserve { off: vec![brigade], hidden: Vec::new(), works: Vec::new() };
            if !self.allows(&order) {
                continue;
            }
            let (by, key) = (self.leader(brigade), self.key(brigade));
            let name = voice::command(self.view, brigade).to_owned();
            let list = self.apart(|offer| {
                offer.entry(&by, format!("{name} is set up"), Value::Null);
                offer.entry(&by, format!("{name} stays off the table"), json!(key));
            });
            options.push((by, list));
        }
        let whole = Order::Reserve { off: Vec::new(), hidden: hidden.to_vec(), works: Vec::new() };
        let mut draft = self.draft(&whole);
        draft["reserve"]["off"] = json!("$plan");
        self.plan("Keep brigades off the table", options, draft);
    }

    fn hiding(&mut self, off: &[CommandId]) {
        let field: &'v Field = self.view;
        let mut options = Vec::new();
        for unit in brigades::wholes(field, self.side) {
            let Some(place) = deployment::default_place(field, unit) else { continue };
            let order = |hidden| Order::Reserve { off: off.to_vec(), hidden, works: Vec::new() };
            let lies = order(vec![Placement { hidden: true, ..place }]);
            if !self.allows(&lies) {
                continue;
            }
            let (key, lies) = (self.key(unit), self.part_of(&lies, "/reserve/hidden/0"));
            let shows = self.part_of(&order(vec![Placement { hidden: false, ..place }]), "/reserve/hidden/0");
            let list = self.apart(|offer| {
                offer.entry(&key, "As the scenario says", Value::Null);
                offer.entry(&key, "Lies hidden where the scenario places it", lies);
                if place.hidden {
                    offer.entry(&key, "Shows itself", shows);
                }
            });
            options.push((key, list));
        }
        let whole = Order::Reserve { off: off.to_vec(), hidden: Vec::new(), works: Vec::new() };
        let mut draft = self.draft(&whole);
        draft["reserve"]["hidden"] = json!("$plan");
        self.plan("Choose who lies hidden", options, draft);
    }

    /// Bought works, all in one stretch across the front of a unit.
    fn works(&mut self, off: &[CommandId], hidden: &[Placement]) {
        let field: &'v Field = self.view;
        let length = field.muster().scenario.earthworks[self.side];
        if length <= Length::ZERO {
            return;
        }
        for unit in brigades::wholes(field, self.side) {
            let Some(place) = deployment::default_place(field, unit) else { continue };
            let middle = place.pose.ahead(facts(field, unit).stand.depth / 4).at.vec();
            let half = place.pose.forward().perp_right() * length.half().as_f64();
            let work = WorkPlacement { from: Point::from_vec(middle - half), to: Point::from_vec(middle + half) };
            let order = Order::Reserve { off: off.to_vec(), hidden: hidden.to_vec(), works: vec![work] };
            if self.allows(&order) {
                self.button(format!("All works before {}", field.card(unit).name), None, &order);
            }
        }
    }

    /// A whole set-up to be dragged about.
    pub fn set_up(&mut self) {
        let Order::Deploy { units, commanders, .. } = deployment::as_drawn_up(self.view, self.side) else { return };
        let units: Vec<UnitId> = units.into_iter().map(|place| place.unit).collect();
        let riders = commanders.into_iter().map(|place| self.key(place.commander)).collect();
        self.places("Set the troops up".to_owned(), &units, riders, json!({ "deploy": "$plan" }));
        self.button("As the scenario places them", Some('e'), &Order::Pass);
    }

    fn places(&mut self, label: String, units: &[UnitId], riders: Vec<String>, draft: Value) {
        let field: &'v Field = self.view;
        let mut zones = zones(field, self.side);
        for zone in units.iter().flat_map(|id| &facts(field, *id).zones) {
            if !zones.contains(zone) {
                zones.push(*zone);
            }
        }
        let words = |id: &UnitId| {
            let now = field.unit(*id).body.formation;
            let all = evolution::choices(field, *id);
            std::iter::once(now).chain(all).map(|formation| formation.to_string()).collect()
        };
        let of_units = units.iter().map(|id| (self.key(id), words(id)));
        let formations: Vec<(String, Vec<String>)> =
            of_units.chain(riders.into_iter().map(|key| (key, Vec::new()))).collect();
        let pieces = formations.iter().map(|(key, _)| key.clone()).collect();
        self.gestures.push(Gesture::Plan { label, kind: PlanKind::Place { formations, zones }, pieces, draft });
    }

    /// One brigade of those left: any of them to be dragged about, or as the scenario places it.
    pub fn set_up_brigade(&mut self, left: &[Option<CommandId>]) {
        let field: &'v Field = self.view;
        let name = |brigade: Option<CommandId>| match brigade {
            Some(brigade) => voice::command(field, brigade).to_owned(),
            None => "Army troops".to_owned(),
        };
        for brigade in left.iter().copied() {
            let (mut units, commanders) = candidates::drawn_up(field, self.side, brigade);
            // Horse first, then guns, then foot: whoever has no turn comes last.
            units.sort_by_key(|place| turn_of(facts(field, place.unit).arm).unwrap_or(u8::MAX));
            let pieces: Vec<UnitId> = units.iter().map(|place| place.unit).collect();
            let riders = commanders.iter().map(|place| self.key(place.commander)).collect();
            let draft = self.draft(&Order::Deploy { brigade, units, commanders });
            self.places(format!("Set up {}", name(brigade)), &pieces, riders, draft);
        }
        for brigade in left.iter().copied() {
            let order = Order::Deploy { brigade, units: Vec::new(), commanders: Vec::new() };
            if self.allows(&order) {
                let label = format!("{} as the scenario places it", name(brigade));
                self.button(label, None, &order);
            }
        }
        self.button("The next, as the scenario places it", Some('e'), &Order::Pass);
    }

    /// Dust: each brigade at one of several points of the edges, or by pointing at a place of its own edge.
    pub fn arrivals(&mut self, absent: &[CommandId]) {
        let field: &'v Field = self.view;
        let home = base_edge(field, self.side);
        let mut options = Vec::new();
        for brigade in absent.iter().copied() {
            let by = self.leader(brigade);
            let list = self.apart(|offer| {
                offer.entry(&by, "Stays away", Value::Null);
                for edge in [home, Edge::West, Edge::East, Edge::North, Edge::South] {
                    if edge != home || !offer.gestures.iter().any(|one| label_of(one).contains(voice::edge(home))) {
                        offer.dust(&by, brigade, edge);
                    }
                }
            });
            options.push((by, list));
        }
        self.plan("Call dust", options, json!({ "arrive": { "brigades": "$plan" } }));
        self.button("No dust this turn", Some('e'), &Order::Pass);
    }

    fn dust(&mut self, by: &str, brigade: CommandId, edge: Edge) {
        let (width, depth) = self.view.ground().size;
        for part in ALONG {
            let along = |length: Length| length * part / PARTS;
            let at = match edge {
                Edge::North => Point::new(along(width), depth),
                Edge::South => Point::new(along(width), Length::ZERO),
                Edge::East => Point::new(width, along(depth)),
                Edge::West => Point::new(Length::ZERO, along(depth)),
            };
            let order = Order::Arrive { brigades: vec![Arrival { brigade, edge, at }] };
            if self.allows(&order) {
                let draft = self.part_of(&order, "/arrive/brigades/0");
                let label = format!("Comes on over the {} edge, at {}", voice::edge(edge), voice::point(at));
                self.entry(by, label, draft);
            }
        }
    }
}

fn label_of(gesture: &Gesture) -> &str {
    match gesture {
        Gesture::Button { label, .. } => label,
        _ => "",
    }
}
