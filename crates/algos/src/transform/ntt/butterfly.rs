//! The passes: butterflies of 2, 3 and 4 points.

use super::{Pass, Radix};
use crate::transform::context::Context;

/// Decimation in frequency: in each block of length L = r m, `y_k = w_L^(ik) * (sum over s of x_(i + sm)
/// w_r^(sk))` for i < m, with `y_k` in the place of `x_(i + km)`. `roots[e] = w^e`, w of order n.
pub(super) fn forward<C: Context>(field: C, values: &mut [C::Element], pass: Pass, roots: &[C::Element]) {
    let table = Table { roots, inverse: false };
    match pass.radix {
        Radix::Two => forward_pass(field, values, pass, table, |x, _| two(field, x)),
        Radix::Three => forward_pass(field, values, pass, table, |x, w| three(field, x, w)),
        Radix::Four => forward_pass(field, values, pass, table, |x, w| four(field, x, w)),
    }
}

/// Decimation in time: the inverse of [`forward`], times the radix.
pub(super) fn inverse<C: Context>(field: C, values: &mut [C::Element], pass: Pass, roots: &[C::Element]) {
    let table = Table { roots, inverse: true };
    match pass.radix {
        Radix::Two => inverse_pass(field, values, pass, table, |x, _| two(field, x)),
        Radix::Three => inverse_pass(field, values, pass, table, |x, w| three(field, x, w)),
        Radix::Four => inverse_pass(field, values, pass, table, |x, w| four(field, x, w)),
    }
}

/// Powers of the root, or of its inverse.
#[derive(Clone, Copy)]
struct Table<'r, E> {
    roots: &'r [E],
    inverse: bool,
}

impl<E: Copy> Table<'_, E> {
    /// `w_block^exponent` or its inverse, for `exponent < block`.
    fn power(self, block: usize, exponent: usize) -> E {
        let index = exponent * (self.roots.len() / block);
        self.roots[if self.inverse && index > 0 { self.roots.len() - index } else { index }]
    }
}

fn forward_pass<C: Context, const R: usize>(
    field: C,
    values: &mut [C::Element],
    pass: Pass,
    table: Table<'_, C::Element>,
    butterfly: impl Fn([C::Element; R], C::Element) -> [C::Element; R],
) {
    let (distance, root) = (pass.block / R, table.power(R, 1));
    for i in 0..distance {
        let twiddles: [C::Element; R] = core::array::from_fn(|k| table.power(pass.block, i * k));
        for block in values.chunks_exact_mut(pass.block) {
            let y = butterfly(core::array::from_fn(|s| block[i + s * distance]), root);
            block[i] = y[0];
            for k in 1..R {
                block[i + k * distance] = field.mul(y[k], twiddles[k]);
            }
        }
    }
}

fn inverse_pass<C: Context, const R: usize>(
    field: C,
    values: &mut [C::Element],
    pass: Pass,
    table: Table<'_, C::Element>,
    butterfly: impl Fn([C::Element; R], C::Element) -> [C::Element; R],
) {
    let (distance, root) = (pass.block / R, table.power(R, 1));
    for i in 0..distance {
        let twiddles: [C::Element; R] = core::array::from_fn(|k| table.power(pass.block, i * k));
        for block in values.chunks_exact_mut(pass.block) {
            let times = |k: usize| field.mul(block[i + k * distance], twiddles[k]);
            let x = butterfly(core::array::from_fn(|k| if k == 0 { block[i] } else { times(k) }), root);
            for (s, x) in x.into_iter().enumerate() {
                block[i + s * distance] = x;
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
