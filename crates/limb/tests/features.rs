//! serde and rand.

#![cfg(all(feature = "serde", feature = "rand"))]

use limbforge_limb::typenum::U3;
use limbforge_limb::{Batch, Int, IntType, Layout, U256, Uint};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;
use serde::de::value::{BytesDeserializer, Error};
use serde::de::{Deserializer, Visitor};

#[test]
fn json_holds_hexadecimal_text() {
    let number: Uint<u128, U3> = "0xc0ffee".parse().unwrap();
    assert_eq!(serde_json::to_string(&number).unwrap(), "\"0xc0ffee\"");
    assert_eq!(serde_json::from_str::<Uint<u128, U3>>("\"12648430\"").unwrap(), number);
    let negative = Int::<u32, U3>::from(-255);
    assert_eq!(serde_json::to_string(&negative).unwrap(), "\"-0xff\"");
    assert_eq!(serde_json::from_str::<Int<u32, U3>>("\"-0xff\"").unwrap(), negative);
    let ty: IntType = "i131".parse().unwrap();
    assert_eq!(serde_json::to_string(&ty).unwrap(), "\"i131\"");
    assert_eq!(serde_json::from_str::<IntType>("\"i131\"").unwrap(), ty);

    let error = serde_json::from_str::<U256>("\"-1\"").unwrap_err().to_string();
    assert!(error.starts_with("byte 0: expected a digit in base 10, found `-`"), "{error}");
    let error = serde_json::from_str::<U256>("7").unwrap_err().to_string();
    assert!(error.contains("expected a number of type u256, as text or as 32 bytes"), "{error}");
    assert!(serde_json::from_str::<IntType>("\"i0\"").is_err());
}

/// A format that people do not read.
struct Compact<'a>(&'a [u8]);

impl<'de> Deserializer<'de> for Compact<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        BytesDeserializer::new(self.0).deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn compact_formats_hold_bytes() {
    let number = Int::<u32, U3>::from(-2);
    assert_eq!(Int::deserialize(Compact(&number.to_le_bytes())), Ok(number));
    assert!(Int::<u32, U3>::deserialize(Compact(&[1; 11])).is_err());
    assert!(U256::deserialize(Compact(&[1; 33])).is_err());
}

#[test]
fn random_numbers_use_every_bit() {
    let mut rng = StdRng::seed_from_u64(1);
    let (mut all, mut any) = (U256::max_value(), U256::zero());
    for _ in 0..200 {
        let number: U256 = rng.random();
        all &= number;
        any |= number;
    }
    assert_eq!((all, any), (U256::zero(), U256::max_value()));
    let numbers: [Int<u128, U3>; 64] = rng.random();
    assert!(numbers.iter().any(Int::is_negative) && numbers.iter().any(Int::is_positive));
}

#[test]
fn batches_round_trip_and_bad_ones_are_refused() {
    let ty: IntType = "u33".parse().unwrap();
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        let batch = Batch::<u32>::from_limbs(ty, layout, vec![1, 0, 1, 1]).unwrap();
        let text = serde_json::to_string(&batch).unwrap();
        assert_eq!(serde_json::from_str::<Batch<u32>>(&text).unwrap(), batch);
    }
    let text = |instances: usize, top: u32| {
        format!(r#"{{"ty":"u33","layout":"InstanceMajor","instances":{instances},"limbs":[7,{top}]}}"#)
    };
    assert!(serde_json::from_str::<Batch<u32>>(&text(1, 1)).is_ok());
    for (bad, reason) in
        [(text(1, 2), "has bits above its width"), (text(2, 1), "expected the limbs of 2 instances")]
    {
        let error = serde_json::from_str::<Batch<u32>>(&bad).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
