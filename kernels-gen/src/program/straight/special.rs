//! Constant moduli 2^k - c with a small c, modulo which products take fewer words than in Montgomery form.

use limbforge_algos::program::{Kind, TypedProgram};
use minijinja::context;
use num_bigint::BigUint;

use super::render::MOST_WORDS;
use crate::spec::SpecError;
use crate::template::render_source;

const SPECIAL: &str = include_str!("../../../templates/residue_special.cuh");

/// Bits of c 2^(32 W - k), the factor of the upper words of a product.
const MOST_BITS: u64 = 40;

/// n = 2^bits - c.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Special {
    modulus: BigUint,
    bits: u64,
    words: u32,
}

/// Whether a program of up to 8 words has one modulus, a constant 2^k - c with a small c: products modulo it take fewer
/// words than others.
///
/// ```
/// use limbforge_algos::program::Program;
/// use limbforge_kernels_gen::program::has_special_modulus;
/// let is_special = |n: &str| -> Result<bool, Box<dyn std::error::Error>> {
///     let program = Program::parse(&format!("const n = {n}\nin a: u256\nout b = a mod n"))?;
///     Ok(has_special_modulus(&program.typed(&[])?))
/// };
/// assert!(is_special("2**255 - 19")? && !is_special("2**255 - 2**200 + 1")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn has_special_modulus(program: &TypedProgram) -> bool {
    let [modulus] = program.moduli() else { return false };
    let words = modulus.ty.bits().div_ceil(32);
    words <= MOST_WORDS && Special::of(program, words).is_some()
}

impl Special {
    /// The one modulus of a program, if it is a constant of that form.
    pub(super) fn of(program: &TypedProgram, words: u32) -> Option<Self> {
        let [modulus] = program.moduli() else { return None };
        let constant = program.body().nodes.iter().find_map(|node| match &node.kind {
            Kind::Constant(constant) if node.results.first() == Some(&modulus.value) => Some(constant),
            _ => None,
        })?;
        let modulus = constant.to_biguint()?;
        let special = Self { bits: modulus.bits(), modulus, words };
        let is_last = special.bits.div_ceil(32) == u64::from(words);
        let fits = is_last && special.modulus.bit(0) && special.shifted().bits() <= MOST_BITS;
        fits.then_some(special)
    }

    fn subtrahend(&self) -> BigUint {
        (BigUint::from(1_u32) << self.bits) - &self.modulus
    }

    fn shifted(&self) -> BigUint {
        self.subtrahend() << (32 * u64::from(self.words) - self.bits)
    }

    /// The functions on its residues.
    pub(super) fn text(&self) -> Result<String, SpecError> {
        let literal = |x: &BigUint| {
            let words: Vec<String> = x.to_u32_digits().iter().map(|word| format!("{word:#x}u")).collect();
            words.join(", ")
        };
        // 1 / B mod n = (1 + n m) / B for m = -1 / n mod B.
        let n = self.modulus.to_u32_digits().first().copied().unwrap_or(1);
        let inverse = (0..5).fold(n, |x, _| x.wrapping_mul(2_u32.wrapping_sub(n.wrapping_mul(x))));
        let inverse = (&self.modulus * inverse.wrapping_neg() + 1_u32) >> 32;
        render_source(
            SPECIAL,
            context! {
                bits => self.bits,
                shifted => self.shifted().to_string(),
                subtrahend => self.subtrahend().to_string(),
                modulus => literal(&self.modulus),
                inverse => literal(&inverse),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use limbforge_algos::program::Program;

    use super::*;

    #[test]
    fn moduli_next_to_powers_of_two() {
        let special = |n: &str, words: u32| {
            let program = Program::parse(&format!("const n = {n}\nin a: u64\nout b = a mod n")).unwrap();
            Special::of(&program.typed(&[]).unwrap(), words).is_some()
        };
        for (n, words) in
            [("2**256 - 2**32 - 977", 8), ("2**255 - 19", 8), ("2**131 - 69", 5), ("2**127 - 1", 4)]
        {
            assert!(special(n, words), "{n}");
            assert!(!special(n, words + 1), "{n} in {} words", words + 1);
        }
        assert!(!special("2**256 - 2**224 + 2**192 + 2**96 - 1", 8));
    }
}
