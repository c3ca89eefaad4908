//! What the dice of a volley need before any is thrown: range, modifiers, and on whom the hits may fall. Section E.3,
//! R36, R37, R44, R45, R49, R51, R52.

use super::charts::{Band, plain};
use super::clause::Clause;
use super::field::{
    Field, Shelter, bodies, facts, formation, gap_between, is_engaged, known, shelter, soldiers, stands, touch,
};
use super::fire::{Shooter, Sighting, rear_edge, share_edge};
use super::order::{Shot, StandRef};
use super::unit::{Arm, Weapon};
use engine::{Cited, Reckoning, UnitId};
use smallvec::SmallVec;
use table::{Length, SLACK, Zone, convex, zone};

/// Something that counts for a die: clause, words, figure.
pub type Line = (Clause, &'static str, Cited<i32>);
/// All that counts for one die.
pub type Lines = SmallVec<[Line; 5]>;

/// One die of a volley.
#[derive(Clone, Debug)]
pub struct Die {
    /// Whose.
    pub who: StandRef,
    /// At whom.
    pub at: UnitId,
    /// Whether it is aimed at the target itself and not beside it.
    pub aimed: bool,
    /// What counts.
    pub lines: Lines,
}

impl Die {
    /// What is added to it.
    pub fn factor(&self) -> i32 {
        self.lines.iter().map(|line| line.2.value).sum()
    }

    /// Whether a face hits: no score hits or misses by itself (R46).
    pub fn hits(&self, pip: u8, need: i32) -> bool {
        i32::from(pip) + self.factor() >= need
    }
}

/// How far fire may be put on one unit (R49).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// All of it.
    Free,
    /// So many dice at most; the rest beside it, to the units on its left and right from near to far.
    Half {
        /// Dice.
        most: u8,
        /// To the left of the target.
        left: Vec<UnitId>,
        /// To its right.
        right: Vec<UnitId>,
    },
    /// Guns at guns: hits go over these batteries, the target first.
    Batteries(Vec<UnitId>),
}

/// All fire at one unit at one moment.
#[derive(Clone, Debug)]
pub struct Fire {
    /// At whom.
    pub at: UnitId,
    /// The dice in roster order.
    pub dice: Vec<Die>,
    /// The shortest range.
    pub range: Length,
    /// How far it may be put on one unit.
    pub rule: Rule,
    /// A unit in front-to-rear contact behind the target (R52).
    pub behind: Option<UnitId>,
}

/// The band of a distance; nothing beyond reach.
pub fn band_at(bands: &[Band], range: Length) -> Option<&Band> {
    bands.iter().find(|band| range <= band.to.value.0 + SLACK)
}

/// What a stand makes of a target it is to shoot at, also where it could not have chosen it.
fn look(field: &Field, shooter: &Shooter, at: UnitId) -> Sighting {
    shooter.sights(field, at, Length::MAX).unwrap_or_else(|| blind(field, shooter, at))
}

/// The same without regard to sight: for whoever stands behind or beside the target.
fn blind(field: &Field, shooter: &Shooter, at: UnitId) -> Sighting {
    let ranges = stands(field, at).into_iter().enumerate().map(|(n, quad)| (shooter.range_to(&quad), n as u8));
    let (range, nearest) = ranges.min().unwrap_or((Length::MAX, 0));
    Sighting { range, nearest }
}

/// What helps and hinders a stand beside its weapon: cover, its own state, what the target is and shows (modifiers-b to
/// modifiers-i).
pub fn modifiers(field: &Field, shooter: &Shooter, at: UnitId, nearest: u8) -> Lines {
    let chart = &field.charts().fire.modifier;
    let (firer, own) = (facts(field, shooter.who.unit), soldiers(field, shooter.who.unit));
    let mut lines = Lines::new();
    let struck = stands(field, at).get(usize::from(nearest)).copied();
    let cover = struck.and_then(|quad| shelter(field, &quad, shooter.muzzle()));
    if cover.is_some() {
        lines.push((Clause::Cover, "target in cover", plain(chart.cover)));
    }
    if cover == Some(Shelter::Dense) {
        lines.push((Clause::DenseCover, "dense or prepared cover", plain(chart.dense_cover_further)));
    }
    let marks = own.stands.get(usize::from(shooter.who.stand)).copied().unwrap_or_default();
    if marks.disruption > 0 {
        lines.push((Clause::FirerDisrupted, "firing stand disrupted", plain(chart.firer_disrupted)));
    }
    if marks.degradation > 0 {
        lines.push((Clause::FirerDegraded, "firing stand degraded", plain(chart.firer_degraded)));
    }
    if facts(field, at).arm == Arm::Cavalry {
        lines.push((Clause::TargetCavalry, "target is cavalry", plain(chart.target_cavalry)));
    }
    let footprint = field.footprint(at, formation(field, at));
    if zone(field.unit(at).pose(), footprint, shooter.muzzle()) != Zone::Front {
        lines.push((Clause::FlankOrRear, "from flank or rear", plain(chart.flank_or_rear)));
    }
    let shells =
        firer.weapon.is_gun() || (firer.weapon == Weapon::Mitrailleuse && field.settings().mitrailleuse_v_cover);
    if cover.is_some() && shells {
        lines.push((Clause::ArtilleryAtCover, "artillery against cover", plain(chart.artillery_v_cover)));
    }
    if formation(field, at).is_dense() {
        lines.push((Clause::TargetDense, "target in dense formation", plain(chart.target_dense)));
    }
    lines
}

/// The lines of a stand's dice against a target, weapon first.
fn lines(field: &Field, shooter: &Shooter, at: UnitId, sighting: Sighting, band: &Band) -> Lines {
    let weapon = facts(field, shooter.who.unit).weapon;
    let mut all = Lines::new();
    all.push((weapon.clause(), weapon.name(), plain(band.factor)));
    all.extend(modifiers(field, shooter, at, sighting.nearest));
    all
}

/// Gathers all fire at one unit. `band`: the band of approach fire, counted from near. `aimed`: the stands that aim at the
/// target where not all may; as many as allowed where left out.
pub fn gather(field: &Field, at: UnitId, shots: &[Shot], band: Option<u8>, aimed: Option<&[StandRef]>) -> Fire {
    let mut shooters: Vec<Shooter> = shots
        .iter()
        .filter(|shot| shot.at == at)
        .filter_map(|shot| Shooter::of(field, StandRef { unit: shot.unit, stand: shot.stand }))
        .collect();
    shooters.sort_by_key(|shooter| shooter.who);
    let mut fire = Fire { at, dice: Vec::new(), range: Length::MAX, rule: Rule::Free, behind: stacked(field, at) };
    for shooter in &shooters {
        let sighting = look(field, shooter, at);
        fire.range = fire.range.min(sighting.range);
        let bands = field.charts().bands(facts(field, shooter.who.unit).weapon);
        let fixed = band.and_then(|n| bands.get(usize::from(n)));
        let Some(band) = fixed.or_else(|| band_at(bands, sighting.range)).or(bands.last()) else { continue };
        let lines = lines(field, shooter, at, sighting, band);
        for _ in 0..band.dice.value.get() {
            fire.dice.push(Die { who: shooter.who, at, aimed: true, lines: lines.clone() });
        }
    }
    fire.rule = rule(field, at, &shooters, fire.dice.len());
    if let Rule::Half { most, left, right } = &fire.rule {
        let beside: SmallVec<[UnitId; 2]> = left.first().into_iter().chain(right.first()).copied().collect();
        aim_off(field, &mut fire.dice, &shooters, usize::from(*most), &beside, band, aimed);
    }
    fire
}

/// Turns dice that may not go on the target to the units beside it, by turns.
fn aim_off(
    field: &Field,
    dice: &mut [Die],
    shooters: &[Shooter],
    most: usize,
    beside: &[UnitId],
    band: Option<u8>,
    aimed: Option<&[StandRef]>,
) {
    let mut on_target = 0;
    for shooter in shooters {
        let wanted = aimed.is_none_or(|aimed| aimed.contains(&shooter.who));
        let count = dice.iter().filter(|die| die.who == shooter.who).count();
        let fits = wanted && on_target + count <= most;
        if fits {
            on_target += count;
        }
        dice.iter_mut().filter(|die| die.who == shooter.who).for_each(|die| die.aimed = fits);
    }
    let mut turn = beside.iter().copied().cycle();
    for die in dice.iter_mut().filter(|die| !die.aimed) {
        let shooter = shooters.iter().find(|shooter| shooter.who == die.who);
        let (Some(at), Some(shooter)) = (turn.next(), shooter) else { return };
        let sighting = look(field, shooter, at);
        let bands = field.charts().bands(facts(field, die.who.unit).weapon);
        let fixed = band.and_then(|n| bands.get(usize::from(n)));
        let Some(band) = fixed.or_else(|| band_at(bands, sighting.range)).or(bands.last()) else { continue };
        die.at = at;
        die.lines = lines(field, shooter, at, sighting, band);
    }
}

/// The dice thrown again at a unit behind the target by stands that showed a six; those out of range throw none (R51).
pub fn carry_on(field: &Field, who: &[StandRef], at: UnitId, band: Option<u8>) -> Vec<Die> {
    let again = who.iter().filter_map(|who| {
        let shooter = Shooter::of(field, *who)?;
        let sighting = blind(field, &shooter, at);
        let bands = field.charts().bands(facts(field, who.unit).weapon);
        let fixed = band.and_then(|n| bands.get(usize::from(n)));
        let band = fixed.or_else(|| band_at(bands, sighting.range))?;
        Some(Die { who: *who, at, aimed: true, lines: lines(field, &shooter, at, sighting, band) })
    });
    again.collect()
}

fn rule(field: &Field, at: UnitId, shooters: &[Shooter], dice: usize) -> Rule {
    if let Some(batteries) = battery_line(field, at, shooters) {
        return Rule::Batteries(batteries);
    }
    let frontage: Length =
        shooters.iter().fold(Length::ZERO, |sum, shooter| sum + facts(field, shooter.who.unit).stand.width);
    if frontage <= field.footprint(at, formation(field, at)).width + SLACK {
        return Rule::Free;
    }
    let (left, right) = (chain(field, at, true), chain(field, at, false));
    if left.is_empty() && right.is_empty() {
        return Rule::Free;
    }
    let share = field.charts().fire.concentration.value;
    let fits = |part: &u32| {
        let (used, whole) = share.used(*part, dice as u32);
        used <= whole
    };
    let most = (0..=dice as u32).rev().find(fits).unwrap_or(0).min(u32::from(u8::MAX)) as u8;
    Rule::Half { most, left, right }
}

/// Brigaded guns under the fire of brigaded guns: the target and the batteries of its brigade from near to far, linked by
/// gaps no wider than a brigade's (R49, R89).
fn battery_line(field: &Field, at: UnitId, shooters: &[Shooter]) -> Option<Vec<UnitId>> {
    let first = shooters.first()?.who.unit;
    let guns = |unit: UnitId| facts(field, unit).arm.is_artillery();
    let firing = shooters.iter().all(|shooter| guns(shooter.who.unit));
    if !firing || shooters.iter().all(|shooter| shooter.who.unit == first) || !guns(at) {
        return None;
    }
    let (card, level) = (field.card(at), facts(field, at).level);
    let brigaded = |id: UnitId| {
        let other = field.card(id);
        guns(id) && other.command == card.command && other.facts.level == level && !is_engaged(field, id)
    };
    let reach = field.charts().command.brigade_gap.value.0;
    let mut line = vec![at];
    let mut rest: Vec<UnitId> =
        known(field, card.side).map(|(id, _)| id).filter(|id| *id != at && brigaded(*id)).collect();
    while let Some(n) =
        rest.iter().position(|id| line.iter().any(|linked| super::field::within(field, *linked, *id, reach)))
    {
        line.push(rest.remove(n));
    }
    line[1..].sort_by_key(|id| (super::field::gap(field, at, *id), *id));
    (line.len() > 1).then_some(line)
}

/// The unit that touches one flank of a unit; the nearest to its middle where several do.
fn beside(field: &Field, unit: UnitId, left: bool, not: &[UnitId]) -> Option<UnitId> {
    let body = field.unit(unit);
    let [front_left, front_right, rear_right, rear_left] = body.quad().corners;
    let edge = if left { [front_left, rear_left] } else { [front_right, rear_right] };
    let half = body.quad().corners[0].distance(front_right) * 0.5;
    let touching = known(field, body.side).filter(|(id, other)| {
        let across = body.pose().to_local(other.quad().centre).x;
        *id != unit
            && !not.contains(id)
            && (if left { -across } else { across }) > half
            && !super::field::surely_beyond(body.quad(), other.quad(), Length::ZERO)
            && bodies(field, *id).iter().any(|quad| convex::gap(&edge, quad.points()) <= SLACK.as_f64())
            && !facts(field, *id).is_scout()
            && !is_engaged(field, *id)
    });
    let from = body.quad().centre;
    touching
        .min_by(|a, b| a.1.quad().centre.distance(from).total_cmp(&b.1.quad().centre.distance(from)))
        .map(|(id, _)| id)
}

/// Units in contact to one side of the target, from near to far.
fn chain(field: &Field, at: UnitId, left: bool) -> Vec<UnitId> {
    let mut chain: Vec<UnitId> = Vec::new();
    let mut known = vec![at];
    let mut next = beside(field, at, left, &known);
    while let Some(unit) = next {
        chain.push(unit);
        known.push(unit);
        // The neighbour may face another way; whichever of its flanks leads on counts, its own left first.
        next = beside(field, unit, left, &known).or_else(|| beside(field, unit, !left, &known));
        next = next.filter(|id| !touch(field, at, *id));
    }
    chain
}

/// Hits that fall beside the target, one to a stand, outward (R49): how many for each unit.
pub fn shared_out(field: &Field, at: UnitId, rule: &Rule, hits: u8) -> Vec<(UnitId, u8)> {
    let places: Vec<UnitId> = match rule {
        Rule::Free => vec![at],
        Rule::Batteries(line) => line.clone(),
        Rule::Half { left, right, .. } => {
            let places = |chain: &[UnitId]| -> Vec<UnitId> {
                let each = chain.iter().map(|unit| std::iter::repeat_n(*unit, stands(field, *unit).len()));
                each.flatten().collect()
            };
            let (left, right) = (places(left), places(right));
            let turns = left.len().max(right.len());
            (0..turns).flat_map(|n| left.get(n).into_iter().chain(right.get(n)).copied().collect::<Vec<_>>()).collect()
        }
    };
    let mut shares: Vec<(UnitId, u8)> = Vec::new();
    for unit in places.iter().cycle().take(if places.is_empty() { 0 } else { usize::from(hits) }) {
        match shares.iter_mut().find(|share| share.0 == *unit) {
            Some(share) => share.1 += 1,
            None => shares.push((*unit, 1)),
        }
    }
    shares
}

/// Hits on two units in front-to-rear contact: as many as the front has stands, as many as the rear has, then by turns
/// (R52).
pub fn stack_shares(front: u8, rear: u8, hits: u8) -> (u8, u8) {
    let first = hits.min(front);
    let second = (hits - first).min(rear);
    let rest = hits - first - second;
    (first + rest.div_ceil(2), second + rest / 2)
}

/// The unit whose front edge lies along the target's rear edge (R52).
fn stacked(field: &Field, at: UnitId) -> Option<UnitId> {
    let target = field.unit(at);
    let rears = bodies(field, at);
    let touching = known(field, target.side).filter(|(id, other)| {
        *id != at
            && !super::field::surely_beyond(target.quad(), other.quad(), Length::ZERO)
            && rears.iter().any(|quad| share_edge(other.quad().front_edge(), rear_edge(quad)))
            && !facts(field, *id).is_scout()
            && !is_engaged(field, *id)
    });
    touching.map(|(id, _)| id).next()
}

/// The nearest unit close behind a target, in its rear zone and not touching it (R51).
pub fn close_behind(field: &Field, at: UnitId) -> Option<UnitId> {
    let target = field.unit(at);
    let reach = field.charts().fire.overshoot_behind.value.0;
    let footprint = field.footprint(at, target.body.formation);
    let (a, b) = rear_edge(target.quad());
    let mut near: Vec<(Length, UnitId)> = Vec::new();
    for (id, other) in known(field, target.side) {
        let out = id == at || facts(field, id).is_scout() || is_engaged(field, id);
        if out || super::field::surely_beyond(target.quad(), other.quad(), reach) || touch(field, at, id) {
            continue;
        }
        for quad in bodies(field, id) {
            let (_, point) = convex::nearest_points(&[a, b], quad.points());
            let gap = Length::from_um(convex::gap(&[a, b], quad.points()));
            let points = std::iter::once(point).chain(quad.corners);
            let behind = points.into_iter().any(|point| zone(target.pose(), footprint, point) == Zone::Rear);
            if gap <= reach + SLACK && behind {
                near.push((gap, id));
            }
        }
    }
    near.into_iter().min().map(|(_, id)| id)
}

/// The place of each stand of a unit among those nearest to some rectangles.
pub fn ranks(field: &Field, unit: UnitId, from: &[table::Quad]) -> SmallVec<[u8; 4]> {
    let quads = stands(field, unit);
    let mut order: SmallVec<[(Length, usize); 4]> =
        quads.iter().enumerate().map(|(n, quad)| (gap_between(from, &[*quad]), n)).collect();
    order.sort();
    let mut ranks: SmallVec<[u8; 4]> = SmallVec::from_elem(0, quads.len());
    for (rank, (_, n)) in order.into_iter().enumerate() {
        ranks[n] = rank as u8;
    }
    ranks
}

/// The reckoning of a volley: what counts for every die is added up, what counts for some names them.
pub fn reckon(field: &Field, dice: &[Die]) -> Reckoning {
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::DiePerStand, "dice", Cited::derived(dice.len() as i32));
    reckoning.look(Clause::HitOnFour, "score needed", plain(field.charts().fire.need));
    let mut told: Vec<(Line, Vec<StandRef>)> = Vec::new();
    for die in dice {
        for line in &die.lines {
            match told.iter_mut().find(|(other, _)| other == line) {
                Some((_, who)) => who.push(die.who),
                None => told.push((*line, vec![die.who])),
            }
        }
    }
    for ((clause, label, value), who) in told {
        if who.len() == dice.len() {
            reckoning.add(clause, label, value);
        } else {
            reckoning.look(clause, format!("{label}: {}", names(field, who)), value);
        }
    }
    reckoning
}

fn names(field: &Field, mut who: Vec<StandRef>) -> String {
    who.sort();
    who.dedup();
    let mut text = String::new();
    let mut last = None;
    for stand in who {
        if last != Some(stand.unit) {
            text.push_str(if last.is_some() { "; " } else { "" });
            text.push_str(&field.card(stand.unit).name);
            last = Some(stand.unit);
        } else {
            text.push(',');
        }
        text.push_str(&format!(" {}", stand.stand + 1));
    }
    text
}
