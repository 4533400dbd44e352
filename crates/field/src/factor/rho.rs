//! Pollard's rho in Brent's form.

use crate::reduction::{Montgomery, Reduction};

/// Steps whose differences are multiplied before one gcd.
const BATCH: u64 = 128;

/// A divisor other than 1 and `number`, which must be odd and composite.
pub(super) fn divisor(number: u64) -> u64 {
    let field = Montgomery::<u64>::new(number);
    // A walk x -> x^2 + c fails only if it finds all prime factors at once. Another c gives another walk.
    let mut c = 1;
    loop {
        if let Some(divisor) = walk(number, &field, c) {
            return divisor;
        }
        c += 1;
    }
}

/// Walks until two points agree modulo a factor of the number; `None` if they agree modulo the number itself.
fn walk(number: u64, field: &Montgomery<u64>, c: u64) -> Option<u64> {
    let c = field.encode(c);
    let step = |x: u64| field.add(field.square(x), c);
    let mut y = field.encode(2);
    // Brent: compare the point after 2^i steps with each of the next 2^i points.
    let mut round = 1;
    loop {
        let anchor = y;
        for _ in 0..round {
            y = step(y);
        }
        let mut done = 0;
        while done < round {
            let start = y;
            let batch = BATCH.min(round - done);
            let mut product = field.one();
            for _ in 0..batch {
                y = step(y);
                product = field.mul(product, anchor.abs_diff(y));
            }
            match gcd(product, number) {
                1 => done += batch,
                all if all == number => return single_steps(number, anchor, start, step),
                divisor => return Some(divisor),
            }
        }
        round *= 2;
    }
}

/// Repeats step by step a batch whose product is 0.
fn single_steps(number: u64, anchor: u64, start: u64, step: impl Fn(u64) -> u64) -> Option<u64> {
    let mut y = start;
    loop {
        y = step(y);
        match gcd(anchor.abs_diff(y), number) {
            1 => {}
            divisor => return (divisor != number).then_some(divisor),
        }
    }
}

/// gcd(a, b) for odd b, by Stein's algorithm; gcd(0, b) = b.
const fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 {
        return b;
    }
    a >>= a.trailing_zeros();
    while a != b {
        if a < b {
            (a, b) = (b, a);
        }
        a -= b;
        a >>= a.trailing_zeros();
    }
    a
}
