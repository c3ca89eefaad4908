//! How much a player may think about one question.

use std::fmt;

/// Says whether the time for a question is over. Players read no clock: whoever asks them brings one.
pub type Watch<'a> = &'a dyn Fn() -> bool;

/// What a player may spend on one question: orders in imagined battles, and time where somebody holds a watch.
pub struct Leash<'a> {
    left: u32,
    spent: u32,
    watch: Option<Watch<'a>>,
    over: bool,
}

impl<'a> Leash<'a> {
    /// So many orders in imagined battles: the same seed then plays the same way on any machine.
    pub fn nodes(nodes: u32) -> Leash<'a> {
        Leash { left: nodes, spent: 0, watch: None, over: false }
    }

    /// As long as the watch says, however many orders that is.
    pub fn watched(watch: Watch<'a>) -> Leash<'a> {
        Leash { left: u32::MAX, spent: 0, watch: Some(watch), over: false }
    }

    /// Notes that orders were given in an imagined battle.
    pub fn spend(&mut self, nodes: u32) {
        self.left = self.left.saturating_sub(nodes);
        self.spent = self.spent.saturating_add(nodes);
    }

    /// Whether it is time to answer.
    pub fn is_over(&mut self) -> bool {
        self.over = self.over || self.left == 0 || self.watch.is_some_and(|watch| watch());
        self.over
    }

    /// Orders given in imagined battles so far.
    pub fn spent(&self) -> u32 {
        self.spent
    }

    /// Orders left, where they are what counts.
    pub fn left(&self) -> Option<u32> {
        self.watch.is_none().then_some(self.left)
    }
}

impl fmt::Debug for Leash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} orders spent, {} left", self.spent, self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn orders_run_out() {
        let mut leash = Leash::nodes(10);
        leash.spend(9);
        assert!(!leash.is_over());
        leash.spend(5);
        assert!(leash.is_over());
        assert_eq!((leash.spent(), leash.left()), (14, Some(0)));
    }

    #[test]
    fn a_watch_that_has_rung_is_not_asked_again() {
        let asked = Cell::new(0);
        let watch = || {
            asked.set(asked.get() + 1);
            asked.get() == 2
        };
        let mut leash = Leash::watched(&watch);
        assert!(!leash.is_over() && leash.is_over() && leash.is_over());
        assert_eq!(asked.get(), 2);
        assert_eq!(leash.left(), None);
    }
}
