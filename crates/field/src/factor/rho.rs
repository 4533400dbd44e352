//! Pollard's rho in Brent's form.

use crate::search::montgomery::Montgomery;

/// Steps whose differences are multiplied before one greatest common divisor is taken.
const BATCH: u64 = 128;

/// A divisor other than 1 and `number`, which must be odd and composite.
pub(super) fn divisor(number: u64) -> u64 {
    let field = Montgomery::new(number);
    // A walk x -> x^2 + c fails only if it finds all prime factors at once; another c then walks elsewhere.
    let mut c = 1;
    loop {
        if let Some(divisor) = walk(number, &field, c) {
            return divisor;
        }
        c += 1;
    }
}

/// Walks until two points agree modulo a factor of the number. None if they agree modulo the number itself.
fn walk(number: u64, field: &Montgomery, c: u64) -> Option<u64> {
    let c = field.residue(c);
    let step = |x: u64| field.add(field.mul(x, x), c);
    let mut y = field.residue(2);
    // Brent: compare with the point reached after 2^i steps, for the next 2^i steps.
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

/// Repeats a batch whose product vanished, step by step.
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

/// The greatest common divisor of a and the odd b, by Stein's algorithm; b if a is 0.
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
