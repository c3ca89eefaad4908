//! skeleton: owner = muster. Points of a force (B4), line by line.
