//! Products by transforms, in programs of several kernels.

use limbforge::limb::{IntType, Layout};

use super::{Evaluation, Family, LIMBS, Method, family};
use limbforge_cli::gpu::kernels::Places;

/// Expressions of a family, and the widest integers with and without a sign, in bits.
struct Form {
    family: Family,
    widest: u32,
    /// The last kernel of a product with a sign computes more, for which wider ones leave too few registers.
    widest_signed: u32,
}

const fn form(family: Family, widest: u32, widest_signed: u32) -> Form {
    Form { family, widest, widest_signed }
}

/// Every form of product, sums that are added before the inverse transform, and operations around a product. The transforms
/// of two operands of 2^20 bits do not fit the shared memory of a block, those of a square do.
const FORMS: [Form; 8] = [
    form(family("mul", "a*b", false), 1 << 19, 1 << 19),
    form(family("square", "a*a", false), 1 << 20, 1 << 20),
    form(family("high", "mulhi(a, b)", true), 1 << 19, 100_000),
    form(family("wide", "mul_wide(a, b)", true), 1 << 18, 100_000),
    form(family("sqr-wide", "sqr_wide(a)", true), 1 << 19, 1 << 17),
    form(family("poly", "(a*a + b)*(b*b + b) + a*b", false), 1 << 18, 1 << 18),
    form(family("sum", "a*b + c*d", false), 1 << 19, 1 << 19),
    form(family("choose", "select(a < b, a*b, a + b)", true), 1 << 18, 1 << 18),
];

/// Ordered so that every other one, from the first or the second on, are narrow and wide, powers of two and not.
const WIDTHS: [u32; 16] = [
    1 << 9,
    1 << 10,
    131,
    1 << 11,
    1 << 12,
    1000,
    1 << 13,
    1 << 14,
    5000,
    1 << 15,
    1 << 16,
    1 << 17,
    100_000,
    1 << 18,
    1 << 19,
    1 << 20,
];

const SMALL_WIDTHS: [u32; 4] = [131, 512, 1000, 2048];

const PLACES: [Places; 4] = [
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: false },
    Places { inputs: Layout::InstanceMajor, output: Layout::InstanceMajor, broadcast_last: true },
    Places { inputs: Layout::Interleaved, output: Layout::Interleaved, broadcast_last: false },
    Places { inputs: Layout::Interleaved, output: Layout::InstanceMajor, broadcast_last: true },
];

/// Every other width with each form, so that neighbouring forms have all; limbs, signs and layouts by turns. To
/// compile them takes longest: no more than these.
pub(super) fn cases(small: bool) -> Vec<Evaluation> {
    let widths: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let mut cases = vec![];
    for (f, Form { family, widest, widest_signed }) in FORMS.into_iter().enumerate() {
        let mine = widths.iter().enumerate().filter(|(w, bits)| (w + f) % 2 == 0 && **bits <= widest);
        for (i, (_, &bits)) in mine.enumerate() {
            // Four turns of the places have both signs, three have all limbs.
            let signed = (i + i / 4 + f) % 2 == 1 && bits <= widest_signed;
            let (limb, places) = (LIMBS[(i + f) % 3], PLACES[(i + f / 2) % 4]);
            if let Ok(ty) = IntType::new(bits.into(), signed) {
                cases.push(Evaluation { family, ty, limb, method: Method::Transforms, places });
            }
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_family_meets_every_limb_sign_and_layout() {
        let all = cases(false);
        assert!((50..=62).contains(&all.len()), "{} programs", all.len());
        for Form { family, widest, .. } in FORMS {
            let mine: Vec<&Evaluation> = all.iter().filter(|case| case.family.name == family.name).collect();
            let limbs: HashSet<_> = mine.iter().map(|case| case.limb_name()).collect();
            let signs: HashSet<_> = mine.iter().map(|case| case.ty.is_signed()).collect();
            let inputs: HashSet<_> =
                mine.iter().map(|case| (case.places.inputs as u8, case.places.broadcast_last)).collect();
            assert_eq!((limbs.len(), signs.len(), inputs.len()), (3, 2, 4), "{}", family.name);
            assert!(mine.iter().any(|case| case.ty.bits() == widest), "{}", family.name);
        }
        let widths: HashSet<_> = all.iter().map(|case| case.ty.bits()).collect();
        assert_eq!(widths.len(), WIDTHS.len());
        assert!(all.iter().filter(|case| case.ty.bits() > 1 << 18).count() <= 5);
        assert!(
            cases(true).len() == 2 * FORMS.len() && cases(true).iter().all(|case| case.ty.bits() <= 2048)
        );
    }
}
