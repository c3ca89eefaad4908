//! Small arms take the nearest: each stand looks from the nearest enemy outwards. A-30.

use super::{Bearing, Firer, Outlook, Sheet, Why};
use crate::field::{self, measured};
use crate::shooting::arc::Arc;
use crate::shooting::weapon::Quarry;
use crate::unit::Arm;
use engine::UnitId;
use smallvec::SmallVec;
use table::{Length, Quad};

/// How a unit looks at each of its enemies, as far as anybody has asked.
type Outlooks<'f> = Vec<Option<Outlook<'f>>>;

impl<'f> Firer<'f> {
    /// Whether any stand with a small arm may shoot at an enemy, the nearest minded; at anybody where none is named. It
    /// asks one stand after another, and mostly the first has the answer.
    pub fn may_shoot(&self, at: Option<UnitId>) -> bool {
        let enemies: SmallVec<[UnitId; 16]> = self.enemies().collect();
        if at.is_some_and(|at| !enemies.contains(&at)) {
            return false;
        }
        let mut outlooks: Outlooks<'f> = enemies.iter().map(|_| None).collect();
        self.arcs.iter().any(|stand| {
            let mut found: SmallVec<[(usize, Result<Bearing, Why>); 4]> = SmallVec::new();
            self.look_outward(stand, &enemies, &mut outlooks, |n, one| found.push((n, one)));
            let plain = found.iter().filter(|(n, _)| !self.is_staff(enemies[*n]));
            let least = plain.filter_map(|(_, one)| distance(one)).min();
            found.iter().any(|(n, one)| {
                let near = |bearing: &Bearing| least.is_none_or(|least| bearing.at <= least);
                at.is_none_or(|at| enemies[*n] == at)
                    && one.as_ref().is_ok_and(|bearing| self.is_staff(enemies[*n]) || near(bearing))
            })
        })
    }

    /// Whether an enemy is no formed body, which nobody need take for being the nearest.
    fn is_staff(&self, enemy: UnitId) -> bool {
        field::facts(self.field, enemy).arm == Arm::Engineers
    }

    /// The sheets of small arms: each stand looks at enemies from the nearest outwards and, once it has one, at none
    /// further off, which it might not shoot at anyway. For all the reasons ask [`Firer::sheet`].
    pub(super) fn nearest_sheets(&self, enemies: &[UnitId]) -> Vec<Sheet> {
        let mut outlooks: Outlooks<'f> = enemies.iter().map(|_| None).collect();
        let mut sheets: Vec<Sheet> = enemies
            .iter()
            .map(|id| Sheet { quarry: Quarry::Unit(*id), stands: vec![Err(Why::Unasked); self.arcs.len()] })
            .collect();
        for (no, stand) in self.arcs.iter().enumerate() {
            self.look_outward(stand, enemies, &mut outlooks, |n, found| sheets[n].stands[no] = found);
        }
        sheets
    }

    /// One stand looks at enemies from the nearest outwards until those left are further off than the nearest it has;
    /// `note` hears what it can do about each.
    fn look_outward(
        &self,
        (stand, arc, quad): &(u8, Arc, &'f Quad),
        enemies: &[UnitId],
        outlooks: &mut [Option<Outlook<'f>>],
        mut note: impl FnMut(usize, Result<Bearing, Why>),
    ) {
        let mut least = Length::MAX;
        let mut order = self.outward(arc, enemies);
        // What is not measured yet comes first among equals: it may not be in the arc at all.
        while let Some(place) = (0..order.len()).min_by_key(|place| order[*place]) {
            let (near, is_measured, n) = order[place];
            let staff = self.is_staff(enemies[n]);
            // Whoever is further off than the nearest at the very least need not be measured at all.
            if is_measured || (near > least && !staff) {
                order.swap_remove(place);
            }
            if near > least && !staff {
                continue;
            }
            if !is_measured {
                let (stands, body) = (field::stands(self.field, enemies[n]), self.field.unit(enemies[n]).quad());
                match self.least(arc, quad, stands, body) {
                    Some(near) => order[place] = (near, true, n),
                    None => drop(order.swap_remove(place)),
                }
                continue;
            }
            let quarry = Quarry::Unit(enemies[n]);
            let outlook = outlooks[n].get_or_insert_with(|| self.outlook_on(quarry));
            let found = self.bear(*stand, arc, quad, self.target(quarry, outlook));
            if let Some(at) = distance(&found).filter(|_| !staff) {
                least = least.min(at);
            }
            note(n, found);
        }
    }

    /// Enemies that may lie in an arc, each with how far off it is at least, and that nobody has measured it.
    fn outward(&self, arc: &Arc, enemies: &[UnitId]) -> SmallVec<[(Length, bool, usize); 16]> {
        let range = self.weapon.range();
        let near = |(n, id): (usize, &UnitId)| {
            let body = self.field.unit(*id).quad();
            let at = measured(arc.at_least_of_body(body));
            (at <= range && !arc.surely_misses(body)).then_some((at, false, n))
        };
        enemies.iter().enumerate().filter_map(near).collect()
    }

    pub(super) fn keep_the_nearest(&self, sheets: &mut [Sheet]) {
        let is_staff = |sheet: &Sheet| sheet.quarry.unit().is_none_or(|id| self.is_staff(id));
        for no in 0..self.arcs.len() {
            let plain = sheets.iter().filter(|sheet| !is_staff(sheet));
            let nearest =
                plain.filter_map(|sheet| Some((distance(sheet.stands.get(no)?)?, sheet.quarry.unit()?))).min();
            let Some((least, enemy)) = nearest else { continue };
            for sheet in sheets.iter_mut().filter(|sheet| !is_staff(sheet)) {
                if let Some(stand) = sheet.stands.get_mut(no)
                    && stand.as_ref().is_ok_and(|bearing| bearing.at > least)
                {
                    *stand = Err(Why::Nearer(enemy));
                }
            }
        }
    }
}

/// How far off a target is that counts as the nearest one, whether it can be shot at or not.
fn distance(found: &Result<Bearing, Why>) -> Option<Length> {
    match found {
        Ok(bearing) => Some(bearing.at),
        Err(why) => why.eligible_at(),
    }
}
