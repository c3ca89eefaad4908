//! Small statistics: intervals of shares, spreads of measurements, the chi-square test of dice.

use serde::Serialize;

/// Two-sided 95 %.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The Wilson 95 % interval of a share: it stays inside 0 to 1 and is honest near the ends.
pub fn wilson(part: u64, whole: u64) -> (f64, f64) {
    if whole == 0 {
        return (0.0, 1.0);
    }
    let n = whole as f64;
    let share = part as f64 / n;
    let shrink = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / shrink;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / shrink;
    // At the ends the exact bound is the end itself; rounding must not pull it inside.
    let low = if part == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if part >= whole { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

/// Repeated measurements of one thing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Half of the measurements lie below.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// How many.
    pub repeats: usize,
}

impl Summary {
    /// Sums measurements up; nothing where there are none.
    pub fn of(samples: &[f64]) -> Option<Summary> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Summary { median: (lower + upper) / 2.0, min, max, repeats: sorted.len() })
    }
}

/// How far counts lie from the same number for each, and how often pure chance lies as far off.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ChiSquare {
    /// The statistic.
    pub value: f64,
    /// Degrees of freedom.
    pub freedom: u32,
    /// The chance of at least this much by luck alone.
    pub p: f64,
}

/// The chi-square test of counts that should all be alike.
pub fn chi_square(counts: &[u64]) -> Option<ChiSquare> {
    let total: u64 = counts.iter().sum();
    let freedom = u32::try_from(counts.len()).ok()?.checked_sub(1).filter(|freedom| *freedom > 0)?;
    if total == 0 {
        return None;
    }
    let expected = total as f64 / counts.len() as f64;
    let value = counts.iter().map(|&count| (count as f64 - expected) * (count as f64 - expected) / expected).sum();
    Some(ChiSquare { value, freedom, p: upper_gamma(f64::from(freedom) / 2.0, value / 2.0) })
}

/// The regularised upper incomplete gamma function: the tail of chi-square.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    let p = if x < a + 1.0 { 1.0 - front * lower_series(a, x) } else { front * upper_fraction(a, x) };
    p.clamp(0.0, 1.0)
}

/// The power series of the lower part, good for small x.
fn lower_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for n in 1..500 {
        term *= x / (a + f64::from(n));
        sum += term;
        if term < sum * 1e-15 {
            break;
        }
    }
    sum
}

/// Lentz's continued fraction of the upper part, good for large x.
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    for n in 1..500 {
        let n = f64::from(n);
        let an = -n * (n - a);
        b += 2.0;
        d = 1.0 / or_tiny(an * d + b, TINY);
        c = or_tiny(b + an / c, TINY);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    h
}

fn or_tiny(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn wilson_gives_the_textbook_figures() {
        let (low, high) = wilson(8, 10);
        assert!(near(low, 0.4902) && near(high, 0.9433), "{low} {high}");
        let (low, high) = wilson(380, 400);
        assert!(near(low, 0.9241) && near(high, 0.9674), "{low} {high}");
        let (low, high) = wilson(0, 20);
        assert!(low.abs() < 1e-12 && near(high, 0.1611), "{low} {high}");
        let (low, high) = wilson(20, 20);
        assert!(near(low, 0.8389) && (high - 1.0).abs() < 1e-12, "{low} {high}");
        let (low, high) = wilson(0, 0);
        assert!(low.abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn chi_square_gives_the_textbook_figures() {
        // 5 degrees of freedom: 11.0705 is the five per cent point, 9.23636 the ten per cent point.
        assert!(near(upper_gamma(2.5, 11.0705 / 2.0), 0.05));
        assert!(near(upper_gamma(2.5, 9.236_36 / 2.0), 0.10));
        assert!(near(upper_gamma(4.5, 16.919 / 2.0), 0.05));
        let fair = chi_square(&[10; 6]).unwrap();
        assert!(fair.value.abs() < 1e-12 && near(fair.p, 1.0));
        let loaded = chi_square(&[0, 0, 0, 0, 0, 60]).unwrap();
        assert!(near(loaded.value, 300.0) && loaded.p < 1e-10);
        assert!(chi_square(&[]).is_none() && chi_square(&[5]).is_none() && chi_square(&[0, 0]).is_none());
    }

    #[test]
    fn summaries_know_the_middle() {
        let odd = Summary::of(&[3.0, 1.0, 2.0]).unwrap();
        assert!(near(odd.median, 2.0) && near(odd.min, 1.0) && near(odd.max, 3.0));
        assert!(near(Summary::of(&[1.0, 2.0, 3.0, 10.0]).unwrap().median, 2.5));
        assert!(Summary::of(&[]).is_none());
    }
}
