//! skeleton: owner = charges. Close combat: who is eligible (R75), the calculation (R13), totals, winner, draws.
