//! Whether a march may be made at all, for whoever does not ask why not: what is soon said, or mostly says no, is asked
//! first, and the first reason against it is enough. The reasons themselves are in the judge's file.

use super::judge::{CostLine, Plan};
use super::obstruct::ends_too_near;
use crate::field::{self, measured};
use crate::formation::Formation;
use crate::ground::Tolls;
use crate::space::Sweep;
use smallvec::SmallVec;
use std::borrow::Cow;
use table::Length;

impl Plan<'_> {
    /// Whether the move may be made, for whoever does not ask why not: the cheap questions come first, and the first
    /// reason against it is enough.
    pub(super) fn stands(mut self) -> bool {
        if !self.verdict.is_legal() || self.is_beyond_means() {
            return false;
        }
        self.activity();
        if !self.verdict.is_legal() {
            return false;
        }
        // The ground stops more than anybody who stands on it, mostly because it costs too much, and mostly where the move
        // begins or ends.
        let (spent, free) = (self.spent(), self.is_change_alone() || self.is_an_inch());
        let is_dear = |tolls: &Tolls| !free && measured(spent + tolls.total()) > measured(self.allowance(tolls));
        let enough = |tolls: &Tolls| !tolls.refusals.is_empty() || is_dear(tolls);
        if enough(&self.tolls_until(&self.ends(), &enough)) {
            return false;
        }
        let sweeps = self.sweeps();
        let tolls = self.tolls_until(&sweeps, &enough);
        if enough(&tolls) {
            return false;
        }
        let costs = tolls.lines.iter().map(|line| CostLine {
            label: Cow::Borrowed(""),
            clause: line.clause,
            cost: line.cost,
            source: line.source,
        });
        self.costs.extend(costs);
        let allowance = self.allowance(&tolls);
        self.afford(allowance, &tolls);
        if !self.verdict.is_legal() {
            return false;
        }
        self.room();
        if !self.verdict.is_legal() || ends_too_near(self.field, self.unit, self.pose, self.formation) {
            return false;
        }
        self.any_enemy(&sweeps);
        if !self.verdict.is_legal() {
            return false;
        }
        // Lines that are relieved cost something as well.
        self.friends(&sweeps);
        self.afford(allowance, &tolls);
        if self.verdict.is_legal() {
            self.any_shunned();
        }
        self.verdict.is_legal()
    }

    /// Whether it costs more than it could have on the best of roads.
    fn is_beyond_means(&self) -> bool {
        let most = self.allowance(&Tolls { on_road: true, ..Tolls::default() });
        measured(self.spent()) > measured(most) && !self.is_change_alone() && !self.is_an_inch()
    }

    pub(super) fn spent(&self) -> Length {
        self.costs.iter().map(|line| line.cost).sum()
    }

    fn ends(&self) -> SmallVec<[Sweep; 3]> {
        let layout = |formation: Formation| field::layout(self.field, self.unit, formation);
        self.ways.iter().map(|(track, formation)| Sweep::of_ends(&layout(*formation), track)).collect()
    }
}
