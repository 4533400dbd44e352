//! Transforms over a prime field: against their definition, and the laws they obey.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_algos::transform::ntt::{Direction, DynNtt, Ntt, NttError, Wrap};
use limbforge_field::{DynField, TwoAdicField};
use num_traits::ToPrimitive;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::check::check;
use crate::field::residue;

pub mod naive;

/// Tests the transforms of a prime field: `conformance_ntt!(BabyBear);`. With a name in front,
/// `conformance_ntt!(name: BabyBear);`, the tests go into a module of that name.
#[macro_export]
macro_rules! conformance_ntt {
    ($name:ident: $F:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_ntt!($F);
        }
    };
    ($F:ty) => {
        $crate::conformance!($crate::ntt, [$F]: definition convolutions laws run_time refusals);
    };
}

/// 1, 2, 3, 4, 6, ... up to 96, those that the field has roots for, and its transform of each.
fn transforms<F: TwoAdicField>() -> Vec<(usize, Wrap, Ntt<F>)> {
    let lengths = (0..7).map(|k| 1 << k).chain((0..6).map(|k| 3 << k));
    let both = lengths.flat_map(|points| [(points, Wrap::Cyclic), (points, Wrap::Negacyclic)]);
    both.filter_map(|(points, wrap)| {
        let order = points as u64 * if wrap == Wrap::Cyclic { 1 } else { 2 };
        let ntt = Ntt::new(points, wrap);
        assert_eq!(ntt.is_ok(), (F::MODULUS - 1).is_multiple_of(order), "{points} points, {wrap:?}");
        Some((points, wrap, ntt.ok()?))
    })
    .collect()
}

/// Runs a property on as many values as each transform has points, times `count`.
fn check_values<F: TwoAdicField>(
    count: usize,
    property: impl Fn(usize, Wrap, &Ntt<F>, &[F]) -> Result<(), TestCaseError>,
) {
    let transforms = transforms::<F>();
    let lengths = transforms.iter().map(|(points, ..)| count * points).collect();
    check_residues(F::MODULUS, lengths, &|i, values| {
        let values: Vec<F> = values.into_iter().map(F::from).collect();
        let (points, wrap, ntt) = &transforms[i];
        property(*points, *wrap, ntt, &values)
    });
}

/// Runs a property on residues of one of these lengths. Not generic, so that proptest is compiled for one
/// field, not for each.
fn check_residues(
    modulus: u64,
    lengths: Vec<usize>,
    property: &dyn Fn(usize, Vec<u64>) -> Result<(), TestCaseError>,
) {
    let strategy = (0..lengths.len()).prop_flat_map(move |i| (Just(i), vec(residue(modulus), lengths[i])));
    check(strategy, |(i, values)| property(i, values));
}

/// Two transforms in a batch equal the definition, in natural order and in the plan's, and go back.
pub fn definition<F: TwoAdicField>() {
    check_values::<F>(2, |points, wrap, ntt, x| {
        let mut found = x.to_vec();
        prop_assert_eq!(ntt.run(Direction::Forward, &mut found), Ok(()));
        let mut unordered = x.to_vec();
        prop_assert_eq!(ntt.run_unordered(Direction::Forward, &mut unordered), Ok(()));
        for (one, (found, unordered)) in
            x.chunks(points).zip(found.chunks(points).zip(unordered.chunks(points)))
        {
            prop_assert_eq!(Some(found.to_vec()), naive::transform(one, wrap));
            prop_assert!((0..points).all(|j| unordered[ntt.plan().position(j)] == found[j]));
        }
        prop_assert_eq!(ntt.run(Direction::Inverse, &mut found), Ok(()));
        prop_assert_eq!(ntt.run_unordered(Direction::Inverse, &mut unordered), Ok(()));
        prop_assert_eq!(&found, x);
        prop_assert_eq!(&unordered, x);
        Ok(())
    });
}

/// The convolution theorem: pointwise products are convolutions.
pub fn convolutions<F: TwoAdicField>() {
    check_values::<F>(2, |points, wrap, ntt, values| {
        let (a, b) = values.split_at(points);
        prop_assert_eq!(ntt.convolve(a, b), Ok(naive::convolution(a, b, wrap)));
        Ok(())
    });
}

/// The transform of `a + c b` is that of a plus c times that of b; that of 1 is 1 everywhere.
pub fn laws<F: TwoAdicField>() {
    check_values::<F>(2, |points, _, ntt, values| {
        let (a, b) = values.split_at(points);
        let c = a[0] + F::ONE;
        let forward = |x: Vec<F>| {
            let mut x = x;
            ntt.run(Direction::Forward, &mut x).map(|()| x)
        };
        let sum = forward(a.iter().zip(b).map(|(&a, &b)| a + c * b).collect());
        let (a, b) = (forward(a.to_vec()), forward(b.to_vec()));
        let expected = a.and_then(|a| Ok(a.into_iter().zip(b?).map(|(a, b)| a + c * b).collect::<Vec<F>>()));
        prop_assert_eq!(sum, expected);
        let mut one = vec![F::ZERO; points];
        one[0] = F::ONE;
        prop_assert_eq!(forward(one), Ok(vec![F::ONE; points]));
        Ok(())
    });
}

/// The transforms of the same field as one that is known at run time, on words.
pub fn run_time<F: TwoAdicField>() {
    let word = |x: F| x.value().to_u64().unwrap_or(u64::MAX);
    let Ok(field) = DynField::with_root(F::MODULUS, word(F::root())) else {
        panic!("{} with root {}", F::MODULUS, F::root())
    };
    let ntts: Vec<_> = transforms::<F>()
        .into_iter()
        .map(|(.., ntt)| (DynNtt::new(field, ntt.plan().clone()), ntt))
        .collect();
    check_values::<F>(2, |points, wrap, ntt, x| {
        let known = ntts.iter().find(|(_, known)| known.plan() == ntt.plan());
        let Some((Ok(run_time), _)) = known else { panic!("{points} points, {wrap:?}") };
        for direction in [Direction::Forward, Direction::Inverse] {
            let (mut words, mut elements) = (x.iter().copied().map(word).collect::<Vec<_>>(), x.to_vec());
            prop_assert_eq!(run_time.run_residues(direction, &mut words), ntt.run(direction, &mut elements));
            prop_assert_eq!(words, elements.into_iter().map(word).collect::<Vec<_>>());
        }
        Ok(())
    });
}

/// Other lengths, more points than the field has roots for, values that are no batch.
pub fn refusals<F: TwoAdicField>() {
    for found in [0, 5, 7, 9, 12 * 3, 1000] {
        assert_eq!(Ntt::<F>::new(found, Wrap::Cyclic).err(), Some(NttError::Points { found }));
    }
    let (modulus, adicity) = (F::MODULUS, F::ADICITY);
    let expected = match 2_u64 << adicity {
        order if order < 1 << 48 => NttError::NoRoot { order, modulus, adicity },
        found => NttError::Points { found: found as usize },
    };
    assert_eq!(Ntt::<F>::new(2 << adicity, Wrap::Cyclic).err(), Some(expected));
    let ntt = Ntt::<F>::new(2, Wrap::Cyclic).ok();
    let found = ntt.map(|ntt| ntt.run(Direction::Forward, &mut [F::ONE; 3]));
    assert_eq!(found, Some(Err(NttError::Values { points: 2, found: 3 })));
}
