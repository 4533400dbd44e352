//! Powers by fixed windows.

use num_bigint::BigUint;

use super::error::TooWide;
use super::modulus::Modulus;
use super::residues::Residues;

/// The window and the digits of an exponent of up to so many bits. All instances of a batch take the same
/// products: digits 0 multiply by 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Windows {
    /// w, bits of a digit.
    pub width: u32,
    /// The digits of an exponent.
    pub digits: u32,
}

impl Windows {
    /// The largest width: a table of `2^6` powers.
    pub(crate) const LARGEST: u32 = 6;

    /// The window of the fewest products for exponents of up to `bits` bits.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Windows;
    /// let windows = Windows::of_bits(2048);
    /// assert_eq!((windows.width, windows.digits, windows.products()), (6, 342, 2449));
    /// ```
    #[must_use]
    pub fn of_bits(bits: u64) -> Self {
        let of_width = |width: u32| Self { width, digits: bits.div_ceil(width.into()).max(1) as u32 };
        let all = (1..=Self::LARGEST).map(of_width);
        all.min_by_key(|windows| windows.products()).unwrap_or(of_width(1))
    }

    /// Products of a power: those of the table from `x^2` on, then w squares and a product for each digit but
    /// the first.
    #[must_use]
    pub const fn products(self) -> u64 {
        (1 << self.width) - 2 + (self.digits as u64 - 1) * (self.width as u64 + 1)
    }

    /// Digit `index` of an exponent, from the top one.
    #[must_use]
    pub fn digit(self, exponent: &BigUint, index: u32) -> u32 {
        let first = u64::from(self.width) * u64::from(self.digits - 1 - index);
        (0..self.width).map(|bit| u32::from(exponent.bit(first + u64::from(bit))) << bit).sum()
    }
}

impl Modulus<'_> {
    /// `base^exponent mod N`, in `0..N`; 0^0 is 1 mod N. The base may be above N.
    ///
    /// ```
    /// use limbforge_algos::modmul_rns::Plan;
    /// use num_bigint::BigUint;
    /// let plan = Plan::each(64)?;
    /// let modulus = plan.modulus(&BigUint::from(1_000_003_u32))?;
    /// let power = modulus.power(&BigUint::from(5_u32), &BigUint::from(1_000_002_u32))?;
    /// assert_eq!(power, BigUint::from(1_u32)); // Fermat
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TooWide`] if the base has more bits than the plan.
    pub fn power(&self, base: &BigUint, exponent: &BigUint) -> Result<BigUint, TooWide> {
        let windows = Windows::of_bits(exponent.bits());
        Ok(self.leave(&self.power_residues(base, exponent, windows)?))
    }

    /// The residues of `base^exponent P mod N`, with the products of these windows, which cover the exponent.
    ///
    /// # Errors
    /// [`TooWide`] if the base has more bits than the plan.
    pub fn power_residues(
        &self,
        base: &BigUint,
        exponent: &BigUint,
        windows: Windows,
    ) -> Result<Residues, TooWide> {
        let mut table: Vec<Residues> = vec![self.one(), self.enter(base)?];
        for entry in 2..1_usize << windows.width {
            table.push(self.product(&table[entry - 1], &table[1]));
        }
        let entry = |index| &table[windows.digit(exponent, index) as usize];
        let mut power = entry(0).clone();
        for index in 1..windows.digits {
            for _ in 0..windows.width {
                power = self.product(&power, &power);
            }
            power = self.product(&power, entry(index));
        }
        Ok(power)
    }
}
