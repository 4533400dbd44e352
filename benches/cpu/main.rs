//! Wrapping sums and products of two 2^k-bit integers on one thread, quotients of 2^k bits by half as many, by
//! 64 and by all, greatest common divisors
//! (num-integer's binary algorithm beside them), square roots and powers modulo odd numbers. num-bigint and GMP keep the bits above 2^k
//! of sums and products. Then text and records: `-- text/` selects them.

use criterion::{Criterion, criterion_group, criterion_main};
use limbforge_benches::{BATCH_BITS, Operation, WIDTHS, compare, compare_text, use_one_thread};
use num_bigint::BigUint;
use num_integer::Integer;

const OPERATIONS: [Operation; 8] = [
    Operation {
        name: "add",
        expression: "a + b",
        b_bits: |bits| bits,
        widths: WIDTHS,
        batch_bits: BATCH_BITS,
        num_bigint: |a, b| a + b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a + b),
    },
    Operation {
        name: "mul",
        expression: "a * b",
        b_bits: |bits| bits,
        widths: WIDTHS,
        batch_bits: BATCH_BITS,
        num_bigint: |a, b| a * b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a * b),
    },
    Operation {
        name: "div",
        expression: "a / b",
        b_bits: |bits| bits / 2,
        widths: WIDTHS,
        batch_bits: BATCH_BITS,
        num_bigint: |a, b| a / b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a / b),
    },
    Operation {
        name: "div-limb",
        expression: "a / b",
        b_bits: |_| 64,
        widths: 9..=18,
        batch_bits: BATCH_BITS,
        num_bigint: |a, b| a / b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a / b),
    },
    Operation {
        name: "div-full",
        expression: "a / b",
        b_bits: |bits| bits,
        widths: 9..=18,
        batch_bits: BATCH_BITS,
        num_bigint: |a, b| a / b,
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a / b),
    },
    Operation {
        name: "gcd",
        expression: "gcd(a, b)",
        b_bits: |bits| bits,
        widths: 9..=16,
        batch_bits: 18,
        num_bigint: |a, b| a.gcd(b),
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| rug::Assign::assign(result, a.gcd_ref(b)),
    },
    Operation {
        name: "isqrt",
        expression: "isqrt(a)",
        b_bits: |bits| bits,
        widths: 9..=18,
        batch_bits: BATCH_BITS,
        num_bigint: |a, _| a.sqrt(),
        #[cfg(feature = "gmp")]
        gmp: |result, a, _| rug::Assign::assign(result, a.sqrt_ref()),
    },
    Operation {
        name: "powmod",
        expression: "powmod(a, b, b | 1)",
        b_bits: |bits| bits,
        widths: 9..=13,
        batch_bits: 14,
        num_bigint: |a, b| a.modpow(b, &(b | BigUint::from(1_u32))),
        #[cfg(feature = "gmp")]
        gmp: |result, a, b| {
            let odd = rug::Integer::from(b | 1_u32);
            if let Ok(power) = a.clone().pow_mod(b, &odd) {
                *result = power;
            }
        },
    },
];

#[expect(clippy::expect_used, reason = "a benchmark of wrong results must not go on")]
fn cpu(criterion: &mut Criterion) {
    use_one_thread().expect("no thread has been started");
    for operation in &OPERATIONS {
        compare(criterion, operation).expect("all libraries agree");
    }
    compare_text(criterion).expect("text leads back to its numbers");
}

criterion_group!(benches, cpu);
criterion_main!(benches);
