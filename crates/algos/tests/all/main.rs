//! Tests of the algorithms against num-bigint and definitions: one program, so that it is linked once.
//! `cargo test -p limbforge-algos --test all div::` runs those of the division.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod add;
mod amounts;
mod assignments;
mod barrett;
mod bit_fields;
mod bits;
mod block;
mod carry_monoid;
mod cmp;
mod cpu;
mod div;
mod expr;
mod gcd;
mod isqrt;
mod jacobi;
mod model;
mod modinv;
mod modinv2k;
mod modmul_fold;
mod modmul_rns;
mod modulus;
mod montgomery;
mod montgomery_rows;
mod mul_classical;
mod mul_ntt;
mod mul_tensor;
mod ntt;
mod number_theory;
mod operations;
mod parser;
mod perfect_power;
mod poly;
mod powmod;
mod primality;
mod program_builder;
mod program_errors;
mod program_parser;
mod program_run;
mod program_types;
mod residue_loops;
mod root;
mod several;
mod shift;
mod sort_radix;
mod sub;
mod value;
mod vectors;
mod xgcd;
