// gcd_thread.cuh: greatest common divisors by one thread. docs/gcd.md.

// The zeros below the lowest one of x, which is not 0.
__device__ __forceinline__ unsigned low_zeros(const Num& x) {
  unsigned zeros = 0;
#pragma unroll
  for (unsigned i = W; i-- > 0;) zeros = x.w[i] != 0 ? 32 * i + (unsigned)__ffs((int)x.w[i]) - 1 : zeros;
  return zeros;
}

// gcd(a, b) of numbers without a sign: of their odd parts, times the common power of two.
__device__ __noinline__ Num common_divisor(Num a, Num b, const Jump* jumps) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  const unsigned a_zeros = low_zeros(a), b_zeros = low_zeros(b);
  int f[L], g[L];
  limbs_of(f, shifted_right(a, a_zeros, 0));
  limbs_of(g, shifted_right(b, b_zeros, 0));
  int theta = 0;
#pragma unroll 1
  while (any_limb(g)) apply_steps<false>(f, g, thirty_steps((unsigned)f[0], (unsigned)g[0], theta, jumps), f, 0, 0);
  negate_limbs(f, f[L - 1] < 0);
  add_limbs(f, f, 0);
  return shifted_left(number_of_limbs(f), a_zeros < b_zeros ? a_zeros : b_zeros);
}
