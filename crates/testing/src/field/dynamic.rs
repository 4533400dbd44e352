//! The same prime at run time: [`DynField`] and the reductions for any prime agree with the type.

use limbforge_field::reduction::{Montgomery, Remainder};
use limbforge_field::{DynField, TwoAdicField};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::lazy::check_reduction;
use super::{check_residues, root, value};

/// A [`DynField`] of the same prime and root computes the same values; so do Montgomery's reduction and the
/// reference.
pub fn same_as_run_time<F: TwoAdicField>() {
    let p = F::MODULUS;
    let Ok(field) = DynField::with_root(p, root::<F>()) else {
        panic!("{p} with root {} is refused at run time", root::<F>());
    };
    assert_eq!(DynField::from_parts(F::K, F::ADICITY, root::<F>()), Ok(field));
    assert_eq!((field.modulus(), field.k(), field.adicity()), (p, F::K, F::ADICITY));
    check_reduction(*field.reduction());
    check_reduction(Remainder::<u64>::new(p));
    if let Ok(p) = u32::try_from(p) {
        check_reduction(Montgomery::<u32>::new(p));
        check_reduction(Remainder::<u32>::new(p));
    }
    for order in (0..=F::ADICITY + 1).flat_map(|bits| [1 << bits, 3_u64.checked_shl(bits).unwrap_or(0)]) {
        let here = field.root_of_unity(order).map(|root| field.value(root));
        assert_eq!(here, F::root_of_unity(order).map(value), "order {order}");
    }
    for bits in 0..=F::ADICITY + 1 {
        let here = field.two_adic_generator(bits).map(|root| field.value(root));
        assert_eq!(here, F::two_adic_generator(bits).map(value));
    }
    check_residues(p, &|residues| operations::<F>(&field, residues));
}

fn operations<F: TwoAdicField>(field: &DynField, [a, b, c]: [u64; 3]) -> TestCaseResult {
    let ([x, y, z], [a_static, b_static, c_static]) =
        ([a, b, c].map(|value| field.element(value)), [a, b, c].map(F::from));
    let pairs = [
        (field.add(x, y), a_static + b_static),
        (field.sub(x, y), a_static - b_static),
        (field.mul(x, y), a_static * b_static),
        (field.neg(x), -a_static),
        (field.square(x), a_static.square()),
        (field.double(x), a_static.double()),
        (field.halve(x), a_static.halve()),
        (field.pow(x, c), a_static.pow(c)),
        (field.sum([x, y, z]), a_static + b_static + c_static),
        (field.product([x, y, z]), a_static * b_static * c_static),
        (field.mul_shoup(x, &field.shoup(y)), a_static * b_static),
        (field.from_raw(x.raw()), a_static),
        (field.one(), F::ONE),
        (field.zero(), F::ZERO),
    ];
    for (index, (dynamic, expected)) in pairs.into_iter().enumerate() {
        prop_assert_eq!(field.value(dynamic), value(expected), "operation {}", index);
    }
    prop_assert_eq!(field.inverse(x).map(|inverse| field.value(inverse)), a_static.inverse().map(value));
    prop_assert_eq!(field.div(x, y).is_some(), !y.is_zero());
    prop_assert!(field.div(x, y).is_none_or(|quotient| field.mul(quotient, y) == x));
    prop_assert_eq!(field.sqrt(x).map(|root| field.value(root)), a_static.sqrt().map(value));
    prop_assert_eq!(field.quadratic_character(x), a_static.quadratic_character());
    let mut batch = [x, y, z];
    field.batch_inverse(&mut batch);
    let expected = [x, y, z].map(|element| field.inverse(element).unwrap_or_default());
    prop_assert_eq!(batch, expected);
    prop_assert_eq!(field.parse(&a.to_string()), Ok(x));
    prop_assert!(field.parse(&field.modulus().to_string()).is_err());
    Ok(())
}
