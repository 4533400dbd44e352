//! Limb slices to and from num-bigint and bytes, at widths that are no multiple of a limb.

use limbforge_limb::{Base, IntType, convert};
use limbforge_testing::check::check;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{residue, signed_value, value};
use num_bigint::BigInt;
use num_traits::One;
use proptest::prelude::*;

fn big_integers<B: Base>() {
    let operands = (1..9_usize).prop_flat_map(|m| (integer::<B>(m), 0..B::BITS, any::<bool>()));
    check(operands, |(a, unused, signed)| {
        let bits = a.len() as u32 * B::BITS - unused;
        let ty = IntType::new(bits.into(), signed).unwrap();
        let expected = match value(&a) % (num_bigint::BigUint::one() << bits) {
            value if signed => signed_value::<u64>(
                &limbforge_testing::oracle::limbs(&value, bits.div_ceil(64) as usize),
                bits,
            ),
            value => BigInt::from(value),
        };
        prop_assert_eq!(convert::to_bigint(&a, ty), expected.clone());
        prop_assert_eq!(convert::to_biguint(&a), value(&a));

        let mut out = vec![B::HIGHEST; a.len()];
        let (min, max) = if signed {
            (-(BigInt::one() << (bits - 1)), BigInt::one() << (bits - 1))
        } else {
            (BigInt::default(), BigInt::one() << bits)
        };
        for number in
            [expected.clone(), -&expected, &expected << 1, min.clone(), &max - 1, &min - 1, max.clone()]
        {
            let result = convert::from_bigint(&number, ty, &mut out);
            prop_assert_eq!(result.is_ok(), min <= number && number < max, "{} as {}", number, ty);
            prop_assert_eq!(value(&out), residue(&number, bits));
        }
        Ok(())
    });
}

#[test]
fn big_integers_of_any_width() {
    big_integers::<u32>();
    big_integers::<u64>();
    big_integers::<u128>();
}

fn bytes<B: Base>() {
    let operands = (0..9_usize).prop_flat_map(|m| (integer::<B>(m), 0..=m * B::BYTES + 3));
    check(operands, |(a, len)| {
        let mut image = vec![0xff; len];
        convert::to_le_bytes(&a, &mut image);
        let mut expected = value(&a).to_bytes_le();
        expected.resize(len.max(expected.len()), 0);
        prop_assert_eq!(&image[..], &expected[..len]);

        let mut back = vec![B::HIGHEST; a.len()];
        prop_assert!(convert::from_le_bytes(&image, &mut back));
        prop_assert_eq!(value(&back), num_bigint::BigUint::from_bytes_le(&image));
        image.resize(a.len() * B::BYTES, 0);
        image.push(1);
        prop_assert!(!convert::from_le_bytes(&image, &mut back));
        Ok(())
    });
}

#[test]
fn byte_images_of_any_length() {
    bytes::<u32>();
    bytes::<u64>();
    bytes::<u128>();
}
