//! Sums, differences and products, value by value.

use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_field::DynField;
use limbforge_kernels_gen::poly::ElementwiseSpec;
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use super::{PRIMES, from_words, residues, to_words};
use crate::harness::Device;

/// The ends of the field, then random values; more than a block, and a shorter second operand.
#[needs(cxx)]
#[test]
fn values_of_two_operands() {
    for p in sample("values of two operands", PRIMES, 3) {
        let field = DynField::new(p).unwrap();
        let ends = [0, 1, p / 2, p - 1];
        for operation in Elementwise::ALL {
            for period in [None, Some(7)] {
                let spec = ElementwiseSpec::new(operation, &field, period).unwrap();
                let device = Device::new(spec.program(&Limits::SM_90).unwrap()).unwrap();
                for (turn, count) in [1, 16, 1024, 2500].into_iter().enumerate() {
                    let a: Vec<u64> =
                        ends.into_iter().flat_map(|x| [x; 4]).chain(residues(count, p, 1)).collect();
                    let mut b: Vec<u64> =
                        [ends; 4].concat().into_iter().chain(residues(count, p, 2)).collect();
                    b.truncate(period.map_or(count, |period| period as usize));
                    let operands = [to_words(&a[..count], p), to_words(&b, p)];
                    let found = device.run(&operands, &[count], super::in_turns(turn)).result;
                    assert_eq!(
                        from_words(&found, p),
                        operation.of(&field, &a[..count], &b),
                        "{spec} {count}"
                    );
                }
            }
        }
    }
    let none = ElementwiseSpec::new(Elementwise::Add, &DynField::new(97).unwrap(), Some(0));
    assert!(matches!(none, Err(SpecError::Mapping { .. })));
}
