//! The rows of both matrices as lanes read them.

use limbforge_algos::modmul_rns::Matrix;

use super::{Shape, System};

impl System {
    /// The words that `templates/modmul_rns_rows.cuh` reads: of both matrices, the one to base 2 first, of each
    /// unit and fragment four words for each lane. Residues beyond the last one have rows of zeros.
    pub(crate) fn rows(&self, shape: &Shape) -> Vec<u32> {
        let plan = self.plan();
        [&plan.to_second, &plan.to_first].into_iter().flat_map(|matrix| packed(matrix, shape)).collect()
    }
}

fn packed(matrix: &Matrix, shape: &Shape) -> Vec<u32> {
    if shape.warpgroups {
        return of_warpgroups(matrix, shape);
    }
    let fragments = shape.fragments() as usize;
    let mut words = vec![0; (shape.packed_units() * shape.unit_words()) as usize];
    let units = words.chunks_exact_mut(fragments * 128).enumerate();
    let lanes =
        units.flat_map(|(unit, words)| words.chunks_exact_mut(4).enumerate().map(move |lane| (unit, lane)));
    for (unit, (vector, words)) in lanes {
        pack(matrix, (unit, vector / 32, vector % 32), words);
    }
    words
}

/// The rows in pieces of 8 rows of 16 bytes, as `templates/modmul_rns_group_rows.cuh` has them: of each unit, column of
/// pieces and 8 rows four words of each row. Rows g of 16 are digit 2 (g % 2) of residue g / 2, rows g + 8 the one above.
fn of_warpgroups(matrix: &Matrix, shape: &Shape) -> Vec<u32> {
    let (slots, unit_words) = (matrix.slots(), shape.unit_words() as usize);
    let word = |at: usize| {
        let (unit, column, rows, g, word) =
            (at / unit_words, at % unit_words / 256, at / 32 % 8, at / 4 % 8, at % 4);
        let (residue, digit) = (16 * unit + 4 * (rows / 2) + g / 2, 2 * (g % 2) + rows % 2);
        let slot = 4 * column + word;
        let exists = residue < matrix.rows() && slot < slots;
        if exists { matrix.words()[(4 * residue + digit) * slots + slot] } else { 0 }
    };
    (0..shape.packed_units() as usize * unit_words).map(word).collect()
}

/// The vector of a lane: lane 4 g + t has digits 2 m and 2 m + 1 of residue g, of slots t and t + 4 of the 8 slots
/// of fragment 2 s + m. Where k / 4 is odd, the last fragment has all digits of its 4 slots.
fn pack(matrix: &Matrix, (unit, fragment, lane): (usize, usize, usize), words: &mut [u32]) {
    let (slots, g, t) = (matrix.slots(), lane / 4, lane % 4);
    let (row, steps) = (8 * unit + g, slots / 8);
    if row >= matrix.rows() {
        return;
    }
    let digits = &matrix.words()[4 * row * slots..4 * (row + 1) * slots];
    let word = |digit: usize, slot: usize| digits[digit * slots + slot];
    let packed = if fragment == 2 * steps {
        [0, 1, 2, 3].map(|digit| word(digit, 8 * steps + t))
    } else {
        let (digit, slot) = (2 * (fragment % 2), 8 * (fragment / 2) + t);
        [word(digit, slot), word(digit + 1, slot), word(digit, slot + 4), word(digit + 1, slot + 4)]
    };
    words.copy_from_slice(&packed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Limits;

    /// Every word of the matrices is in the rows once, and all others are zero.
    #[test]
    fn rows_have_all_words_of_the_matrices() {
        for (bits, limits) in [32, 100, 200, 700, 2000, 3072]
            .into_iter()
            .flat_map(|bits| [&Limits::SM_90, &Limits::SM_90A].map(|limits| (bits, limits)))
        {
            let system = System::of_bits(bits);
            let shape = system.power_shape(false, limits).unwrap();
            let sum = |words: &[u32]| words.iter().map(|&word| u64::from(word)).sum::<u64>();
            let plan = system.plan();
            let expected = sum(plan.to_second.words()) + sum(plan.to_first.words());
            let rows = system.rows(&shape);
            assert_eq!(sum(&rows), expected, "{bits}");
            assert_eq!(rows.len() as u32, shape.row_words(), "{bits}");
        }
    }
}
