//! Carries from one instance, tile or warp to the next.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::tensor::MulTensorSpec;
use limbforge_needs::needs;
use num_bigint::BigUint;

use super::{U32, by_warpgroup, spec, subject, unsigned};
use crate::harness::Left;

/// The word A of a number that multiplied by 2^16 - 1 has digit sums of 2^32 - 1 there, so that it overflows
/// as what the words of ones below pass on is added: 65535 A + 255 * 255 = -1 mod 2^32.
fn overflowing_word() -> u32 {
    // 65535 * (1 + 2^16) = 2^32 - 1.
    let inverse = 0_u32.wrapping_sub(1 + (1 << 16));
    assert_eq!(inverse.wrapping_mul(65_535), 1);
    0_u32.wrapping_sub(1 + 255 * 255).wrapping_mul(inverse)
}

/// The words of two products.
fn products(spec: &MulTensorSpec, a: &[u32], b: &[u32]) -> [BigUint; 2] {
    let Left { result, .. } = subject(spec).device.run(&[a.to_vec(), b.to_vec()], &[2], Schedule::Ascending);
    let (first, second) = result.split_at(a.len() / 2);
    [BigUint::from_slice(first), BigUint::from_slice(second)]
}

#[needs(cxx)]
#[test]
fn nothing_is_carried_into_the_other_instance() {
    let (mut a, mut b) = (vec![u32::MAX; 15], vec![0; 32]);
    a.push(overflowing_word());
    a.extend([1; 16]);
    (b[0], b[16]) = (65_535, 1);
    let [first, second] = products(&spec(unsigned(512), U32, false), &a, &b);
    assert_eq!(first, BigUint::from_slice(&a[..16]) * 65_535_u32 % (BigUint::from(1_u32) << 512));
    assert_eq!(second, BigUint::from_slice(&[1; 16]));
}

#[needs(cxx)]
#[test]
fn overflow_of_a_tile_is_carried_into_the_next() {
    let (mut a, mut b) = (vec![u32::MAX; 31], vec![0; 128]);
    a.push(overflowing_word());
    a.resize(128, 0);
    b[0] = 65_535;
    let [first, second] = products(&spec(unsigned(2048), U32, false), &a, &b);
    assert_eq!(first, BigUint::from_slice(&a) * 65_535_u32);
    assert_eq!(second, BigUint::from(0_u32));
}

/// 255 * 0x01010101 is a word of ones: what the word below overflows by runs through all words of two warps.
#[needs(cxx)]
#[test]
fn carries_run_through_the_warps_of_a_warpgroup() {
    let words = 2048;
    let mut a = vec![0; words];
    a[510] = u32::MAX;
    a[511..].fill(0x0101_0101);
    // The second instance has no carry, and ones in the words of the first two warps.
    a.extend((0..words).map(|word| if word < 1024 { 0x0101_0101 } else { 0 }));
    let mut b = vec![0; 2 * words];
    (b[0], b[words]) = (255, 255);
    let found = products(&by_warpgroup(unsigned(65_536), U32), &a, &b);
    for (operand, found) in a.chunks(words).zip(found) {
        assert_eq!(found, BigUint::from_slice(operand) * 255_u32 % (BigUint::from(1_u32) << 65_536));
    }
}
