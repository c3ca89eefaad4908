//! skeleton: owner = telling. What the rulebook says to people.
