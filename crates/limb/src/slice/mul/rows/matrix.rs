//! Two numbers times a matrix of four limbs, in one pass and in place: the step of Lehmer's greatest common divisor.

/// A matrix of limbs by rows, in each of which the sum of the limbs is below B.
pub type Matrix = [[u64; 2]; 2];

/// `(a, b) = (m00 a + m01 b, m10 a + m11 b) mod B^n`, for slices of one length n; returns the limbs above.
///
/// ```
/// use limbforge_limb::slice::mul::rows::matrix::sums;
/// let (mut a, mut b) = ([5, 0], [u64::MAX, 1]);
/// assert_eq!(sums(&mut a, &mut b, &[[3, 1], [0, 1]]), [0, 0]);
/// assert_eq!((a, b), ([14, 2], [u64::MAX, 1]));
/// ```
///
/// # Panics
/// If the lengths differ, or a row of the matrix has a sum of B or more.
#[inline(always)]
pub fn sums(a: &mut [u64], b: &mut [u64], matrix: &Matrix) -> [u64; 2] {
    apply::<false>(a, b, matrix)
}

/// `(a, b) = (m00 a - m01 b, m11 b - m10 a) mod B^n`, for slices of one length n; returns the limbs above, mod B:
/// 0 for results from 0 to `B^n - 1`.
///
/// ```
/// use limbforge_limb::slice::mul::rows::matrix::differences;
/// let (mut a, mut b) = ([5, 1], [u64::MAX, 0]);
/// assert_eq!(differences(&mut a, &mut b, &[[1, 1], [1, 1]]), [0, u64::MAX]);
/// assert_eq!((a, b), ([6, 0], [u64::MAX - 5, u64::MAX]));
/// ```
///
/// # Panics
/// If the lengths differ, or a row of the matrix has a sum of B or more.
#[inline(always)]
pub fn differences(a: &mut [u64], b: &mut [u64], matrix: &Matrix) -> [u64; 2] {
    apply::<true>(a, b, matrix)
}

/// `(a, b) = ((m00 a - m01 b) / B, (m11 b - m10 a) / B) mod B^n`, rounded down, for slices of one length n; returns which of
/// the differences were negative.
///
/// ```
/// use limbforge_limb::slice::mul::rows::matrix::upper_differences;
/// let (mut a, mut b) = ([5, 7], [5, 6]);
/// assert_eq!(upper_differences(&mut a, &mut b, &[[1, 1], [2, 2]]), [false, true]);
/// assert_eq!((a, b), ([1, 0], [u64::MAX - 1, u64::MAX]));
/// ```
///
/// # Panics
/// If the lengths differ, or a row of the matrix has a sum of B or more.
#[inline]
pub fn upper_differences(a: &mut [u64], b: &mut [u64], matrix: &Matrix) -> [bool; 2] {
    check(a, b, matrix);
    let n = a.len();
    let subtracted = [matrix[0][1], matrix[1][0]];
    let first = first_limbs(n);
    let carries = upper_portable(&mut a[..first], &mut b[..first], matrix, subtracted);
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    let carries = if first < n {
        let (a, b) = (&mut a[first - 1..], &mut b[first - 1..]);
        // SAFETY: the processor has the instructions; both have one length, a multiple of a block and one above.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::matrix::upper_differences(a, b, matrix, carries)
        }
    } else {
        carries
    };
    let (a_top, is_a_negative) = carries[0].overflowing_sub(subtracted[0]);
    let (b_top, is_b_negative) = carries[1].overflowing_sub(subtracted[1]);
    if let ([.., a], [.., b]) = (a, b) {
        (*a, *b) = (a_top, b_top);
    }
    [is_a_negative, is_b_negative]
}

/// The lowest limbs of n, at least one, that are computed in Rust; whole blocks in assembly follow.
#[inline(always)]
fn first_limbs(n: usize) -> usize {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if n > FEWEST && super::are_fast() {
        return (n - 1) % super::adx::matrix::BLOCK + 1;
    }
    n
}

/// The differences in Rust, without their lowest limbs; returns the carries above.
#[inline(always)]
fn upper_portable(a: &mut [u64], b: &mut [u64], matrix: &Matrix, mut carries: [u64; 2]) -> [u64; 2] {
    for i in 0..a.len() {
        let (mut x, mut y) = ([a[i]], [b[i]]);
        carries = portable::<true>(&mut x, &mut y, matrix, carries);
        if i > 0 {
            (a[i - 1], b[i - 1]) = (x[0], y[0]);
        }
    }
    carries
}

/// With `~b = B^n - 1 - b`, `m00 a - m01 b` is `m00 a + m01 ~b + m01 - m01 B^n`: a sum again.
#[inline(always)]
fn apply<const LESS: bool>(a: &mut [u64], b: &mut [u64], matrix: &Matrix) -> [u64; 2] {
    check(a, b, matrix);
    let subtracted = if LESS { [matrix[0][1], matrix[1][0]] } else { [0; 2] };
    let [x, y] = pass::<LESS>(a, b, matrix, subtracted);
    [x.wrapping_sub(subtracted[0]), y.wrapping_sub(subtracted[1])]
}

#[inline(always)]
fn check(a: &[u64], b: &[u64], matrix: &Matrix) {
    assert_eq!(a.len(), b.len(), "numbers of one length");
    assert!(matrix.iter().all(|row| row[0].checked_add(row[1]).is_some()), "rows with sums of a limb");
}

#[inline(always)]
fn pass<const LESS: bool>(a: &mut [u64], b: &mut [u64], matrix: &Matrix, carries: [u64; 2]) -> [u64; 2] {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if a.len() >= FEWEST && super::are_fast() {
        use super::adx::matrix::{BLOCK, differences, sums};
        let first = a.len() % BLOCK;
        let ((a_first, a), (b_first, b)) = (a.split_at_mut(first), b.split_at_mut(first));
        let carries = portable::<LESS>(a_first, b_first, matrix, carries);
        // SAFETY: the processor has the instructions; both have one length, a multiple of a block.
        #[allow(unsafe_code, reason = "assembly")]
        return unsafe {
            if LESS { differences(a, b, matrix, carries) } else { sums(a, b, matrix, carries) }
        };
    }
    portable::<LESS>(a, b, matrix, carries)
}

/// Fewest limbs of assembly: a block.
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
const FEWEST: usize = 4;

/// The sums in Rust, with the carries from below; returns those above.
#[inline(always)]
pub(super) fn portable<const LESS: bool>(
    a: &mut [u64],
    b: &mut [u64],
    [[m00, m01], [m10, m11]]: &Matrix,
    [mut x, mut y]: [u64; 2],
) -> [u64; 2] {
    for (a, b) in a.iter_mut().zip(b) {
        let (p, q) = (*a, *b);
        let less = |limb: u64| if LESS { !limb } else { limb };
        // At most (m00 + m01 + 1) (B - 1): below B^2.
        let sum = |f: u64, p: u64, g: u64, q: u64, carry: u64| {
            u128::from(f) * u128::from(p) + u128::from(g) * u128::from(q) + u128::from(carry)
        };
        let (a_sum, b_sum) = (sum(*m00, p, *m01, less(q), x), sum(*m10, less(p), *m11, q, y));
        (*a, *b) = (a_sum as u64, b_sum as u64);
        (x, y) = ((a_sum >> 64) as u64, (b_sum >> 64) as u64);
    }
    [x, y]
}
