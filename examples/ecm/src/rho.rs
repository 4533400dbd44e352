//! Dickman's function, and the chance that a curve finds a prime.

/// Values of rho on the interval between two integers.
const PARTS: usize = 512;

/// The largest argument: rho(20) is below 10^-28.
const LARGEST: usize = 20;

/// Parts of the integral of stage 2.
const STEPS: usize = 400;

/// Euler's constant.
const GAMMA: f64 = 0.577_215_664_901_532_9;

/// Dickman's function on a grid.
#[derive(Clone, Debug)]
pub(crate) struct Rho {
    values: Vec<f64>,
}

impl Rho {
    /// The table, by the trapezoidal rule on u rho(u) = the integral of rho from u - 1 to u.
    pub(crate) fn new() -> Self {
        let h = 1.0 / PARTS as f64;
        let mut values = vec![1.0; PARTS + 1];
        // The integral over the last interval of length 1, its ends with half their weight.
        let mut inner: f64 = (PARTS - 1) as f64;
        for i in PARTS + 1..=LARGEST * PARTS {
            // u rho = h (rho(u - 1) / 2 + inner values + rho / 2)
            let u = i as f64 * h;
            inner += values[i - 1] - values[i - PARTS];
            let value = h * (values[i - PARTS] / 2.0 + inner) / (u - h / 2.0);
            values.push(value);
        }
        Self { values }
    }

    /// The value at u.
    pub(crate) fn at(&self, u: f64) -> f64 {
        if u <= 1.0 {
            return if u < 0.0 { 0.0 } else { 1.0 };
        }
        let place = u * PARTS as f64;
        let (i, part) = (place as usize, place.fract());
        let value = |i: usize| self.values.get(i).copied().unwrap_or(0.0);
        // Between neighbours of a function that falls exponentially.
        let (a, b) = (value(i), value(i + 1));
        if b > 0.0 { a.powf(1.0 - part) * b.powf(part) } else { 0.0 }
    }

    /// The chance that a number near e^(u ln b) has no prime factor above b.
    fn local(&self, u: f64, ln_b: f64) -> f64 {
        if u <= 1.0 { self.at(u) } else { self.at(u) - GAMMA * self.at(u - 1.0) / (u * ln_b) }
    }

    /// The chance that a number near `e^ln_n` has no prime factor above B1 but one of at most B2.
    pub(crate) fn chance(&self, ln_n: f64, b1: f64, b2: f64) -> f64 {
        let ln_b = b1.ln();
        let u = ln_n / ln_b;
        let stage1 = self.local(u, ln_b);
        if b2 <= b1 {
            return stage1;
        }
        // The integral of local / (q ln q) over q, by v = ln ln q.
        let (low, high) = (ln_b.ln(), b2.ln().ln());
        let h = (high - low) / STEPS as f64;
        let value = |i: usize| {
            let ln_q = (low + (i as f64 + 0.5) * h).exp();
            self.local((ln_n - ln_q) / ln_b, ln_b)
        };
        stage1 + h * (0..STEPS).map(value).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// rho(2) = 1 - ln 2; the others from <https://mathworld.wolfram.com/DickmanFunction.html> and van de Lune and
    /// Wattel, "On the numerical solution of a differential-difference equation arising in analytic number theory", 1969.
    #[test]
    fn published_values() {
        let rho = Rho::new();
        for (u, expected) in [
            (0.5, 1.0),
            (1.5, 1.0 - 1.5_f64.ln()),
            (2.0, 0.306_852_819),
            (3.0, 0.048_608_388),
            (4.0, 0.004_910_925_6),
            (5.0, 3.547_247_0e-4),
            (8.0, 3.232_069_3e-8),
            (10.0, 2.770_171_8e-11),
        ] {
            let found = rho.at(u);
            assert!((found / expected - 1.0).abs() < 1e-4, "{u}: {found}, expected {expected}");
        }
    }
}
