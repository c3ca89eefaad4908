//! skeleton: owner = telling. Exact odds of orders: fire, flinch, activation, rally, as `Telling::odds` and the command line tell them.
