//! Products modulo n whose numbers a lane of 20 or 24 words holds alone, and quotients of twice as many.

use limbforge_kernels_gen::Limits;
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{LIMBS, nvrtc, unsigned};
use crate::measured::check_all;
use crate::rendered::{MOST_SPILLED_WITHIN_WARP, Rendered};

const ARCHITECTURES: [(&str, Limits); 4] = [
    ("sm_75", Limits::SM_75),
    ("sm_80", Limits::SM_80),
    ("sm_90", Limits::SM_90),
    ("sm_100", Limits::SM_100),
];

/// Expressions, and widths whose words fill a lane or not.
const CASES: [(&str, [u32; 4]); 7] = [
    ("powmod(a, b, c)", [513, 640, 672, 768]),
    ("is_prime(a)", [544, 640, 704, 768]),
    ("is_strong_probable_prime(a, b)", [544, 640, 704, 768]),
    ("mulmod(a, b, c)", [544, 640, 736, 768]),
    ("mont_reduce(to_mont(a, b), mont_mul(a, b, c), c)", [544, 640, 736, 768]),
    ("div_wide(a, b, c) ^ rem_wide(a, b, c)", [576, 640, 720, 768]),
    ("a % b", [1026, 1280, 1344, 1536]),
];

/// Bytes that tests of primality with 24 words to a lane spill for compute capabilities below 9.0: 586 stored and
/// 1144 loaded at 704 bits for 7.5, the most of those compiled.
const MOST_SPILLED_BEFORE_HOPPER: u32 = 1152;

/// Powers of up to 640 bits and what needs no power spill nothing, but for the few bytes of `sm_100`.
#[needs(nvrtc)]
#[test]
fn products_in_one_lane_compile() {
    let nvrtc = nvrtc();
    let mut kernels = vec![];
    for (text, widths) in CASES {
        let all = widths.into_iter().flat_map(|bits| ARCHITECTURES.map(|arch| (bits, arch)));
        for (bits, (arch, limits)) in sample(text, all, 2) {
            let spec = unsigned(text, bits, LIMBS[1], Layout::InstanceMajor);
            assert_eq!(spec.mapping.lanes, 1, "{spec}");
            let kernel = Rendered::expression(&spec, &limits);
            let most_spilled = match (arch, text) {
                ("sm_75" | "sm_80", "is_prime(a)") if bits > 640 => MOST_SPILLED_BEFORE_HOPPER,
                (_, "is_prime(a)") => kernel.most_spilled,
                (_, "powmod(a, b, c)" | "is_strong_probable_prime(a, b)") if bits > 640 => {
                    kernel.most_spilled
                }
                ("sm_100", _) => kernel.most_spilled.min(MOST_SPILLED_WITHIN_WARP + 16),
                _ => 0,
            };
            kernels.push((Rendered { most_spilled, ..kernel }, arch));
        }
    }
    check_all(&nvrtc, &kernels);
}
