//! num-traits, and serde and rand behind their features.

use limbforge_field::presets::{BabyBear, Goldilocks, PrimeField32, PrimeField64};
use limbforge_field::{PrimeField, TwoAdicField};
use num_traits::{CheckedDiv, Inv, MulAdd, MulAddAssign, Pow};

/// The traits of num-traits on two elements of a field.
fn num_traits_of<F>(a: F, b: F)
where
    F: PrimeField
        + CheckedDiv
        + Inv<Output = Option<F>>
        + MulAdd<Output = F>
        + MulAddAssign
        + Pow<u32, Output = F>
        + Pow<u64, Output = F>,
{
    assert_eq!(a.checked_div(&b), Some(a / b));
    assert_eq!((a.checked_div(&F::ZERO), F::ZERO.inv()), (None, None));
    assert_eq!(b.inv(), Some(F::ONE / b));
    assert_eq!(a.mul_add(b, a), a * b + a);
    let mut sum = a;
    sum.mul_add_assign(b, a);
    assert_eq!(sum, a * b + a);
    assert_eq!(Pow::<u32>::pow(a, 5), a * a * a * a * a);
    assert_eq!(Pow::<u64>::pow(a, F::MODULUS), a);
}

#[test]
fn num_traits() {
    num_traits_of(PrimeField32::from(-5), PrimeField32::from(7));
    num_traits_of(PrimeField64::from(-5), PrimeField64::from(7));
    num_traits_of(Goldilocks::from(-5), Goldilocks::from(7));
}

#[test]
fn signed_integers_are_taken_mod_p() {
    assert_eq!(BabyBear::from(i64::MIN), -BabyBear::from(1_u64 << 63));
    assert_eq!(BabyBear::from(i32::MIN), -BabyBear::from(1_u32 << 31));
    assert_eq!((PrimeField64::from(-1_i64).value(), PrimeField64::from(-1).value()), (29 << 57, 29 << 57));
    assert_eq!(PrimeField32::from(u32::MAX), PrimeField32::from(u64::from(u32::MAX)));
}

#[test]
#[allow(clippy::op_ref, reason = "that is what is tested")]
fn operators_take_references_on_both_sides() {
    let (a, b) = (Goldilocks::from(-12), Goldilocks::from(5));
    assert_eq!((&a + &b, &a - &b, &a * &b, &a / &b), (a + b, a - b, a * b, a / b));
    assert_eq!((&a + b, &a - b, &a * b, &a / b), (a + b, a - b, a * b, a / b));
    assert_eq!(-&a, -a);
}

#[test]
#[should_panic(expected = "division by zero")]
fn division_by_zero_panics_as_that_of_integers() {
    let _ = Goldilocks::from(1) / Goldilocks::from(0);
}

#[test]
fn constant_factors() {
    let (a, w) = (PrimeField64::from(-12), PrimeField64::root());
    assert_eq!(a.mul_shoup(&w.shoup()), a * w);
    let (a, w) = (PrimeField32::from(-12), PrimeField32::root());
    assert_eq!(a.mul_shoup(&w.shoup()), a * w);
}

#[test]
fn published_roots() {
    assert_eq!((PrimeField32::root().value(), PrimeField64::root().value()), (13, 21));
    assert_eq!((PrimeField32::MODULUS, PrimeField64::MODULUS), (3_221_225_473, 4_179_340_454_199_820_289));
    assert_eq!((PrimeField32::K, PrimeField32::ADICITY), (3, 30));
    assert_eq!((PrimeField64::K, PrimeField64::ADICITY), (29, 57));
    assert_eq!((Goldilocks::MODULUS, BabyBear::MODULUS), (0xffff_ffff_0000_0001, 2_013_265_921));
    let (a, word) = (size_of::<BabyBear>(), size_of::<u32>());
    assert_eq!(a, word);
}

#[cfg(feature = "serde")]
#[test]
fn serde_holds_residues() {
    let element = PrimeField32::from(-1);
    assert_eq!(serde_json::to_string(&[element, 7.into()]).unwrap(), "[3221225472,7]");
    assert_eq!(serde_json::from_str::<PrimeField32>("3221225472").unwrap(), element);
    let error = serde_json::from_str::<PrimeField32>("3221225473").unwrap_err().to_string();
    assert!(error.contains("expected a residue below the modulus 3221225473"), "{error}");
    assert!(serde_json::from_str::<PrimeField32>("-1").is_err());
    assert_eq!(serde_json::from_str::<PrimeField64>("4179340454199820288").unwrap(), (-1).into());
}

/// Each quarter of the residues gets about its share, also for p = 3 * 2^30 + 1, which a word mod p would not
/// hit evenly.
#[cfg(feature = "rand")]
#[test]
fn random_elements_are_uniform() {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    fn check<F: PrimeField>()
    where
        rand::distr::StandardUniform: rand::distr::Distribution<F>,
    {
        use limbforge_field::word::Base;
        let mut rng = StdRng::seed_from_u64(1);
        let mut quarters = [0; 4];
        for _ in 0..40_000 {
            let element: F = rng.random();
            let value = u128::from(element.value().low_word());
            quarters[(4 * value / u128::from(F::MODULUS)) as usize] += 1;
        }
        // Four standard deviations of a binomial distribution are 346.
        assert!(quarters.iter().all(|count| (9_650..10_350).contains(count)), "{quarters:?}");
    }

    check::<PrimeField32>();
    check::<PrimeField64>();
    check::<Goldilocks>();
    check::<BabyBear>();
}
