//! Advances to contact, from the declaration to the clash: section D, CHARGE. R22, R66 to R73.

use super::Fpw;
use super::approach::{self, Line, true_line};
use super::clause::Clause;
use super::contact::{self, Meeting, relocate};
use super::event::{FpwEvent, Manner};
use super::field::{Field, facts, formation, is_engaged, is_hidden, is_there, level, reactive_range, soldiers};
use super::fire::{self, Reaction};
use super::firemove::Pullback;
use super::order::{Aim, Occasion, Order};
use super::sequence::Phase;
use super::unit::{Advance, Impetus};
use super::volley::Volleys;
use super::{hidden, morale, reaction, sight};
use engine::{Cited, Event, Flow, Pool, Reckoning, Side, Umpire, UnitId, Verdict, View, Who};
use serde::{Deserialize, Serialize};
use table::{Length, Pose, SLACK};

/// Advances to contact in progress: all charges of one order, simultaneous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charging {
    /// Who charges.
    pub side: Side,
    /// The charges.
    pub charges: Vec<Charge>,
    /// A blunder: no falling back instead of closing (R22).
    pub forced: bool,
    /// What comes next.
    pub stage: Stage,
}

/// One unit's charge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charge {
    /// Its line, which knows whom it meets.
    pub line: Line,
    /// The level of the ground it began on.
    pub level: u8,
    /// What the target does about it.
    pub answer: Answer,
    /// From where on the target may fire at it; never, if it is surprised.
    pub under_fire: Option<Length>,
    /// Shot away, fallen back or stopped.
    pub out: bool,
}

/// What a target does about a charge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// It has not been asked yet.
    Unasked,
    /// It stands, and fires if it can.
    Stands,
    /// It came on itself, from ground of this level.
    Counters(u8),
    /// It ran and was caught.
    Caught,
    /// It got away.
    Escaped,
}

/// What comes next in a charge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// Cavalry answers cavalry.
    React,
    /// Approach fire still to come: by whom, at which band, far to near.
    Fire(Vec<(UnitId, u8)>),
    /// Fire by others, at the last place before contact.
    Others,
    /// Who falls back instead of closing.
    Fall,
    /// Those asked about it, where they stood and how disrupted they were.
    Fell(Vec<(UnitId, Pose, u32)>),
    /// The tests, and contact.
    Close,
}

impl Charge {
    fn unit(&self) -> UnitId {
        self.line.unit
    }

    fn at(&self) -> UnitId {
        self.line.meets
    }

    fn goes_in(&self) -> bool {
        !self.out && self.answer != Answer::Escaped
    }
}

/// Begins the charges of an order or an initiative move. `forced`: a blunder, which may not fall back instead of closing
/// and ignores limits of formation and facing (R22).
pub fn begin(umpire: &mut Umpire<'_, Fpw>, charges: Vec<Aim>, forced: bool) {
    let Some(side) = charges.first().map(|aim| umpire.state().side_of(aim.unit)) else { return };
    let mut begun = Vec::new();
    for aim in charges {
        let field = umpire.state();
        if !is_there(field, aim.unit) || !is_there(field, aim.at) {
            continue;
        }
        let Some(line) = true_line(field, &aim, forced).filter(Line::is_reached) else { continue };
        let level = level(field, aim.unit);
        declare(umpire, &aim, &line);
        begun.push(Charge { line, level, answer: Answer::Unasked, under_fire: None, out: false });
    }
    begun.sort_by_key(Charge::unit);
    if !begun.is_empty() {
        umpire.begin(Phase::Charge(Charging { side, charges: begun, forced, stage: Stage::React }));
    }
}

fn declare(umpire: &mut Umpire<'_, Fpw>, aim: &Aim, line: &Line) {
    let unit = line.unit;
    reveal(umpire, unit);
    let seen = sight::sees(umpire.state(), unit, aim.at);
    let clause = if seen { Clause::AdvanceSeen } else { Clause::AdvanceSeenInTime };
    let declared = FpwEvent::ChargeDeclared { unit, at: aim.at };
    let joins = is_engaged(umpire.state(), aim.at);
    let declared = Event::own(Clause::AdvanceDeclared, declared).also(clause).also(Clause::AdvanceNoReform);
    umpire.announce(declared.also_if(joins, Clause::FreshTroops));
    // Whoever lies hidden across the line shows himself, and is the one that is met.
    reveal(umpire, line.meets);
    let field = umpire.state();
    let within = sight::enemy_near(field, unit, reactive_range(field));
    let legs = line.legs(line.brink(field));
    let advance = Some(Box::new(Advance { from: line.from, legs, within, toward: true }));
    umpire.announce(Event::own(Clause::AdvanceDeclared, FpwEvent::Advanced { unit, advance }));
    if let Some(wheel) = line.wheel {
        relocate(umpire, unit, line.start, vec![wheel], Clause::FormHalves);
    }
}

fn reveal(umpire: &mut Umpire<'_, Fpw>, unit: UnitId) {
    if is_hidden(umpire.state().unit(unit)) {
        hidden::reveal(umpire, unit, Clause::AdvanceDeclared);
    }
}

/// Whether a unit is the target of a charge in progress: its approach fire is all the fire it has (R68, R70, R71).
pub fn is_charged(field: &Field, unit: UnitId) -> bool {
    field.agenda().iter().any(
        |phase| matches!(phase, Phase::Charge(charging) if charging.charges.iter().any(|charge| charge.at() == unit)),
    )
}

/// Judges one advance to contact: who may, sight, path, gap within the allowance. Used by initiative and by orders.
pub fn check_aim(view: &View<'_, Fpw>, aim: &Aim, verdict: &mut Verdict) {
    approach::judge(view, aim, verdict);
}

/// Judges the charges of the units that obey.
pub fn check(view: &View<'_, Fpw>, units: &[UnitId], order: &Order) -> Verdict {
    let charges = match order {
        Order::Pass => return Verdict::fine(),
        Order::Charges { charges } => charges,
        _ => return Verdict::refused(Clause::AdvanceDeclared, "the question is whom to charge"),
    };
    let mut verdict = Verdict::fine();
    for (n, aim) in charges.iter().enumerate() {
        if !units.contains(&aim.unit) {
            verdict.refuse(Clause::LowEnoughActs, "it was not ordered, or does not obey").about(aim.unit);
        } else if charges[..n].iter().any(|other| other.unit == aim.unit) {
            verdict.refuse(Clause::AdvanceDeclared, "it charges one enemy only").about(aim.unit);
        } else {
            check_aim(view, aim, &mut verdict);
        }
    }
    if verdict.is_legal() {
        check_crowding(view, charges, &mut verdict);
    }
    verdict
}

/// Charges of one order are simultaneous, so no two may end on the same ground.
fn check_crowding(field: &Field, charges: &[Aim], verdict: &mut Verdict) {
    let ends: Vec<_> = charges
        .iter()
        .filter_map(|aim| {
            let pose = approach::line_of(field, aim)?.contact();
            Some((aim.unit, super::field::bodies_at(field, aim.unit, pose, formation(field, aim.unit))))
        })
        .collect();
    for (n, (unit, quads)) in ends.iter().enumerate() {
        let crowded = ends[..n]
            .iter()
            .any(|(_, others)| quads.iter().any(|own| others.iter().any(|other| table::quads_overlap(own, other))));
        if crowded {
            verdict.refuse(Clause::FormHalves, "two charges would end on the same ground").about(*unit);
        }
    }
}

/// Sets the units that obey in motion.
pub fn execute(umpire: &mut Umpire<'_, Fpw>, order: Order) {
    umpire.end();
    let Order::Charges { charges } = order else { return };
    for aim in &charges {
        let used = FpwEvent::MoveUsed { unit: aim.unit, halted: true };
        hidden::announce(umpire, aim.unit, Event::own(Clause::MoveOnce, used));
    }
    begin(umpire, charges, false);
}

/// Turns the page of a charge.
pub fn advance(umpire: &mut Umpire<'_, Fpw>, mut charging: Charging) -> Flow<Fpw> {
    strike_out(umpire.state(), &mut charging);
    match std::mem::replace(&mut charging.stage, Stage::Close) {
        Stage::React => {
            charging.stage = Stage::React;
            if let Some(decision) = reaction::next_question(umpire.state(), &mut charging) {
                let asked = charging.side.other();
                umpire.replace(Phase::Charge(charging));
                return Flow::Ask(Who::One(asked), decision);
            }
            charging.stage = Stage::Fire(plan_fire(umpire, &mut charging));
        }
        Stage::Fire(mut volleys) => {
            if volleys.is_empty() {
                charging.stage = Stage::Others;
            } else {
                let (by, band) = volleys.remove(0);
                let shots = shots_at_band(umpire, &charging, by, band);
                charging.stage = Stage::Fire(volleys);
                umpire.replace(Phase::Charge(charging));
                if !shots.is_empty() {
                    // Stands that have fired before may fire again here, but not afterwards (R38).
                    let fired = FpwEvent::Fired { shots: shots.clone(), ordered: false };
                    umpire.announce(Event::own(Clause::ApproachFire, fired).also(Clause::OncePerFirePhase));
                    umpire.begin(Phase::Volleys(Volleys::new(shots, Manner::Approach, Some(band))));
                }
                return Flow::Again;
            }
        }
        Stage::Others => return others_fire(umpire, charging),
        Stage::Fall => {
            let units = falling(umpire.state(), &charging);
            if !units.is_empty() {
                let note = |unit: &UnitId| {
                    let field = umpire.state();
                    (*unit, field.unit(*unit).pose(), soldiers(field, *unit).disruption())
                };
                charging.stage = Stage::Fell(units.iter().map(note).collect());
                umpire.replace(Phase::Charge(charging));
                umpire.begin(Phase::Pullback(Pullback { units }));
                return Flow::Again;
            }
        }
        Stage::Fell(asked) => {
            for (unit, pose, disruption) in asked {
                let field = umpire.state();
                let fell = field.unit(unit).pose() != pose || soldiers(field, unit).disruption() < disruption;
                if let Some(charge) = charging.charges.iter_mut().find(|charge| fell && charge.unit() == unit) {
                    charge.out = true;
                }
            }
        }
        Stage::Close => {
            for charge in charging.charges.iter().filter(|charge| charge.goes_in()) {
                close(umpire, charge);
            }
            return Flow::Done;
        }
    }
    umpire.replace(Phase::Charge(charging));
    Flow::Again
}

/// Chargers that are gone or were driven back are out: giving way wipes the advance out.
fn strike_out(field: &Field, charging: &mut Charging) {
    for charge in &mut charging.charges {
        let unit = charge.line.unit;
        charge.out |= !is_there(field, unit) || soldiers(field, unit).turn.advance.is_none();
    }
}

/// Approach fire to come: for each target, each band of its weapon that the advance touches, far to near (R70).
fn plan_fire(umpire: &mut Umpire<'_, Fpw>, charging: &mut Charging) -> Vec<(UnitId, u8)> {
    let mut targets: Vec<UnitId> = charging.charges.iter().map(Charge::at).collect();
    targets.sort();
    targets.dedup();
    // A unit that counter-charges or evades does not shoot (R68).
    targets.retain(|at| charging.charges.iter().all(|charge| charge.at() != *at || charge.answer == Answer::Stands));
    let mut plan = Vec::new();
    for by in targets {
        let field = umpire.state();
        let bands = field.charts().bands(facts(field, by).weapon).len();
        if bands == 0 || !is_there(field, by) || is_engaged(field, by) || facts(field, by).is_scout() {
            continue;
        }
        for charge in charging.charges.iter_mut().filter(|charge| charge.line.meets == by && !charge.out) {
            charge.under_fire = seen_in_time(umpire, &charge.line, by);
        }
        let field = umpire.state();
        for band in (0..bands).rev() {
            if charging.charges.iter().any(|charge| is_under(field, charge, by, band)) {
                plan.push((by, band as u8));
            }
        }
    }
    plan
}

/// From where on its target sees a charger; whoever is charged from cover close by has no time to fire (approach-b).
fn seen_in_time(umpire: &mut Umpire<'_, Fpw>, line: &Line, by: UnitId) -> Option<Length> {
    let field = umpire.state();
    let seen = line.seen_by(field, by);
    let enemy = super::field::bodies(field, by);
    let close = field.charts().react.surprise_below.value.0;
    let in_time = seen.filter(|distance| *distance == Length::ZERO || line.gap_at(field, &enemy, *distance) >= close);
    if in_time.is_none() {
        let surprised = FpwEvent::Surprised { unit: by, charger: line.unit };
        umpire.announce(Event::own(Clause::Surprised, surprised));
    }
    in_time
}

/// Where a band begins: the limit of the one nearer than it.
fn nearer_limit(field: &Field, by: UnitId, band: usize) -> Length {
    let bands = field.charts().bands(facts(field, by).weapon);
    band.checked_sub(1).and_then(|nearer| bands.get(nearer)).map_or(Length::ZERO, |nearer| nearer.to.value.0)
}

/// Whether any part of the advance lies in a band.
fn is_under(field: &Field, charge: &Charge, by: UnitId, band: usize) -> bool {
    let Some(from) = charge.under_fire.filter(|_| charge.at() == by && !charge.out) else { return false };
    let enemy = super::field::bodies(field, by);
    band == 0 || charge.line.gap_at(field, &enemy, from) > nearer_limit(field, by, band) + SLACK
}

/// Brings the chargers to where they enter a band, and tells who shoots at whom there.
fn shots_at_band(umpire: &mut Umpire<'_, Fpw>, charging: &Charging, by: UnitId, band: u8) -> Vec<super::order::Shot> {
    let field = umpire.state();
    let under: Vec<&Charge> =
        charging.charges.iter().filter(|charge| is_under(field, charge, by, usize::from(band))).collect();
    let limit = field.charts().bands(facts(field, by).weapon).get(usize::from(band)).map(|band| band.to.value.0);
    for charge in &under {
        let field = umpire.state();
        let entry = charge.line.nearing(field, by, limit.unwrap_or(Length::ZERO));
        let place = entry.max(charge.under_fire.unwrap_or(Length::ZERO));
        go_to(umpire, &charge.line, place, Clause::ApproachFire);
    }
    let chargers: Vec<UnitId> = under.iter().map(|charge| charge.unit()).collect();
    if chargers.is_empty() { Vec::new() } else { fire::approach_shots(umpire.state(), by, &chargers) }
}

/// Goes along the line to a place, or to the next one beyond it that is clear of friends it passes through.
fn go_to(umpire: &mut Umpire<'_, Fpw>, line: &Line, place: Length, clause: Clause) {
    let field = umpire.state();
    let brink = line.brink(field);
    let clear = approach::steps(place.min(brink), brink)
        .into_iter()
        .find(|distance| approach::is_clear_of_friends(field, line.unit, line.pose_at(*distance)));
    if let Some(distance) = clear {
        relocate(umpire, line.unit, line.pose_at(distance), Vec::new(), clause);
    }
}

/// Everybody else may fire at the chargers, who are now a step from the enemy (R71).
fn others_fire(umpire: &mut Umpire<'_, Fpw>, mut charging: Charging) -> Flow<Fpw> {
    for charge in charging.charges.iter_mut().filter(|charge| charge.goes_in()) {
        match charge.line.again(umpire.state(), charge.line.meets).filter(Line::is_reached) {
            Some(line) => {
                charge.line = line;
                go_to(umpire, &charge.line, charge.line.gap, Clause::AdvanceDeclared);
            }
            None => charge.out = true,
        }
    }
    let targets: Vec<UnitId> = charging.charges.iter().filter(|charge| !charge.out).map(Charge::unit).collect();
    let by = charging.side.other();
    charging.stage = Stage::Fall;
    umpire.replace(Phase::Charge(charging));
    if !targets.is_empty() {
        umpire.begin(Phase::Reaction(Reaction { by, targets, occasion: Occasion::Charging }));
    }
    Flow::Again
}

fn falling(field: &Field, charging: &Charging) -> Vec<UnitId> {
    if charging.forced {
        return Vec::new();
    }
    let hit = |unit: &UnitId| soldiers(field, *unit).turn.inflicted > 0;
    charging.charges.iter().filter(|charge| !charge.out).map(Charge::unit).filter(hit).collect()
}

/// Whether a unit with so many markers closes on this die.
pub fn does_close(pip: i32, markers: u32) -> bool {
    i64::from(pip) >= i64::from(markers)
}

/// The test to close, and contact or a step back (close-a to -c).
fn close(umpire: &mut Umpire<'_, Fpw>, charge: &Charge) {
    let field = umpire.state();
    let unit = charge.unit();
    let line = charge.line.again(field, charge.at()).filter(Line::is_reached);
    let Some(line) = line.filter(|line| approach::is_clear_of_friends(field, unit, line.contact())) else {
        return;
    };
    let markers = soldiers(field, unit).markers();
    let side = field.side_of(unit);
    let roll = umpire.roll(Pool::d6(1), side);
    let closes = does_close(roll.single(), markers);
    let mut reckoning = Reckoning::new();
    reckoning.look(Clause::TestToClose, "markers to reach", Cited::derived(markers as i32));
    reckoning.add(Clause::TestToClose, "die", Cited::derived(roll.single()));
    let tested = FpwEvent::Tested { unit, markers: markers.min(u32::from(u8::MAX)) as u8, closes };
    let tested = Event::own(Clause::TestToClose, tested)
        .also_if(!closes, Clause::FailsToClose)
        .also_if(!closes, Clause::FailureKeepsMarkers);
    umpire.announce(tested.rolled(roll).because(reckoning));
    // Fire has had its say: nobody pulls this advance back any more.
    umpire.announce(Event::own(Clause::TestToClose, FpwEvent::Advanced { unit, advance: None }));
    if !closes {
        let back = Length::whole_inches(markers.div_ceil(2) as i32);
        morale::step_back(umpire, unit, back, Clause::FailsToClose);
        return;
    }
    clash(umpire, charge, &line);
}

fn clash(umpire: &mut Umpire<'_, Fpw>, charge: &Charge, line: &Line) {
    let unit = line.unit;
    relocate(umpire, unit, line.contact(), Vec::new(), Clause::TestToClose);
    let track = line.track(umpire.state());
    contact::scatter_scouts(umpire, unit, &track);
    let mut foes = contact::foes(umpire.state(), unit);
    // The unit aimed at comes first: how it is met decides what the charge is worth.
    foes.sort_by_key(|foe| (*foe != line.meets, *foe));
    for with in foes {
        let field = umpire.state();
        let aimed_at = with == charge.at();
        let impetus = Some(Impetus { level: level(field, with) <= charge.level });
        let other_impetus = match charge.answer {
            Answer::Counters(from) if aimed_at => Some(Impetus { level: charge.level <= from }),
            _ => None,
        };
        let caught = aimed_at && charge.answer == Answer::Caught;
        let from = line.from.at.vec();
        contact::meet(umpire, &Meeting { unit, with, from, impetus, other_impetus, caught }, Clause::TestToClose);
        if caught {
            umpire.announce(Event::own(Clause::EvadeCaught, FpwEvent::FailedEvade { unit: with }));
        }
    }
}

/// Judges the answer of cavalry charged by cavalry.
pub fn check_reaction(view: &View<'_, Fpw>, unit: UnitId, may_evade: bool, order: &Order) -> Verdict {
    reaction::check(view, unit, may_evade, order)
}

/// Carries it out.
pub fn execute_reaction(umpire: &mut Umpire<'_, Fpw>, order: &Order) {
    reaction::execute(umpire, order);
}
