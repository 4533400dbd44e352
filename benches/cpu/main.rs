//! Wrapping sums and products of two 2^k-bit integers on one thread, and quotients of 2^k bits by half as many. num-bigint and GMP keep the bits above 2^k.

use criterion::{Criterion, criterion_group, criterion_main};
use limbforge_benches::{Operation, compare, use_one_thread};

const OPERATIONS: [Operation; 3] = [
    Operation {
        name: "add",
        expression: "a + b",
        b_shift: 0,
        num_bigint: |a, b| a + b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a + b),
    },
    Operation {
        name: "mul",
        expression: "a * b",
        b_shift: 0,
        num_bigint: |a, b| a * b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a * b),
    },
    Operation {
        name: "div",
        expression: "a / b",
        b_shift: 1,
        num_bigint: |a, b| a / b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a / b),
    },
];

#[expect(clippy::expect_used, reason = "a benchmark of wrong results must not go on")]
fn cpu(criterion: &mut Criterion) {
    use_one_thread().expect("no thread has been started");
    for operation in &OPERATIONS {
        compare(criterion, operation).expect("all libraries agree");
    }
}

criterion_group!(benches, cpu);
criterion_main!(benches);
