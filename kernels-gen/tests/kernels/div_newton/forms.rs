//! Every form of quotient and remainder, within other operations too, of all limbs and layouts.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::InputSpec;
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use super::{CYCLIC, SHORT_SEED, TRANSFORMS, batch, check_pair, program, subject};
use crate::harness::{Subject, check};

/// An expression of `a`, `b` and perhaps others, with operands that are made of others, given by name.
pub(super) fn check_batches<B: Base>(
    (text, ty): (&str, &str),
    layout: Layout,
    broadcast: bool,
    make: fn(&str, &mut Batch<B>),
) {
    let ty: IntType = ty.parse().unwrap();
    let (spec, program) = program::<B>(text, ty, layout, broadcast, SHORT_SEED);
    let n = 23;
    let of = |(i, input): (usize, &InputSpec)| {
        let mut batch = batch::<B>(ty, layout, if input.broadcast { 1 } else { n }, 5 * i);
        make(&input.name, &mut batch);
        batch
    };
    let batches: Vec<Batch<B>> = spec.inputs.iter().enumerate().map(of).collect();
    check(&Subject::program(&spec, program), &batches, n, &[Schedule::Random(5)]);
}

macro_rules! expressions {
    ($($name:ident: $limb:ty, $layout:ident, $broadcast:expr, [$(($text:expr, $ty:expr)),* $(,)?];)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for text in sample(concat!("forms ", stringify!($name)), [$(($text, $ty)),*], 2) {
                check_batches::<$limb>(text, Layout::$layout, $broadcast, |_, _| ());
            }
        }
    )*};
}

expressions! {
    signed_types: u32, InstanceMajor, false, [
        ("a / b", "i1000"), ("a % b", "i1000"), ("div_euclid(a, b)", "i1000"), ("div_floor(a, b)", "i1000"), ("rem_floor(a, b)", "i1000"), ("rem_euclid(a, b)", "i1000"),
        ("div_exact(a, b)", "i1000"), ("divisible(a, b)", "i1000"),
    ];
    unsigned_forms: u64, InstanceMajor, false, [
        ("div_euclid(a, b)", "u1024"), ("rem_euclid(a, b)", "u1024"), ("div_exact(a * b, b)", "u700"), ("divisible(a, b)", "u1024"),
    ];
    other_limbs: u128, InstanceMajor, false, [("a / b", "u1100"), ("a % b", "i1100")];
    a_divisor_for_all: u64, InstanceMajor, true, [
        ("a / b", "u1024"), ("a % b", "i777"), ("div_euclid(a, b)", "i1000"), ("div_floor(a, b)", "i1000"), ("rem_floor(a, b)", "i1000"), ("rem_euclid(a, b)", "i1000"),
        ("div_exact(a, b)", "i1000"), ("div_exact(a * b, b)", "u700"), ("divisible(a, b)", "u1024"),
    ];
    divisors_made_of_one_for_all: u32, InstanceMajor, true, [
        ("(a / (b | 1)) ^ (a % (b | 1)) ^ b", "u1000"), ("a / 1000003 + a % 1000003", "i900"), ("(b / a) + (a / b)", "u640"),
        ("(a / b + a) % (b >> 300)", "u704"), ("(b * b) / b + a", "u512"), ("a / (b * b) - b / 77", "u640"),
    ];
    interleaved_by_a_divisor_for_all: u64, Interleaved, true, [("a / b", "u800"), ("a % (b ^ 5)", "i640")];
    interleaved: u64, Interleaved, false, [("a / b", "u800"), ("a % b", "i640")];
    between_other_operations: u32, InstanceMajor, false, [
        ("(a / b) * b + a % b", "u1000"), ("select(divisible(a, b), a, (a + b) / (b | 1)) >> 3", "i700"), ("(a * b) / (a + 1) / (b | 5)", "u600"),
    ];
}

/// Where all divisors of a batch are half as wide, or all wider, products are left out.
#[needs(cxx)]
#[test]
fn batches_that_leave_out_products() {
    let ty = IntType::unsigned(2048).unwrap();
    let m = ty.limbs::<u32>();
    let cases =
        [SHORT_SEED, TRANSFORMS, CYCLIC].map(|newton| [m / 2, m / 2 + 1, m].map(|kept| (newton, kept)));
    for (newton, kept) in sample("divisors of half the words", cases.into_iter().flatten(), 4) {
        let [a, mut b] = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 40, seed));
        for i in 0..b.instances() {
            let mut limbs = b.instance(i);
            limbs[kept..].fill(0);
            // Shifts by 0 to 31 bits: the upper block has up to a word.
            limbs[kept - 1] = limbs[kept - 1].max(1) >> (i % 32) | 1 << (31 - i % 32);
            b.set_instance(i, &limbs);
        }
        check_pair(&subject("(a / b) ^ (a % b)", ty, newton), &a, &b);
    }
}
