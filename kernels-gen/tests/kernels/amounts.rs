//! Amounts of any magnitude and sign by the real kernel text, run by the emulator, against num-bigint.

use std::collections::HashMap;

use limbforge_algos::expr::Expr;
use limbforge_emulate::{Compiler, Emulated};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Limits, Mapping, Target, render};
use limbforge_limb::{Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::expr::evaluate;
use num_bigint::BigInt;

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

/// Runs an expression of a, b, n and m and compares every result.
fn check(text: &str, ty: &str) {
    let compiler = Compiler::find().unwrap();
    let ty: IntType = ty.parse().unwrap();
    let dag = Expr::parse(text).unwrap().to_dag();
    let mapping = Mapping::plan(&dag, ty, LimbKind::of::<u32>(), &[Layout::InstanceMajor]);
    let inputs = dag.inputs().map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).collect();
    let limb = LimbKind::of::<u32>();
    let spec =
        KernelSpec::new(dag, ty, limb, inputs, Layout::InstanceMajor, mapping, Target::Emulator).unwrap();
    let emulated = Emulated::build(&compiler, &render(&spec, &Limits::SM_90).unwrap()).unwrap();
    let rows = rows(ty);
    let column = |name: &str| ["a", "b", "n", "m"].iter().position(|other| *other == name).unwrap();
    let names: Vec<&str> = spec.dag.inputs().collect();
    let batches: Vec<Batch<u32>> = names
        .iter()
        .map(|name| {
            let values: Vec<BigInt> = rows.iter().map(|row| row[column(name)].clone()).collect();
            Batch::from_bigints(ty, Layout::InstanceMajor, &values).unwrap()
        })
        .collect();
    let limbs: Vec<&[u32]> = batches.iter().map(Batch::limbs).collect();
    let n = rows.len();
    let found = emulated.run_all_limbs::<u32>(&limbs, n * ty.limbs::<u32>(), n as u64).unwrap();
    let found = Batch::<u32>::from_limbs(ty, Layout::InstanceMajor, found).unwrap();
    for (row, found) in rows.iter().zip(found.to_biguints()) {
        let variables: HashMap<&str, BigInt> =
            names.iter().map(|name| (*name, row[column(name)].clone())).collect();
        assert_eq!(found, evaluate(&spec.dag, &variables, ty), "{text} of {ty} with {variables:?}");
    }
}

macro_rules! amounts {
    ($($name:ident: $text:expr, $types:expr;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for ty in $types {
                check($text, ty);
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
