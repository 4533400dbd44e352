//! Divisions by blocks of 31 words of the quotient, whose multiples of the divisor are products of matrices of bytes:
//! `templates/div_blocks.cuh`.

use limbforge_algos::expr::Dag;

use crate::spec::{KernelSpec, Mapping, WARP};

/// Words of dividends for which blocks take less time than steps of two words. Quotients and remainders of integers of more than 1024 go by
/// Newton's method (`crate::newton`); what is left for blocks are wide dividends and products modulo numbers.
const FEWEST_WORDS: u32 = 257;
const MOST_WORDS: u32 = 2048;

/// Zeros around a divisor in shared memory.
const ZEROS: u32 = 100;

/// Whether blocks are faster for dividends of so many words.
pub(super) const fn suit(words: u32) -> bool {
    words >= FEWEST_WORDS && words <= MOST_WORDS
}

/// Dividends of so many words in blocks of threads that fill a multiprocessor's shared memory: of the longest, each has one.
pub(super) fn placed(mapping: Mapping, dividend_words: u32) -> Mapping {
    if dividend_words > MOST_WORDS / 2 { Mapping { instances: 1, ..mapping } } else { mapping }
}

/// Words of the longest dividend: wide divisions have two operands of them.
fn dividend_words(spec: &KernelSpec) -> u32 {
    let is_wide = spec.dag.nodes().iter().any(|node| node.op.is_wide_division());
    spec.mapping.padded_words() * if is_wide { 2 } else { 1 }
}

/// Whether the expression has divisions, and no other operation keeps numbers in an instance's slot meanwhile.
fn only_divides(dag: &Dag) -> bool {
    let mut within_warp = dag.nodes().iter().map(|node| &node.op).filter(|op| op.is_within_warp()).peekable();
    within_warp.peek().is_some() && within_warp.all(|op| op.is_division() || op.is_wide_division())
}

/// Whether an instance has a whole warp and is long enough, and has divisions alone.
pub(super) fn are_faster(spec: &KernelSpec) -> bool {
    let whole_warp = spec.mapping.lanes == WARP && spec.mapping.warps == 1;
    whole_warp && only_divides(&spec.dag) && suit(dividend_words(spec))
}

/// Words from one copy of a divisor to the next: four copies lie in different banks.
const fn copy_words(words: u32) -> u32 {
    (words + ZEROS + 23) / 32 * 32 + 8
}

/// Words behind those of a slot for divisions: the left factor, the inverse, and the divisor with the quotient. A divisor has up to half of the
/// words and one; the quotient has as many more as the divisor has less.
pub(super) fn area_words(spec: &KernelSpec) -> u32 {
    let (left, inverse, half) = (64, 4 * 40, dividend_words(spec) / 2);
    left + inverse + 4 * copy_words(half + 1) + half + 160
}
