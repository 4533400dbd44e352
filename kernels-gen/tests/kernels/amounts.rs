//! Amounts of any magnitude and sign by the real kernel text, run by the emulator, against num-bigint.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::LimbKind;
use limbforge_limb::{Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigInt;

use crate::harness::{Subject, check, planned};

/// Values of the type for two amounts: around 0 and the width, far away, and at the ends.
fn rows(ty: IntType) -> Vec<[BigInt; 4]> {
    let width = ty.bits();
    let one = BigInt::from(1);
    let highest: BigInt = (&one << (width - u32::from(ty.is_signed()))) - 1;
    let lowest: BigInt = if ty.is_signed() { -&highest - 1 } else { BigInt::ZERO };
    let far = BigInt::from(1_i64 << 40);
    let near: [BigInt; 5] = [0.into(), 5.into(), 31.into(), width.into(), (1_i64 << 28).into()];
    let mut amounts: Vec<BigInt> = near.iter().flat_map(|n| [n.clone(), -n]).collect();
    amounts.extend([
        far.clone(),
        &far + 4,
        -&far,
        4 - &far,
        lowest.clone(),
        &lowest + 4,
        highest.clone(),
        &highest - 3,
    ]);
    amounts.retain(|amount| (&lowest..=&highest).contains(&amount));
    let (a, b): (BigInt, BigInt) = ((&highest * 5) / 7, lowest + (&highest / 3));
    let pairs = amounts.iter().flat_map(|n| amounts.iter().map(move |m| (n, m)));
    pairs.map(|(n, m)| [a.clone(), b.clone(), n.clone(), m.clone()]).collect()
}

/// An expression of a, b, n and m.
fn check_type(text: &str, ty: &str) {
    let ty: IntType = ty.parse().unwrap();
    let subject = Subject::kernel(planned(text, ty, LimbKind::of::<u32>(), Layout::InstanceMajor));
    let rows = rows(ty);
    let column = |name: &str| ["a", "b", "n", "m"].iter().position(|other| *other == name).unwrap();
    let batch = |name: &str| {
        let values: Vec<BigInt> = rows.iter().map(|row| row[column(name)].clone()).collect();
        Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &values).unwrap()
    };
    let batches: Vec<_> = subject.dag.inputs().map(batch).collect();
    check(&subject, &batches, rows.len(), &Schedule::SAMPLE);
}

macro_rules! amounts {
    ($($name:ident: $text:expr, $types:expr;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for ty in sample(stringify!($name), $types, 2) {
                check_type($text, ty);
            }
        }
    )*};
}

amounts! {
    shifts_by_written_amounts: "(a << -18446744073709551615) ^ (b >> 340282366920938463463374607431768211457) ^ (b << -4294967296) ^ n ^ m",
        ["u64", "i64", "i200"];
    rotations_by_written_amounts: "rotl(a, 0xffffffffffffffff) ^ rotr(b, -1000000000000000000000000000000) ^ n ^ m", ["u8", "i9", "u131"];
    masks_and_extracts_by_written_amounts:
        "mask(18446744073709551616) ^ mask_high(-9223372036854775809) ^ extract(a, -18446744073709551615, 4) ^ extract(b, 18446744073709551615, 4) ^ n ^ m",
        ["u8", "i64"];
    fields_by_written_amounts: "insert(a, b, -18446744073709551616, 18446744073709551620) ^ insert(b, a, 18446744073709551616, -18446744073709551616) ^ n ^ m",
        ["i8", "u64", "i131"];
    fields_of_computed_start_and_length: "insert(a, b, n, m)", ["u8", "i29", "u64", "i64", "i100"];
    fields_of_a_computed_start: "insert(a, b, n, 1099511627780) ^ insert(b, a, n, 9223372036854775812) ^ m", ["u8", "u64", "i64", "i41"];
    fields_of_a_computed_length: "insert(a, b, -1099511627776, m) ^ insert(b, a, -9223372036854775803, m) ^ insert(a, b, -18446744073709551611, m) ^ n",
        ["u8", "i30", "u64", "i64", "u65"];
}
