//! Markers: which stand takes them, which of them degrade, and how they come off again. Section E.2, R53, R54, R55,
//! R58, R61, R77, R81.

use super::Fpw;
use super::charts::plain;
use super::clause::Clause;
use super::event::{FpwEvent, MarkCause};
use super::field::{Field, facts, is_there, soldiers};
use super::unit::{Arm, Markers};
use super::{generals, hidden};
use engine::{Deed, Event, Leaving, Pool, Reckoning, Roll, Umpire, UnitId};
use smallvec::SmallVec;

/// Markers stand by stand.
pub type Sheet = SmallVec<[Markers; 4]>;

/// The stands of one unit while hits fall on them, one after another.
///
/// It throws no dice: it says for which stand one is due and is told what came up, so umpire and odds go the same way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Laying {
    /// The markers so far.
    pub stands: Sheet,
    /// Hits taken after the last stand was degraded: each makes the unit withdraw (R58).
    pub further: u8,
    /// Horse with more markers than stands (R61).
    pub gone: bool,
    horse: bool,
    seen: u16,
    rank: SmallVec<[u8; 4]>,
}

impl Laying {
    /// A unit about to take hits. `seen`: the stands whose markers may degrade, bit n for stand n. `rank`: the place of
    /// each stand among those nearest to the firers; its own number where left out.
    pub fn new(field: &Field, unit: UnitId, seen: u16, rank: &[u8]) -> Laying {
        Laying::of(soldiers(field, unit).stands.clone(), facts(field, unit).arm == Arm::Cavalry, seen, rank)
    }

    /// The same without a table.
    pub fn of(stands: Sheet, horse: bool, seen: u16, rank: &[u8]) -> Laying {
        let rank = (0..stands.len()).map(|n| rank.get(n).copied().unwrap_or(n as u8)).collect();
        Laying { stands, further: 0, gone: false, horse, seen, rank }
    }

    fn disruption(&self) -> usize {
        self.stands.iter().map(|stand| usize::from(stand.disruption)).sum()
    }

    fn degradation(&self) -> usize {
        self.stands.iter().map(|stand| usize::from(stand.degradation)).sum()
    }

    fn is_seen(&self, stand: usize) -> bool {
        self.seen & (1 << stand.min(15)) != 0
    }

    /// The stand an even spread comes to next: fewest disruption, then fewest degradation, seen before hidden, nearest.
    fn next_stand(&self, among: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.stands.len()).filter(|n| among(*n)).min_by_key(|n| {
            let stand = self.stands[*n];
            let (first, second) = match self.horse {
                true => (stand.degradation, stand.disruption),
                false => (stand.disruption, stand.degradation),
            };
            (first, second, !self.is_seen(*n), self.rank[*n], *n)
        })
    }

    fn disrupt(&mut self, stand: usize) {
        self.stands[stand].disruption = self.stands[stand].disruption.saturating_add(1);
    }

    /// One hit. Where it is one too many it gives the stand a die is to be thrown for, and waits for [`Laying::settle`].
    pub fn hit(&mut self) -> Option<usize> {
        let next = self.next_stand(|_| true).filter(|_| !self.gone)?;
        if self.horse {
            self.stands[next].degradation = self.stands[next].degradation.saturating_add(1);
            self.gone = self.degradation() > self.stands.len();
            return None;
        }
        let all_degraded = self.stands.iter().all(|stand| stand.degradation > 0);
        if all_degraded {
            self.further = self.further.saturating_add(1);
        }
        let seen_all_degraded =
            (0..self.stands.len()).filter(|n| self.is_seen(*n)).all(|n| self.stands[n].degradation > 0);
        let surplus = !all_degraded && self.disruption() >= self.stands.len();
        if surplus && self.is_seen(next) && !seen_all_degraded {
            return Some(next);
        }
        self.disrupt(next);
        None
    }

    /// The die for a marker one too many.
    pub fn settle(&mut self, stand: usize, degrades: bool) {
        if !degrades {
            return self.disrupt(stand);
        }
        let clean = |n: usize| self.stands[n].degradation == 0;
        let place = if clean(stand) {
            Some(stand)
        } else {
            self.next_stand(|n| self.is_seen(n) && self.stands[n].degradation == 0)
        };
        match place {
            Some(place) => self.stands[place].degradation = 1,
            None => self.disrupt(stand),
        }
    }

    /// What was added since a sheet: disruption and degradation.
    pub fn added(&self, before: &Sheet) -> (i8, i8) {
        let sum = |sheet: &Sheet, of: fn(&Markers) -> u8| sheet.iter().map(|stand| i32::from(of(stand))).sum::<i32>();
        let more = |of: fn(&Markers) -> u8| (sum(&self.stands, of) - sum(before, of)).clamp(-100, 100) as i8;
        (more(|stand| stand.disruption), more(|stand| stand.degradation))
    }
}

/// Lays hits of shooting on a unit, one die for each marker too many as it comes up. Returns the hits that make it
/// withdraw; horse with too many markers is gone (R61).
pub fn lay(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, hits: u8, seen: u16, rank: &[u8]) -> u8 {
    if hits == 0 || !is_there(umpire.state(), unit) {
        return 0;
    }
    let laying = Laying::new(umpire.state(), unit, seen, rank);
    let partly = laying.stands.len() > (0..laying.stands.len()).filter(|n| laying.is_seen(*n)).count();
    let clause = if laying.horse { Clause::CavalryHits } else { Clause::HitsDisrupt };
    let (laying, rolls) = fall(umpire, unit, laying, hits);
    let also: &[Clause] = if partly { &[Clause::PartlySeen, Clause::OnlySeenDegrade] } else { &[] };
    announce(umpire, unit, &laying, MarkCause::Fire, rolls, clause, also);
    if laying.gone {
        remove(umpire, unit, Leaving::Destroyed, Clause::CavalryRemoved);
        return 0;
    }
    laying.further
}

fn fall(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, mut laying: Laying, hits: u8) -> (Laying, Vec<Roll>) {
    let need = umpire.charts().fire.degrade_on.value.get();
    let side = umpire.state().side_of(unit);
    let mut rolls = Vec::new();
    for _ in 0..hits {
        if let Some(stand) = laying.hit() {
            let roll = umpire.roll(Pool::d6(1), side);
            laying.settle(stand, roll.single() >= need);
            rolls.push(roll);
        }
    }
    (laying, rolls)
}

fn announce(
    umpire: &mut Umpire<'_, Fpw>,
    unit: UnitId,
    laying: &Laying,
    cause: MarkCause,
    rolls: Vec<Roll>,
    clause: Clause,
    also: &[Clause],
) {
    let (disruption, degradation) = laying.added(&soldiers(umpire.state(), unit).stands);
    let event = FpwEvent::Marks { unit, cause, stands: laying.stands.clone(), disruption, degradation };
    let mut event = Event::own(clause, event);
    if !rolls.is_empty() {
        let mut reckoning = Reckoning::new();
        reckoning.look(Clause::SurplusDegrades, "degrades on", plain(umpire.charts().fire.degrade_on));
        event = event.also(Clause::SurplusDegrades).because(reckoning);
    }
    event = event.also_if(degradation > 0, Clause::DegradationStays).also_if(laying.further > 0, Clause::AllDegraded);
    event.also.extend(also.iter().map(|clause| (*clause).into()));
    event.rolls.extend(rolls);
    hidden::announce(umpire, unit, event);
}

/// Close-combat hits: degradation, spread evenly, touching stands first (R77). Removes horse with D > S (R61).
pub fn degrade(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, hits: u8, touching: &[u8]) {
    if hits == 0 || !is_there(umpire.state(), unit) {
        return;
    }
    let mut laying = Laying::new(umpire.state(), unit, u16::MAX, &[]);
    for _ in 0..hits {
        let next = (0..laying.stands.len())
            .min_by_key(|n| (laying.stands[*n].degradation, !touching.contains(&(*n as u8)), *n));
        if let Some(next) = next {
            laying.stands[next].degradation = laying.stands[next].degradation.saturating_add(1);
        }
    }
    let gone = laying.horse && laying.degradation() > laying.stands.len();
    announce(umpire, unit, &laying, MarkCause::Combat, Vec::new(), Clause::CombatDegrades, &[]);
    if gone {
        remove(umpire, unit, Leaving::Destroyed, Clause::CavalryRemoved);
    }
}

/// One more marker with its die where it is one too many: disruption, or degradation for horse (R81).
pub fn one_more(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, cause: MarkCause) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    let laying = Laying::new(umpire.state(), unit, u16::MAX, &[]);
    let also: &[Clause] = if laying.horse { &[Clause::CavalryHits] } else { &[] };
    let (laying, rolls) = fall(umpire, unit, laying, 1);
    announce(umpire, unit, &laying, cause, rolls, Clause::FollowUpMarker, also);
    if laying.gone {
        remove(umpire, unit, Leaving::Destroyed, Clause::CavalryRemoved);
    }
}

/// Disruption on the stands named, without dice: the confusion of being run through (R62). It carries the dice that
/// named them, also where they named none.
pub fn confuse(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, struck: &[usize], roll: Roll, reckoning: Reckoning) {
    let mut laying = Laying::new(umpire.state(), unit, u16::MAX, &[]);
    for stand in struck {
        if let Some(markers) = laying.stands.get_mut(*stand) {
            markers.disruption = markers.disruption.saturating_add(1);
        }
    }
    let (disruption, degradation) = laying.added(&soldiers(umpire.state(), unit).stands);
    let stands = laying.stands;
    let event = FpwEvent::Marks { unit, cause: MarkCause::Confusion, stands, disruption, degradation };
    let event = Event::own(Clause::PassedThrough, event).also(Clause::Confusion);
    hidden::announce(umpire, unit, event.rolled(roll).because(reckoning));
}

/// Takes up to `count` disruption markers off, from the stands that bear most (R55); returns how many.
pub fn take_off(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, count: u8, cause: MarkCause) -> u8 {
    let mut laying = Laying::new(umpire.state(), unit, u16::MAX, &[]);
    let mut off = 0;
    while off < count {
        let fullest = (0..laying.stands.len()).rev().max_by_key(|n| laying.stands[*n].disruption);
        match fullest.map(|n| &mut laying.stands[n].disruption) {
            Some(markers) if *markers > 0 => *markers -= 1,
            _ => break,
        }
        off += 1;
    }
    if off > 0 {
        announce(umpire, unit, &laying, cause, Vec::new(), Clause::HalfRemoved, &[]);
    }
    off
}

/// A unit leaves the table: whoever fought it is free, generals with it ride to friends.
pub fn remove(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, why: Leaving, clause: Clause) {
    if !is_there(umpire.state(), unit) {
        return;
    }
    disengage(umpire, unit, clause);
    let event = Event::new(clause, Deed::Removed { unit, why });
    hidden::announce(umpire, unit, event.also_if(why == Leaving::Spent, Clause::ScoutsNotLost));
    generals::make_room(umpire);
}

/// Breaks off all contacts of a unit, if it has any.
pub fn disengage(umpire: &mut Umpire<'_, Fpw>, unit: UnitId, clause: Clause) {
    if !soldiers(umpire.state(), unit).fight.contacts.is_empty() {
        umpire.announce(Event::own(clause, FpwEvent::Disengaged { unit }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets hits fall with the faces given for markers too many; every face must be used.
    fn fall(stands: usize, horse: bool, seen: u16, hits: u8, faces: &[u8]) -> Laying {
        let mut laying = Laying::of(SmallVec::from_elem(Markers::default(), stands), horse, seen, &[]);
        go_on(&mut laying, hits, faces);
        laying
    }

    fn go_on(laying: &mut Laying, hits: u8, faces: &[u8]) {
        let mut faces = faces.iter();
        for _ in 0..hits {
            if let Some(stand) = laying.hit() {
                laying.settle(stand, *faces.next().unwrap() >= 4);
            }
        }
        assert_eq!(faces.len(), 0, "a die was never asked for");
    }

    fn both(laying: &Laying) -> (usize, usize) {
        (laying.disruption(), laying.degradation())
    }

    #[test]
    fn the_fourth_marker_of_three_stands_is_thrown_for() {
        assert_eq!(both(&fall(3, false, 7, 2, &[])), (2, 0));
        assert_eq!(both(&fall(3, false, 7, 4, &[5])), (3, 1));
        assert_eq!(both(&fall(3, false, 7, 4, &[3])), (4, 0));
        // Five hits of which the first too many degrades and the second does not.
        assert_eq!(both(&fall(3, false, 7, 5, &[4, 2])), (4, 1));
    }

    #[test]
    fn only_stands_in_sight_degrade() {
        let laying = fall(3, false, 0b011, 6, &[6, 2]);
        let disruption: Vec<u8> = laying.stands.iter().map(|stand| stand.disruption).collect();
        assert_eq!((both(&laying), disruption), ((5, 1), vec![1, 2, 2]));
        assert_eq!(laying.stands[0].degradation, 1);
    }

    #[test]
    fn hits_on_a_unit_degraded_throughout_make_it_withdraw() {
        let worn = Markers { disruption: 0, degradation: 1 };
        let mut laying = Laying::of(SmallVec::from_elem(worn, 3), false, 7, &[]);
        laying.stands[0].disruption = 2;
        go_on(&mut laying, 2, &[]);
        assert_eq!((both(&laying), laying.further), ((4, 3), 2));
        // A battery: disrupted, degraded, and the third hit drives it off.
        assert_eq!(fall(1, false, 1, 3, &[5]).further, 1);
    }

    #[test]
    fn horse_is_degraded_and_goes_with_one_marker_more_than_stands() {
        assert_eq!((both(&fall(2, true, 3, 2, &[])), fall(2, true, 3, 2, &[]).gone), ((0, 2), false));
        let laying = fall(2, true, 3, 5, &[]);
        assert_eq!((both(&laying), laying.gone), ((0, 3), true));
    }

    #[test]
    fn the_nearest_of_equal_stands_is_struck_first() {
        let mut laying = Laying::of(SmallVec::from_elem(Markers::default(), 3), false, 7, &[2, 1, 0]);
        assert_eq!(laying.hit(), None);
        assert_eq!(laying.stands[2].disruption, 1);
    }
}
