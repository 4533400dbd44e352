//! Divisions by blocks of 31 words of the quotient, by matrices of bytes (`templates/div_blocks.cuh`).

use limbforge_algos::expr::{Dag, Op};

use crate::spec::{KernelSpec, Mapping, WARP, within_warp};

/// Words of dividends for which blocks take less time than steps of two words. Above 1024 words Newton's
/// method divides ([`crate::newton`]), except double-width dividends.
const FEWEST_WORDS: u32 = 257;
const MOST_WORDS: u32 = 2048;

/// Zeros around a divisor in shared memory.
const ZEROS: u32 = 100;

/// Whether blocks are faster for dividends of so many words.
pub(super) const fn suit(words: u32) -> bool {
    words >= FEWEST_WORDS && words <= MOST_WORDS
}

/// The mapping with a thread block for each of the longest dividends: they fill the shared memory.
pub(super) fn placed(mapping: Mapping, dividend_words: u32) -> Mapping {
    if dividend_words > MOST_WORDS / 2 { Mapping { instances: 1, ..mapping } } else { mapping }
}

/// Words of the longest dividend.
fn dividend_words(spec: &KernelSpec) -> u32 {
    let is_wide = spec.dag.nodes().iter().any(|node| node.op.is_wide_division());
    spec.mapping.padded_words() * if is_wide { 2 } else { 1 }
}

/// Whether all operations within a warp are divisions of this kind.
pub(super) fn only_divides(dag: &Dag, is: fn(&Op) -> bool) -> bool {
    dag.nodes().iter().all(|node| is(&node.op) || !node.op.is_within_warp())
}

/// Whether instances of whole warps are long enough, and divisions alone keep numbers in their slots.
pub(super) fn are_faster(spec: &KernelSpec) -> bool {
    let whole_warp = spec.mapping.lanes == WARP && spec.mapping.warps == 1;
    let only_divides =
        within_warp(&spec.dag) && only_divides(&spec.dag, |op| op.is_division() || op.is_wide_division());
    whole_warp && only_divides && suit(dividend_words(spec))
}

/// Words from one copy of a divisor to the next: four copies lie in different banks.
const fn copy_words(words: u32) -> u32 {
    (words + ZEROS + 23) / 32 * 32 + 8
}

/// Words behind a slot: the left factor, the inverse, up to half of the words and one, and the quotient.
pub(super) fn area_words(spec: &KernelSpec) -> u32 {
    let (left, inverse, half) = (64, 4 * 40, dividend_words(spec) / 2);
    left + inverse + 4 * copy_words(half + 1) + half + 160
}
