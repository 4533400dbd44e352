//! [`Batch`] and what goes in and out of it, against num-bigint.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_limb::text::{parse_dec, parse_hex, parse_radix, write_dec, write_hex, write_radix};
use limbforge_limb::{Base, Batch, IntType, Layout, convert};
use num_bigint::{BigInt, BigUint};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::check::check;
use crate::operands::integer;
use crate::oracle::{residue, value};

/// Both places where a limb can lie.
pub const LAYOUTS: [Layout; 2] = [Layout::InstanceMajor, Layout::Interleaved];

/// Tests batches of a limb: `conformance_batch!(u64);`, or in a module, `conformance_batch!(name: u64);`.
#[macro_export]
macro_rules! conformance_batch {
    ($name:ident: $B:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_batch!($B);
        }
    };
    ($B:ty) => {
        $crate::conformance!($crate::batch, [$B]: layouts values memory bytes texts);
    };
}

/// A type of 1 to 300 bits.
pub(crate) fn ty() -> impl Strategy<Value = IntType> {
    (1..300_u64, any::<bool>()).prop_map(|(bits, signed)| match IntType::new(bits, signed) {
        Ok(ty) => ty,
        Err(error) => panic!("{error}"),
    })
}

/// A batch of so many integers of the type, in any layout.
pub(crate) fn batch<B: Base>(ty: IntType, instances: usize) -> impl Strategy<Value = Batch<B>> {
    let integers = vec(integer::<B>(ty.limbs::<B>()), instances);
    (integers, any::<bool>()).prop_map(move |(integers, interleaved)| {
        let mut batch = zeros(ty, LAYOUTS[usize::from(interleaved)], integers.len());
        for (i, integer) in integers.iter().enumerate() {
            batch.set_instance(i, integer);
        }
        batch
    })
}

pub(crate) fn zeros<B: Base>(ty: IntType, layout: Layout, instances: usize) -> Batch<B> {
    match Batch::zeros(ty, layout, instances) {
        Ok(batch) => batch,
        Err(error) => panic!("{error}"),
    }
}

fn any_batch<B: Base>() -> impl Strategy<Value = Batch<B>> {
    (ty(), 0..20_usize).prop_flat_map(|(ty, instances)| batch(ty, instances))
}

#[allow(clippy::needless_pass_by_value, reason = "errors come by value")]
fn fail(error: impl ToString) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

/// Each layout holds the same integers at its own places.
pub fn layouts<B: Base>() {
    check(any_batch::<B>(), |batch| {
        let (n, m) = (batch.instances(), batch.limbs_per_instance());
        let major = batch.clone().into_layout(Layout::InstanceMajor);
        let interleaved = batch.clone().into_layout(Layout::Interleaved);
        for i in 0..n {
            prop_assert_eq!(&major.limbs()[i * m..(i + 1) * m], &batch.instance(i)[..]);
            prop_assert_eq!(interleaved.instance(i), batch.instance(i));
            for (j, limb) in batch.instance(i).into_iter().enumerate() {
                prop_assert_eq!(interleaved.limbs()[j * n + i], limb);
                prop_assert_eq!(batch.limb(i, j), limb);
            }
        }
        prop_assert_eq!(interleaved.into_layout(batch.layout()), batch);
        Ok(())
    });
}

/// Values go in and come out; bits above the width never do.
pub fn values<B: Base>() {
    check(any_batch::<B>(), |batch| {
        let (ty, layout) = (batch.ty(), batch.layout());
        let residues: Vec<BigUint> = (0..batch.instances()).map(|i| value(&batch.instance(i))).collect();
        prop_assert!(residues.iter().all(|residue| residue.bits() <= u64::from(ty.bits())));
        prop_assert_eq!(&batch.to_biguints(), &residues);
        let values = batch.to_bigints();
        let reduced = values.iter().map(|value| residue(value, ty.bits()));
        prop_assert_eq!(reduced.collect::<Vec<_>>(), residues);
        prop_assert!(ty.is_signed() || values.iter().all(|value| *value >= BigInt::ZERO));
        prop_assert_eq!(&Batch::from_bigints(ty, layout, &values).map_err(fail)?, &batch);
        prop_assert_eq!(&Batch::from_limbs(ty, layout, batch.limbs().to_vec()).map_err(fail)?, &batch);

        let mut overfull = batch.clone();
        overfull.limbs_mut().fill(B::HIGHEST);
        overfull.truncate();
        let ones = (BigUint::from(1_u32) << ty.bits()) - 1_u32;
        prop_assert!(overfull.to_biguints().iter().all(|value| *value == ones));
        Ok(())
    });
}

/// A limb lies in memory as its little-endian bytes, which is what GPUs read, and takes all of its memory.
pub fn memory<B: Base>() {
    check(crate::operands::limb::<B>(), |limb| {
        let mut image = vec![0; B::BYTES];
        limb.write_le_bytes(&mut image);
        prop_assert_eq!(limbforge_limb::bytemuck::bytes_of(&limb), &image[..]);
        prop_assert!(convert::lies_as_bytes::<B>());
        Ok(())
    });
}

/// Bytes of slices, shorter and longer than the number.
pub fn bytes<B: Base>() {
    let operands = (0..9_usize).prop_flat_map(|m| (integer::<B>(m), 0..2 * m * B::BYTES + 3));
    check(operands, |(limbs, len)| {
        let mut bytes = vec![0xff; len];
        convert::to_le_bytes(&limbs, &mut bytes);
        let mut expected = value(&limbs).to_bytes_le();
        expected.resize(len, 0);
        prop_assert_eq!(&bytes, &expected);
        let mut back = vec![B::HIGHEST; limbs.len()];
        prop_assert!(convert::from_le_bytes(&bytes, &mut back));
        prop_assert_eq!(value(&back), BigUint::from_bytes_le(&bytes));
        prop_assert_eq!(convert::to_biguint(&limbs), value(&limbs));
        prop_assert!(convert::from_biguint(&value(&limbs), &mut back));
        prop_assert_eq!(back, limbs);
        Ok(())
    });
}

/// Digits in hexadecimal, decimal and any radix, of short and long numbers.
pub fn texts<B: Base>() {
    check(((0..40_usize).prop_flat_map(integer::<B>), 2..=36_u32), |(limbs, radix)| {
        let expected = value(&limbs);
        let mut text = vec![];
        write_radix(&limbs, radix, &mut text).map_err(fail)?;
        prop_assert_eq!(&text, &expected.to_str_radix(radix).into_bytes());
        let mut back = vec![B::HIGHEST; limbs.len()];
        prop_assert_eq!(parse_radix(&text, radix, &mut back), Ok(()));
        prop_assert_eq!(&back, &limbs);
        for (write, parse, radix) in [
            (write_hex::<B> as fn(&_, &mut _), parse_hex::<B> as fn(&_, &mut _) -> _, 16),
            (write_dec, parse_dec, 10),
        ] {
            text.clear();
            write(&limbs[..], &mut text);
            prop_assert_eq!(&text, &expected.to_str_radix(radix).into_bytes());
            back.fill(B::HIGHEST);
            prop_assert_eq!(parse(&text[..], &mut back[..]), Ok(()));
            prop_assert_eq!(&back, &limbs);
        }
        Ok(())
    });
}
