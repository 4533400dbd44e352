//! Products of tests of primality: powers of 2, and Lucas sequences.

use num_bigint::BigUint;

use super::error::Refused;
use super::modulus::Modulus;
use super::plan::Purpose;
use super::prime::Prime;
use super::residues::Residues;
use crate::invariant::broken_invariant;

/// What a product has beside `a b / P`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra<'l> {
    /// It is doubled.
    pub(super) doubled: bool,
    /// A number that is subtracted.
    pub(super) less: Option<&'l Less>,
}

impl Extra<'_> {
    /// Twice a word below p if products are doubled, again below p.
    pub(super) const fn doubled(self, prime: Prime, word: u32) -> u32 {
        if self.doubled { prime.subtract_once(2 * word) } else { word }
    }
}

/// A number z below N that products have subtracted: words `-z d_j R mod q_j`, which are added before the last
/// reduction in base 2. The extension to base 1 is then that of the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Less {
    /// A word of each prime of base 2.
    pub words: Vec<u32>,
}

impl Modulus<'_> {
    /// `2^exponent mod N`: a square for each bit, which is doubled if the bit is 1.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// use num_bigint::BigUint;
    /// let plan = Plan::for_tests(64)?;
    /// let modulus = plan.modulus(&BigUint::from(1_000_003_u32))?;
    /// assert_eq!(modulus.power_of_two(&1_000_002_u32.into())?, 1_u32.into()); // Fermat
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::NoSlack`] unless the plan is [for tests](super::Plan::for_tests).
    pub fn power_of_two(&self, exponent: &BigUint) -> Result<BigUint, Refused> {
        self.check_plan()?;
        let mut power = self.form(&BigUint::from(1_u32));
        for bit in (0..exponent.bits()).rev() {
            let extra = Extra { doubled: exponent.bit(bit), less: None };
            power = self.product_with(&power, &power, extra);
        }
        Ok(self.leave(&power))
    }

    /// `W_m` and `W_(m+1)` mod N, for `W_0 = 2`, `W_1 = p`, `W_2k = W_k^2 - 2` and `W_2k+1 = W_k W_k+1 - p`.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// let plan = Plan::for_tests(64)?;
    /// let modulus = plan.modulus(&1_000_003_u32.into())?;
    /// // 2, 3, 7, 18, 47, 123, 322: every second Lucas number.
    /// assert_eq!(modulus.lucas(&3_u32.into(), &5_u32.into())?, [123_u32.into(), 322_u32.into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::NoSlack`] unless the plan is [for tests](super::Plan::for_tests).
    pub fn lucas(&self, p: &BigUint, m: &BigUint) -> Result<[BigUint; 2], Refused> {
        self.check_plan()?;
        let two = BigUint::from(2_u32);
        let [less_two, less_p] = [&two, p].map(|number| self.less(number));
        let [mut low, mut high] = [&two, p].map(|number| self.form(number));
        for bit in (0..m.bits()).rev() {
            let times =
                |a: &Residues, b, less| self.product_with(a, b, Extra { doubled: false, less: Some(less) });
            let cross = times(&low, &high, &less_p);
            let factor = if m.bit(bit) { &high } else { &low };
            let square = times(factor, factor, &less_two);
            (low, high) = if m.bit(bit) { (cross, square) } else { (square, cross) };
        }
        Ok([low, high].map(|number| self.leave(&number)))
    }

    /// The number `x P mod N` as products subtract it.
    #[must_use]
    pub fn less(&self, x: &BigUint) -> Less {
        let residues = self.form(x).second.into_iter().zip(&self.plan.bases.second.primes);
        Less { words: residues.map(|(z, prime)| prime.neg(prime.mul(z, prime.r()))).collect() }
    }

    /// `x P mod N`, reduced, as residues.
    fn form(&self, x: &BigUint) -> Residues {
        let number = x * &self.plan.bases.first.product % self.value();
        self.plan.enter(&number).unwrap_or_else(|_| broken_invariant("a number below N fits the plan"))
    }

    /// Only plans for tests prove the bounds of such products.
    const fn check_plan(&self) -> Result<(), Refused> {
        if matches!(self.plan.purpose, Purpose::Tests) { Ok(()) } else { Err(Refused::NoSlack) }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::modmul_rns::Plan;

    /// The extras of products, with the largest number that is subtracted.
    fn extras(less: &Less) -> [Extra<'_>; 3] {
        let [doubled, plain] = [true, false];
        [(doubled, None), (plain, Some(less)), (doubled, Some(less))]
            .map(|(doubled, less)| Extra { doubled, less })
    }

    /// Residues of a number z, each as large as its class and the proved bounds let it be.
    fn largest_words(plan: &Plan, z: &BigInt) -> Residues {
        let class = |prime: Prime, scale: u32, bound: u64| {
            let p = BigInt::from(prime.value);
            let rest = u64::try_from(((z * scale) % &p + &p) % &p).unwrap();
            (rest + (bound - rest) / u64::from(prime.value) * u64::from(prime.value)) as u32
        };
        let most = |prime: Prime, row: usize| {
            let words = u64::from(plan.bounds.largest_alpha) * u64::from(prime.value - 1);
            ((plan.to_first.largest(row) + words) >> 32) + u64::from(prime.value)
        };
        let first = plan.first.iter().enumerate();
        let first = first.map(|(i, c)| class(c.prime, c.scale, most(c.prime, i))).collect();
        let second = plan.second.iter().map(|c| class(c.prime, c.scale, (1 << 31) - 1)).collect();
        Residues { first, second }
    }

    /// Products of numbers at both ends of the range stay in it, and are the doubled product less the number.
    #[test]
    fn products_at_the_ends_of_the_range() {
        for bits in [32, 33, 64, 100, 155, 256, 1000, 1024] {
            let plan = Plan::for_tests(bits).unwrap();
            let n = (BigUint::from(1_u32) << bits) - 1_u32;
            let modulus = plan.modulus(&n).unwrap();
            let (number, radix) = (&n - 1_u32, BigInt::from(plan.bases.first.product.clone()));
            let less = modulus.less(&number);
            let subtracted = BigInt::from(&number * &plan.bases.first.product % &n);
            let (n, end) = (BigInt::from(n.clone()), BigInt::from(n * plan.bounds.lambda));
            let ends = [end.clone(), -&end].map(|z| (largest_words(&plan, &z), z));
            for (a, x) in &ends {
                for ((b, y), extra) in ends.iter().flat_map(|end| extras(&less).map(|extra| (end, extra))) {
                    let found = modulus.product_with(a, b, extra);
                    let z = plan.value(&found);
                    assert!(z.magnitude() <= end.magnitude(), "{bits}");
                    let product = x * y * (1 + i32::from(extra.doubled));
                    let expected = product - &radix * extra.less.map_or(BigInt::ZERO, |_| subtracted.clone());
                    assert_eq!((&z * &radix - expected) % &n, BigInt::ZERO, "{bits}");
                    for (c, &residue) in plan.first.iter().zip(&found.first) {
                        assert_eq!((&z * c.scale - residue) % c.prime.value, BigInt::ZERO, "{bits}");
                    }
                }
            }
        }
    }

    /// Words that no number of the range has, all at their bounds: no step leaves its word.
    #[test]
    fn words_at_their_bounds() {
        for bits in [32, 160, 500, 1024] {
            let plan = Plan::for_tests(bits).unwrap();
            let n = (BigUint::from(1_u32) << bits) - 1_u32;
            let modulus = plan.modulus(&n).unwrap();
            let first = plan.first.iter().map(|c| c.prime.value + (1 << 18)).collect();
            let largest = Residues { first, second: vec![u32::MAX >> 1; plan.residues()] };
            let less = Less { words: plan.bases.second.primes.iter().map(|prime| prime.value - 1).collect() };
            for extra in extras(&less) {
                let product = modulus.product_with(&largest, &largest, extra);
                assert!(product.second.iter().all(|&x| x >> 31 == 0));
            }
        }
    }
}
