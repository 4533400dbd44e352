//! Serialization: hexadecimal text in human-readable formats, little-endian bytes in binary ones.

use core::{fmt, marker::PhantomData};

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{base::Base, batch::Batch, batch::Layout, convert, fixed::FixedInt, int_type::IntType};

both! {
    impl Serialize {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if !serializer.is_human_readable() {
                return serializer.serialize_bytes(&self.to_le_bytes());
            }
            let (negative, magnitude) = self.sign_and_magnitude();
            let sign = if negative { "-" } else { "" };
            serializer.collect_str(&format_args!("{sign}{:#x}", *magnitude))
        }
    }

    impl ['de,] Deserialize<'de> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if deserializer.is_human_readable() {
                deserializer.deserialize_str(NumberVisitor(PhantomData))
            } else {
                deserializer.deserialize_bytes(NumberVisitor(PhantomData))
            }
        }
    }
}

struct NumberVisitor<T>(PhantomData<T>);

impl<'de, T: FixedInt> Visitor<'de> for NumberVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of type {}, as text or as {} bytes", T::TYPE, T::TYPE.bytes())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        let mut number = T::default();
        if bytes.len() != T::TYPE.bytes() || !convert::from_le_bytes(bytes, number.as_limbs_mut()) {
            return Err(E::invalid_length(bytes.len(), &self));
        }
        Ok(number)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut bytes = Vec::new();
        // One byte too many is enough to refuse the sequence.
        while bytes.len() <= T::TYPE.bytes()
            && let Some(byte) = seq.next_element()?
        {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

/// As text: `u131`.
impl Serialize for IntType {
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

/// The serialized form of a batch.
#[derive(serde::Deserialize)]
#[serde(rename = "Batch")]
struct Parts<B> {
    ty: IntType,
    layout: Layout,
    instances: usize,
    limbs: Vec<B>,
}

/// With the checks of [`Batch::from_limbs`].
impl<'de, B: Base + Deserialize<'de>> Deserialize<'de> for Batch<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Parts { ty, layout, instances, limbs } = Parts::deserialize(deserializer)?;
        let batch = Self::from_limbs(ty, layout, limbs).map_err(de::Error::custom)?;
        if batch.instances() != instances {
            let found = batch.instances();
            return Err(de::Error::custom(format!(
                "expected the limbs of {instances} instances, found {found}"
            )));
        }
        Ok(batch)
    }
}
