//! Two numbers times a matrix, in assembly and in Rust, against a multiple of each limb.

use super::super::matrix::{Matrix, differences, sums, upper_differences};
use super::super::multiple;
use super::limbs;

const HALF: u64 = u64::MAX >> 1;

/// Zeros, the largest entries that a row may have, and a mix.
const MATRICES: [Matrix; 6] = [
    [[1, 0], [0, 1]],
    [[0, 0], [0, 0]],
    [[HALF, HALF], [HALF, HALF]],
    [[u64::MAX, 0], [0, u64::MAX]],
    [[1, u64::MAX - 1], [u64::MAX - 1, 1]],
    [[0x0123_4567_89ab_cdef, 0x7edc_ba98_7654_3210], [3, 0x4444_4444_4444_4444]],
];

/// `f a +- g b` with a limb above.
fn combination(a: &[u64], f: u64, b: &[u64], g: u64, less: bool) -> Vec<u64> {
    let mut sum = vec![0; a.len()];
    let above = multiple::add(&mut sum, a, f);
    let other = if less { multiple::sub } else { multiple::add }(&mut sum, b, g);
    sum.push(if less { above.wrapping_sub(other) } else { above.wrapping_add(other) });
    sum
}

#[test]
fn numbers_times_a_matrix_equal_sums_of_multiples() {
    for (len, kind) in (0..40).flat_map(|len| (0..16).map(move |kind| (len, kind))) {
        let (a, b) = (limbs(len, kind % 4), limbs(len, kind / 4));
        for (matrix, less) in MATRICES.iter().flat_map(|matrix| [(matrix, false), (matrix, true)]) {
            let [[m00, m01], [m10, m11]] = *matrix;
            let expected = [combination(&a, m00, &b, m01, less), combination(&b, m11, &a, m10, less)];
            let (mut x, mut y) = (a.clone(), b.clone());
            let apply = if less { differences } else { sums };
            let [x_above, y_above] = apply(&mut x, &mut y, matrix);
            x.push(x_above);
            y.push(y_above);
            assert_eq!([&x, &y], expected.each_ref(), "{a:x?} {b:x?} by {matrix:x?}, {less}");
            if less {
                let (mut upper_x, mut upper_y) = (a.clone(), b.clone());
                upper_differences(&mut upper_x, &mut upper_y, matrix);
                assert_eq!([&upper_x, &upper_y], [&x[1..], &y[1..]], "{a:x?} {b:x?} by {matrix:x?}");
            }
        }
    }
}

/// Carries from below included, which sums may have up to B - 1 where the entries of a row add up to less.
#[test]
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
fn assembly_of_matrices_equals_rust() {
    use super::super::adx::matrix::{BLOCK, differences, sums};
    if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")) {
        return;
    }
    for (blocks, kind) in (1..6).flat_map(|blocks| (0..16).map(move |kind| (blocks, kind))) {
        let (a, b) = (limbs(blocks * BLOCK, kind % 4), limbs(blocks * BLOCK, kind / 4));
        for matrix in &MATRICES {
            for carries in [[0, 0], [matrix[0][1], matrix[1][0]], [u64::MAX, u64::MAX - 1]] {
                let [mut of_sums, mut of_differences] = [(); 2].map(|()| (a.clone(), b.clone()));
                let [mut sums_here, mut differences_here] = [(); 2].map(|()| (a.clone(), b.clone()));
                // SAFETY: the processor has the instructions; the lengths are blocks.
                #[allow(unsafe_code)]
                let found = unsafe {
                    [
                        sums(&mut sums_here.0, &mut sums_here.1, matrix, carries),
                        differences(&mut differences_here.0, &mut differences_here.1, matrix, carries),
                    ]
                };
                let expected = [
                    super::super::matrix::portable::<false>(&mut of_sums.0, &mut of_sums.1, matrix, carries),
                    super::super::matrix::portable::<true>(
                        &mut of_differences.0,
                        &mut of_differences.1,
                        matrix,
                        carries,
                    ),
                ];
                assert_eq!(found, expected, "{a:x?} {b:x?} by {matrix:x?}");
                assert_eq!((sums_here, differences_here), (of_sums, of_differences), "{matrix:x?}");
            }
        }
    }
}
