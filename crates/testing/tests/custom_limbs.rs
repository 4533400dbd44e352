//! Limbs that are no primitives pass every suite, and slices of toys those of slices.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use limbforge_limb::limb_newtype;
use limbforge_reference::toy::Toy;
use limbforge_testing::{conformance_limb, conformance_slice};

limb_newtype! {
    /// The narrowest limb, where counts and amounts take several.
    pub struct Byte(u8);
}

limb_newtype! {
    /// A limb whose double-width word is no `u32`.
    pub struct Short(u16);
}

limb_newtype! {
    /// The example of the documentation.
    pub struct Register(u32);
}

limb_newtype! {
    /// A limb that is the machine word.
    pub struct Long(u64);
}

limb_newtype! {
    /// A limb of two machine words.
    pub(crate) struct Double(pub u128);
}

conformance_limb!(byte: Byte);
conformance_limb!(short: Short);
conformance_limb!(register: Register);
conformance_limb!(long: Long);
conformance_limb!(double: Double);

/// Widths that divide a machine word and widths that do not; the rungs of products take fewer than B limbs.
mod narrow_toys {
    use limbforge_limb::Base;
    use limbforge_testing::slice::{self, field, product, quotient};

    use super::Toy;

    fn all<B: Base>() {
        let suites = [
            slice::sums::<B>,
            slice::differences::<B>,
            slice::unequal_lengths::<B>,
            slice::orders::<B>,
            slice::shifts::<B>,
            slice::divisions::<B>,
            slice::divisions_that_correct::<B>,
            field::rotations::<B>,
            field::fields::<B>,
            product::dispatched::<B>,
            product::ring::<B>,
            quotient::by_one_limb::<B>,
            quotient::of_one_length::<B>,
        ] as [fn(); 13];
        suites.into_iter().for_each(|suite| suite());
    }

    #[test]
    fn toy_3() {
        all::<Toy<3>>();
    }

    #[test]
    fn toy_4() {
        all::<Toy<4>>();
    }
}

conformance_slice!(toy_13: Toy<13>);
conformance_slice!(toy_24: Toy<24>);
conformance_slice!(toy_31: Toy<31>);
