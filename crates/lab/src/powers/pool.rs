//! Powers of structured operands that the CPU has computed.

use limbforge::algos::cpu;
use limbforge::algos::expr::Expr;
use limbforge::prelude::*;
use num_bigint::BigUint;

use super::PowersArguments;
use super::operands::{Random, base, exponent};
use crate::error::LabError;

/// Powers with their values. With one modulus the third operand is that modulus.
pub(super) struct Pool {
    pub(super) operands: [Batch<u64>; 3],
    pub(super) expected: Batch<u64>,
}

/// A batch of these values.
fn batch(ty: IntType, values: &[BigUint]) -> Result<Batch<u64>, LabError> {
    let m = ty.limbs::<u64>();
    let limbs = values.iter().flat_map(|value| value.iter_u64_digits().chain(std::iter::repeat(0)).take(m));
    Ok(Batch::from_limbs(ty, Layout::InstanceMajor, limbs.collect()).map_err(EvalError::from)?)
}

impl Pool {
    /// With these moduli by turns, or of one modulus.
    pub(super) fn new(
        arguments: &PowersArguments,
        ty: IntType,
        moduli: &[BigUint],
        random: &mut Random,
    ) -> Result<Self, LabError> {
        let (count, bits) = (arguments.pool as usize, ty.bits());
        let of_instance: Vec<&BigUint> = (0..count).map(|i| &moduli[i % moduli.len()]).collect();
        let bases: Vec<BigUint> = of_instance.iter().map(|n| base(bits, n, random)).collect();
        let longest = arguments.exponent_bits.min(bits);
        let exponents: Vec<BigUint> = (0..count).map(|_| exponent(longest, random)).collect();
        let moduli: Vec<BigUint> = match arguments.one_modulus {
            true => moduli[..1].to_vec(),
            false => of_instance.into_iter().cloned().collect(),
        };
        let operands = [batch(ty, &bases)?, batch(ty, &exponents)?, batch(ty, &moduli)?];
        let names = ["a", "b", "c"];
        let named: Vec<(&str, &Batch<u64>)> = names.into_iter().zip(&operands).collect();
        let Checked { values: expected, failures } = cpu::eval_checked(&powers()?.to_dag(), &named)?;
        match failures.first() {
            Some(failure) => Err(LabError::WrongPower { power: format!("the CPU has none: {failure}") }),
            None => Ok(Self { operands, expected }),
        }
    }

    /// A power as text.
    pub(super) fn describe(&self, i: usize) -> String {
        let number = |batch: &Batch<u64>, i: usize| {
            let digits = batch.instance(i.min(batch.instances() - 1)).into_iter();
            BigUint::new(digits.flat_map(|limb| [limb as u32, (limb >> 32) as u32]).collect())
        };
        let [x, e, n] = [0, 1, 2].map(|operand| number(&self.operands[operand], i));
        format!("{x:#x}^{e:#x} mod {n:#x}")
    }
}

/// The expression.
pub(super) fn powers() -> Result<Expr, LabError> {
    Ok(Expr::parse("powmod(a, b, c)")?)
}
