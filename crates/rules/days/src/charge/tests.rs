//! Vectors PV-10 to PV-13, PV-21.
