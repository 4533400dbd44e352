//! One suite per operation, generic over the limb and the block's shape.
//!
//! The references do not depend on the shape: they take `dyn` functions, so that only the algorithms
//! themselves are compiled once per shape.

mod amounts;

use limbforge_algos::block::add::deferred::Deferred;
use limbforge_algos::block::map_batch;
use limbforge_algos::block::{add, bits, cmp, mul_classical, shift, sub};
use limbforge_limb::Base;
use num_bigint::BigInt;
use proptest::test_runner::TestCaseResult;

use super::{Case, same};
use crate::oracle;

/// Batches per shape that each suite is run on.
#[allow(non_upper_case_globals, reason = "each has the name of its suite")]
pub mod cases {
    /// Of `add`.
    pub const add: u32 = 48;
    /// Of `sub`.
    pub const sub: u32 = 48;
    /// Of `cmp`.
    pub const cmp: u32 = 48;
    /// Of `shift`.
    pub const shift: u32 = 16;
    /// Of `bits`.
    pub const bits: u32 = 16;
    /// Of `mul_classical`.
    pub const mul_classical: u32 = 12;
}

/// The exact results `f(a, b)` as (limbs mod B^M, floor of the result over B^M).
fn exact<B: Base>(case: &Case<B>, f: &dyn Fn(BigInt, BigInt) -> BigInt) -> (Vec<B>, Vec<i32>) {
    let width = case.m as u32 * B::BITS;
    let one = |(a, b): (&[B], &[B])| {
        let result = f(oracle::value(a).into(), oracle::value(b).into());
        let residue = oracle::residue(&result, width);
        let count = (&result - BigInt::from(residue.clone())) >> width;
        (oracle::limbs::<B>(&residue, case.m), i32::try_from(count).unwrap_or(i32::MIN))
    };
    let (limbs, counts): (Vec<_>, Vec<_>) = case.pairs().map(one).unzip();
    (limbs.concat(), counts)
}

/// Addition: by scan, by ballots, and, if the limb has 32 bits or more, deferred in an expression with signed
/// counts.
///
/// # Errors
/// A failed test case if a result differs.
pub fn add<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let (sum, counts) = exact(case, &|a, b| a + b);
    let expected = (sum, counts.iter().map(|&count| count == 1).collect());
    same("add_scan", &add::add_scan::<B, M, Q, IPB>(case.n, &case.a, &case.b)?, &expected)?;
    same("add_ballot", &add::add_ballot::<B, M, Q, IPB>(case.n, &case.a, &case.b)?, &expected)?;
    // A count of carries fits a limb of 32 bits, the narrowest of the kernels.
    if B::BITS >= 32 { deferred::<B, M, Q, IPB>(case) } else { Ok(()) }
}

fn deferred<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let mut error = None;
    let mut eval = |program: fn(&Deferred<B, Q>, &Deferred<B, Q>) -> Result<Deferred<B, Q>, _>| {
        map_batch::<B, _, 2, M, Q, IPB>(case.n, [&case.a, &case.b], |block, [a, b]| {
            let (a, b) = (Deferred::new(a), Deferred::new(b));
            program(&a, &b).map_err(|failed| error = Some(failed)).unwrap_or(a).resolve(block)
        })
    };
    let sum = eval(|a, b| a.add(b)?.add(&a.add(a)?))?;
    same("deferred 3a + b", &sum, &exact(case, &|a, b| a * 3 + b))?;
    let difference = eval(|a, b| a.sub(b)?.sub(b)?.sub(a))?;
    same("deferred a - b - b - a", &difference, &exact(case, &|_, b| b * -2))?;
    let mixed = eval(|a, b| a.sub(b)?.add(&a.add(b)?.sub(&b.add(b)?)?))?;
    same("deferred (a - b) + ((a + b) - (b + b))", &mixed, &exact(case, &|a, b| (a - b) * 2))?;
    same("deferred error", &error, &None)
}

/// Subtraction by scan and by ballots, and negation.
///
/// # Errors
/// A failed test case if a result differs.
pub fn sub<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let (difference, counts) = exact(case, &|a, b| a - b);
    let expected = (difference, counts.iter().map(|&count| count == -1).collect());
    same("sub_scan", &sub::sub_scan::<B, M, Q, IPB>(case.n, &case.a, &case.b)?, &expected)?;
    same("sub_ballot", &sub::sub_ballot::<B, M, Q, IPB>(case.n, &case.a, &case.b)?, &expected)?;

    let (negated, counts) = exact(case, &|a, _| -a);
    let expected = (negated, counts.iter().map(|&count| count == -1).collect());
    same("neg", &sub::neg::<B, M, Q, IPB>(case.n, &case.a)?, &expected)
}

/// Comparison, unsigned and two's complement, and equality.
///
/// # Errors
/// A failed test case if a result differs.
pub fn cmp<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let (a, b) = (&case.a, &case.b);
    let unsigned = case.each(&|a, b| vec![oracle::value(a).cmp(&oracle::value(b))]);
    same("cmp", &cmp::cmp::<B, M, Q, IPB>(case.n, a, b)?, &unsigned)?;

    let width = case.m as u32 * B::BITS;
    let signed = case.each(&|a, b| vec![oracle::signed_value(a, width).cmp(&oracle::signed_value(b, width))]);
    same("cmp_signed", &cmp::cmp_signed::<B, M, Q, IPB>(case.n, a, b)?, &signed)?;

    same("equal", &cmp::equal::<B, M, Q, IPB>(case.n, a, b)?, &case.each(&|a, b| vec![a == b]))
}

/// Shifts to the left and to the right, unsigned and two's complement.
///
/// # Errors
/// A failed test case if a result differs.
pub fn shift<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let (n, a, bits) = (case.n, &case.a, case.shift);
    let (left, _) = exact(case, &|a, _| a << bits);
    same("shl", &shift::shl::<B, M, Q, IPB>(n, a, bits)?, &left)?;

    let (right, _) = exact(case, &|a, _| a >> bits);
    same("shr", &shift::shr::<B, M, Q, IPB>(n, a, bits)?, &right)?;

    let width = case.m as u32 * B::BITS;
    let signed = case.each(&|a, _| {
        oracle::limbs::<B>(&oracle::residue(&(oracle::signed_value(a, width) >> bits), width), case.m)
    });
    same("shr_signed", &shift::shr_signed::<B, M, Q, IPB>(n, a, bits)?, &signed)?;
    amounts::shift_by::<B, M, Q, IPB>(case)
}

/// Bitwise operations, minimum and maximum.
///
/// # Errors
/// A failed test case if a result differs.
pub fn bits<B: Base, const M: usize, const Q: usize, const IPB: usize>(case: &Case<B>) -> TestCaseResult {
    let (n, a, b) = (case.n, &case.a, &case.b);
    let ((and, _), (or, _), (xor, _)) =
        (exact(case, &|a, b| a & b), exact(case, &|a, b| a | b), exact(case, &|a, b| a ^ b));
    same("and", &bits::and::<B, M, Q, IPB>(n, a, b)?, &and)?;
    same("or", &bits::or::<B, M, Q, IPB>(n, a, b)?, &or)?;
    same("xor", &bits::xor::<B, M, Q, IPB>(n, a, b)?, &xor)?;
    same("not", &bits::not::<B, M, Q, IPB>(n, a)?, &exact(case, &|a, _| -a - 1).0)?;

    same("min", &bits::min::<B, M, Q, IPB>(n, a, b, false)?, &exact(case, &|a, b| a.min(b)).0)?;
    same("max", &bits::max::<B, M, Q, IPB>(n, a, b, false)?, &exact(case, &|a, b| a.max(b)).0)?;
    let width = case.m as u32 * B::BITS;
    let smaller = |a: &[B], b: &[B]| oracle::signed_value(a, width) <= oracle::signed_value(b, width);
    let (low, high): (Vec<_>, Vec<_>) =
        case.pairs().map(|(a, b)| if smaller(a, b) { (a, b) } else { (b, a) }).unzip();
    same("min, signed", &bits::min::<B, M, Q, IPB>(n, a, b, true)?, &low.concat())?;
    same("max, signed", &bits::max::<B, M, Q, IPB>(n, a, b, true)?, &high.concat())?;
    amounts::counts::<B, M, Q, IPB>(case)
}

/// The classical product: low, high, wide, and the squares.
///
/// # Errors
/// A failed test case if a result differs.
pub fn mul_classical<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    case: &Case<B>,
) -> TestCaseResult {
    let (n, m, a, b) = (case.n, case.m, &case.a, &case.b);
    let wide = case.each(&|a, b| oracle::limbs::<B>(&(oracle::value(a) * oracle::value(b)), 2 * m));
    let part =
        |from: usize| wide.chunks(2 * m).flat_map(|product| product[from..from + m].to_vec()).collect();
    same("mul_wide", &mul_classical::mul_wide::<B, M, Q, IPB>(n, a, b)?, &wide)?;
    same("mul_low", &mul_classical::mul_low::<B, M, Q, IPB>(n, a, b)?, &part(0))?;
    same("mul_high", &mul_classical::mul_high::<B, M, Q, IPB>(n, a, b)?, &part(m))?;

    let square = case.each(&|a, _| oracle::limbs::<B>(&oracle::value(a).pow(2), 2 * m));
    same("square_wide", &mul_classical::square_wide::<B, M, Q, IPB>(n, a)?, &square)?;
    same("square_low", &mul_classical::square_low::<B, M, Q, IPB>(n, a)?, &exact(case, &|a, _| &a * &a).0)
}
