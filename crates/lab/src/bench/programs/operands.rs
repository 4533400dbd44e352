//! Operands that look random, and the scalar of ECM.

use limbforge::limb::num_bigint::BigInt;
use limbforge::prelude::*;

use crate::error::LabError;

/// Unsigned integers of so many bits.
pub(super) fn unsigned(bits: u64) -> Result<IntType, LabError> {
    IntType::unsigned(bits).map_err(|error| LabError::Usage { command: "bench", why: error.to_string() })
}

/// Integers of one type that look random, the same on every machine; odd ones with the highest bit set if they
/// are moduli.
pub(super) fn random(bits: u32, count: usize, seed: u64, moduli: bool) -> Result<Batch<u64>, LabError> {
    let ty = unsigned(bits.into())?;
    let mut state = seed;
    let mut batch = Batch::<u64>::zeros(ty, Layout::InstanceMajor, count).map_err(EvalError::from)?;
    for limb in batch.limbs_mut() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        *limb = mixed ^ mixed >> 31;
    }
    batch.truncate();
    if moduli {
        let limbs = batch.limbs_per_instance();
        for integer in batch.limbs_mut().chunks_mut(limbs) {
            integer[0] |= 1;
            integer[limbs - 1] |= 1 << ((bits - 1) % 64);
        }
    }
    Ok(batch)
}

/// lcm(1, ..., b), as one integer for all.
pub(super) fn lcm(b: u64) -> Result<Batch<u64>, LabError> {
    let is_prime = |n: &u64| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let powers = (2..=b).filter(is_prime).map(|prime| {
        let power = std::iter::successors(Some(prime), |power| power.checked_mul(prime));
        power.take_while(|power| *power <= b).last().unwrap_or(prime)
    });
    // Products of halves: the factors of each are about as long.
    let mut factors: Vec<BigInt> = powers.map(BigInt::from).collect();
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    let lcm = factors.pop().unwrap_or_else(|| BigInt::from(1));
    let ty = unsigned(lcm.bits().max(1))?;
    Ok(Batch::from_bigints(ty, Layout::InstanceMajor, &[lcm]).map_err(EvalError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_and_moduli() {
        assert_eq!(lcm(10).unwrap().to_bigints(), [BigInt::from(2520)]);
        // As GMP-ECM says of B1 = 100000.
        assert_eq!(lcm(100_000).unwrap().ty().bits(), 144_344);
        let moduli = random(640, 3, 1, true).unwrap().to_bigints();
        assert!(moduli.iter().all(|n| n.bits() == 640 && n.bit(0)), "{moduli:?}");
    }
}
