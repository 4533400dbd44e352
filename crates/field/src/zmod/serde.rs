//! Serialization as the residue in `0..p`; larger numbers are refused.

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::word::Base;

impl<P: PrimeModulus> Serialize for Zmod<P> {
    /// As a `u64`, whatever the word.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.value().low_word())
    }
}

impl<'de, P: PrimeModulus> Deserialize<'de> for Zmod<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            value if value < P::MODULUS => Ok(Self::new(value)),
            value => {
                let expected = format!("a residue below the modulus {}", P::MODULUS);
                Err(de::Error::invalid_value(de::Unexpected::Unsigned(value), &expected.as_str()))
            }
        }
    }
}
