//! Integer intrinsics against Rust's own.

use limbforge_emulate::Schedule;
use limbforge_needs::needs;
use proptest::prelude::*;

use crate::{build, kernel};

const RESULTS: usize = 28;

/// Each thread takes two words and a shift and writes all results.
const BODY: &str = "if (i >= instances) return;
  const unsigned x = a[i], y = b[i], s = c[i];
  const unsigned long long wide = (unsigned long long)y << 32 | x, other = wide * 0x9e3779b97f4a7c15ull;
  unsigned* o = out + 28 * i;
  *o++ = __popc(x);
  *o++ = __popcll(wide);
  *o++ = __clz(x);
  *o++ = __clzll(wide);
  *o++ = __ffs(x);
  *o++ = __ffsll(wide);
  *o++ = __brev(x);
  *o++ = (unsigned)__brevll(wide);
  *o++ = (unsigned)(__brevll(wide) >> 32);
  *o++ = __umulhi(x, y);
  *o++ = __mulhi((int)x, (int)y);
  *o++ = (unsigned)__umul64hi(wide, other);
  *o++ = (unsigned)(__umul64hi(wide, other) >> 32);
  *o++ = (unsigned)__mul64hi((long long)wide, (long long)other);
  *o++ = (unsigned)(__mul64hi((long long)wide, (long long)other) >> 32);
  *o++ = __funnelshift_l(x, y, s);
  *o++ = __funnelshift_r(x, y, s);
  *o++ = __funnelshift_lc(x, y, s);
  *o++ = __funnelshift_rc(x, y, s);
  *o++ = __byte_perm(x, y, s);
  *o++ = __dp4a(x, y, s);
  *o++ = __dp4a((int)x, (int)y, (int)s);
  *o++ = min(x, y);
  *o++ = max((int)x, (int)y);
  *o++ = (unsigned)((unsigned __int128)wide * other >> 64 >> 32);
  const uint4 v = make_uint4(x, y, s, 0);
  const dim3 d(x, y);
  *o++ = v.x ^ v.z;
  *o++ = d.z + d.y;
  *o++ = sizeof(uint4) + alignof(uint2);";

fn expected(x: u32, y: u32, s: u32) -> [u32; RESULTS] {
    let wide = u64::from(y) << 32 | u64::from(x);
    let other = wide.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let low_bit = |zeros: u32, bits: u32| if zeros == bits { 0 } else { zeros + 1 };
    let unsigned_high = ((u128::from(wide) * u128::from(other)) >> 64) as u64;
    let signed_high = ((i128::from(wide as i64) * i128::from(other as i64)) >> 64) as u64;
    let left = |s: u32| if s == 32 { x } else { ((wide << s) >> 32) as u32 };
    let right = |s: u32| if s == 32 { y } else { (wide >> s) as u32 };
    let bytes = wide.to_le_bytes();
    let permuted = core::array::from_fn(|i| {
        let nibble = s >> (4 * i) & 15;
        let byte = bytes[nibble as usize & 7];
        if nibble & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    });
    let pairs = || x.to_le_bytes().into_iter().zip(y.to_le_bytes());
    let dot = pairs().fold(s, |sum, (a, b)| sum.wrapping_add(u32::from(a) * u32::from(b)));
    let signed_dot =
        pairs().fold(s as i32, |sum, (a, b)| sum.wrapping_add(i32::from(a as i8) * i32::from(b as i8)));
    [
        x.count_ones(),
        wide.count_ones(),
        x.leading_zeros(),
        wide.leading_zeros(),
        low_bit(x.trailing_zeros(), 32),
        low_bit(wide.trailing_zeros(), 64),
        x.reverse_bits(),
        wide.reverse_bits() as u32,
        (wide.reverse_bits() >> 32) as u32,
        ((u64::from(x) * u64::from(y)) >> 32) as u32,
        ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32,
        unsigned_high as u32,
        (unsigned_high >> 32) as u32,
        signed_high as u32,
        (signed_high >> 32) as u32,
        left(s % 32),
        right(s % 32),
        left(s.min(32)),
        right(s.min(32)),
        u32::from_le_bytes(permuted),
        dot,
        signed_dot as u32,
        x.min(y),
        (x as i32).max(y as i32) as u32,
        (unsigned_high >> 32) as u32,
        x ^ s,
        y.wrapping_add(1),
        24,
    ]
}

fn word() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), Just(0), Just(u32::MAX), Just(1 << 31), 0..70u32]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[needs(cxx)]
    #[test]
    fn intrinsics_are_those_of_cuda(words in prop::collection::vec((word(), word(), word()), 1..100)) {
        let bits = build(&kernel(&["a", "b", "c"], 32, 0, BODY));
        let column = |f: fn(&(u32, u32, u32)) -> u32| words.iter().map(f).collect::<Vec<_>>();
        let (a, b, c) = (column(|w| w.0), column(|w| w.1), column(|w| w.2));
        let n = words.len();
        let found = bits.run_limbs::<u32>(&[&a, &b, &c], RESULTS * n, n as u64, Schedule::Ascending).unwrap();
        for (found, &(x, y, s)) in found.chunks(RESULTS).zip(&words) {
            prop_assert_eq!(found, expected(x, y, s), "x = {:#x}, y = {:#x}, s = {:#x}", x, y, s);
        }
    }
}
