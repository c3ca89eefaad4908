//! Parts of units, off the table until they are sent out: screens, squadrons, horse holders, crews; and the engineers'
//! wagon.

use super::super::Days;
use super::super::charts::{count, reach};
use super::super::clause::Clause;
use super::super::formation::{Formation, Shape};
use super::super::unit::{Arm, Facts, Part, Trait, Troops};
use super::{Enlisted, Out, Roll};
use engine::ruleset::Opening;
use engine::{Faults, UnitCard, UnitId};
use serde_json::Map;
use smallvec::SmallVec;
use table::{Footprint, Point, Pose, Vec2};

pub(super) fn add_parts(opening: &Opening<Days>, roll: &mut Roll, faults: &mut Faults) {
    for n in 0..roll.units.len() {
        let mut out = std::mem::take(&mut roll.units[n].out);
        for part in parts_of(opening, &roll.units[n].card.facts) {
            let sent = out.iter().position(|one| one.part == part).map(|place| out.remove(place));
            add_part(opening, roll, n, part, sent);
        }
        for Out { part, span, .. } in out {
            let clause = clause_of(part);
            faults.push(span, entry_of(part), format!("this unit has no {} [{}]", part.word(), clause.id()));
        }
        if roll.units[n].card.facts.arm == Arm::Engineers {
            add_wagon(opening, roll, n);
        }
    }
}

/// What a unit can send out.
pub(super) fn parts_of(opening: &Opening<Days>, facts: &Facts) -> SmallVec<[Part; 2]> {
    let (switch, constant) = (&opening.charts.switch, &opening.charts.constant);
    match facts.arm {
        Arm::Infantry => {
            let screens = u32::from(facts.class) >= count(constant.skirmish_class) && !facts.is(Trait::SkirmishOnly);
            screens.then_some(Part::Screen).into_iter().collect()
        }
        Arm::Cavalry => {
            let holders = switch.horse_holders.value || opening.settings.horse_holders;
            let dismounts = !switch.light_only.value || facts.is(Trait::Light) || facts.is(Trait::MayDismount);
            [Part::Squadron].into_iter().chain((holders && dismounts).then_some(Part::Holders)).collect()
        }
        Arm::Artillery => [Part::Crew].into_iter().collect(),
        Arm::Engineers | Arm::Wagon => SmallVec::new(),
    }
}

/// The entry of a case under which a part that is out is told.
pub(super) const fn entry_of(part: Part) -> &'static str {
    match part {
        Part::Screen => "skirmishers",
        Part::Squadron => "squadron",
        Part::Holders => "holders",
        Part::Crew => "crew",
    }
}

const fn clause_of(part: Part) -> Clause {
    match part {
        Part::Screen => Clause::WhoMaySkirmish,
        Part::Squadron => Clause::ChargingWithASquadron,
        Part::Holders => Clause::OneInFourHoldsHorses,
        Part::Crew => Clause::TeamAndGunTogether,
    }
}

fn add_part(opening: &Opening<Days>, roll: &mut Roll, n: usize, part: Part, sent: Option<Out>) {
    let id = UnitId(roll.units.len() as u16);
    let whole = &roll.units[n];
    let (ending, title, shape) = match part {
        Part::Screen => ("skirmishers", "Skirmishers of", Shape::Skirmish),
        Part::Squadron => ("squadron", "Squadron of", Shape::Line),
        Part::Holders => ("horses", "Horses of", Shape::Line),
        Part::Crew => ("crew", "Gunners of", Shape::Line),
    };
    let foot = &opening.charts.stand.infantry;
    let man = Footprint { width: reach(foot.width), depth: reach(foot.depth) };
    let stand = if part == Part::Crew { man } else { whole.card.facts.stand };
    let facts = Facts {
        start: 0,
        points: 0,
        model_points: 0,
        part: Some((part, UnitId(n as u16))),
        parts: SmallVec::new(),
        stand,
        zones: Vec::new(),
        entry: None,
        ..whole.card.facts.clone()
    };
    let key = format!("{}-{ending}", whole.card.key);
    let card = UnitCard {
        key: key.clone(),
        name: format!("{title} {}", whole.card.name),
        side: whole.card.side,
        command: whole.card.command,
        facts,
    };
    let troops = Troops::fresh(&card.facts);
    let (pose, left, formation, state) = match sent {
        Some(out) => (out.pose, out.stands, out.formation, out.state),
        None => (None, whole.card.facts.start, None, Map::new()),
    };
    let enlisted = Enlisted {
        card,
        list: None,
        pose,
        formation: formation.unwrap_or(Formation::usual(shape)),
        left,
        troops,
        state,
        hidden: false,
        crest: None,
        out: Vec::new(),
        wagon: None,
        span: whole.span.clone(),
    };
    roll.keys.take(&key);
    roll.units[n].card.facts.parts.push((part, id));
    roll.units.push(enlisted);
}

/// The pontoons travel on a wagon of their own, which fights nobody (days.5.1-d).
fn add_wagon(opening: &Opening<Days>, roll: &mut Roll, n: usize) {
    let party = &roll.units[n];
    let size = &opening.charts.stand.wagon;
    let stand = Footprint { width: reach(size.width), depth: reach(size.depth) };
    let facts = Facts {
        arm: Arm::Wagon,
        start: 1,
        points: count(opening.charts.points.train),
        model_points: 0,
        parts: SmallVec::new(),
        stand,
        limbered: stand,
        entry: None,
        ..party.card.facts.clone()
    };
    let key = format!("{}-wagon", party.card.key);
    let behind = |pose: Pose| {
        let depth = party.card.facts.footprint(party.formation, party.left).depth + party.card.facts.gap;
        Pose { at: Point::from_vec(pose.to_world(Vec2 { x: 0.0, y: -depth.as_f64() })), facing: pose.facing }
    };
    let troops = Troops::fresh(&facts);
    let enlisted = Enlisted {
        card: UnitCard {
            key: key.clone(),
            name: format!("Wagon of {}", party.card.name),
            side: party.card.side,
            command: party.card.command,
            facts,
        },
        list: party.list,
        pose: party.wagon.or(party.pose.map(behind)),
        formation: Formation::usual(Shape::Line),
        left: 1,
        troops,
        state: Map::new(),
        hidden: party.hidden,
        crest: None,
        out: Vec::new(),
        wagon: None,
        span: party.span.clone(),
    };
    roll.keys.take(&key);
    roll.units.push(enlisted);
}
