//! Chapter 4: firing. Small arms and shot, aimed, defensive and supporting; what officers suffer by it. R06 to R12,
//! R24, R29 to R31, R57, R59, R60, R70.

use super::Awi;
use super::charts::plain;
use super::clause::Clause;
use super::event::{AwiEvent, Band};
use super::field::{
    Few, Field, can_shoot_guns, cover_against, facts, fire_distance, flag, in_arc, is_engaged, is_routing, is_there,
    officer_point, sees, sees_unit, soldiers, touching_enemies,
};
use super::morale::Panic;
use super::officers;
use super::order::{Decision, Order, Piece};
use super::sequence::Phase;
use super::unit::{Arm, Class, Condition, Formation, Rating, Task};
use super::volley::{self, Target};
use engine::{Cited, CommanderId, Deed, Event, Flow, Leaving, Mark, Pool, Reckoning, Umpire, UnitId, Verdict, Who};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use table::{Length, Pose, SLACK, within_arc};

pub use super::volley::Volley;

/// How a shot comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Manner {
    /// In one's own turn.
    Aimed,
    /// At a charge that fell short, by its target.
    AtFailedCharge,
    /// By the unit being charged.
    Defensive,
    /// By a neighbour of the unit being charged.
    Supporting,
}

/// One pool of fire dice in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Shot {
    pub by: UnitId,
    pub at: UnitId,
    pub grape: bool,
    pub manner: Manner,
    pub step: ShotStep,
    pub hits: u8,
    pub killed: SmallVec<[CommanderId; 2]>,
    /// Where the charger will stand, for officers riding with it.
    pub contact: Option<Pose>,
}

/// Where a shot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ShotStep {
    Throw,
    Attempt,
    Settle,
}

impl Shot {
    /// A shot in one's own turn.
    pub fn aimed(by: UnitId, at: UnitId, grape: bool) -> Shot {
        Shot {
            by,
            at,
            grape,
            manner: Manner::Aimed,
            step: ShotStep::Throw,
            hits: 0,
            killed: SmallVec::new(),
            contact: None,
        }
    }

    /// A shot of another kind.
    pub fn of(manner: Manner, by: UnitId, at: UnitId, grape: bool, contact: Option<Pose>) -> Shot {
        Shot { manner, contact, ..Shot::aimed(by, at, grape) }
    }
}

/// Whether a unit fires with guns rather than muskets.
pub fn is_battery(field: &Field, unit: UnitId) -> bool {
    facts(field, unit).arm == Arm::Artillery
}

/// The band of a distance for a unit's weapon; nothing beyond its reach (R06, R07).
pub fn band(field: &Field, by: UnitId, distance: Length, grape: bool) -> Option<Band> {
    let range = &field.charts().range;
    let within = |reach: Length| distance <= reach + SLACK;
    if !is_battery(field, by) {
        return match () {
            _ if within(range.small_arms.short.value.0) => Some(Band::Short),
            _ if within(range.small_arms.long.value.0) => Some(Band::Long),
            _ => None,
        };
    }
    if grape && !within(field.charts().grapeshot.reach.value.0) {
        return None;
    }
    let band = match () {
        _ if within(range.artillery.short.value.0) => Band::Short,
        _ if within(range.artillery.medium.value.0) => Band::Medium,
        _ if within(range.artillery.long.value.0) => Band::Long,
        _ => return None,
    };
    gun_need(field, by, band).map(|_| band)
}

/// The bands of a unit's weapon with their farther border, nearest first; a gun has no band its row is silent about.
pub fn bands(field: &Field, by: UnitId) -> SmallVec<[(Band, Length); 3]> {
    let range = &field.charts().range;
    if !is_battery(field, by) {
        let (short, long) = (range.small_arms.short.value.0, range.small_arms.long.value.0);
        return SmallVec::from_iter([(Band::Short, short), (Band::Long, long)]);
    }
    let guns = &range.artillery;
    let all = [(Band::Short, guns.short), (Band::Medium, guns.medium), (Band::Long, guns.long)];
    let reached = all.into_iter().filter(|(band, _)| gun_need(field, by, *band).is_some());
    reached.map(|(band, reach)| (band, reach.value.0)).collect()
}

fn gun_need(field: &Field, by: UnitId, band: Band) -> Option<Cited<i32>> {
    volley::gun_need(field.charts(), facts(field, by).gun?, band)
}

/// The volley a unit would fire at a target in a band.
pub fn volley(field: &Field, by: UnitId, at: UnitId, band: Band, grape: bool) -> Option<Volley> {
    if is_battery(field, by) { shot(field, by, at, band, grape) } else { Some(musketry(field, by, at, band)) }
}

fn musketry(field: &Field, by: UnitId, at: UnitId, band: Band) -> Volley {
    let shooter = soldiers(field, by);
    let target = Target {
        cover: cover_against(field, at, flag(field, by), flag(field, at)),
        skirmish: field.unit(at).body.formation == Formation::Skirmish,
        failed_charge: soldiers(field, at).condition == Condition::Disordered,
        first_volley: !shooter.volleyed && !shooter.meleed,
    };
    volley::musketry(field.charts(), facts(field, by).class, band, target)
}

fn shot(field: &Field, by: UnitId, at: UnitId, band: Band, grape: bool) -> Option<Volley> {
    let skirmish = field.unit(at).body.formation == Formation::Skirmish;
    volley::gunnery(field.charts(), facts(field, by).gun?, band, grape, skirmish)
}

/// The band of fire at one's charger: the commander's grip decides it, not the distance (R29, R30).
pub fn defensive_band(field: &Field, by: UnitId) -> (Band, Clause) {
    let firm = officers::best_rated(field, by).is_some_and(|help| help.rating >= Rating::Good);
    if firm {
        return (Band::Short, Clause::DefensiveShort);
    }
    if !is_battery(field, by) {
        return (Band::Long, Clause::DefensiveLong);
    }
    let last = [Band::Long, Band::Medium, Band::Short].into_iter().find(|band| gun_need(field, by, *band).is_some());
    (last.unwrap_or(Band::Short), Clause::DefensiveLong)
}

/// Whether a unit could fire at all: loaded, standing, in hand, not fighting.
pub fn can_fire(field: &Field, unit: UnitId) -> bool {
    let mut verdict = Verdict::fine();
    check_firer(field, unit, &mut verdict);
    verdict.is_legal()
}

/// Whether a charged unit answers its charger: only rout, not disorder, takes the muskets down (R24, R29).
pub fn can_answer(field: &Field, unit: UnitId) -> bool {
    let mut verdict = Verdict::fine();
    check_weapons(field, unit, &mut verdict);
    verdict.is_legal() && !is_routing(field, unit)
}

/// Judges the firer: its weapons and its state.
pub fn check_firer(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    check_weapons(field, unit, verdict);
    let condition = soldiers(field, unit).condition;
    if condition != Condition::Steady {
        verdict.refuse(Clause::DefensiveFire, format!("it is {}", condition.word())).about(unit);
    }
}

fn check_weapons(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let (facts, own) = (facts(field, unit), soldiers(field, unit));
    if facts.arm == Arm::Artillery && !can_shoot_guns(field, unit) {
        verdict.refuse(Clause::Limbering, "limbered guns cannot fire").about(unit);
    }
    if facts.arm != Arm::Artillery && !facts.small_arms {
        verdict.refuse(Clause::SmallArmsRange, "it has no firearms to use").about(unit);
    }
    if !own.loaded {
        verdict.refuse(Clause::SmokeMarksTheUnloaded, "it has fired and not loaded since").about(unit);
    }
    if is_engaged(field, unit) {
        verdict.refuse(Clause::DefensiveFire, "it is fighting hand to hand").about(unit);
    }
    if field.settings().column_restricted && field.unit(unit).body.formation == Formation::Column {
        verdict.refuse(Clause::FormationChange, "a column does not fire in this battle").about(unit);
    }
}

/// What a unit did this turn may forbid it to fire in the Firing part (R43, R45).
pub fn check_task(field: &Field, unit: UnitId, verdict: &mut Verdict) {
    let task = soldiers(field, unit).task;
    let raw = facts(field, unit).class == Class::Raw;
    let fine = match task {
        Task::None | Task::Held => true,
        Task::MovedHalf | Task::ReformedToFire | Task::BrokeOffHalf => !raw,
        _ => false,
    };
    if !fine {
        let clause = match task {
            _ if raw => Clause::RawOneThing,
            Task::Loaded => Clause::Loading,
            Task::Limbered => Clause::Limbering,
            Task::Reformed => Clause::FormationChange,
            Task::Stuck | Task::Charged => Clause::TestToCharge,
            _ => Clause::FireAndMove,
        };
        verdict.refuse(clause, format!("it has {} this turn", task.word())).about(unit);
    }
}

/// Judges a shot of the Firing part.
pub fn check_fire(field: &Field, unit: UnitId, at: UnitId, grape: bool, verdict: &mut Verdict) {
    check_task(field, unit, verdict);
    check_shot(field, unit, at, grape, verdict);
}

/// Judges firer, target, arc and sight; never the distance, unless the tape may be laid (R70).
pub fn check_shot(field: &Field, unit: UnitId, at: UnitId, grape: bool, verdict: &mut Verdict) {
    check_firer(field, unit, verdict);
    let side = field.side_of(unit);
    if grape && (!is_battery(field, unit) || soldiers(field, unit).grape_left == 0) {
        verdict.refuse(Clause::GrapeRounds, "it has no grapeshot to fire").about(unit);
    }
    if !is_there(field, at) || field.side_of(at) == side {
        verdict.refuse(Clause::FlagToFlag, "the target is not an enemy on the table").about(at);
        return;
    }
    let line = Mark::Line(field.unit(unit).pose().at, field.unit(at).pose().at);
    if !in_arc(field, unit, flag(field, at)) {
        verdict.refuse(Clause::SupportArc, "the target is outside its arc of fire").about(at).at(line.clone());
    }
    if !sees_unit(field, unit, at) {
        let text = blockers(field, unit, at);
        verdict.refuse(Clause::Amicable, text).about(at).at(line.clone());
    }
    if is_engaged(field, at) && !field.settings().fire_into_melee {
        verdict.refuse(Clause::FireIntoMelee, "nobody fires into a melee in this battle").about(at);
    }
    if !may_declare(field, unit, at, grape) {
        let clause = if is_battery(field, unit) { Clause::ArtilleryBands } else { Clause::SmallArmsRange };
        let distance = fire_distance(field, unit, at);
        let mark = Mark::Measured(field.unit(unit).pose().at, field.unit(at).pose().at, distance);
        let text = format!("the target is out of range at {}", distance.show(table::Unit::Inch));
        verdict.refuse(clause, text).about(at).at(mark);
    }
}

/// Whether the distance forbids a shot: only where the tape may be laid first (R70).
pub fn may_declare(field: &Field, unit: UnitId, at: UnitId, grape: bool) -> bool {
    field.settings().no_premeasuring || band(field, unit, fire_distance(field, unit, at), grape).is_some()
}

fn blockers(field: &Field, unit: UnitId, at: UnitId) -> String {
    let sight = super::field::look(field, flag(field, unit), flag(field, at), &[unit, at]);
    let names: Vec<String> = sight
        .blocks
        .iter()
        .map(|block| match block {
            table::Block::Feature { id, .. } => field.ground().feature(*id).map_or(String::new(), |feature| {
                if feature.name.is_empty() { feature.kind.to_string() } else { feature.name.clone() }
            }),
            table::Block::Body { no, .. } => field.card(UnitId(*no as u16)).name.clone(),
        })
        .collect();
    format!("it does not see the target: {} in the way", names.join(", "))
}

/// Turns the page of a shot.
pub fn advance(umpire: &mut Umpire<'_, Awi>, mut shot: Shot) -> Flow<Awi> {
    match shot.step {
        ShotStep::Throw => {
            throw(umpire, &mut shot);
            umpire.replace(Phase::Shot(shot));
            Flow::Again
        }
        ShotStep::Attempt => {
            let able = if shot.hits > 0 { officers_in_danger(umpire.state(), &shot) } else { SmallVec::new() };
            if able.is_empty() {
                shot.step = ShotStep::Settle;
                umpire.replace(Phase::Shot(shot));
                return Flow::Again;
            }
            let side = umpire.state().side_of(shot.by);
            Flow::Ask(Who::One(side), Decision::OfficerAttempt { by: shot.by, able: able.to_vec() })
        }
        ShotStep::Settle => {
            umpire.end();
            settle(umpire, shot);
            Flow::Again
        }
    }
}

/// Measures, and throws if the target proves to be in range (F2, F3).
fn throw(umpire: &mut Umpire<'_, Awi>, shot: &mut Shot) {
    let field = umpire.state();
    let (by, at) = (shot.by, shot.at);
    let side = field.side_of(by);
    let measuring = if is_battery(field, by) { Clause::MuzzleToFlag } else { Clause::FlagToFlag };
    let (band, manner_clause) = match shot.manner {
        Manner::Defensive => {
            let (band, clause) = defensive_band(field, by);
            (Some(band), clause)
        }
        Manner::Supporting => (Some(Band::Short), Clause::SupportShort),
        Manner::Aimed | Manner::AtFailedCharge => {
            let distance = fire_distance(field, by, at);
            let measured = AwiEvent::Measured { from: Piece::Unit(by), to: Piece::Unit(at), distance };
            umpire.announce(Event::own(measuring, measured).also(Clause::NoPremeasuring));
            (self::band(umpire.state(), by, distance, shot.grape), Clause::ModifiersOnEveryDie)
        }
    };
    let field = umpire.state();
    let volley = band.and_then(|band| volley(field, by, at, band, shot.grape));
    let reach = if is_battery(field, by) { Clause::ArtilleryBands } else { Clause::SmallArmsRange };
    let Some(volley) = volley else {
        let out = AwiEvent::OutOfRange { by, at, grape: shot.grape };
        let event = Event::own(reach, out).also(Clause::NoPremeasuring).also(Clause::SmokeMarksTheUnloaded);
        let offered = shot.manner == Manner::AtFailedCharge;
        umpire.announce(event.also_if(shot.grape, Clause::GrapeRounds).also_if(offered, Clause::DisorderedIsOpen));
        shot.step = ShotStep::Settle;
        return;
    };
    let guns = is_battery(field, by);
    // The modifiers of small arms are none of the gunners' business: their shot stands under the row of the gun.
    let clause = if guns && manner_clause == Clause::ModifiersOnEveryDie { volley.row } else { manner_clause };
    let disordered = soldiers(field, at).condition == Condition::Disordered && !guns;
    let roll = umpire.roll(volley.pool(), side);
    let hits = volley.hits(&roll.pips);
    let event = AwiEvent::Volley { by, at, band: volley.band, grape: shot.grape, hits };
    let mut event = Event::own(clause, event).also(reach).also(Clause::SmokeMarksTheUnloaded);
    match shot.manner {
        Manner::Defensive => event = event.also(Clause::DefensiveFire).also(Clause::Interrupts),
        Manner::Supporting => event = event.also(Clause::SupportingFire).also(Clause::SupportSpendsLoad),
        Manner::AtFailedCharge => event = event.also(Clause::DisorderedIsOpen).also(Clause::Interrupts),
        Manner::Aimed => {}
    }
    let event = event
        .also_if(disordered, Clause::FiringAtTheDisordered)
        .also_if(shot.grape, Clause::GrapeRounds)
        .rolled(roll)
        .because(volley.reckoning());
    umpire.announce(event);
    shot.hits = hits;
    shot.step = ShotStep::Attempt;
}

/// Enemy commanders a scored hit may be spent on (R59, R60).
fn officers_in_danger(field: &Field, shot: &Shot) -> SmallVec<[CommanderId; 2]> {
    let (by, side) = (shot.by, field.side_of(shot.by));
    let from = flag(field, by);
    let needs_arc = shot.manner == Manner::Aimed || shot.manner == Manner::Supporting;
    let able = |id: CommanderId| {
        let place = officer_place(field, shot, id);
        let distance = Length::from_um(place.distance(from));
        let in_arc = !needs_arc || within_arc(field.unit(by).pose(), place, super::field::arc_half_angle(field));
        let seen = sees(field, from, place, &[by, shot.at]);
        let near = if is_battery(field, by) {
            let reach = field.charts().commander.near_target.value.0 + SLACK;
            band(field, by, distance, shot.grape).is_some()
                && table::gap(field.commander(id).quad(), field.unit(shot.at).quad()) <= reach
        } else {
            distance <= field.charts().range.small_arms.short.value.0 + SLACK
        };
        near && in_arc && seen
    };
    field
        .commanders()
        .filter(|(id, officer)| officer.is_present() && field.muster().commander(*id).side != side)
        .map(|(id, _)| id)
        .filter(|id| able(*id))
        .collect()
}

/// Where an officer counts: riding with a charger, at the contact position.
fn officer_place(field: &Field, shot: &Shot, id: CommanderId) -> table::Vec2 {
    let here = officer_point(field, id);
    match shot.contact {
        Some(contact) if super::charge::rides_along(field, id) => {
            contact.to_world(field.unit(shot.at).pose().to_local(here))
        }
        _ => here,
    }
}

/// Judges the answer to an officer attempt.
pub fn check_attempt(able: &[CommanderId], order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Attempt { on } if able.contains(on) => Verdict::fine(),
        Order::Attempt { .. } => Verdict::refused(Clause::PickedOut, "this commander is not in danger from the shot"),
        _ => Verdict::refused(Clause::PickedOut, "the question is whether to spend a hit on a commander"),
    }
}

/// Spends a hit on an officer, or not.
pub fn execute_attempt(umpire: &mut Umpire<'_, Awi>, order: &Order) {
    let Some(Phase::Shot(mut shot)) = umpire.top() else { return umpire.fault("an attempt without a shot") };
    shot.step = ShotStep::Settle;
    if let Order::Attempt { on } = order {
        let side = umpire.state().side_of(shot.by);
        let guns = is_battery(umpire.state(), shot.by);
        let picked = guns || {
            let roll = umpire.roll(umpire.charts().officer.pick_out.value.0, side);
            let double = roll.pips.iter().all(|pip| Some(pip) == roll.pips.first());
            let event = AwiEvent::PickedOut { by: shot.by, commander: *on, picked: double };
            umpire.announce(Event::own(Clause::PickedOut, event).rolled(roll));
            double
        };
        if picked {
            shot.hits = shot.hits.saturating_sub(1);
            let clause = if guns { Clause::OfficerUnderGuns } else { Clause::PickedOutDies };
            if strike_officer(umpire, *on, side, clause) {
                shot.killed.push(*on);
            }
        }
    }
    umpire.replace(Phase::Shot(shot));
}

/// A hit spent on an officer: a six kills him.
pub fn strike_officer(umpire: &mut Umpire<'_, Awi>, officer: CommanderId, by: engine::Side, clause: Clause) -> bool {
    let need = plain(umpire.charts().officer.killed_on);
    let roll = umpire.roll(Pool::d6(1), by);
    let killed = roll.single() >= need.value;
    let mut reckoning = Reckoning::new();
    reckoning.look(clause, "killed on", need);
    let event = Event::own(clause, AwiEvent::Attempt { commander: officer, killed }).also(Clause::AttemptSpendsHit);
    umpire.announce(event.rolled(roll).because(reckoning));
    if killed {
        officers::falls(umpire, officer, clause);
    }
    killed
}

/// Hits come off (F5, F6); in a charge they wait for the rest of the fire.
fn settle(umpire: &mut Umpire<'_, Awi>, shot: Shot) {
    if matches!(shot.manner, Manner::Defensive | Manner::Supporting) {
        return match umpire.phase() {
            Some(Phase::Charge(charge)) => {
                charge.hits = charge.hits.saturating_add(shot.hits);
                charge.killed.extend(shot.killed);
            }
            _ => umpire.fault("fire at a charger without a charge"),
        };
    }
    let mut hits = shot.hits;
    let friends: Few = touching_enemies(umpire.state(), shot.at);
    if hits > 0 && !friends.is_empty() {
        hits = share_melee_hits(umpire, &shot, &friends);
    }
    let guns = is_battery(umpire.state(), shot.by);
    take_marks(umpire, shot.at, hits, if guns { Clause::ArtilleryHits } else { Clause::HitCostsMark });
    let panic = Panic::of_commanders(umpire.state(), &shot.killed);
    if !panic.is_empty() {
        umpire.begin(Phase::Panic(panic));
    }
}

/// Fire into a melee: a die per hit says who suffers it (R57). Returns the hits left for the enemy.
fn share_melee_hits(umpire: &mut Umpire<'_, Awi>, shot: &Shot, friends: &[UnitId]) -> u8 {
    let side = umpire.state().side_of(shot.by);
    let limit = plain(umpire.charts().melee.side_dice_own_up_to);
    let roll = umpire.roll(Pool::d6(shot.hits), side);
    let own = roll.pips.iter().filter(|pip| i32::from(**pip) <= limit.value).count() as u8;
    let enemy = shot.hits - own.min(shot.hits);
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::WhoIsHitInMelee, "one's own side up to", limit);
    let event = Event::own(Clause::WhoIsHitInMelee, AwiEvent::SideDice { own, enemy }).also(Clause::FireIntoMelee);
    umpire.announce(event.rolled(roll).because(reckoning));
    let from = flag(umpire.state(), shot.by);
    let field = umpire.state();
    let nearest = friends
        .iter()
        .copied()
        .min_by(|a, b| flag(field, *a).distance(from).total_cmp(&flag(field, *b).distance(from)));
    if let Some(friend) = nearest {
        take_marks(umpire, friend, own, Clause::WhoIsHitInMelee);
    }
    enemy
}

/// Takes marks off a unit; at none left it leaves the table (R79).
pub fn take_marks(umpire: &mut Umpire<'_, Awi>, unit: UnitId, hits: u8, clause: Clause) {
    if hits == 0 || !is_there(umpire.state(), unit) {
        return;
    }
    let marks = soldiers(umpire.state(), unit).marks;
    let left = marks.saturating_sub(hits);
    let event = AwiEvent::Marks { unit, lost: marks - left, left };
    let event = Event::own(clause, event).also(Clause::HitsTakeMarks).also(Clause::MarksAreShown);
    umpire.announce(event.also(Clause::NoFigureIsRemoved));
    if left == 0 {
        umpire.announce(Event::new(Clause::NoMarksLeft, Deed::Removed { unit, why: Leaving::Destroyed }));
        umpire.announce(Event::own(Clause::NoMarksLeft, AwiEvent::Disengaged { unit }));
    }
}
