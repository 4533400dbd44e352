//! s division steps at a time.
//!
//! Coefficients are counted from the leading one down, in both polynomials. A step takes a multiple of one
//! off the other, leading term upon leading term, so it only meets coefficients at the same distance from the
//! leading ones. s coefficients of each, the heads, are enough for steps that lower the degrees by s in all;
//! what these steps make of s other coefficients depends on 2s of both, so that blocks need not know of each
//! other.

use crate::poly::linear::{monic, sub_scaled, trimmed};
use crate::transform::context::Context;

/// Most coefficients of a block, for words of 64 bits in the fastest cache.
const BLOCK: usize = 1024;

/// A step: `factor` times one polynomial is taken off the other.
struct Step<E> {
    /// Whether the first polynomial is reduced, by the second.
    reduces_first: bool,
    factor: E,
    /// How far the leading coefficients of the two have moved down since the heads were taken.
    at: [usize; 2],
}

/// The monic greatest common divisor, with `s` steps at a time; 0 counts as 1.
#[must_use]
pub fn gcd<C: Context>(field: C, a: &[C::Element], b: &[C::Element], s: usize) -> Vec<C::Element> {
    // From the leading coefficient down.
    let [mut a, mut b] = [a, b].map(|a| trimmed(field, a).iter().rev().copied().collect::<Vec<_>>());
    let s = s.max(1);
    while !a.is_empty() && !b.is_empty() {
        if a.len() == 1 || b.len() == 1 {
            return vec![field.element(1)];
        }
        let (steps, moved) = head_steps(field, &a, &b, s);
        let [next_a, next_b] = apply(field, [&a, &b], &steps, moved, s);
        (a, b) = (from_leading(field, next_a), from_leading(field, next_b));
    }
    let mut last = if a.is_empty() { b } else { a };
    last.reverse();
    monic(field, &last)
}

/// Without the zeros in front.
fn from_leading<C: Context>(field: C, a: Vec<C::Element>) -> Vec<C::Element> {
    let zeros = a.iter().position(|&x| x != field.zero()).unwrap_or(a.len());
    if zeros == 0 { a } else { a[zeros..].to_vec() }
}

/// The steps that s coefficients of each determine, and how far the leading coefficients have moved.
fn head_steps<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
    s: usize,
) -> (Vec<Step<C::Element>>, [usize; 2]) {
    let degrees = [a.len() - 1, b.len() - 1];
    let [mut first, mut second] = [a, b].map(|a| {
        let mut head = a[..a.len().min(s)].to_vec();
        head.resize(s, field.zero());
        head
    });
    let (mut steps, mut at) = (Vec::new(), [0, 0]);
    // Coefficients from the leading ones on that are known of both.
    let mut known = s;
    while known > 0 && at[0] <= degrees[0] && at[1] <= degrees[1] {
        let reduces_first = degrees[0] - at[0] >= degrees[1] - at[1];
        let (reduced, by) = if reduces_first { (0, 1) } else { (1, 0) };
        let [target, other] =
            if reduces_first { [&mut first, &mut second] } else { [&mut second, &mut first] };
        let factor = field.mul(target[at[reduced]], field.inverse(other[at[by]]));
        sub_scaled(field, &mut target[at[reduced]..][..known], &other[at[by]..][..known], factor);
        steps.push(Step { reduces_first, factor, at });
        while known > 0 && target[at[reduced]] == field.zero() {
            at[reduced] += 1;
            known -= 1;
        }
    }
    (steps, at)
}

/// Both polynomials after the steps, from the new leading coefficients on; blocks are independent of each
/// other.
fn apply<C: Context>(
    field: C,
    both: [&[C::Element]; 2],
    steps: &[Step<C::Element>],
    moved: [usize; 2],
    s: usize,
) -> [Vec<C::Element>; 2] {
    let block = s.max(BLOCK);
    let lengths = [0, 1].map(|i| both[i].len().saturating_sub(moved[i]));
    let mut results = lengths.map(|len| vec![field.zero(); len]);
    for start in (0..lengths[0].max(lengths[1])).step_by(block) {
        // A block with as many coefficients below it as the steps can bring up.
        let mut window = both.map(|a| {
            let rest = a.get(start..).unwrap_or_default();
            let mut window = rest[..rest.len().min(block + s)].to_vec();
            window.resize(block + s, field.zero());
            window
        });
        steps.iter().for_each(|step| take_off(field, &mut window, step));
        for i in [0, 1] {
            let result = results[i].get_mut(start..).unwrap_or_default();
            let len = result.len().min(block);
            result[..len].copy_from_slice(&window[i][moved[i]..][..len]);
        }
    }
    results
}

/// One step within a window. In the first window the coefficients before the leading ones are 0.
fn take_off<C: Context>(field: C, window: &mut [Vec<C::Element>; 2], step: &Step<C::Element>) {
    let [first, second] = window;
    let (target, other) = if step.reduces_first { (first, &*second) } else { (second, &*first) };
    let (to, from) = if step.reduces_first { (step.at[0], step.at[1]) } else { (step.at[1], step.at[0]) };
    let common = to.min(from);
    sub_scaled(field, &mut target[to - common..], &other[from - common..], step.factor);
}

#[cfg(test)]
mod tests {
    use limbforge_field::DynField;

    use super::*;
    use crate::poly::linear::trim;

    /// The blocks of one launch agree with steps over whole polynomials.
    #[test]
    fn blocks_are_independent() -> Result<(), limbforge_field::FieldError> {
        let field = DynField::new(97)?;
        let values = |len: usize, seed: u64| -> Vec<_> {
            (0..len as u64).map(|i| field.element((i * i * seed + 7 * i + 1) % 97)).collect()
        };
        for (n, m, s) in [(3000, 2900, 5), (2500, 1100, 64), (40, 39, 64), (1030, 1025, 1)] {
            let (a, b) = (from_leading(field, values(n, 3)), from_leading(field, values(m, 5)));
            let (steps, moved) = head_steps(field, &a, &b, s);
            let mut whole = [&a, &b].map(|a| [a.clone(), vec![field.zero(); n + m]].concat());
            steps.iter().for_each(|step| take_off(field, &mut whole, step));
            let found = apply(field, [&a, &b], &steps, moved, s);
            for i in [0, 1] {
                assert!(whole[i][..moved[i]].iter().all(|x| x.is_zero()));
                assert_eq!(trim(field, whole[i][moved[i]..].to_vec()), trim(field, found[i].clone()));
            }
        }
        Ok(())
    }
}
