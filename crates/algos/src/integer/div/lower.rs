//! Division by an inverse from below: Newton's step with divisor prefixes rounded up.
//!
//! Every iterate is at most the true value, so there are no signs, the power difference is a residue modulo a
//! power of B, and the quotient is exact or one too small. `docs/div.md` has the proof; the method is Watt's
//! whole shifted inverse (arXiv:2304.01753) made one-sided.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, div::schoolbook, sub};

use crate::integer::{packed::compare, products::Products};
use crate::invariant::broken_invariant;

/// Whether columns may be left out: their number must be small against B, `8 (t + 8) <= B`.
const fn may_shorten<B: Base>(precision: usize) -> bool {
    B::BITS >= 32 || B::BITS >= 16 && 8 * (precision + 8) <= 1 << 16
}

/// w of t limbs with `0 <= B^(k+t)/v - w < c`, c = 1 + O(1/B), for v of k + 1 limbs, its top limb not zero,
/// that is not `B^k`; from B = 8 on c < 2 (B = 4: c < 1.7).
///
/// Precisions up to `seed` limbs come from a schoolbook division, those above by Newton steps.
pub fn inverse<B: Base, P: Products<B>>(v: &[B], precision: usize, seed: usize, products: &mut P) -> Vec<B> {
    let (first, steps) = precisions::<B>(precision, seed);
    steps.into_iter().fold(seed_inverse(v, first), |w, t| newton_step(v, &w, t, products))
}

/// The first precision, of up to `seed` limbs or what the guard digits require, and those of the steps.
pub(crate) fn precisions<B: Base>(precision: usize, seed: usize) -> (usize, Vec<usize>) {
    // g guard digits, precision t from ceil((t + g) / 2): enough where B^(g-1) >= 4 (1 + 2/B).
    let guard = if B::BITS == 2 { 3 } else { 2 };
    let (mut first, mut steps) = (precision, vec![]);
    while first > seed.max(guard + 1) {
        steps.push(first);
        first = (first + guard).div_ceil(2);
    }
    steps.reverse();
    (first, steps)
}

/// The `len` top limbs of v, zeros below it if it is shorter, and whether limbs below them were dropped.
fn prefix<B: Base>(v: &[B], len: usize) -> (Vec<B>, bool) {
    let mut prefix = vec![B::ZERO; len];
    let kept = v.len().min(len);
    prefix[len - kept..].copy_from_slice(&v[v.len() - kept..]);
    (prefix, v.len() > len)
}

/// `floor(B^(p+t) / V)` with p = t + 1 and V the p + 1 top limbs of v, plus one if limbs were dropped.
pub(crate) fn seed_inverse<B: Base>(v: &[B], t: usize) -> Vec<B> {
    let (mut divisor, dropped) = prefix(v, t + 2);
    let mut w = vec![B::ZERO; t];
    if add::increment(&mut divisor, dropped) {
        // V = B^(p+1).
        w[t - 1] = B::ONE;
        return w;
    }
    let mut dividend = vec![B::ZERO; 2 * t + 2];
    dividend[2 * t + 1] = B::ONE;
    let mut quotient = vec![B::ZERO; t + 1];
    let mut remainder = vec![B::ZERO; t + 2];
    let mut scratch = vec![B::ZERO; schoolbook::scratch_len(2 * t + 2, t + 2)];
    schoolbook::div_rem(&mut quotient, &mut remainder, &dividend, &divisor, &mut scratch);
    w.copy_from_slice(&quotient[..t]);
    w
}

/// From w of t limbs to `t2 <= 2 t - g` limbs: `w B^m + floor(w D / B^(t+1))` with m = t2 - t and D the power
/// difference `B^(p+t) - V w` in units of `B^t`, where V is the prefix of v of p + 1 = t2 + 2 limbs, rounded
/// up.
fn newton_step<B: Base, P: Products<B>>(v: &[B], w: &[B], t2: usize, products: &mut P) -> Vec<B> {
    let (t, m) = (w.len(), t2 - w.len());
    let (prefix, dropped) = prefix(v, t2 + 2);
    let short = may_shorten::<B>(t2);
    // -V w mod B^(t2 + 3): the difference is that small.
    let from = if short { t.saturating_sub(2) } else { 0 };
    let mut difference = vec![B::ZERO; t2 + 3 - from];
    products.columns(&mut difference, &prefix, w, from);
    if dropped {
        add::add_assign(&mut difference, &w[from..], false);
    }
    sub::neg_assign(&mut difference);
    let difference = &mut difference[t - from..];
    if short && difference.iter().any(|&limb| limb != B::ZERO) {
        // The omitted columns made it larger, by less than one unit.
        sub::decrement(difference, true);
    }
    let from = if short { t - 1 } else { 0 };
    let mut correction = vec![B::ZERO; t + difference.len() - from];
    products.columns(&mut correction, w, difference, from);
    let mut next = vec![B::ZERO; t2];
    next[m..].copy_from_slice(w);
    add::add_assign(&mut next, bits::significant(&correction[t + 1 - from..]), false);
    next
}

/// The blocks of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Limbs of the quotient computed at a time, at least 1; the inverse has two more.
    pub limbs: usize,
    /// Limbs of the inverse up to which a schoolbook division computes it.
    pub seed: usize,
}

/// `quotient = floor(u / v)`, `remainder = u mod v`, by an inverse for blocks of the quotient. `known` is the
/// divisor's inverse for these blocks; an empty vector receives it.
///
/// v has n limbs, the top one not zero; `quotient` has at least `u.len() - n + 1` limbs if u is as long as v
/// or longer, `remainder` has n.
pub fn div_rem<B: Base, P: Products<B>>(
    quotient: &mut [B],
    remainder: &mut [B],
    u: &[B],
    v: &[B],
    blocks: Blocks,
    known: &mut Vec<B>,
    products: &mut P,
) {
    quotient.fill(B::ZERO);
    let (u, n) = (bits::significant(u), v.len());
    if u.len() < n {
        remainder[..u.len()].copy_from_slice(u);
        return remainder[u.len()..].fill(B::ZERO);
    }
    if is_power_of_base(v) {
        quotient[..=u.len() - n].copy_from_slice(&u[n - 1..]);
        remainder[..n - 1].copy_from_slice(&u[..n - 1]);
        remainder[n - 1] = B::ZERO;
        return;
    }
    let rest = by_blocks(&mut quotient[..=u.len() - n], u, v, blocks, known, true, products);
    remainder.copy_from_slice(&rest);
}

/// As [`div_rem`], for a divisor that is not a power of B, and a quotient that may be one too small, of
/// `u.len() - n + 1` limbs for `u.len() >= n`.
pub(super) fn estimate<B: Base, P: Products<B>>(
    quotient: &mut [B],
    u: &[B],
    v: &[B],
    blocks: Blocks,
    known: &mut Vec<B>,
    products: &mut P,
) {
    quotient.fill(B::ZERO);
    by_blocks(quotient, u, v, blocks, known, false, products);
}

/// The quotient, which is 0, and the remainder; or a quotient that may be one too small, and what was left before
/// its lowest block.
fn by_blocks<B: Base, P: Products<B>>(
    quotient: &mut [B],
    u: &[B],
    v: &[B],
    blocks: Blocks,
    known: &mut Vec<B>,
    is_exact: bool,
    products: &mut P,
) -> Vec<B> {
    // u < v B^limbs.
    let (n, limbs) = (v.len(), quotient.len());
    let block = blocks.limbs.min(limbs);
    if known.len() != block + 2 {
        *known = inverse(v, block + 2, blocks.seed, products);
    }
    let start = limbs.div_ceil(block) * block;
    // The part of u above the blocks is below B^(n-1) <= v.
    let mut rest = vec![B::ZERO; n + block];
    let above = u.get(start..).unwrap_or_default();
    rest[block..block + above.len()].copy_from_slice(above);
    for at in (0..start).step_by(block).rev() {
        let part = &u[at.min(u.len())..(at + block).min(u.len())];
        rest[..block].fill(B::ZERO);
        rest[..part.len()].copy_from_slice(part);
        let mut digits = block_estimate(&rest, v, known, products);
        if is_exact || at > 0 {
            correct(&mut digits, &mut rest, v, products);
        }
        let room = &mut quotient[at.min(limbs)..(at + block).min(limbs)];
        room.copy_from_slice(&digits[..room.len()]);
        rest.copy_within(..n, block);
    }
    rest.split_off(block)
}

/// Whether `v = B^k`.
pub(super) fn is_power_of_base<B: Base>(v: &[B]) -> bool {
    v.split_last().is_some_and(|(&top, below)| top == B::ONE && below.iter().all(|&limb| limb == B::ZERO))
}

/// `floor(rest / v)` or one less, of `rest.len() - v.len()` limbs, for `rest < v B^block` and an inverse of
/// `block + 2` limbs.
fn block_estimate<B: Base, P: Products<B>>(rest: &[B], v: &[B], inverse: &[B], products: &mut P) -> Vec<B> {
    let (n, t) = (v.len(), inverse.len());
    // Limbs of the dividend below n - 2 change the quotient by less than 1/B.
    let skip = n.saturating_sub(2);
    let upper = &rest[skip..];
    let unit = n - 1 + t - skip;
    let from = if may_shorten::<B>(t) { unit.saturating_sub(2) } else { 0 };
    let mut product = vec![B::ZERO; upper.len() + t - from];
    products.columns(&mut product, upper, inverse, from);
    let mut digits = product.split_off(unit - from);
    digits.resize(rest.len() - n, B::ZERO);
    digits
}

/// Corrects the estimate of a quotient, and `rest = rest mod v`.
fn correct<B: Base, P: Products<B>>(digits: &mut [B], rest: &mut [B], v: &[B], products: &mut P) {
    // The remainder is below 2 v: n + 1 limbs decide.
    let len = (v.len() + 1).min(rest.len());
    let mut multiple = vec![B::ZERO; len];
    products.low(&mut multiple, digits, v);
    sub::sub_assign(&mut rest[..len], &multiple, false);
    rest[len..].fill(B::ZERO);
    if !is_below(rest, v) {
        sub::sub_assign(&mut rest[..len], v, false);
        add::increment(digits, true);
        if !is_below(rest, v) {
            broken_invariant("one correction of a quotient is enough");
        }
    }
}

/// `a < v`, for trimmed v.
pub(super) fn is_below<B: Base>(a: &[B], v: &[B]) -> bool {
    compare(bits::significant(a), v).is_lt()
}
