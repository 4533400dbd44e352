//! The constants of `templates/crt.cuh` for a set of primes.

use num_bigint::BigUint;

use crate::spec::{Residues, plane};

/// Words of a digit sum.
const SUM_WORDS: u64 = 5;

impl Residues {
    /// A type with the constants as functions, so that they stand in the instructions.
    pub(super) fn constants(&self, name: &str) -> String {
        let product = self.primes.product();
        let cofactors: Vec<String> = self.primes.primes().iter().map(|&p| words(&(&product / p))).collect();
        let reciprocals: Vec<String> =
            self.primes.primes().iter().map(|p| format!("{}u", (1u64 << 59) / u64::from(*p))).collect();
        // Modulo 2^160, which six primes exceed.
        let modulus = BigUint::from(1u32) << (32 * SUM_WORDS);
        let minus_product = words(&(&modulus - product % &modulus));
        let (count, digits) = (reciprocals.len(), self.digits);
        let (cofactors, reciprocals) = (cofactors.join(", "), reciprocals.join(", "));
        [
            format!("struct {name} {{"),
            format!(
                "  static constexpr unsigned PRIMES = {count}, DIGITS = {digits}, PLANE = {};",
                plane(digits)
            ),
            "  __device__ static constexpr unsigned cofactor(unsigned i, unsigned w) {".to_owned(),
            format!("    constexpr unsigned words[{count}][{SUM_WORDS}] = {{{cofactors}}};"),
            "    return words[i][w];".to_owned(),
            "  }".to_owned(),
            "  __device__ static constexpr unsigned reciprocal(unsigned i) {".to_owned(),
            format!("    constexpr unsigned words[{count}] = {{{reciprocals}}};"),
            "    return words[i];".to_owned(),
            "  }".to_owned(),
            "  __device__ static constexpr unsigned minus_product(unsigned w) {".to_owned(),
            format!("    constexpr unsigned words[{SUM_WORDS}] = {minus_product};"),
            "    return words[w];".to_owned(),
            "  }".to_owned(),
            "};".to_owned(),
        ]
        .join("\n")
    }

    /// Where the result's planes begin, in words, as an expression of the kernel.
    pub(super) fn first_word(&self) -> String {
        format!(
            "{}ull * instances",
            u64::from(self.index) * u64::from(plane(self.digits)) * self.primes.primes().len() as u64
        )
    }
}

/// The words of a number below 2^160.
fn words(number: &BigUint) -> String {
    let digits = number.to_u32_digits();
    let word = |i: u64| format!("{:#x}u", digits.get(i as usize).copied().unwrap_or(0));
    format!("{{{}}}", (0..SUM_WORDS).map(word).collect::<Vec<_>>().join(", "))
}
