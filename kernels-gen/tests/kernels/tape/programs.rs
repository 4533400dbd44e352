//! Small programs.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

#[test]
fn squarings_modulo_each_number() {
    let text = "in N, x\nin t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y";
    let n = ints(&[1_000_003, 1, 6, 999_999_999_999_999_989, 0]);
    let (x, t) = (ints(&[5, 7, 9, 123_456_789, 3]), ints(&[10, 3, 2, 100, 1]));
    let run = Run::new(text, 5, &[("N", "u500", n), ("x", "u500", x), ("t", "u64", t)]);
    let found = run.check(&[7, 100]);
    assert_eq!(found.results[0][0], BigInt::from(5).modpow(&BigInt::from(1024), &BigInt::from(1_000_003)));
    let failures = [None, None, Some((Why::EvenModulus, 3)), None, Some((Why::ZeroModulus, 3))];
    assert_eq!(found.failures, failures);
}
