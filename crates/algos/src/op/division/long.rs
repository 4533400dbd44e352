//! Quotients alone of unsigned numbers by long divisors, where they are divided one by one.

use limbforge_limb::Base;
use limbforge_limb::slice::div::quotient::Prepared;
use limbforge_limb::slice::div::quotient_by;

use super::super::instances::Instances;
use super::super::quotients::Sorted;
use super::short::{words, words_mut};
use crate::integer::Scratch;

/// Divisions whose divisors are prepared at a time. Measured together with inverses of two limbs: 208 nanoseconds
/// for 218 a quotient of 2^11 by 2^10 bits.
pub(in crate::op) const AT_ONCE: usize = 4;

/// Quotients of two words or more by divisors of two or more, up to [`AT_ONCE`].
pub(in crate::op) fn run<B: Base>(instances: &mut Instances<'_, B>, run: &[Sorted], scratch: &mut Scratch) {
    let mut prepared = [None; AT_ONCE];
    for (prepared, division) in prepared.iter_mut().zip(run) {
        let [_, divisor] = operands(instances, division);
        *prepared = Some(Prepared::new(divisor));
    }
    for (prepared, division) in prepared.into_iter().flatten().zip(run) {
        let [dividend, divisor] = operands(instances, division);
        let out = words_mut(instances.result(division.instance()));
        let (out, above) = out.split_at_mut(dividend.len());
        above.fill(0);
        quotient_by(out, dividend, divisor, prepared, &mut scratch.schoolbook);
    }
}

/// The words of dividend and divisor without the zeros at their tops.
#[inline(always)]
fn operands<'t, B: Base>(instances: &Instances<'t, B>, division: &Sorted) -> [&'t [u64]; 2] {
    let ([a, b], lengths) = (instances.operands(division.instance()), division.lengths());
    [words(&a[..lengths.dividend()]), words(&b[..lengths.divisor])]
}
