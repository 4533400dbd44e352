//! How many words of an instance a lane holds in operations within a warp.

use limbforge_algos::expr::Dag;
use limbforge_algos::op::Class;

use super::lowering;

/// What decides the words of a lane. An expression has one mapping: that of the last kind here that one of its
/// operations is. So a power decides before an inverse beside it, as it takes many times as many products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LaneWords {
    /// Divisions alone, such as the one that reduces a product of `mulmod` from a kernel of its own.
    Quotients,
    /// All other operations, as an exchange between lanes costs about 12 words of arithmetic: `gcd`, `isqrt`,
    /// `addmod`, and what is beside a division.
    Exchanges,
    /// A few products modulo n, or quotients of twice the words: `mulmod`, `mont_mul`, `div_wide`.
    Products,
    /// Cofactors and roots, with four or five numbers in registers: `modinv`, `xgcd_x`, `root`.
    Inverses,
    /// Hundreds of products modulo n: `powmod`, `is_prime`.
    Powers,
}

/// Most words of an instance that one lane holds alone, and the words of each lane where there are several.
///
/// Products modulo n: on an H200, 1e9 Montgomery products a second in steps of Lenstra's elliptic curve method
/// were 7.14 with one lane of 20 words, 5.51 with one of 24, 2.72 with two of 16 and 2.31 with one of 32. Two
/// lanes of 16 words take as many steps for 513 bits as for 1024. A double-width quotient takes 250
/// instructions for two words with one lane of 20, 270 with one of 24 and 380 with two of 16, counted in the
/// machine code.
///
/// Quotients: two words take 331 instructions with one lane of 40 words, 384 with one of 48 and 644 with two of
/// 32; by a divisor of at most half the words, 247, 257 and 538.
///
/// Cofactors: one lane takes 0.7 times as many instructions, but its registers leave two warps to a scheduler
/// in place of three. So these keep the 16 words that were measured to be best (`docs/modinv.md`).
const WORDS: [(LaneWords, u32, u32); 5] = [
    (LaneWords::Quotients, 48, 32),
    (LaneWords::Exchanges, 32, 32),
    (LaneWords::Products, 24, 16),
    (LaneWords::Inverses, 16, 16),
    (LaneWords::Powers, 24, 16),
];

impl LaneWords {
    /// The kind that decides the mapping of the expression.
    pub(crate) fn of(dag: &Dag) -> Self {
        let ops = dag.nodes().iter().map(|node| &node.op).filter(|op| op.class() != Class::Leaf);
        ops.map(|op| lowering(op).lane_words).max().unwrap_or(Self::Exchanges)
    }

    /// The words of a lane for instances of so many words, before they are rounded up. Above 512 words they
    /// take more, as a warp has 32 lanes.
    pub(crate) fn of_instances(self, words: u32) -> u32 {
        let (_, one_lane, several) = WORDS[self as usize];
        match words {
            _ if words <= one_lane => words,
            ..=512 => several,
            513..=1024 => 32,
            _ => 64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limbforge_algos::expr::Expr;

    #[test]
    fn rows_are_in_the_order_of_the_kinds() {
        for (i, (kind, ..)) in WORDS.into_iter().enumerate() {
            assert_eq!(kind as usize, i);
        }
    }

    #[test]
    fn the_longest_operation_decides() {
        let kind = |text: &str| LaneWords::of(&Expr::parse(text).unwrap().to_dag());
        for (text, expected) in [
            ("a / b", LaneWords::Quotients),
            ("rem_floor(a, b / 3)", LaneWords::Quotients),
            ("a / b + a % b", LaneWords::Exchanges),
            ("a / b + gcd(a, b)", LaneWords::Exchanges),
            ("addmod(a, b, m)", LaneWords::Exchanges),
            ("mulmod(a, b, m) / 3", LaneWords::Products),
            ("mont_reduce(to_mont(a, m), mont_mul(a, b, m), m)", LaneWords::Products),
            ("div_wide(a, b, c) ^ rem_wide(a, b, c)", LaneWords::Products),
            ("modinv2k(a)", LaneWords::Products),
            ("mulmod(modinv(a, m), b, m)", LaneWords::Inverses),
            ("root(a, b)", LaneWords::Inverses),
            ("powmod(modinv(a, m), b, m)", LaneWords::Powers),
            ("is_prime(a) & is_strong_probable_prime(a, 3)", LaneWords::Powers),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    /// Bits of a type, words of a lane of products and of cofactors.
    #[test]
    fn products_take_one_lane_of_up_to_24_words() {
        for (words, products, inverses) in [
            (1, 1, 1),
            (16, 16, 16),
            (17, 17, 16),
            (20, 20, 16),
            (24, 24, 16),
            (25, 16, 16),
            (512, 16, 16),
            (513, 32, 32),
            (1025, 64, 64),
        ] {
            assert_eq!(LaneWords::Products.of_instances(words), products, "{words}");
            assert_eq!(LaneWords::Powers.of_instances(words), products, "{words}");
            assert_eq!(LaneWords::Inverses.of_instances(words), inverses, "{words}");
        }
        for (words, exchanges, quotients) in
            [(32, 32, 32), (33, 32, 33), (48, 32, 48), (49, 32, 32), (1024, 32, 32), (1025, 64, 64)]
        {
            assert_eq!(LaneWords::Exchanges.of_instances(words), exchanges, "{words}");
            assert_eq!(LaneWords::Quotients.of_instances(words), quotients, "{words}");
        }
    }
}
