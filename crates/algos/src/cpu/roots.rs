//! Roots, powers and primes of one instance.

use limbforge_limb::slice::{add, bits, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::division::absolute;
use super::kernels::{sized, write_bool};
use crate::expr::Op;
use crate::integer::{isqrt, perfect_power, primality, root};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots<B> {
    isqrt: isqrt::Scratch,
    root: root::Scratch,
    primality: primality::Scratch,
    absolute: [Vec<B>; 2],
    root_limbs: Vec<B>,
}

impl<B: Base> Roots<B> {
    /// `out = op of the operands`, residues modulo `2^bits` of M limbs each; bits above are then to be cut off.
    pub(super) fn apply(
        &mut self,
        op: &Op,
        ty: IntType,
        out: &mut [B],
        operands: &[&[B]],
    ) -> Result<(), Why> {
        let Self { isqrt, root, primality, absolute: [first, second], root_limbs } = self;
        let (a, negative) = absolute(sized(first, out.len()), operands[0], ty);
        let (b, b_negative) = match operands.get(1) {
            Some(b) => absolute(sized(second, out.len()), b, ty),
            None => (&[][..], false),
        };
        match op {
            Op::Root if b_negative || cmp::is_zero(b) => return Err(Why::NoDegree),
            Op::Root if negative && !bits::bit(b, 0) => return Err(Why::Negative),
            Op::Root => {
                // From the bits of a on, all degrees give the same.
                let degree = if bits::bit_len(b) < u32::BITS { low_bits(b) } else { u32::MAX };
                let exact = root::root(out, a, degree, root).map_err(|_| Why::NoDegree)?;
                if negative {
                    add::increment(out, !exact);
                    sub::neg_assign(out);
                }
            }
            Op::IsqrtRem if negative => return Err(Why::Negative),
            Op::IsqrtRem => isqrt::isqrt_rem(sized(root_limbs, out.len()), out, a, isqrt),
            Op::IsSquare => write_bool(out, !negative && perfect_power::is_square(a, root)),
            Op::IsPerfectPower if negative => {
                write_bool(out, perfect_power::is_odd_perfect_power(a, root));
            }
            Op::IsPerfectPower => write_bool(out, perfect_power::is_perfect_power(a, root)),
            Op::IsPrime => write_bool(out, !negative && primality::is_prime(a, primality)),
            // A base passes if and only if its negative does: d is odd.
            _ => write_bool(out, !negative && primality::is_strong_probable_prime(a, b, primality)),
        }
        Ok(())
    }
}

/// The value of limbs that fits 32 bits.
fn low_bits<B: Base>(a: &[B]) -> u32 {
    let limbs = bits::significant(a).iter().enumerate();
    limbs.fold(0, |value, (i, limb)| value | (limb.low_word() << (i as u32 * B::BITS)) as u32)
}
