//! Serialization: hexadecimal text in human-readable formats, little-endian bytes in binary ones.

use core::fmt;
use core::marker::PhantomData;

use generic_array::ArrayLength;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::Base;
use crate::int::Int;
use crate::int_type::IntType;
use crate::uint::Uint;

macro_rules! stamp {
    ($Type:ident, $visitor:ident) => {
        impl<B: Base, N: ArrayLength> Serialize for $Type<B, N> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if !serializer.is_human_readable() {
                    return serializer.serialize_bytes(&self.to_le_bytes());
                }
                let (negative, magnitude) = self.sign_and_magnitude();
                let sign = if negative { "-" } else { "" };
                serializer.collect_str(&format_args!("{sign}{:#x}", *magnitude))
            }
        }

        impl<'de, B: Base, N: ArrayLength> Deserialize<'de> for $Type<B, N> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str($visitor(PhantomData))
                } else {
                    deserializer.deserialize_bytes($visitor(PhantomData))
                }
            }
        }

        struct $visitor<B, N>(PhantomData<(B, N)>);

        impl<'de, B: Base, N: ArrayLength> Visitor<'de> for $visitor<B, N> {
            type Value = $Type<B, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "a number of type {}, as text or as {} bytes",
                    Self::Value::TYPE,
                    Self::Value::TYPE.bytes()
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                if bytes.len() != Self::Value::TYPE.bytes() {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                Self::Value::from_le_bytes(bytes).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut bytes = Vec::new();
                // One byte too many is enough to refuse the sequence.
                while bytes.len() <= Self::Value::TYPE.bytes()
                    && let Some(byte) = seq.next_element()?
                {
                    bytes.push(byte);
                }
                self.visit_bytes(&bytes)
            }
        }
    };
}

stamp!(Uint, UintVisitor);
stamp!(Int, IntVisitor);

impl Serialize for IntType {
    /// As text: `u131`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for IntType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(IntTypeVisitor)
    }
}

struct IntTypeVisitor;

impl Visitor<'_> for IntTypeVisitor {
    type Value = IntType;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer type, as in u131 or i4096")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<IntType, E> {
        text.parse().map_err(E::custom)
    }
}
