//! Products against num-bigint.

use core::array::from_fn;

use num_bigint::BigUint;

use super::{numbers, value};
use crate::vector::lanes::WIDTH;
use crate::vector::{Eight, Kept, Multiplier, Neighbours, Path, short_products};

/// Compares products and squares of numbers of up to so many bits, eight at a time, of which as many words
/// are kept.
fn check(path: Path, width: u32, kept: usize, groups: usize) {
    let all = numbers(width);
    let mut multiplier = Multiplier::default();
    for group in 0..groups {
        let draw = |stride: usize| -> [Vec<u64>; WIDTH] {
            from_fn(|lane| all[(group * WIDTH + lane) * stride % all.len()].to_u64_digits())
        };
        let [a, b] = [draw(5), draw(7)];
        let [a, b] = [a.each_ref().map(|a| &a[..]), b.each_ref().map(|b| &b[..])];
        for (factors, b) in [(Eight::Pairs(a, b), b), (Eight::Squares(a), a)] {
            let mut results = vec![vec![u64::MAX; kept]; WIDTH];
            let mut rows = results.iter_mut();
            multiplier.run(path, from_fn(|_| &mut rows.next().unwrap()[..]), factors);
            let mask = (BigUint::from(1_u32) << (64 * kept)) - 1_u32;
            for (lane, found) in results.iter().enumerate() {
                let expected = (value(a[lane]) * value(b[lane])) & &mask;
                assert_eq!(value(found), expected, "{} at {width} bits, lane {lane}", path.name());
            }
        }
    }
}

/// Compares products of neighbouring numbers of so many words, three groups of eight and three more numbers.
fn check_neighbours(path: Path, words: usize) {
    let all = numbers(64 * words as u32);
    let batch = |stride: usize| -> Vec<u64> {
        (0..3 * WIDTH + 3)
            .flat_map(|i| {
                let mut number = all[(i * stride + words) % all.len()].to_u64_digits();
                number.resize(words, 0);
                number
            })
            .collect()
    };
    let [a, b] = [batch(7), batch(11)];
    let mut memory = Neighbours::default();
    for (kept, b, kept_words) in [
        (Kept::Low, &b, words),
        (Kept::LowOfSquare, &a, words),
        (Kept::Wide, &b, 2 * words),
        (Kept::WideOfSquare, &a, 2 * words),
    ] {
        let mask = (BigUint::from(1_u32) << (64 * kept_words)) - 1_u32;
        for in_short in [true, false] {
            let mut out = vec![u64::MAX; kept_words * (3 * WIDTH + 3)];
            let count = if in_short {
                short_products(path, kept, words, &mut out, [&a, b])
            } else if words >= WIDTH {
                memory.products(path, kept, words, &mut out, [&a, b])
            } else {
                continue;
            };
            assert_eq!(count, if in_short && ![4, 8, 16].contains(&words) { 0 } else { 3 * WIDTH });
            let (computed, rest) = out.split_at(count * kept_words);
            assert!(rest.iter().all(|&word| word == u64::MAX), "others are left alone");
            for (i, found) in computed.chunks(kept_words).enumerate() {
                let factors = [&a, b].map(|numbers| value(&numbers[i * words..][..words]));
                let expected = (&factors[0] * &factors[1]) & &mask;
                assert_eq!(value(found), expected, "{} of {words} words: {factors:x?}", path.name());
            }
        }
    }
}

#[test]
fn products_of_neighbours_equal_num_bigint() {
    for path in Path::all() {
        for words in [4, 8, 9, 12, 13, 15, 16, 17, 24, 33, 64] {
            check_neighbours(path, words);
        }
    }
}

#[test]
fn products_equal_num_bigint() {
    for path in Path::all() {
        for (width, kept) in [(5, 1), (52, 2), (64, 1), (128, 3), (260, 5), (261, 9), (512, 8), (512, 16)] {
            check(path, width, kept, 10);
        }
    }
}

#[test]
fn products_of_many_blocks_of_digits() {
    for path in Path::all() {
        for (width, kept) in [(779, 13), (1040, 33), (1301, 30), (2100, 66), (4096, 70), (16640, 521)] {
            check(path, width, kept, 3);
        }
    }
}

/// All ones have the largest column sums.
#[test]
fn products_of_the_longest_numbers() {
    let words = (crate::vector::multiply::MOST_BITS / 64) as usize;
    let ones = vec![u64::MAX; words];
    for path in Path::all().filter(|path| path.name() != "portable") {
        let mut results = vec![vec![0; 2 * words]; WIDTH];
        let mut rows = results.iter_mut();
        let results_of = from_fn(|_| &mut rows.next().unwrap()[..]);
        Multiplier::default().run(path, results_of, Eight::Pairs([&ones; WIDTH], [&ones; WIDTH]));
        // (B^n - 1)^2 = B^2n - 2 B^n + 1.
        for result in results {
            assert_eq!((result[0], result[words]), (1, u64::MAX - 1));
            assert!(result[1..words].iter().all(|&word| word == 0));
            assert!(result[words + 1..].iter().all(|&word| word == u64::MAX));
        }
    }
}

#[test]
fn other_lengths_are_not_compiled() {
    for words in [0, 1, 3, 5, 7, 9, 15, 17] {
        let numbers = vec![1; 8 * words];
        for path in Path::all() {
            assert_eq!(short_products(path, Kept::Low, words, &mut numbers.clone(), [&numbers; 2]), 0);
        }
    }
}
