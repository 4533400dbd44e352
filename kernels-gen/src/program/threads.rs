//! Words and lanes of an instance.

use limbforge_limb::IntType;

use crate::spec::{Mapping, SpecError, WARP};

/// Words of one lane, for numbers that fit it.
const ONE_LANE: [u32; 5] = [8, 12, 16, 20, 24];

/// Words of each of several lanes.
const SEVERAL_LANES: [u32; 2] = [16, 24];

/// The widest numbers: 32 lanes of 64 words.
const MOST_WORDS: u32 = WARP * 64;

/// The threads of an instance whose widest number has so many bits: the fewest padded words, then the words
/// of a lane that are measured to be fastest, 16.
///
/// # Errors
/// [`SpecError::ProgramWidth`] above 65536 bits.
pub(super) fn mapping(widest: IntType) -> Result<Mapping, SpecError> {
    let words = widest.bits().div_ceil(32).max(1);
    mappings()
        .filter(|mapping| mapping.padded_words() >= words)
        .min_by_key(|mapping| (mapping.padded_words(), mapping.run_words.abs_diff(16)))
        .ok_or(SpecError::ProgramWidth { ty: widest, limit: 32 * MOST_WORDS })
}

/// The bits of the widest numbers of all threads, ascending.
pub(super) fn widths() -> Vec<u32> {
    let mut widths: Vec<u32> = mappings().map(|mapping| 32 * mapping.padded_words()).collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// Words and lanes of an instance that programs use.
fn mappings() -> impl Iterator<Item = Mapping> {
    let over = |run_words: u32, lanes: u32| Mapping { run_words, runs: 1, lanes, warps: 1, instances: 1 };
    let one = ONE_LANE.map(|run_words| over(run_words, 1));
    let lanes = [2, 4, 8, 16, 32];
    let several =
        lanes.into_iter().flat_map(move |lanes| SEVERAL_LANES.map(|run_words| over(run_words, lanes)));
    let wide = [32, 48, 64].map(|run_words| over(run_words, WARP));
    one.into_iter().chain(several).chain(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_padded_words() {
        let ty = |bits| IntType::unsigned(bits).unwrap();
        let of = |bits| mapping(ty(bits)).map(|mapping| (mapping.run_words, mapping.lanes)).unwrap();
        let expected = [
            (64, (8, 1)),
            (256, (8, 1)),
            (257, (12, 1)),
            (512, (16, 1)),
            (640, (20, 1)),
            (768, (24, 1)),
            (1024, (16, 2)),
            (1536, (24, 2)),
            (2048, (16, 4)),
            (4096, (16, 8)),
            (16384, (16, 32)),
            (65536, (64, 32)),
        ];
        for (bits, lanes) in expected {
            assert_eq!(of(bits), lanes, "{bits} bits");
        }
        let error = mapping(ty(65537)).unwrap_err().to_string();
        assert!(
            error
                .starts_with("the program has values of u65537; kernels of programs take at most 65536 bits"),
            "{error}"
        );
    }
}
