//! Rows of polynomials of exactly so many terms, and parts of rows.

use limbforge_algos::model::machine::Figures;
use limbforge_algos::poly::PolyRing;
use limbforge_field::DynField;
use limbforge_kernels_gen::poly::{PartSpec, PolyOperation, PolyShape};
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_needs::needs;

use super::{PRIMES, from_words, residues, run, to_words};

/// Many rows of a block, blocks of a row, single values, and whole rows.
#[needs(cxx)]
#[test]
fn parts_of_rows() {
    for (p, row, part, rows) in [
        (PRIMES[0], 5, 4..5, 2500),
        (PRIMES[6], 70, 2..33, 40),
        (PRIMES[1], 3000, 5..2999, 3),
        (PRIMES[5], 16, 0..16, 70),
    ] {
        let spec = PartSpec::new(&DynField::new(p).unwrap(), row, part.clone()).unwrap();
        let values = residues(rows * row as usize, p, 4);
        let found = run(&spec.program(&Limits::SM_90).unwrap(), &[&to_words(&values, p)], rows);
        let part = part.start as usize..part.end as usize;
        let expected: Vec<u64> =
            values.chunks(row as usize).flat_map(|row| row[part.clone()].to_vec()).collect();
        assert_eq!(from_words(&found, p), expected, "{spec}");
    }
    let field = DynField::new(97).unwrap();
    for (row, part) in [(5, 3..6), (5, 3..3), (0, 0..1)] {
        assert!(matches!(PartSpec::new(&field, row, part), Err(SpecError::Mapping { .. })));
    }
}

/// A division's result is two values, the remainder and the quotient; operands are not padded.
#[needs(cxx)]
#[test]
fn rows_of_exactly_so_many_terms() {
    let (p, [n, m], rows) = (PRIMES[1], [37, 18], 2);
    let (field, ring) = (DynField::new(p).unwrap(), PolyRing::new(DynField::new(p).unwrap()));
    let (a, b) = (residues(rows * n, p, 1), residues(rows * m, p, 2));
    let padded = |elements: &[_], terms: usize| {
        let mut values = ring.to_integers(elements);
        values.resize(terms, 0);
        values
    };
    for operation in [PolyOperation::Mul, PolyOperation::DivRem, PolyOperation::Gcd] {
        let shape = PolyShape::of_rows(operation, n, m).unwrap();
        let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
        let found = from_words(&run(&program, &[&to_words(&a, p), &to_words(&b, p)], rows), p);
        for (found, (a, b)) in found.chunks(found.len() / rows).zip(a.chunks(n).zip(b.chunks(m))) {
            let [a, b] = [a, b].map(|values| ring.from_integers(values));
            match operation {
                PolyOperation::Mul => assert_eq!(found, padded(&ring.mul(&a, &b), n + m - 1)),
                PolyOperation::Gcd => assert_eq!(found, padded(&ring.gcd(&a, &b), n)),
                PolyOperation::DivRem => {
                    let (quotient, remainder) = ring.div_rem(&a, &b).unwrap();
                    assert_eq!(found[2..m + 1], padded(&remainder, m - 1));
                    assert_eq!(found[m + 1..], padded(&quotient, n - m + 1));
                }
            }
        }
    }
    let refused = |n, m| PolyShape::of_rows(PolyOperation::Mul, n, m);
    assert!(refused(5, 6).is_err() && refused(5, 0).is_err() && refused(1 << 27, 1).is_err());
}
