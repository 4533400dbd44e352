//! The passes: butterflies of 2, 3 and 4 points.

use super::{Pass, Radix};
use crate::transform::context::Context;

/// A pass of the forward transform or its inverse, times the radix; `roots[e] = w^e`, w of order n.
///
/// Forward, by decimation in frequency: in each block of length L = r m, `y_k = w_L^(ik) * (sum over s of
/// x_(i + sm) w_r^(sk))` for i < m, with `y_k` in the place of `x_(i + km)`.
pub(super) fn run<C: Context, const INVERSE: bool>(
    field: C,
    values: &mut [C::Element],
    pass: Pass,
    roots: &[C::Element],
) {
    match pass.radix {
        Radix::Two => run_radix::<C, 2, INVERSE>(field, values, pass, roots, |x, _| two(field, x)),
        Radix::Three => run_radix::<C, 3, INVERSE>(field, values, pass, roots, |x, w| three(field, x, w)),
        Radix::Four => run_radix::<C, 4, INVERSE>(field, values, pass, roots, |x, w| four(field, x, w)),
    }
}

fn run_radix<C: Context, const R: usize, const INVERSE: bool>(
    field: C,
    values: &mut [C::Element],
    pass: Pass,
    roots: &[C::Element],
    butterfly: impl Fn([C::Element; R], C::Element) -> [C::Element; R],
) {
    // `w_block^exponent` or its inverse, for `exponent < block`.
    let power = |block: usize, exponent: usize| {
        let index = exponent * (roots.len() / block);
        roots[if INVERSE && index > 0 { roots.len() - index } else { index }]
    };
    let (distance, root) = (pass.block / R, power(R, 1));
    for i in 0..distance {
        let twiddles: [C::Element; R] = core::array::from_fn(|k| power(pass.block, i * k));
        let twist = |x: [C::Element; R]| -> [C::Element; R] {
            core::array::from_fn(|k| if k == 0 { x[0] } else { field.mul(x[k], twiddles[k]) })
        };
        for block in values.chunks_exact_mut(pass.block) {
            let x = core::array::from_fn(|s| block[i + s * distance]);
            let y = if INVERSE { butterfly(twist(x), root) } else { twist(butterfly(x, root)) };
            for (s, y) in y.into_iter().enumerate() {
                block[i + s * distance] = y;
            }
        }
    }
}

fn two<C: Context>(field: C, [a, b]: [C::Element; 2]) -> [C::Element; 2] {
    [field.add(a, b), field.sub(a, b)]
}

/// With `w^2 = -1 - w`: one product.
fn three<C: Context>(field: C, [a, b, c]: [C::Element; 3], w: C::Element) -> [C::Element; 3] {
    let turned = field.mul(field.sub(b, c), w);
    [field.add(field.add(a, b), c), field.add(field.sub(a, c), turned), field.sub(field.sub(a, b), turned)]
}

/// With `w^2 = -1`: one product.
fn four<C: Context>(field: C, [a, b, c, d]: [C::Element; 4], w: C::Element) -> [C::Element; 4] {
    let ([even, difference], [odd, other]) = (two(field, [a, c]), two(field, [b, d]));
    let turned = field.mul(other, w);
    let ([first, third], [second, fourth]) = (two(field, [even, odd]), two(field, [difference, turned]));
    [first, second, third, fourth]
}
