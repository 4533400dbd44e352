//! Products on tensor cores, alone and in programs of several kernels.

use limbforge::limb::{IntType, Layout};

use super::{Evaluation, Family, LIMBS, Method, family};
use limbforge_cli::gpu::kernels::Places;

/// The product and the square alone, and expressions around products.
const FAMILIES: [Family; 8] = [
    family("mul", "a*b", false),
    family("square", "a*a", false),
    family("square-plus", "a*a + b - 3", false),
    family("high", "mulhi(a, b)", true),
    family("wide", "mul_wide(a, b)", true),
    family("sqr-wide", "sqr_wide(a)", true),
    family("poly", "(a*a + b)*(b*b + b) + a*b", false),
    family("choose", "select(a < b, a*b, mulhi(a, b))", true),
];

/// Two instances to a tile, one tile, few tiles, several groups of tiles, several warps to an instance, warpgroups at the widths
/// that they have; powers of two, and whole and cut tiles between them.
const WIDTHS: [u32; 24] = [
    32,
    131,
    512,
    544,
    1000,
    1 << 10,
    1500,
    1536,
    1 << 11,
    3000,
    1 << 12,
    5000,
    1 << 13,
    10_000,
    12_288,
    14_000,
    1 << 14,
    24_000,
    1 << 15,
    33_000,
    49_152,
    50_000,
    1 << 16,
    100_000,
];

const SMALL_WIDTHS: [u32; 4] = [131, 512, 1000, 2048];

const PLACES: [Places; 4] = [
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: false },
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: true },
    Places { inputs: Layout::Interleaved, output: Layout::Interleaved, broadcast_last: false },
    Places { inputs: Layout::InstanceMajor, output: Layout::Interleaved, broadcast_last: true },
];

/// Every width with each family, wide and high products up to half the widest; limbs, signs and layouts by turns.
pub(super) fn cases(small: bool) -> Vec<Evaluation> {
    let widths: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let mut cases = vec![];
    for (f, family) in FAMILIES.into_iter().enumerate() {
        let widest = if family.signs { 1 << 16 } else { u32::MAX };
        for (i, &bits) in widths.iter().enumerate().filter(|(_, bits)| **bits <= widest) {
            let signed = (i + i / 4 + f) % 2 == 1;
            let (limb, places) = (LIMBS[(i + f) % 3], PLACES[(i + f / 2) % 4]);
            if let Ok(ty) = IntType::new(bits.into(), signed) {
                cases.push(Evaluation { family, ty, limb, method: Method::Tensor, places });
            }
        }
    }
    cases
}
