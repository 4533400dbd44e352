//! Quotients and remainders against num-bigint.

use core::array::from_fn;

use num_bigint::BigUint;
use num_traits::Zero;

use super::{numbers, ones, value};
use crate::integer::div::known::known;
use crate::vector::lanes::WIDTH;
use crate::vector::{Divider, Path};

/// Compares eight divisions with num-bigint: quotients alone, then with remainders.
fn check(path: Path, divider: &mut Divider, pairs: &[(BigUint, BigUint)]) {
    let words = |number: &BigUint| number.to_u64_digits();
    let operands: Vec<_> = pairs.iter().map(|(u, v)| (words(u), words(v))).collect();
    let dividends = from_fn(|lane| operands.get(lane).map_or(&[][..], |(u, _)| u));
    let divisors = from_fn(|lane| operands.get(lane).map_or(&[1][..], |(_, v)| v));
    for wants_remainders in [false, true] {
        let [mut quotients, mut remainders]: [Vec<Vec<u64>>; 2] = [
            operands.iter().map(|(u, _)| vec![u64::MAX; u.len()]).collect(),
            operands.iter().map(|(_, v)| vec![u64::MAX; v.len() + 1]).collect(),
        ];
        let (mut q, mut r) = (quotients.iter_mut(), remainders.iter_mut());
        divider.run(
            path,
            from_fn(|_| q.next().map_or(&mut [][..], |q| q)),
            from_fn(|_| r.next().filter(|_| wants_remainders).map_or(&mut [][..], |r| r)),
            dividends,
            divisors,
        );
        for (lane, (u, v)) in pairs.iter().enumerate() {
            assert_eq!(value(&quotients[lane]), u / v, "{}: {u:x} / {v:x}", path.name());
            if wants_remainders {
                assert_eq!(value(&remainders[lane]), u % v, "{}: {u:x} % {v:x}", path.name());
            }
        }
    }
}

#[test]
fn divisions_of_structured_numbers() {
    for path in Path::all() {
        let mut divider = Divider::default();
        for (u_bits, v_bits) in [(52, 5), (64, 64), (129, 48), (258, 97), (512, 256), (778, 520), (1300, 70)]
        {
            let (dividends, mut divisors) = (numbers(u_bits), numbers(v_bits));
            divisors.retain(|divisor| !divisor.is_zero());
            let pairs: Vec<_> = (0..400)
                .map(|i| {
                    (dividends[i * 7 % dividends.len()].clone(), divisors[i * 3 % divisors.len()].clone())
                })
                .collect();
            pairs.chunks(WIDTH).for_each(|pairs| check(path, &mut divider, pairs));
        }
    }
}

/// Dividends at the ends of the interval of a quotient: exact multiples, and one less.
#[test]
fn divisions_at_the_ends_of_quotients() {
    for path in Path::all() {
        let mut divider = Divider::default();
        for bits in [48, 49, 96, 240, 241, 500] {
            let (quotients, mut divisors) = (numbers(bits), numbers(bits));
            divisors.retain(|divisor| !divisor.is_zero());
            let pairs: Vec<_> = (0..300)
                .flat_map(|i| {
                    let (q, v) = (&quotients[i * 5 % quotients.len()], &divisors[i * 11 % divisors.len()]);
                    let product = q * v;
                    [(product.clone() + v - 1_u32, v.clone()), (product, v.clone())]
                })
                .collect();
            pairs.chunks(WIDTH).for_each(|pairs| check(path, &mut divider, pairs));
        }
    }
}

/// Up to eight quotients that the first digit of their fraction leaves undecided, of both kinds, beside others: few
/// are decided alone, many by what is left of all.
#[test]
fn any_number_of_undecided_quotients() {
    for path in Path::all() {
        let mut divider = Divider::default();
        for bits in [48, 96, 241, 500, 1100] {
            let (factors, mut divisors) = (numbers(bits), numbers(bits));
            divisors.retain(|divisor| !divisor.is_zero());
            for (i, undecided) in (0..240).map(|i| (i, i % (WIDTH + 1))) {
                let pair = |lane: usize| {
                    let (q, v) = (
                        &factors[(i + lane * 5) % factors.len()],
                        &divisors[(i * 3 + lane * 11) % divisors.len()],
                    );
                    let product = q * v;
                    let dividend = match (lane < undecided, (i + lane) % 3) {
                        (false, _) => product + v / 3_u32,
                        (true, 0) => product,
                        (true, 1) => product + v - 1_u32,
                        // Above the quotient by less than its fraction tells.
                        _ => product + v / ones(49),
                    };
                    (dividend, v.clone())
                };
                check(path, &mut divider, &from_fn::<_, WIDTH, _>(pair));
            }
        }
    }
}

#[test]
fn divisions_that_others_failed_on() {
    for path in Path::all() {
        let mut divider = Divider::default();
        let pairs = known::<u64>(256);
        // All for vectors of the machine, a sample for their slow twin.
        let step = if path.name() == "portable" { 7 } else { 1 };
        pairs.chunks(WIDTH).step_by(step).for_each(|pairs| check(path, &mut divider, pairs));
    }
}

#[test]
fn divisions_of_long_numbers() {
    for path in Path::all() {
        let mut divider = Divider::default();
        for (u_bits, v_bits) in [(4096, 2048), (4100, 30), (5000, 4900), (9000, 3000)] {
            let all = numbers(u_bits);
            let pairs: Vec<_> = (0..24)
                .map(|i| {
                    (
                        all[all.len() - 1 - i].clone(),
                        (&all[all.len() - 1 - i * 3 % 30] & ones(v_bits)) + 1_u32,
                    )
                })
                .collect();
            pairs.chunks(WIDTH).for_each(|pairs| check(path, &mut divider, pairs));
        }
    }
}
