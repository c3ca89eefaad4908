//! Keeps the only door to sine and its kin, so that their bits are the same on every target.

/// Sine and cosine of an angle in radians.
pub fn sin_cos(radians: f64) -> (f64, f64) {
    (libm::sin(radians), libm::cos(radians))
}

/// Sine of an angle in radians.
pub fn sin(radians: f64) -> f64 {
    libm::sin(radians)
}

/// Angle in radians between the x axis and the direction (x, y).
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}
