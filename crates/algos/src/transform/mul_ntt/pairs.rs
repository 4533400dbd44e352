//! Sums of two products, entries of a product of matrices: each factor is transformed once, and sums are taken
//! between the transforms. Of 24 transforms for the eight products of two matrices of four entries, 12 are left.

use super::Scratch;
use super::basis::{BASIS, Residues, roots};
use super::digits::{MAX_PRODUCTS, Shape, load};
use super::product::multiply_pairs;
use super::transform::{Context, transform};
use super::{level, recombination};

/// Two numbers: a row of the left matrix, or a column of the right one.
pub(crate) type Pair<'n> = [&'n [u64]; 2];

/// `out[i C + j] = left[i][0] right[j][0] + left[i][1] right[j][1]` for C columns, one word longer than the longest
/// factors together. Returns false and computes nothing if a transform would not be long enough.
pub(crate) fn sums(
    out: &mut [Vec<u64>],
    left: &[Pair<'_>],
    right: &[Pair<'_>],
    scratch: &mut Scratch,
) -> bool {
    let longest =
        |pairs: &[Pair<'_>]| pairs.iter().flatten().map(|words| words.len()).max().unwrap_or_default();
    let (a, b) = (longest(left).max(1), longest(right).max(1));
    // Each coefficient has the products of two.
    let Some(shape) = Shape::new(a, b).filter(|shape| 2 * shape.digits(a.min(b)) <= MAX_PRODUCTS) else {
        return false;
    };
    let context = Context { level: level::level(), basis: &BASIS, roots: roots(shape.depth) };
    let points = shape.points();
    let [values, sum] = &mut scratch.values;
    let factors = 2 * (left.len() + right.len());
    for (room, len) in [(&mut *values, factors * points), (&mut *sum, points)] {
        if room.len() < len {
            room.resize(len, Residues::ZERO);
        }
    }
    let (values, sum) = (&mut values[..factors * points], &mut sum[..points]);
    for (room, words) in values.chunks_exact_mut(points).zip(left.iter().chain(right).flatten()) {
        load(context, room, words, shape);
        transform::<false>(context, room, shape.depth);
    }
    let (left_values, right_values) = values.split_at(2 * left.len() * points);
    let mut out = out.iter_mut();
    for left in left_values.chunks_exact(2 * points) {
        for (right, out) in right_values.chunks_exact(2 * points).zip(&mut out) {
            multiply_pairs(
                context,
                sum,
                left.split_at(points).into(),
                right.split_at(points).into(),
                shape.degree,
            );
            transform::<true>(context, sum, shape.depth);
            out.clear();
            out.resize(a + b + 1, 0);
            let kept = shape.kept(out.len());
            recombination::store(context, out, &sum[..kept], shape, &mut scratch.sums);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::low;
    use super::*;
    use limbforge_limb::slice::add;
    use limbforge_limb::slice::mul::Factors;

    /// Against products one by one: all ones, which give the largest coefficients, short and empty factors.
    #[test]
    fn sums_equal_those_of_single_products() {
        let mut state = 1_u64;
        let mut next = |kind: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            if kind == 0 { u64::MAX } else { state }
        };
        for (len, kind) in [1, 2, 3, 7, 12, 30, 61, 100, 257].into_iter().flat_map(|len| [(len, 0), (len, 1)])
        {
            let mut number = |len: usize| (0..len).map(|_| next(kind)).collect::<Vec<_>>();
            let left = [[len, len / 2], [0, len]].map(|pair| pair.map(&mut number));
            let right = [[len / 3, len + 5], [2 * len, 1]].map(|pair| pair.map(&mut number));
            let [pairs, columns] =
                [&left, &right].map(|x| x.each_ref().map(|pair| pair.each_ref().map(|n| &n[..])));
            for (pairs, columns) in
                [(&pairs[..], &columns[..]), (&pairs[..1], &columns[..]), (&pairs[..], &columns[..1])]
            {
                let mut out = vec![vec![9]; pairs.len() * columns.len()];
                assert!(sums(&mut out, pairs, columns, &mut Scratch::default()));
                for (k, out) in out.iter().enumerate() {
                    let (pair, column) = (pairs[k / columns.len()], columns[k % columns.len()]);
                    let [mut expected, mut other] = [(); 2].map(|()| vec![0; out.len()]);
                    let scratch = &mut Scratch::default();
                    low(&mut expected, Factors::Pair(pair[0], column[0]), scratch);
                    low(&mut other, Factors::Pair(pair[1], column[1]), scratch);
                    assert!(!add::add_assign(&mut expected, &other, false));
                    assert_eq!(*out, expected, "{len} words, {kind}");
                }
            }
        }
    }
}
