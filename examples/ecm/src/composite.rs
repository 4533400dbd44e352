//! Numbers and their factors.

use limbforge::algos::integer::Scratch;
use limbforge::algos::integer::primality::is_prime;
use limbforge::field::primes;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

/// Trial division goes up to here.
const TRIAL: u32 = 1 << 16;

/// A prime factor and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The prime, or probable prime of Baillie, Pomerance, Selfridge and Wagstaff.
    pub prime: BigUint,
    /// The curve and bounds; empty for what trial division found, and for what was left over.
    pub how: String,
}

/// A number, the primes that were taken out of it, and composites without a known factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number.
    pub input: BigUint,
    /// Its known primes.
    pub primes: Vec<Factor>,
    /// What is left: composites without prime factors up to 65536.
    pub composites: Vec<BigUint>,
}

impl Number {
    /// The number without its factors up to 65536.
    #[must_use]
    pub fn new(input: &BigUint) -> Self {
        let mut number = Self { input: input.clone(), primes: vec![], composites: vec![] };
        let mut left = input.clone();
        for q in primes::up_to(TRIAL) {
            while left > BigUint::one() && (&left % q) == BigUint::ZERO {
                left /= q;
                number.primes.push(Factor { prime: q.into(), how: String::new() });
            }
        }
        number.add(&left, "");
        number
    }

    /// Whether no composite is left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.composites.is_empty()
    }

    /// Notes a divisor of a composite. False if it is 1 or all of it, or divides no composite.
    pub fn split(&mut self, divisor: &BigUint, how: &str) -> bool {
        // Another curve may have split the composite: what it shares with a part counts.
        for at in 0..self.composites.len() {
            let common = self.composites[at].gcd(divisor);
            if !common.is_one() && common != self.composites[at] {
                let composite = self.composites.swap_remove(at);
                self.add(&common, how);
                self.add(&(composite / common), how);
                return true;
            }
        }
        false
    }

    /// A part: a prime, a composite, or 1.
    fn add(&mut self, part: &BigUint, how: &str) {
        if part.is_one() || *part == BigUint::ZERO {
            return;
        }
        if is_prime(&part.to_u64_digits(), &mut Scratch::default()) {
            self.primes.push(Factor { prime: part.clone(), how: how.to_owned() });
        } else {
            self.composites.push(part.clone());
        }
        self.primes.sort_by(|a, b| a.prime.cmp(&b.prime));
    }

    /// The product of all parts, which is the number.
    #[must_use]
    pub fn product(&self) -> BigUint {
        let primes = self.primes.iter().map(|factor| &factor.prime);
        primes.chain(&self.composites).product()
    }

    /// `N = p * q * (c)`, composites in parentheses.
    #[must_use]
    pub fn text(&self) -> String {
        let primes = self.primes.iter().map(|factor| factor.prime.to_string());
        let composites = self.composites.iter().map(|composite| format!("({composite})"));
        let parts: Vec<String> = primes.chain(composites).collect();
        format!(
            "{} = {}",
            self.input,
            if parts.is_empty() { self.input.to_string() } else { parts.join(" * ") }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_divided_until_they_are_prime() {
        let [p, q, r] = [1_000_003_u64, 1_000_033, 1_000_037].map(BigUint::from);
        let mut number = Number::new(&(&p * &q * &r * 12_u8));
        assert_eq!((number.primes.len(), number.composites.len()), (3, 1));
        assert!(!number.split(&BigUint::one(), "") && !number.split(&(&p * &q * &r), ""));
        assert!(number.split(&(&p * &q), "a"));
        assert!(!number.is_done() && number.product() == number.input);
        // The divisor of a composite that is in parts by now.
        assert!(number.split(&(&p * &r), "b"));
        assert!(number.is_done());
        assert_eq!(number.text(), "12000876017172043956 = 2 * 2 * 3 * 1000003 * 1000033 * 1000037");
        assert_eq!(number.primes[5].how, "a");
        for (n, text) in [(1_u32, "1 = 1"), (0, "0 = 0"), (97, "97 = 97"), (49, "49 = 7 * 7")] {
            let number = Number::new(&n.into());
            assert_eq!((number.text().as_str(), number.is_done()), (text, true));
        }
    }
}
