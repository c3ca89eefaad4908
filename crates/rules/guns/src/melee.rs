//! Close combat: who fights whom, who is eligible (R75), what counts (R13), dice, totals and the winner (R33, R79).

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "melee/tests/together.rs"]
mod together;

use super::clause::Clause;
use super::event::{Cause, GunsEvent, MeleeResult};
use super::field::{self, Cover, Elements, Field};
use super::flinch::{aim, perimeter, room};
use super::formation::{Shape, Spacing};
use super::shooting::{self, Calculation};
use super::unit::ChargeStage;
use super::{Guns, assault};
use engine::{Event, Side, Umpire, UnitId};
use smallvec::SmallVec;
use table::{Length, Pose, Quad, SLACK, convex};

/// A body of elements at close quarters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fighters {
    /// Its elements, rank by rank from the front, each rank from the left.
    pub elements: Elements,
    /// Elements in the first rank.
    pub files: usize,
    /// An assault column fights with two ranks.
    pub two_ranks: bool,
}

impl Fighters {
    /// A unit where it stands.
    pub fn of(field: &Field, unit: UnitId) -> Fighters {
        let formation = field::formation(field, unit);
        Fighters {
            elements: field::elements(field, unit),
            files: usize::from(formation.files_of(field::count(field, unit))),
            two_ranks: formation.shape == Shape::Assault,
        }
    }

    fn first_rank(&self) -> &[Quad] {
        self.elements.get(..self.files.min(self.elements.len())).unwrap_or_default()
    }

    fn second_rank(&self) -> impl Iterator<Item = (usize, &Quad)> {
        self.elements.iter().enumerate().skip(self.files).take(if self.two_ranks { self.files } else { 0 })
    }
}

/// The elements of one body that may strike at another: those of the first rank whose front lies on an enemy base, one
/// more at each end of the broader body, and behind them the second rank of an assault column (R75).
pub fn eligible(own: &Fighters, foe: &Fighters) -> SmallVec<[usize; 12]> {
    let front = own.first_rank();
    let mut chosen = met(own, foe);
    let ends = ends(own, foe, &chosen);
    chosen.extend(ends);
    let behind: SmallVec<[usize; 12]> = own
        .second_rank()
        .filter(|(_, quad)| chosen.iter().any(|no| front.get(*no).is_some_and(|ahead| is_behind(quad, ahead))))
        .map(|(no, _)| no)
        .collect();
    chosen.extend(behind);
    chosen.sort_unstable();
    chosen
}

/// The elements of the first rank whose front lies on an enemy base, from the left.
fn met(own: &Fighters, foe: &Fighters) -> SmallVec<[usize; 12]> {
    let touching = |quad: &Quad| foe.elements.iter().any(|other| shares_front(quad, other));
    own.first_rank().iter().enumerate().filter(|(_, quad)| touching(quad)).map(|(no, _)| no).collect()
}

/// The elements with which the broader body overlaps the other, one at each end (quarters-b).
fn ends(own: &Fighters, foe: &Fighters, met: &[usize]) -> SmallVec<[usize; 2]> {
    let front = own.first_rank().len();
    let (Some(&leftmost), Some(&rightmost)) = (met.first(), met.last()) else { return SmallVec::new() };
    if front <= foe.first_rank().len() {
        return SmallVec::new();
    }
    let right = Some(rightmost + 1).filter(|no| *no < front);
    leftmost.checked_sub(1).into_iter().chain(right).collect()
}

/// Whether a unit overlaps anybody it fights.
fn overlaps(field: &Field, combat: &Combat, unit: UnitId) -> bool {
    let own = Fighters::of(field, unit);
    combat.opponents(unit).any(|enemy| {
        let foe = Fighters::of(field, enemy);
        !ends(&own, &foe, &met(&own, &foe)).is_empty()
    })
}

/// Whether the front edge of an element lies on another's base along some length.
fn shares_front(quad: &Quad, other: &Quad) -> bool {
    let (left, right) = quad.front_edge();
    let width = left.distance(right);
    let depth = quad.corners[0] - quad.corners[3];
    if depth.length() <= 0.0 || width <= 0.0 {
        return false;
    }
    let ahead = depth.normalised();
    // A hair before the edge, so that bases which touch within the tolerance share it.
    let hair = ahead * (SLACK + SLACK).as_f64();
    convex::clip((left + hair, right + hair), other.points())
        .is_some_and(|(from, to)| (to - from) * width > SLACK.as_f64())
}

/// Whether an element stands behind another, not merely beside that place.
fn is_behind(quad: &Quad, ahead: &Quad) -> bool {
    let (left, right) = ahead.front_edge();
    let across = (right - left).normalised();
    (quad.centre - ahead.centre).dot(across).abs() + SLACK.as_f64() < left.distance(right)
}

/// How many fight where defenders are spread through an area and bases do not lie edge to edge: as many as face each
/// other, and one more at each end of the broader body.
pub fn by_numbers(own: &Fighters, foe: &Fighters) -> usize {
    let (mine, theirs) = (own.first_rank().len(), foe.first_rank().len());
    let ends = if mine > theirs { (mine - theirs).min(2) } else { 0 };
    let front = mine.min(theirs) + ends;
    front + own.second_rank().count().min(front)
}

/// Units in one close combat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combat {
    /// Those who came on.
    pub attackers: Vec<UnitId>,
    /// Those who were met.
    pub defenders: Vec<UnitId>,
    /// Who touches whom.
    pub pairs: Vec<(UnitId, UnitId)>,
}

impl Combat {
    /// The enemies a unit of it fights.
    pub fn opponents(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let other = move |(one, two): &(UnitId, UnitId)| match unit {
            _ if *one == unit => Some(*two),
            _ if *two == unit => Some(*one),
            _ => None,
        };
        self.pairs.iter().filter_map(other)
    }
}

/// What the dice of one combat came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Who struck whom for how much.
    pub blows: Vec<(UnitId, UnitId, u8)>,
    /// Points the attackers inflicted.
    pub inflicted: u8,
    /// Points they suffered.
    pub suffered: u8,
}

impl Exchange {
    /// How it ended for the attackers (close-b).
    pub fn result(&self) -> MeleeResult {
        match self.inflicted.cmp(&self.suffered) {
            std::cmp::Ordering::Greater => MeleeResult::Won,
            std::cmp::Ordering::Less => MeleeResult::Lost,
            std::cmp::Ordering::Equal => MeleeResult::Drawn,
        }
    }
}

/// Who fights whom, attacker first: charges that came home, and combats that go on (R32). In the order of the dice.
pub fn pairs(field: &Field) -> Vec<(UnitId, UnitId)> {
    let mut found: Vec<(UnitId, UnitId)> = Vec::new();
    let add = |found: &mut Vec<(UnitId, UnitId)>, attacker: UnitId, defender: UnitId| {
        let known = found.contains(&(attacker, defender)) || found.contains(&(defender, attacker));
        let fights = |unit: UnitId| field::is_there(field, unit) && !field::facts(field, unit).is_battery();
        if !known && fights(attacker) && fights(defender) {
            found.push((attacker, defender));
        }
    };
    for unit in aim::chargers(field, |stage| stage == ChargeStage::Home) {
        let Some(at) = aim::target(field, unit) else { continue };
        let answers = field::troops(field, unit).charge.as_deref().is_some_and(|charge| charge.counter);
        let mutual = aim::target(field, at) == Some(unit);
        if answers && mutual { add(&mut found, at, unit) } else { add(&mut found, unit, at) }
    }
    for side in Side::BOTH {
        for (id, unit) in field.present(side) {
            for with in &unit.own.locked {
                let holds = perimeter::holds(field, id).is_some() && perimeter::holds(field, *with).is_none();
                if holds { add(&mut found, *with, id) } else { add(&mut found, id, *with) }
            }
        }
    }
    found
}

/// Units that touch each other directly or through others fight one combat.
pub fn combats(field: &Field, pairs: &[(UnitId, UnitId)]) -> Vec<Combat> {
    let mut left: Vec<(UnitId, UnitId)> = pairs.to_vec();
    let mut found = Vec::new();
    while let Some(first) = left.first().copied() {
        let mut members = vec![first.0, first.1];
        loop {
            let (joined, rest): (Vec<_>, Vec<_>) =
                left.iter().partition(|pair| members.contains(&pair.0) || members.contains(&pair.1));
            left = rest;
            if joined.is_empty() {
                break;
            }
            members.extend(joined.iter().flat_map(|pair| [pair.0, pair.1]));
        }
        members.sort_unstable();
        members.dedup();
        let side = field.side_of(first.0);
        let own = pairs.iter().filter(|pair| members.contains(&pair.0)).copied().collect();
        let (attackers, defenders) = { members }.into_iter().partition(|unit| field.side_of(*unit) == side);
        found.push(Combat { attackers, defenders, pairs: own });
    }
    found
}

/// Lays an attacker's front on the enemy's: square to him, element before element, or its middle before one element
/// where the two stand in different orders (R75). Stays as it is where there is no room for that.
pub fn align(umpire: &mut Umpire<'_, Guns>, attacker: UnitId, defender: UnitId) {
    let field = umpire.state();
    let fresh = aim::stage(field, attacker) == Some(ChargeStage::Home);
    if !fresh || !assault::forward::touches(field, attacker, defender) {
        return;
    }
    let unlike = field::spacing(field, attacker) != field::spacing(field, defender);
    let clause = if unlike { Clause::UnlikeOrdersLineUp } else { Clause::SquareToEnemy };
    let Some(to) = aligned(field, attacker, defender, unlike) else { return };
    if to != field.unit(attacker).pose() && room::has_room(field, attacker, to, field::formation(field, attacker), &[])
    {
        assault::forward::move_to(umpire, attacker, to, clause);
    }
}

fn aligned(field: &Field, attacker: UnitId, defender: UnitId, unlike: bool) -> Option<Pose> {
    let piece = field.unit(attacker);
    let (own, foe) = (field::elements(field, attacker), field::elements(field, defender));
    let (_, touched) = perimeter::nearest(&own, &foe)?;
    let footprint = field.footprint(attacker, piece.body.formation);
    let square = table::conform(piece.pose(), footprint, touched);
    let across = |quad: &Quad| square.to_local(quad.centre).x;
    // Only elements on the line it has been laid on count: those as near as the one it touches.
    let depth = square.to_local(touched.centre).y + SLACK.as_f64();
    let line = foe.iter().filter(|quad| square.to_local(quad.centre).y <= depth);
    let centres: SmallVec<[f64; 12]> = line.map(across).collect();
    let slots: SmallVec<[f64; 12]> = if unlike {
        SmallVec::from_slice(&[0.0])
    } else {
        let formation = piece.body.formation;
        let stood = field::elements_at(field, attacker, square, formation);
        let files = usize::from(formation.files_of(field::count(field, attacker)));
        stood.iter().take(files).map(across).collect()
    };
    let slides = slots.iter().flat_map(|slot| centres.iter().map(move |centre| centre - slot));
    let slide = { slides }.min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    Some(square.sideways(Length::from_um(slide)))
}

/// How many of a unit's elements strike, and at whom: its enemies together make them eligible, the one most of them
/// face takes the points.
pub fn strikes(field: &Field, combat: &Combat, unit: UnitId) -> Option<(UnitId, u8)> {
    let own = Fighters::of(field, unit);
    let mut all: SmallVec<[usize; 12]> = SmallVec::new();
    let mut chosen: Option<(UnitId, usize)> = None;
    for enemy in combat.opponents(unit) {
        let foe = Fighters::of(field, enemy);
        let met = eligible(&own, &foe);
        // In a built-up area or a trench system men fight wherever they meet.
        let apart = met.is_empty() && eligible(&foe, &own).is_empty();
        let weight = if apart { by_numbers(&own, &foe) } else { met.len() };
        if apart {
            all.extend(0..weight);
        }
        all.extend(met);
        if chosen.is_none_or(|(_, most)| weight > most) {
            chosen = Some((enemy, weight));
        }
    }
    all.sort_unstable();
    all.dedup();
    let counted = u8::try_from(all.len()).unwrap_or(u8::MAX);
    chosen.map(|(enemy, _)| (enemy, counted)).filter(|_| counted > 0)
}

/// The calculation of a unit striking at another; only the lines that close combat knows (R13).
pub fn calculation(field: &Field, unit: UnitId, at: UnitId, counted: u8) -> Calculation {
    let (own, foe) = (field::troops(field, unit), field::troops(field, at));
    let mut sum = Calculation { status: own.status, counted, disordered: own.disorder.any(), ..Calculation::default() };
    let cover = field::defended(field, at)
        .filter(|(_, feature)| !perimeter::is_past(field, unit, at, feature))
        .and_then(|(_, feature)| field::cover_of(feature.kind));
    if cover == Some(Cover::Hard) && field::is_foot(field, at) {
        sum.halves.push(Clause::TargetHardCover);
    }
    if foe.charge.as_deref().is_some_and(|charge| charge.stage == ChargeStage::Home) {
        sum.adds.push(Clause::TargetCharging);
    }
    if field::spacing(field, unit) == Spacing::Loose && field::spacing(field, at) == Spacing::Close {
        sum.adds.push(Clause::LooseAgainstClose);
    }
    if cover == Some(Cover::Soft) {
        sum.adds.push(Clause::TargetSoftCover);
    }
    if field::is_mounted(field, at) {
        sum.adds.push(Clause::TargetMounted);
    }
    sum
}

/// One round: everybody's die, attackers first, all reckoned as things stood before it.
pub fn exchange(umpire: &mut Umpire<'_, Guns>, combat: &Combat) -> Exchange {
    let field = umpire.state();
    let order = combat.attackers.iter().chain(&combat.defenders).copied();
    let plans: Vec<(UnitId, UnitId, Calculation, bool)> = { order }
        .filter_map(|unit| {
            let (at, counted) = strikes(field, combat, unit)?;
            Some((unit, at, calculation(field, unit, at, counted), overlaps(field, combat, unit)))
        })
        .collect();
    let mut exchange = Exchange::default();
    for (by, at, sum, overlaps) in plans {
        let points = strike(umpire, by, at, &sum, overlaps);
        let total = if combat.attackers.contains(&by) { &mut exchange.inflicted } else { &mut exchange.suffered };
        *total = total.saturating_add(points);
        exchange.blows.push((by, at, points));
    }
    let result = exchange.result();
    let melee = GunsEvent::Melee {
        attackers: combat.attackers.iter().copied().collect(),
        defenders: combat.defenders.iter().copied().collect(),
        inflicted: exchange.inflicted,
        suffered: exchange.suffered,
        result,
    };
    umpire.announce(Event::own(Clause::MoreInflictedWins, melee).also(Clause::BothSidesReckoned));
    for unit in combat.attackers.iter().chain(&combat.defenders) {
        umpire.announce(Event::own(Clause::BothSidesReckoned, GunsEvent::Fought { unit: *unit }));
    }
    exchange
}

fn strike(umpire: &mut Umpire<'_, Guns>, by: UnitId, at: UnitId, sum: &Calculation, overlaps: bool) -> u8 {
    let field = umpire.state();
    let (side, pool) = (field.side_of(by), field.charts().combat.die.value.0);
    let column = field::formation(field, by).shape == Shape::Assault;
    let roll = umpire.roll(pool, side);
    let face = roll.single().clamp(0, i32::from(u8::MAX)) as u8;
    let (tenths, damage) = sum.result(umpire.charts(), face);
    let reckoning = sum.reckoning(umpire.charts(), face);
    let blow = GunsEvent::Blow { by, at, counted: sum.counted, tenths, damage };
    let event = Event::own(Clause::BothSidesReckoned, blow)
        .also(Clause::OneCalculation)
        .also_if(column, Clause::ColumnTwoRanks)
        .also_if(column, Clause::TwoRanksInContact)
        .also_if(overlaps, Clause::OverlapAtEnds);
    umpire.announce(event.rolled(roll).because(reckoning));
    damage
}

/// Takes the points of a round off.
pub fn hurt(umpire: &mut Umpire<'_, Guns>, exchange: &Exchange) {
    for (by, at, points) in &exchange.blows {
        if *points > 0 && field::is_there(umpire.state(), *at) {
            shooting::damage(umpire, *by, *at, *points, Cause::Melee);
        }
    }
}
