//! Divisions by blocks of 31 words of the quotient, whose multiples of the divisor are products of matrices of bytes:
//! `templates/div_blocks.cuh`.

use crate::emit::Templates;
use crate::spec::{Mapping, WARP};

/// Words of dividends for which blocks take less time than steps of two words. Quotients and remainders of integers of more than 1024 go by
/// Newton's method (`crate::newton`); what is left for blocks are wide dividends and products modulo numbers.
const FEWEST_WORDS: u32 = 257;
const MOST_WORDS: u32 = 2048;

/// Zeros around a divisor in shared memory.
const ZEROS: u32 = 100;

/// Whether blocks are faster for dividends of so many words.
pub(crate) const fn suit(words: u32) -> bool {
    words >= FEWEST_WORDS && words <= MOST_WORDS
}

/// Dividends of so many words in blocks of threads that fill a multiprocessor's shared memory: of the longest, each has one.
pub(crate) fn placed(mapping: Mapping, dividend_words: u32) -> Mapping {
    if dividend_words > MOST_WORDS / 2 { Mapping { instances: 1, ..mapping } } else { mapping }
}

/// Words of the longest dividend: wide divisions have two operands of them.
const fn dividend_words(templates: Templates, padded: u32) -> u32 {
    if templates.div_wide { 2 * padded } else { padded }
}

/// Whether an instance has a whole warp and is long enough, and no other operation keeps numbers in its slot meanwhile.
pub(crate) const fn are_faster(templates: Templates, mapping: &Mapping) -> bool {
    let others = Templates { div_wide: false, ..templates };
    let alone = !(others.is_number_theory() || others.lcm || others.mont_form || others.residues);
    let whole_warp = mapping.lanes == WARP && mapping.warps == 1;
    templates.div && alone && whole_warp && suit(dividend_words(templates, mapping.padded_words()))
}

/// Words from one copy of a divisor to the next: four copies lie in different banks.
const fn copy_words(words: u32) -> u32 {
    (words + ZEROS + 23) / 32 * 32 + 8
}

/// Words behind those of a slot for divisions: the left factor, the inverse, and the divisor with the quotient. A divisor has up to half of the
/// words and one; the quotient has as many more as the divisor has less.
pub(crate) const fn area_words(templates: Templates, padded: u32) -> u32 {
    let (left, inverse, half) = (64, 4 * 40, dividend_words(templates, padded) / 2);
    left + inverse + 4 * copy_words(half + 1) + half + 160
}

/// The templates of long divisions, by blocks or in steps alone.
pub(crate) fn texts(by_blocks: bool) -> impl Iterator<Item = &'static str> {
    let blocks = [
        include_str!("../../../templates/block_products.cuh"),
        include_str!("../../../templates/div_blocks.cuh"),
    ];
    let steps = include_str!("../../../templates/div_steps.cuh");
    blocks.into_iter().filter(move |_| by_blocks).chain((!by_blocks).then_some(steps))
}
