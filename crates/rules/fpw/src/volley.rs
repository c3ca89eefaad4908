//! All fire at one unit at one moment: dice, overshoot, generals at risk, markers, and those who give way. VOLLEY of
//! section D; R48, R49, R51, R52, R63.

#[cfg(test)]
mod tests;

use super::aim::{self, Die, Fire, Rule};
use super::charts::plain;
use super::clause::Clause;
use super::event::{FpwEvent, Manner, Throw};
use super::field::{Field, Stands, blocks_sight, facts, formation, is_there, soldiers, stands};
use super::order::{Decision, Order, Shot, StandRef};
use super::sequence::Phase;
use super::sight::{self, Spot};
use super::unit::Formation;
use super::{Fpw, generals, hidden, markers, morale};
use engine::{CommanderId, Deed, Event, Flow, Leaving, Pool, Reckoning, Side, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Fire to resolve: target unit by target unit. `band`: the band approach fire is resolved at, counted from near.
/// `aimed`: which stands aim at the target in hand, once the firer has said so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Volleys {
    pub shots: Vec<Shot>,
    pub manner: Manner,
    pub band: Option<u8>,
    pub aimed: Option<Vec<StandRef>>,
}

impl Volleys {
    /// Fire about to be resolved.
    pub fn new(shots: Vec<Shot>, manner: Manner, band: Option<u8>) -> Volleys {
        Volleys { shots, manner, band, aimed: None }
    }
}

/// Turns to the next target in roster order.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, mut volleys: Volleys) -> Flow<Fpw> {
    let Some(at) = volleys.shots.iter().map(|shot| shot.at).min() else { return Flow::Done };
    let field = umpire.state();
    if is_there(field, at) && !facts(field, at).is_scout() {
        let fire = aim::gather(field, at, &volleys.shots, volleys.band, volleys.aimed.as_deref());
        if let Rule::Half { most, .. } = fire.rule
            && most > 0
            && volleys.aimed.is_none()
            && let Some(first) = fire.dice.first()
        {
            let side = field.side_of(first.who.unit);
            let stands = fire.dice.iter().map(|die| die.who).collect();
            return Flow::Ask(Who::One(side), Decision::Concentrate { at, stands, most });
        }
        resolve(umpire, &fire, &volleys);
    } else {
        // Scouts under fire are off, whatever the dice would have said.
        markers::remove(umpire, at, Leaving::Spent, Clause::ScoutsLeave);
    }
    volleys.shots.retain(|shot| shot.at != at);
    volleys.aimed = None;
    if volleys.shots.is_empty() {
        return Flow::Done;
    }
    umpire.replace(Phase::Volleys(volleys));
    Flow::Again
}

/// Judges which stands aim at the unit in the middle. The list has one entry for each die of a stand.
pub fn check_concentrate(stands: &[StandRef], most: u8, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    match order {
        Order::Pass => {}
        Order::Concentrate { stands: named } => {
            let mut dice = 0;
            for (n, stand) in named.iter().enumerate() {
                let of_it = stands.iter().filter(|one| *one == stand).count();
                if of_it == 0 || named[..n].contains(stand) {
                    let text =
                        format!("its stand {} is not one of those firing, or is named two times", stand.stand + 1);
                    verdict.refuse(Clause::Concentration, text).about(stand.unit);
                }
                dice += of_it;
            }
            if dice > usize::from(most) {
                let text = format!("{dice} dice on one unit, and not more than {most} may be put on it");
                verdict.refuse(Clause::Concentration, text);
            }
        }
        _ => drop(verdict.refuse(Clause::Concentration, "the question is which stands aim at the unit in the middle")),
    }
    verdict
}

/// Notes the choice; as many as allowed in roster order where none was made.
pub fn execute_concentrate(umpire: &mut Umpire<'_, Fpw>, stands: &[StandRef], most: u8, order: &Order) {
    let chosen = match order {
        Order::Concentrate { stands } => stands.clone(),
        _ => {
            let mut first: Vec<StandRef> = Vec::new();
            let mut dice = 0;
            for stand in stands {
                let of_it = stands.iter().filter(|one| *one == stand).count();
                if !first.contains(stand) && dice + of_it <= usize::from(most) {
                    first.push(*stand);
                    dice += of_it;
                }
            }
            first
        }
    };
    match umpire.phase() {
        Some(Phase::Volleys(volleys)) => volleys.aimed = Some(chosen),
        _ => umpire.fault("fire concentrated without a volley"),
    }
}

/// What a unit has coming to it.
struct Toll {
    unit: UnitId,
    hits: u8,
    seen: u16,
    ranks: SmallVec<[u8; 4]>,
}

fn count(toll: &mut Vec<Toll>, field: &Field, unit: UnitId, hits: u8, seen: u16, from: &[table::Quad]) {
    match toll.iter_mut().find(|other| other.unit == unit) {
        Some(known) => known.hits = known.hits.saturating_add(hits),
        None if hits > 0 => toll.push(Toll { unit, hits, seen, ranks: aim::ranks(field, unit, from) }),
        None => {}
    }
}

fn resolve(umpire: &mut Umpire<'_, Fpw>, fire: &Fire, volleys: &Volleys) {
    let Some(first) = fire.dice.first() else { return };
    let side = umpire.state().side_of(first.who.unit);
    let need = umpire.charts().fire.need.value.get();
    let roll = umpire.roll(Pool::d6(fire.dice.len().min(usize::from(u8::MAX)) as u8), side);
    let throws = thrown(&fire.dice, &roll.pips, need);
    let on_target = |wanted: bool| {
        fire.dice.iter().zip(&throws).filter(|(die, throw)| throw.hit && die.aimed == wanted).count() as u8
    };
    let (hits, off) = (on_target(true), on_target(false));
    let shares = match fire.rule {
        Rule::Batteries(_) => aim::shared_out(umpire.state(), fire.at, &fire.rule, hits),
        Rule::Half { .. } => aim::shared_out(umpire.state(), fire.at, &fire.rule, off),
        Rule::Free => Vec::new(),
    };
    let told = match fire.rule {
        Rule::Batteries(_) => shares.iter().find(|share| share.0 == fire.at).map_or(0, |share| share.1),
        _ => hits,
    };
    let event =
        FpwEvent::Volley { at: fire.at, manner: volleys.manner, range: fire.range, throws: throws.clone(), hits: told };
    let event =
        cite(umpire.state(), fire, volleys, event).rolled(roll).because(aim::reckon(umpire.state(), &fire.dice));
    umpire.announce(event);
    let mut toll = tolls(umpire.state(), fire, told);
    let place = stands(umpire.state(), fire.at);
    for (unit, hits) in shares.into_iter().filter(|share| share.0 != fire.at) {
        let clause =
            if matches!(fire.rule, Rule::Batteries(_)) { Clause::BatteriesSpread } else { Clause::SpreadToNeighbours };
        umpire.announce(Event::own(clause, FpwEvent::Spread { at: unit, hits }));
        let seen = seen_by(umpire.state(), &fire.dice, unit);
        count(&mut toll, umpire.state(), unit, hits, seen, &place);
    }
    overshoot(umpire, fire, &throws, volleys.band, side, &mut toll);
    for entry in &toll {
        risk_generals(umpire, entry, side);
    }
    let mut driven: Vec<(UnitId, u8)> = Vec::new();
    for entry in &toll {
        let further = markers::lay(umpire, entry.unit, entry.hits, entry.seen, &entry.ranks);
        driven.extend((further > 0).then_some((entry.unit, further)));
    }
    for (unit, further) in driven {
        morale::withdraw(umpire, unit, further, Clause::Withdraws);
    }
    hidden::discover(umpire);
}

/// The target's share, and that of a unit stacked behind it (R52).
fn tolls(field: &Field, fire: &Fire, hits: u8) -> Vec<Toll> {
    let firers = firing_quads(field, &fire.dice);
    let seen = seen_by(field, &fire.dice, fire.at);
    let mut toll = Vec::new();
    match fire.behind.filter(|_| !matches!(fire.rule, Rule::Batteries(_))) {
        Some(behind) => {
            let (front, rear) = (soldiers(field, fire.at).count(), soldiers(field, behind).count());
            let (first, second) = aim::stack_shares(front, rear, hits);
            count(&mut toll, field, fire.at, first, seen, &firers);
            count(&mut toll, field, behind, second, u16::MAX, &firers);
        }
        None => count(&mut toll, field, fire.at, hits, seen, &firers),
    }
    toll
}

fn thrown(dice: &[Die], pips: &[u8], need: i32) -> Vec<Throw> {
    let throw = |(die, pip): (&Die, &u8)| Throw {
        by: die.who.unit,
        stand: die.who.stand,
        pip: *pip,
        factor: die.factor().clamp(-100, 100) as i8,
        hit: die.hits(*pip, need),
    };
    dice.iter().zip(pips).map(throw).collect()
}

fn firing_quads(field: &Field, dice: &[Die]) -> Stands {
    let quads = dice.iter().filter_map(|die| stands(field, die.who.unit).get(usize::from(die.who.stand)).copied());
    quads.collect()
}

/// The stands of a unit that any of the firers sees; all of them where none sees any, as when a charger is shot at on
/// its way (R54).
pub fn seen_by(field: &Field, dice: &[Die], at: UnitId) -> u16 {
    let all = (1u16 << stands(field, at).len().min(15)) - 1;
    let mut seen = 0;
    let mut last = None;
    for die in dice {
        if seen == all || last == Some(die.who) {
            continue;
        }
        last = Some(die.who);
        if let Some(quad) = stands(field, die.who.unit).get(usize::from(die.who.stand)) {
            seen |= sight::seen_by_stand(field, Spot { unit: die.who.unit, quad: *quad }, at);
        }
    }
    if seen == 0 { all } else { seen }
}

/// Cites what a volley obeys.
fn cite(field: &Field, fire: &Fire, volleys: &Volleys, event: FpwEvent) -> Event<Fpw> {
    let who = || fire.dice.iter().map(|die| die.who);
    let guns = who().any(|stand| facts(field, stand.unit).arm.is_artillery());
    let several = who().any(|stand| Some(stand.unit) != fire.dice.first().map(|die| die.who.unit));
    let split = who().any(|stand| volleys.shots.iter().any(|shot| shot.unit == stand.unit && shot.at != fire.at));
    let clause = match volleys.manner {
        Manner::Ordered => Clause::ShootingUnderOrders,
        Manner::Reactive(_) | Manner::Standing => Clause::ReactiveFire,
        Manner::Approach => Clause::ApproachFire,
    };
    let picked = volleys.manner == Manner::Ordered && guns;
    let in_line = who().any(|stand| formation(field, stand.unit) == Formation::Line);
    let lines = || fire.dice.iter().flat_map(|die| &die.lines);
    let disrupted = lines().any(|line| matches!(line.0, Clause::FirerDisrupted));
    let sheltered = |unit: UnitId| {
        let features = field.ground().features.iter().filter(|feature| blocks_sight(feature.kind));
        { features }.any(|feature| feature.shape.overlaps_quad(field.unit(unit).quad()))
    };
    let hiding = sheltered(fire.at);
    let inside = hiding && who().any(|stand| sheltered(stand.unit));
    Event::own(clause, event)
        .also(Clause::DiePerStand)
        .also(Clause::WholeEdge)
        .also(if picked { Clause::ArtilleryPicks } else { Clause::NearestTarget })
        .also_if(fire.dice.iter().any(|die| die.lines.len() > 1), Clause::ModifiersAddUp)
        .also_if(in_line, Clause::LineShootsBest)
        .also_if(disrupted, Clause::DisruptedStands)
        .also_if(several, Clause::FireTogether)
        .also_if(split, Clause::StandsSplitFire)
        .also_if(hiding && !inside, Clause::OpenOrEdge)
        .also_if(inside, Clause::SightInside)
        .also_if(volleys.manner == Manner::Approach, Clause::ApproachEffects)
        .also_if(matches!(fire.rule, Rule::Half { .. }), Clause::Concentration)
        .also_if(matches!(fire.rule, Rule::Batteries(_)), Clause::BatteriesSpread)
        .also_if(fire.behind.is_some(), Clause::Stack)
}

/// Sixes are thrown again at whoever stands close behind (R51).
fn overshoot(
    umpire: &mut Umpire<'_, Fpw>,
    fire: &Fire,
    throws: &[Throw],
    band: Option<u8>,
    side: Side,
    toll: &mut Vec<Toll>,
) {
    let on = umpire.charts().fire.overshoot_on.value.get();
    let mut again: Vec<(UnitId, Vec<StandRef>)> = Vec::new();
    for (die, _) in fire.dice.iter().zip(throws).filter(|(_, throw)| i32::from(throw.pip) >= on) {
        match again.iter_mut().find(|(at, _)| *at == die.at) {
            Some((_, who)) => who.push(die.who),
            None => again.push((die.at, vec![die.who])),
        }
    }
    for (at, who) in again {
        let Some(behind) = aim::close_behind(umpire.state(), at) else { continue };
        let dice = aim::carry_on(umpire.state(), &who, behind, band);
        if dice.is_empty() {
            continue;
        }
        let need = umpire.charts().fire.need.value.get();
        let roll = umpire.roll(Pool::d6(dice.len().min(usize::from(u8::MAX)) as u8), side);
        let throws = thrown(&dice, &roll.pips, need);
        let hits = throws.iter().filter(|throw| throw.hit).count() as u8;
        let event = Event::own(Clause::Overshoot, FpwEvent::Overshoot { at: behind, throws, hits });
        let reckoning = aim::reckon(umpire.state(), &dice);
        umpire.announce(event.rolled(roll).because(reckoning));
        let firers = firing_quads(umpire.state(), &dice);
        count(toll, umpire.state(), behind, hits, u16::MAX, &firers);
    }
}

/// A die for each hit on a unit with a general; a one is his (R63).
fn risk_generals(umpire: &mut Umpire<'_, Fpw>, toll: &Toll, side: Side) {
    let riding: SmallVec<[CommanderId; 2]> = generals::attached(umpire.state(), toll.unit).collect();
    let limit = plain(umpire.charts().fire.general_lost_on);
    for general in riding {
        let roll = umpire.roll(Pool::d6(toll.hits), side);
        let lost = roll.pips.iter().any(|pip| i32::from(*pip) <= limit.value);
        let mut reckoning = Reckoning::new();
        reckoning.look(Clause::GeneralRemoved, "lost on", limit);
        let event = Event::own(Clause::GeneralAtRisk, FpwEvent::AtRisk { general, lost });
        umpire.announce(event.also_if(lost, Clause::GeneralRemoved).rolled(roll).because(reckoning));
        if lost {
            umpire.announce(Event::new(Clause::GeneralRemoved, Deed::CommanderLost { commander: general }));
        }
    }
}
