//! By how much one way on is better than another, learned from pairs of imagined battles with the same dice.

/// Nobody is believed at once: so many pairs without any difference stand against those that were fought.
const DISBELIEF: f64 = 0.5;
/// The least variance of one pair, so that two that ended alike do not make a certainty.
const LEAST_VARIANCE: f64 = 4e-4;

/// By how much a way is better than one's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edge {
    pairs: f64,
    sum: f64,
    squares: f64,
}

impl Edge {
    /// Two imagined battles with the same dice: this way was better by so much.
    pub fn note(&mut self, better_by: f64) {
        self.pairs += 1.0;
        self.sum += better_by;
        self.squares += better_by * better_by;
    }

    /// The difference to be believed.
    pub fn mean(&self) -> f64 {
        self.sum / (self.pairs + DISBELIEF)
    }

    /// The difference less so many times what chance leaves open of it; nothing is known of what was never tried.
    pub fn lead(&self, doubt: f64) -> f64 {
        if self.pairs < 1.0 {
            return f64::NEG_INFINITY;
        }
        let mean = self.sum / self.pairs;
        let variance = (self.squares / self.pairs - mean * mean).max(LEAST_VARIANCE);
        self.mean() - doubt * (variance / self.pairs).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_tried_leads_nobody() {
        assert!(Edge::default().lead(0.0) < 0.0);
        assert!(Edge::default().mean().abs() < 1e-12);
    }

    #[test]
    fn many_pairs_are_believed_more_than_one() {
        let mut edge = Edge::default();
        edge.note(0.1);
        let (mean, lead) = (edge.mean(), edge.lead(1.0));
        (0..9).for_each(|_| edge.note(0.1));
        assert!(edge.mean() > mean && edge.lead(1.0) > lead && edge.mean() < 0.1);
    }

    #[test]
    fn doubt_grows_with_the_spread() {
        let (mut sure, mut wild) = (Edge::default(), Edge::default());
        for n in 0..8 {
            sure.note(0.05);
            wild.note(if n % 2 == 0 { 0.35 } else { -0.25 });
        }
        assert!((sure.mean() - wild.mean()).abs() < 1e-9);
        assert!(sure.lead(1.0) > 0.0 && wild.lead(1.0) < 0.0);
    }
}
