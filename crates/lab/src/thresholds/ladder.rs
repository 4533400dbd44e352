//! Pairs of algorithms, of which the second one is for longer numbers.

use limbforge::algos::integer::gcd::{THRESHOLDS, Thresholds, gcd_with};
use limbforge::algos::integer::{self, transforms_from};
use limbforge::algos::transform::mul_ntt;
use limbforge::limb::slice::mul::{self, Factors, karatsuba, schoolbook, short};

/// Two numbers of one length, and the memory of a result.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) a: Vec<u64>,
    pub(super) b: Vec<u64>,
    pub(super) out: Vec<u64>,
    words: Vec<u64>,
    products: mul::Scratch,
    transforms: mul_ntt::Scratch,
    integers: integer::Scratch,
}

impl Room {
    /// For numbers of so many words, and a result of `per_word` words for each.
    pub(super) fn new(length: usize, per_word: usize) -> Self {
        // Numbers that look random, the same on every machine.
        let word =
            |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ 0x5bd1_e995;
        let words = vec![0; karatsuba::scratch_len(length) + short::scratch_len(length)];
        let (a, b) = ((0..length).map(word).collect(), (length..2 * length).map(word).collect());
        Self { a, b, out: vec![0; per_word * length], words, ..Self::default() }
    }
}

/// An algorithm on the numbers of a room.
pub(super) type Rung = fn(&mut Room);

/// Two algorithms of a ladder.
pub(super) struct Ladder {
    pub(super) name: &'static str,
    /// Words from which limbforge takes the second one.
    pub(super) built_in: fn() -> usize,
    /// Lengths that are measured: from, to, and the step.
    pub(super) lengths: (usize, usize, usize),
    /// Words of the result for each word of a number.
    pub(super) per_word: usize,
    pub(super) rungs: [Rung; 2],
}

/// Both factors of a room.
macro_rules! pair {
    ($room:ident) => {
        Factors::Pair(&$room.a, &$room.b)
    };
}

/// The factor of a square.
macro_rules! square {
    ($room:ident) => {
        Factors::Square(&$room.a)
    };
}

/// A row of [`LADDERS`], whose rungs are expressions of a room.
macro_rules! ladder {
    ($name:literal, $built_in:expr, $lengths:expr, $per_word:literal,
        |$room:ident| $lower:expr, $upper:expr) => {
        Ladder {
            name: $name,
            built_in: || $built_in,
            lengths: $lengths,
            per_word: $per_word,
            rungs: [|$room| $lower, |$room| $upper],
        }
    };
}

pub(super) const LADDERS: [Ladder; 9] = [
    ladder!(
        "wide product: schoolbook, Karatsuba",
        karatsuba::THRESHOLD,
        (12, 72, 4),
        2,
        |room| schoolbook::wide(&mut room.out, pair!(room)),
        karatsuba::wide(&mut room.out, pair!(room), &mut room.words)
    ),
    ladder!(
        "wide square: schoolbook, Karatsuba",
        karatsuba::THRESHOLD_SQUARE,
        (16, 112, 4),
        2,
        |room| schoolbook::wide(&mut room.out, square!(room)),
        karatsuba::wide(&mut room.out, square!(room), &mut room.words)
    ),
    ladder!(
        "low product: schoolbook, short",
        short::THRESHOLD,
        (40, 240, 8),
        1,
        |room| schoolbook::low(&mut room.out, pair!(room)),
        short::low(&mut room.out, pair!(room), &mut room.words)
    ),
    ladder!(
        "low square: schoolbook, short",
        short::THRESHOLD_SQUARE,
        (80, 400, 16),
        1,
        |room| schoolbook::low(&mut room.out, square!(room)),
        short::low(&mut room.out, square!(room), &mut room.words)
    ),
    ladder!(
        "wide product: Karatsuba, transforms",
        transforms_from().wide,
        (64, 400, 16),
        2,
        |room| mul::wide(&mut room.out, pair!(room), &mut room.products),
        mul_ntt::wide(&mut room.out, pair!(room), &mut room.transforms)
    ),
    ladder!(
        "wide square: Karatsuba, transforms",
        transforms_from().wide_square,
        (96, 560, 16),
        2,
        |room| mul::wide(&mut room.out, square!(room), &mut room.products),
        mul_ntt::wide(&mut room.out, square!(room), &mut room.transforms)
    ),
    ladder!(
        "low product: short, transforms",
        transforms_from().low,
        (96, 480, 16),
        1,
        |room| mul::low(&mut room.out, pair!(room), &mut room.products),
        mul_ntt::low(&mut room.out, pair!(room), &mut room.transforms)
    ),
    ladder!(
        "low square: short, transforms",
        transforms_from().low_square,
        (128, 640, 32),
        1,
        |room| mul::low(&mut room.out, square!(room), &mut room.products),
        mul_ntt::low(&mut room.out, square!(room), &mut room.transforms)
    ),
    ladder!(
        "greatest common divisor: Lehmer, half-gcds",
        THRESHOLDS.whole,
        (150, 1000, 50),
        1,
        |room| gcd_with(&mut room.out, &room.a, &room.b, LEHMER, &mut room.integers),
        gcd_with(&mut room.out, &room.a, &room.b, HALVES, &mut room.integers)
    ),
];

/// Lehmer's steps at every length.
const LEHMER: Thresholds = Thresholds { half: usize::MAX, whole: usize::MAX };
/// Half-gcds at every length, their own halves as built in.
const HALVES: Thresholds = Thresholds { half: THRESHOLDS.half, whole: 0 };
