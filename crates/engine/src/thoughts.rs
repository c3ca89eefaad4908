//! What a player made of code thought about a question, told for people: the ways it weighed and what it means to do.

use crate::facade::Draft;
use serde::{Deserialize, Serialize};
use table::Point;

/// What was thought about one question.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thoughts {
    /// The ways that were weighed, the one taken first.
    pub ways: Vec<Way>,
    /// What is meant to become of each brigade.
    pub plan: Vec<Intent>,
    /// Orders given in the head.
    pub spent: u32,
}

/// One way on that was weighed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Way {
    /// The order it begins with.
    pub draft: Draft,
    /// In words.
    pub words: String,
    /// The manner in which it goes on.
    pub manner: String,
    /// How good it looked: 0 is a battle lost, 1 one that is won.
    pub worth: f64,
    /// What chance leaves open of that, to either side.
    pub give_or_take: f64,
    /// How often it was fought through in the head.
    pub tried: u32,
    /// Units lost on the way on average: one's own, and the enemy's.
    pub lost: [f64; 2],
}

/// What is meant to become of a brigade.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Intent {
    /// The brigade's key.
    pub command: String,
    /// In words.
    pub words: String,
    /// Where it is.
    pub from: Point,
    /// Where it means to be.
    pub to: Point,
}

impl Way {
    /// What it promises, in a sentence.
    pub fn promise(&self) -> String {
        if self.tried == 0 {
            return "not fought through".to_owned();
        }
        let [own, theirs] = self.lost;
        let times = if self.tried == 1 { "once".to_owned() } else { format!("{} times", self.tried) };
        format!(
            "stands at {:.0} ± {:.0} of 100 afterwards, {own:.1} units of one's own lost for {theirs:.1}; fought through {times}",
            self.worth * 100.0,
            self.give_or_take * 100.0
        )
    }
}

impl Thoughts {
    /// Whether there was nothing to choose from.
    pub fn is_idle(&self) -> bool {
        self.ways.len() < 2
    }

    /// Leaves the way that was taken and the best of the others, so many in all, the best first.
    pub fn rank(&mut self, most: usize) {
        if let Some((_, others)) = self.ways.split_first_mut() {
            others.sort_by(|a, b| (b.tried > 0).cmp(&(a.tried > 0)).then(b.worth.total_cmp(&a.worth)));
        }
        self.ways.truncate(most.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(words: &str, worth: f64, tried: u32) -> Way {
        let (draft, manner) = (Draft::Null, String::new());
        Way { draft, words: words.to_owned(), manner, worth, give_or_take: 0.1, tried, lost: [0.0; 2] }
    }

    #[test]
    fn what_was_taken_stays_first_and_the_best_of_the_others_follow() {
        let ways = vec![way("taken", 0.5, 9), way("bad", 0.2, 3), way("untried", 0.9, 0), way("good", 0.6, 9)];
        let mut thoughts = Thoughts { ways, ..Thoughts::default() };
        assert!(!thoughts.is_idle());
        thoughts.rank(3);
        let words: Vec<&str> = thoughts.ways.iter().map(|way| way.words.as_str()).collect();
        assert_eq!(words, ["taken", "good", "bad"]);
        thoughts.rank(1);
        assert!(thoughts.is_idle());
    }

    #[test]
    fn a_promise_says_what_was_seen_and_no_more() {
        let way = |tried: u32| Way { lost: [0.5, 1.25], ..way("fire", 0.62, tried) };
        assert_eq!(way(0).promise(), "not fought through");
        let said = way(12).promise();
        assert!(said.contains("62 ± 10") && said.contains("12 times") && said.contains("0.5 units"), "{said}");
        assert!(way(1).promise().ends_with("once"));
    }
}
