//! Simultaneous movement by quarter bounds and slices, with every halt explained (D3): who moves in steps 4 and 5, and
//! what is told of it quarter by quarter.

mod before;
mod slices;
mod tell;

use super::Guns;
use super::clause::Clause;
use super::event::{GunsEvent, Halt, Retreat};
use super::field::{self, Elements, Few, Field, is_there, troops};
use super::order::Move;
use super::plot::route::{Route, Standing};
use super::plot::{self, charge, limits};
use super::unit::ChargeStage;
use super::{cycle, disorder, hidden, retreat, screen};
use engine::{Event, Side, Umpire, UnitId};
use table::{Length, Quad};

pub use slices::is_observer_touched;

/// Quarters of a bound.
const QUARTERS: u8 = 4;

/// A unit on its way.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Who.
    pub unit: UnitId,
    /// Its way.
    pub route: Route,
    /// Whom it charges.
    pub aim: Option<UnitId>,
    /// Time lost before it set out, in move.
    late: f64,
    /// What it has spent of its way.
    spent: f64,
    /// Why it goes no further.
    halt: Option<(Halt, Option<UnitId>)>,
    /// Where and how it stands now.
    now: Standing,
    /// Where and how it stands as far as has been told.
    told: Standing,
    elements: Elements,
    quad: Quad,
    /// Pinned friends it went through.
    passed: Few,
    /// A halt already told.
    halt_told: bool,
}

impl Mover {
    /// A unit about to set out.
    pub fn new(unit: UnitId, route: Route) -> Mover {
        let start = route.at(-1.0);
        Mover {
            unit,
            route,
            aim: None,
            late: 0.0,
            spent: 0.0,
            halt: None,
            now: start,
            told: start,
            elements: Elements::new(),
            quad: Quad::default(),
            passed: Few::new(),
            halt_told: false,
        }
    }

    /// One that sets out after so much of its move has gone by.
    pub fn late(mut self, by: Length) -> Mover {
        self.late = by.as_f64();
        self
    }

    fn charging(mut self, at: UnitId) -> Mover {
        self.aim = Some(at);
        self
    }

    fn is_active(&self) -> bool {
        self.halt.is_none() && self.spent < self.goal()
    }

    /// What it will have spent if nothing stops it.
    fn goal(&self) -> f64 {
        self.route.reach().min((self.route.full.as_f64() - self.late).max(0.0))
    }

    /// What it has spent after a share of the bound.
    fn spent_after(&self, share: f64) -> f64 {
        (self.route.full.as_f64() * share - self.late).clamp(0.0, self.goal())
    }

    fn place(&mut self, field: &Field, spent: f64) {
        self.spent = spent;
        self.now = self.route.at(spent);
        self.elements = self.route.elements(field, self.now);
        self.quad = field.footprint(self.unit, self.now.formation).quad(self.now.pose);
    }

    /// Whether all it was told to do is done.
    pub fn has_arrived(&self) -> bool {
        self.halt.is_none() && self.now.complete == self.route.spans.len()
    }

    fn unused(&self) -> Length {
        (self.route.limit - Length::from_um(self.spent + self.late)).max(Length::ZERO)
    }
}

/// For whom the quarters of the bound pass while others move: chargers live through them in step 4, everybody else in
/// step 5, and guns that leave their place after firing have lived through them already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Clock {
    Chargers,
    Others,
    Nobody,
}

/// Moves chargers up to their flinch points (P4.4).
pub fn charges(umpire: &mut Umpire<'_, Guns>) {
    let field = umpire.state();
    let mut movers = Vec::new();
    let mut stay: Vec<(UnitId, ChargeStage, Length)> = Vec::new();
    for side in [Side::A, Side::B] {
        for (unit, piece) in field.present(side) {
            let Some(charge) = piece.own.charge.as_deref().filter(|charge| charge.stage == ChargeStage::Moving) else {
                continue;
            };
            let legs = charge::plotted_legs(field, unit, charge);
            let pace = plot::route_of(field, unit, &[], None).full;
            let line = is_there(field, charge.at).then(|| {
                charge::lay(field, unit, charge.at, &legs, Some(pace))
                    .or_else(|_| charge::lay(field, unit, charge.at, &[], Some(pace)))
            });
            let Some(Ok(line)) = line else {
                stay.push((unit, ChargeStage::Short, Length::ZERO));
                continue;
            };
            let (own, theirs) = (field::elements(field, unit), field::elements(field, charge.at));
            let gap = charge::approach_gap(field, &own, charge.at, &theirs);
            if piece.own.pinned || gap <= field::flinch_distance(field, charge.at) + table::SLACK {
                stay.push((unit, ChargeStage::Tested, line.route.limit));
            } else {
                movers.push(Mover::new(unit, line.route).charging(charge.at));
            }
        }
    }
    for (unit, stage, left) in stay {
        stage_of(umpire, unit, stage, left);
    }
    let movers = move_quarters(umpire, movers, Clock::Chargers);
    for mover in movers {
        settle_charge(umpire, &mover);
    }
}

/// Where a charge stands after its move: at its flinch point, before somebody else, or short of anybody.
fn settle_charge(umpire: &mut Umpire<'_, Guns>, mover: &Mover) {
    let unit = mover.unit;
    let field = umpire.state();
    let Some(aim) = mover.aim.filter(|_| is_there(field, unit) && troops(field, unit).charge.is_some()) else { return };
    let stage = match mover.halt {
        Some((Halt::FlinchPoint | Halt::MutualCharge, _)) => ChargeStage::Tested,
        Some((Halt::EnemyNear, Some(by))) if may_turn(field, unit, by) => {
            if by != aim {
                let event = GunsEvent::ChargeTurns { unit, at: by };
                umpire.announce(Event::own(Clause::ChargeNeedsTest, event));
            }
            ChargeStage::Tested
        }
        Some((Halt::FriendInTheWay, _)) if slices::is_at_flinch_point(field, unit, aim) => ChargeStage::Tested,
        _ => ChargeStage::Short,
    };
    if stage == ChargeStage::Short && mover.halt.is_none() {
        let event = GunsEvent::Halted { unit, why: Halt::OutOfReach, by: Some(aim) };
        umpire.announce(Event::own(Clause::ChargeNeedsTest, event));
    }
    stage_of(umpire, unit, stage, mover.unused());
}

/// Whether an enemy who has come across a charge can be its target instead (R20).
fn may_turn(field: &Field, unit: UnitId, by: UnitId) -> bool {
    let barred = field::is_mounted(field, unit) && charge::is_across_perimeter(field, unit, by);
    let worn = !field::may_charge_by_status(field, unit) && !field::skirmishes(field, by);
    is_there(field, by) && !barred && !worn
}

fn stage_of(umpire: &mut Umpire<'_, Guns>, unit: UnitId, stage: ChargeStage, left: Length) {
    umpire.announce(Event::own(Clause::ChargesFourth, GunsEvent::ChargeStage { unit, stage, left }));
}

/// Moves everybody else (P5).
pub fn others(umpire: &mut Umpire<'_, Guns>) {
    let mut movers = before::set_out(umpire);
    movers.extend(marching(umpire.state()));
    let movers = move_quarters(umpire, movers, Clock::Others);
    before::arrive(umpire, &movers);
    release_pinned(umpire, &movers);
}

/// Units with marching orders who are free to carry them out.
fn marching(field: &Field) -> Vec<Mover> {
    let mut movers = Vec::new();
    for side in [Side::A, Side::B] {
        for line in &field.ledger().plots[side] {
            let Move::March { unit, steps, defend } = line else { continue };
            let free = is_there(field, *unit)
                && troops(field, *unit).charge.is_none()
                && limits::helpless(field, *unit).is_none();
            let steps = cycle::split(steps).0;
            if free && (!steps.is_empty() || defend.is_some()) {
                movers.push(Mover::new(*unit, plot::route_of(field, *unit, steps, *defend)));
            }
        }
    }
    movers.sort_by_key(|mover| (field.side_of(mover.unit), mover.unit));
    movers
}

/// Moves batteries that have fired (P6.3).
pub fn run(umpire: &mut Umpire<'_, Guns>, movers: Vec<Mover>) {
    move_quarters(umpire, movers, Clock::Nobody);
}

/// Four quarters. `clock`: for whom they pass, so that what is wet gets dryer.
fn move_quarters(umpire: &mut Umpire<'_, Guns>, mut movers: Vec<Mover>, clock: Clock) -> Vec<Mover> {
    if movers.is_empty() && clock == Clock::Nobody {
        return movers;
    }
    let field = umpire.state();
    for mover in &mut movers {
        mover.place(field, 0.0);
    }
    let mut told = false;
    for quarter in 1..=QUARTERS {
        drop_the_displaced(umpire.state(), &mut movers);
        let busy = movers.iter().any(Mover::is_active) || (quarter == 1 && !movers.is_empty());
        if busy {
            told = true;
            umpire.announce(Event::own(Clause::QuarterBounds, GunsEvent::Quarter { quarter }));
            let last = quarter == QUARTERS;
            let notes = slices::advance(umpire.state(), &mut movers, quarter, last);
            tell::quarter(umpire, &mut movers);
            overrun(umpire, &notes.overrun);
            alarm(umpire, &notes.alarmed);
            hidden::discover(umpire);
        }
        dry(umpire, clock);
    }
    tell::spent(umpire, &movers);
    if told {
        umpire.announce(Event::own(Clause::QuarterBounds, GunsEvent::Quarter { quarter: 0 }));
    }
    movers
}

/// Whoever was swept away or taken off by what others did goes no further on his own way.
fn drop_the_displaced(field: &Field, movers: &mut Vec<Mover>) {
    movers.retain(|mover| {
        let piece = field.unit(mover.unit);
        let here = piece.pose() == mover.told.pose && piece.body.formation == mover.told.formation;
        piece.is_present() && here && !piece.own.broken
    });
}

/// Observers enemies have walked into (indirect-e, R67).
pub fn overrun(umpire: &mut Umpire<'_, Guns>, batteries: &[UnitId]) {
    for &battery in batteries {
        // A successor comes in the bound after the next.
        let until = umpire.state().turn() + 2;
        let observer = Some(super::unit::Observer::Lost { until });
        let event = GunsEvent::ObserverMoved { battery, observer };
        umpire.announce(Event::own(Clause::ObserverOverrun, event).also(Clause::NewObserver));
    }
}

/// Reforming units enemies have come near: they retire when the quarter ends (reform-c, R38).
fn alarm(umpire: &mut Umpire<'_, Guns>, alarmed: &[(UnitId, UnitId)]) {
    for &(unit, by) in alarmed {
        if !is_there(umpire.state(), unit) || troops(umpire.state(), unit).bound.alarmed {
            continue;
        }
        let event = GunsEvent::Halted { unit, why: Halt::Alarm, by: Some(by) };
        umpire.announce(Event::own(Clause::ReformAlarm, event));
        retreat::retire(umpire, unit, Some(by), Retreat::Alarmed);
    }
}

/// A quarter of the bound has passed: whoever is out of the water is a little dryer.
fn dry(umpire: &mut Umpire<'_, Guns>, clock: Clock) {
    let lives = |charging: bool| match clock {
        Clock::Chargers => charging,
        Clock::Others => !charging,
        Clock::Nobody => false,
    };
    let wet: Vec<UnitId> = umpire
        .state()
        .units()
        .filter(|(_, unit)| unit.is_present() && unit.own.disorder.water && lives(unit.own.charge.is_some()))
        .map(|(id, _)| id)
        .collect();
    for unit in wet {
        disorder::settle(umpire, unit, true);
    }
}

/// Pinned troops are free again once steady friends have gone through them and stand between them and the enemy
/// (failed-k).
fn release_pinned(umpire: &mut Umpire<'_, Guns>, movers: &[Mover]) {
    for mover in movers {
        for &pinned in &mover.passed {
            let field = umpire.state();
            if is_there(field, pinned) && troops(field, pinned).pinned && slices::shields(field, mover.unit, pinned) {
                let event = GunsEvent::Pinned { unit: pinned, pinned: false };
                hidden::announce(umpire, pinned, Event::own(Clause::ReleasedByFriends, event));
            }
        }
    }
}

/// A recalled screen that is back.
fn back_in(umpire: &mut Umpire<'_, Guns>, movers: &[Mover]) {
    let field = umpire.state();
    let recalled: Vec<UnitId> = [Side::A, Side::B]
        .into_iter()
        .flat_map(|side| field.ledger().plots[side].iter())
        .filter_map(|line| if let Move::Recall { screen } = line { Some(*screen) } else { None })
        .filter(|screen| movers.iter().any(|mover| mover.unit == *screen && mover.spent + 1.0 >= mover.goal()))
        .collect();
    for screen in recalled {
        screen::rejoin(umpire, screen);
    }
}
