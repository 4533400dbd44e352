//! The passes: butterflies of 2, 3 and 4 points.

use limbforge_field::TwoAdicField;

use super::{Pass, Radix};

/// Decimation in frequency: in each block of length L = r m, `y_k = w_L^(ik) * (sum over s of x_(i + sm) w_r^(sk))` for
/// i < m, with `y_k` in the place of `x_(i + km)`. `roots[e] = w^e`, w of order n.
pub(super) fn forward<F: TwoAdicField>(values: &mut [F], pass: Pass, roots: &[F]) {
    let table = Table { roots, inverse: false };
    match pass.radix {
        Radix::Two => forward_pass(values, pass, table, |x, _| two(x)),
        Radix::Three => forward_pass(values, pass, table, three),
        Radix::Four => forward_pass(values, pass, table, four),
    }
}

/// Decimation in time: the inverse of [`forward`], times the radix.
pub(super) fn inverse<F: TwoAdicField>(values: &mut [F], pass: Pass, roots: &[F]) {
    let table = Table { roots, inverse: true };
    match pass.radix {
        Radix::Two => inverse_pass(values, pass, table, |x, _| two(x)),
        Radix::Three => inverse_pass(values, pass, table, three),
        Radix::Four => inverse_pass(values, pass, table, four),
    }
}

/// Powers of the root, or of its inverse.
#[derive(Clone, Copy)]
struct Table<'r, F> {
    roots: &'r [F],
    inverse: bool,
}

impl<F: TwoAdicField> Table<'_, F> {
    /// `w_block^exponent` or its inverse, for `exponent < block`.
    fn power(self, block: usize, exponent: usize) -> F {
        let index = exponent * (self.roots.len() / block);
        self.roots[if self.inverse && index > 0 { self.roots.len() - index } else { index }]
    }
}

fn forward_pass<F: TwoAdicField, const R: usize>(
    values: &mut [F],
    pass: Pass,
    table: Table<'_, F>,
    butterfly: impl Fn([F; R], F) -> [F; R],
) {
    let (distance, root) = (pass.block / R, table.power(R, 1));
    for i in 0..distance {
        let twiddles: [F; R] = core::array::from_fn(|k| table.power(pass.block, i * k));
        for block in values.chunks_exact_mut(pass.block) {
            let y = butterfly(core::array::from_fn(|s| block[i + s * distance]), root);
            block[i] = y[0];
            for k in 1..R {
                block[i + k * distance] = y[k] * twiddles[k];
            }
        }
    }
}

fn inverse_pass<F: TwoAdicField, const R: usize>(
    values: &mut [F],
    pass: Pass,
    table: Table<'_, F>,
    butterfly: impl Fn([F; R], F) -> [F; R],
) {
    let (distance, root) = (pass.block / R, table.power(R, 1));
    for i in 0..distance {
        let twiddles: [F; R] = core::array::from_fn(|k| table.power(pass.block, i * k));
        for block in values.chunks_exact_mut(pass.block) {
            let times = |k: usize| block[i + k * distance] * twiddles[k];
            let x = butterfly(core::array::from_fn(|k| if k == 0 { block[i] } else { times(k) }), root);
            for (s, x) in x.into_iter().enumerate() {
                block[i + s * distance] = x;
            }
        }
    }
}

fn two<F: TwoAdicField>([a, b]: [F; 2]) -> [F; 2] {
    [a + b, a - b]
}

/// With `w^2 = -1 - w`: one product.
fn three<F: TwoAdicField>([a, b, c]: [F; 3], w: F) -> [F; 3] {
    let turned = (b - c) * w;
    [a + b + c, a - c + turned, a - b - turned]
}

/// With `w^2 = -1`: one product.
fn four<F: TwoAdicField>([a, b, c, d]: [F; 4], w: F) -> [F; 4] {
    let (even, odd, difference, turned) = (a + c, b + d, a - c, (b - d) * w);
    [even + odd, difference + turned, even - odd, difference - turned]
}
