//! Square roots.

use limbforge_algos::cpu::Why;
use num_bigint::BigInt;
use num_traits::Signed;

use super::check;

#[test]
fn roots_of_any_count_limb_and_type() {
    let root = |a: &BigInt| if a.is_negative() { Err(Why::Negative) } else { Ok(a.sqrt()) };
    for ty in ["u8192", "i12290", "u13000", "i16384"] {
        for count in [1, 4, 8, 13, 61] {
            check::<u64>("isqrt(a)", ty, count, |a, _| root(a));
        }
        check::<u32>("isqrt(a)", ty, 61, |a, _| root(a));
        check::<u128>("isqrt(a)", ty, 61, |a, _| root(a));
    }
    check::<u64>("isqrt(a)", "u65536", 61, |a, _| root(a));
    check::<u64>("isqrt(a)", "u131072", 17, |a, _| root(a));
}

/// Squares and their neighbours, which quotients do not tell.
#[test]
fn roots_of_squares() {
    for (ty, half) in [("u8192", 4096), ("u12400", 6200), ("u16384", 8192), ("u65536", 32768)] {
        for (end, off) in [("", 0_i32), (" - 1", -1), (" + 1", 1)] {
            let text = format!("isqrt((a >> {half}) * (a >> {half}){end})");
            let bits: u32 = ty[1..].parse().unwrap();
            check::<u64>(&text, ty, 61, |a, _| {
                let modulus = BigInt::from(1) << bits;
                let square: BigInt = (a >> half) * (a >> half) + off;
                Ok(((square + &modulus) % modulus).sqrt())
            });
        }
    }
}
