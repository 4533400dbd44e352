//! Digits of exponents, from the top on.

use limbforge_limb::slice::bits;

/// The odd digits of at most so many bits of an exponent, from the top on, by sliding windows.
#[derive(Clone, Debug)]
pub(super) struct Windows<'e> {
    exponent: &'e [u64],
    /// Bits below the digits that were given.
    left: u32,
    bits: u32,
}

impl<'e> Windows<'e> {
    /// The digits that take the fewest products, with a table of as many odd powers.
    pub(super) fn new(exponent: &'e [u64]) -> Self {
        Self { exponent, left: bits::bit_len(exponent), bits: window_bits(exponent) }
    }

    /// Odd powers that the digits select: the first one of exponent 1, then 3 and so on.
    pub(super) const fn odd_powers(&self) -> usize {
        1 << (self.bits - 1)
    }

    /// 64 bits below bit `left`, with zeros below the lowest bit.
    fn top(&self) -> u64 {
        let (word, at) = ((self.left / u64::BITS) as usize, self.left % u64::BITS);
        if at == 0 {
            return self.exponent[word - 1];
        }
        let below = word.checked_sub(1).map_or(0, |below| self.exponent[below] >> at);
        self.exponent[word] << (u64::BITS - at) | below
    }
}

impl Iterator for Windows<'_> {
    /// The number of squares before the digit, and the digit: odd, or 0 for squares alone at the end.
    type Item = (u32, usize);

    fn next(&mut self) -> Option<(u32, usize)> {
        let mut squares = 0;
        while self.left > 0 {
            let top = self.top();
            let zeros = top.leading_zeros().min(self.left);
            if zeros > 0 {
                squares += zeros;
                self.left -= zeros;
                continue;
            }
            let width = self.bits.min(self.left);
            let digit = top >> (u64::BITS - width);
            let taken = width - digit.trailing_zeros();
            self.left -= taken;
            return Some((squares + taken, (digit >> digit.trailing_zeros()) as usize));
        }
        (squares > 0).then_some((squares, 0))
    }
}

/// Bits of a digit: `2^(w - 1)` products for the table, and one for each digit. Those are about one for each
/// w + 1 bits, but at most the ones of the exponent, and in each run of ones at most one more than its w-th part.
fn window_bits(exponent: &[u64]) -> u32 {
    let (len, mut ones, mut runs, mut above) = (bits::bit_len(exponent), 0, 0, 0);
    for &word in exponent.iter().rev() {
        ones += word.count_ones();
        // Ones below a zero.
        runs += (word & !(word >> 1 | above << 63)).count_ones();
        above = word & 1;
    }
    let products = |w: u32| (1 << (w - 1)) + (len / (w + 1)).min(ones).min(runs + ones / w);
    (1..=widest(len)).min_by_key(|&w| products(w)).unwrap_or(1)
}

/// The best digits of pseudorandom exponents.
const fn widest(bits: u32) -> u32 {
    match bits {
        0..=7 => 1,
        8..=25 => 2,
        26..=81 => 3,
        82..=241 => 4,
        242..=673 => 5,
        674..=1793 => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::Windows;

    /// The digits of exponents with long runs, at words' bounds, add up to the exponents.
    #[test]
    fn digits_are_those_of_the_exponent() {
        let words = [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, 0xff00_ff00_f0f0_5555, 0x9e37_79b9_7f4a_7c15];
        for (high, low) in words.iter().flat_map(|&high| words.map(|low| (high, low))) {
            let exponent = [low, high];
            let windows = Windows::new(&exponent);
            let most = 2 * windows.odd_powers();
            let mut value = 0_u128;
            for (squares, digit) in windows {
                assert!(digit < most && (digit % 2 == 1 || digit == 0), "{exponent:x?}");
                value = value.checked_shl(squares).unwrap_or(0) + digit as u128;
            }
            assert_eq!(value, u128::from(high) << 64 | u128::from(low), "{exponent:x?}");
        }
        // A power of two needs no table.
        assert_eq!(Windows::new(&[0, 0, 4]).collect::<Vec<_>>(), [(1, 1), (130, 0)]);
    }
}
