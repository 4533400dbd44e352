//! The limb of a batch.

use core::fmt;

use limbforge_limb::{Base, IntType, convert};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::error::SpecError;

/// A limb by its 32-bit words. It decides the padding of instances and the strides of interleaved batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimbKind {
    words: u32,
}

impl LimbKind {
    /// The limb `B`, of 32, 64 or 128 bits; another does not compile. [`of_any`](Self::of_any) takes any.
    ///
    /// ```compile_fail,E0080
    /// limbforge_limb::limb_newtype! { struct Short(u16); }
    /// let kind = limbforge_kernels_gen::LimbKind::of::<Short>();
    /// ```
    #[must_use]
    pub const fn of<B: Base>() -> Self {
        const { assert!(matches!(B::BITS, 32 | 64 | 128), "kernels take limbs of 32, 64 and 128 bits") };
        Self { words: B::BITS / 32 }
    }

    /// The limb `B` if kernels can read it.
    ///
    /// ```
    /// use limbforge_kernels_gen::LimbKind;
    /// limbforge_limb::limb_newtype! { struct Short(u16); }
    ///
    /// assert_eq!(LimbKind::of_any::<u64>()?, LimbKind::of::<u64>());
    /// let error = LimbKind::of_any::<Short>().unwrap_err().to_string();
    /// assert!(error.starts_with("kernels do not read limbs of type Short, 16 bits"), "{error}");
    /// # Ok::<(), limbforge_kernels_gen::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError::Limb`] unless the limb has 32, 64 or 128 bits that lie in memory as little-endian bytes.
    pub fn of_any<B: Base>() -> Result<Self, SpecError> {
        if matches!(B::BITS, 32 | 64 | 128) && convert::lies_as_bytes::<B>() {
            return Ok(Self { words: B::BITS / 32 });
        }
        Err(SpecError::Limb { name: B::NAME, bits: B::BITS })
    }

    /// The limb of this name: u32, u64 or u128.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let bits: u32 = name.strip_prefix('u')?.parse().ok()?;
        [32, 64, 128].contains(&bits).then_some(Self { words: bits / 32 })
    }

    /// Words of 32 bits of the limb.
    #[must_use]
    pub const fn words(self) -> u32 {
        self.words
    }

    /// W: words of an instance of `ty` as it lies in memory.
    #[must_use]
    pub const fn instance_words(self, ty: IntType) -> u32 {
        ty.bits().div_ceil(32 * self.words) * self.words
    }
}

impl fmt::Display for LimbKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u{}", 32 * self.words)
    }
}

impl Serialize for LimbKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LimbKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let expected = || D::Error::custom(format!("`{name}`: expected a limb, u32, u64 or u128"));
        Self::from_name(&name).ok_or_else(expected)
    }
}
