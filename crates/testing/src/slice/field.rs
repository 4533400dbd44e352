//! Rotations, and fields of bits.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, field, shift};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::pair;
use crate::check::check;
use crate::operands::integer;
use crate::oracle::value;

/// Rotations of numbers of widths that are no multiple of the limb.
pub fn rotations<B: Base>() {
    let operands =
        (1..20_usize).prop_flat_map(|m| (integer::<B>(m), 0..B::BITS, any::<u32>(), any::<bool>()));
    check(operands, |(a, unused, n, near)| {
        let (mut a, width) = (a.clone(), a.len() as u32 * B::BITS - unused);
        bits::truncate(&mut a, width);
        let n = if near { n % (2 * width + 2) } else { n };
        let (number, turns) = (value(&a), n % width);
        let left = (&number << turns | &number >> (width - turns)) % (BigUint::one() << width);
        let right = (&number >> turns | &number << (width - turns)) % (BigUint::one() << width);
        let mut out = vec![B::HIGHEST; a.len()];
        shift::rotate_left(&mut out, &a, n, width);
        prop_assert_eq!(value(&out), left);
        shift::rotate_right(&mut out, &a, n, width);
        prop_assert_eq!(value(&out), right);
        Ok(())
    });
}

/// Ranges of ones, what lies in them, and replacing it; within the slice, around its end and beyond.
pub fn fields<B: Base>() {
    let operands = pair::<B>().prop_flat_map(|pair| {
        let bits = pair.0.len() as u32 * B::BITS;
        let end = move || prop_oneof![8 => 0..=bits, 1 => Just(u32::MAX), 1 => bits..=2 * bits + 1];
        (Just(pair), end(), end())
    });
    check(operands, |((a, b), from, to)| {
        let bits = a.len() as u32 * B::BITS;
        let below = |end: u32| (BigUint::one() << end.min(bits)) - 1_u32;
        let ones = if from < to { below(to) ^ below(from) } else { BigUint::zero() };
        let mut out = vec![B::HIGHEST; a.len()];
        field::fill(&mut out, from, to);
        prop_assert_eq!(value(&out), ones.clone());
        out.copy_from_slice(&a);
        field::keep_low(&mut out, from);
        prop_assert_eq!(value(&out), value(&a) & below(from));
        out.copy_from_slice(&a);
        field::copy(&mut out, &b, from, to);
        prop_assert_eq!(value(&out), value(&a) & (below(bits) ^ &ones) | value(&b) & ones);
        Ok(())
    });
}
