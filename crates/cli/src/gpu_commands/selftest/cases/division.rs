//! Divisions of wide integers and products modulo numbers, in programs of several kernels.

use limbforge::limb::{IntType, Layout};

use super::{Evaluation, Family, LIMBS, Method, family};
use limbforge_cli::gpu::kernels::Places;

const FAMILIES: [Family; 4] = [
    family("quotient", "a / b", true),
    family("remainder", "a % b", true),
    family("euclid-wide", "div_euclid(a, b) ^ rem_euclid(a, b) + divisible(a, b)", true),
    family("quotient-of-product", "(a * b) / (b | 1) - div_exact(a, a)", true),
];

const WIDTHS: [u32; 7] = [33_000, 40_000, 50_000, 1 << 16, 100_000, 1 << 17, 1 << 18];

const SMALL_WIDTHS: [u32; 1] = [40_000];

/// Of unsigned numbers.
const MODULAR: Family = family("mulmod", "mulmod(a, b, c) + mulmod(a, a, c | 1)", true);

const MODULAR_WIDTHS: [u32; 8] = [512, 1000, 2048, 5000, 8192, 10_000, 16_384, 32_768];

const SMALL_MODULAR_WIDTHS: [u32; 1] = [512];

const PLACES: [Places; 3] = [
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: false },
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: true },
    Places { inputs: Layout::Interleaved, output: Layout::Interleaved, broadcast_last: false },
];

/// Every width with each of its families; limbs, signs and layouts by turns.
pub(super) fn cases(small: bool) -> Vec<Evaluation> {
    let widths: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let modular: &[u32] = if small { &SMALL_MODULAR_WIDTHS } else { &MODULAR_WIDTHS };
    let mut cases: Vec<Evaluation> = modular
        .iter()
        .enumerate()
        .filter_map(|(i, &bits)| {
            let (limb, places) = (LIMBS[i % 3], PLACES[i % 3]);
            let ty = IntType::unsigned(bits.into()).ok()?;
            Some(Evaluation { family: MODULAR, ty, limb, method: Method::Tensor, places })
        })
        .collect();
    for (f, family) in FAMILIES.into_iter().enumerate() {
        for (i, &bits) in widths.iter().enumerate() {
            let (limb, places) = (LIMBS[(i + f) % 3], PLACES[(i + f / 2) % 3]);
            if let Ok(ty) = IntType::new(bits.into(), (i + f) % 2 == 1) {
                cases.push(Evaluation { family, ty, limb, method: Method::Tensor, places });
            }
        }
    }
    cases
}
