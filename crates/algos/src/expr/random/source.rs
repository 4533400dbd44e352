//! Choices from a seed.

/// The generator `SplitMix64` of Steele, Lea and Flood (2014): small, and the same on every machine. Not for
/// secrets.
///
/// ```
/// use limbforge_algos::expr::random::SplitMix64;
/// let mut dice = SplitMix64::new(7);
/// assert!((0..100).all(|_| dice.below(6) < 6));
/// // The published sequence of seed 0.
/// assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below n, with a bias below `n / 2^64`; 0 if n is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }
}
