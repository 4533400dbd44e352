//! Batches of any lengths, by what the model chooses.

use std::collections::BTreeMap;

use limbforge_algos::model::machine::Figures;
use limbforge_field::DynField;
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::poly::{PolyOperation, PolyShape};
use limbforge_needs::needs;
use limbforge_testing::poly::schoolbook;

use super::{residues, run};

/// Pairs of any lengths, padded to shapes and computed by the programs that the model chooses.
fn check_batch(p: u64, operation: PolyOperation, lengths: &[(usize, usize)]) {
    let field = DynField::new(p).unwrap();
    let polynomial = |len: usize, seed| {
        let mut a = residues(len, p, seed);
        if let Some(last) = a.last_mut() {
            *last = p - 1;
        }
        a
    };
    let common = polynomial(3, 77);
    let mut shapes: BTreeMap<PolyShape, Vec<[Vec<u64>; 2]>> = BTreeMap::new();
    for (i, &(n, m)) in lengths.iter().enumerate() {
        let mut pair = [polynomial(n, i as u64), polynomial(m, 100 + i as u64)];
        if i % 2 == 0 && operation == PolyOperation::Gcd {
            pair = pair.map(|a| schoolbook::product(&a, &common, p));
        }
        let shape = PolyShape::of(operation, pair[0].len(), pair[1].len()).unwrap();
        shapes.entry(shape.unwrap()).or_default().push(pair);
    }
    for (shape, pairs) in shapes {
        let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
        let mut operands = [vec![], vec![]];
        pairs.iter().for_each(|[a, b]| shape.pack(&field, [a, b], &mut operands));
        let words = run(&program, &[&operands[0], &operands[1]], pairs.len());
        for ([a, b], words) in pairs.iter().zip(words.chunks(program.result_words[0] as usize)) {
            let found = shape.unpack(&field, b.len(), words);
            let expected = match operation {
                PolyOperation::Mul => [schoolbook::product(a, b, p), vec![]],
                PolyOperation::Gcd => [schoolbook::gcd(a, b, p), vec![]],
                PolyOperation::DivRem => schoolbook::div_rem(a, b, p).unwrap().into(),
            };
            assert_eq!(found, expected, "{shape:?}, {} and {} terms modulo {p}", a.len(), b.len());
        }
    }
}

#[needs(cxx)]
#[test]
fn batches_of_any_lengths() {
    for (i, p) in [2_013_265_921, 18_446_744_073_709_551_557, 3].into_iter().enumerate() {
        check_batch(p, PolyOperation::Mul, &[(1, 1), (70, 67 - 20 * i), (20, 90), (3, 19)]);
        check_batch(p, PolyOperation::DivRem, &[(1, 1), (50, 17), (33, 33), (60, 1), (18, 17)]);
        check_batch(p, PolyOperation::Gcd, &[(1, 1), (20, 45), (30, 17), (2, 40)]);
    }
}
