// inverse_thread_odd.cuh: 1 / a mod n of odd n by one thread. docs/modinv.md.
//
// A round multiplies d and e by at most 1 and adds a multiple between -n / 2 and n / 2: after all rounds they are
// below 2^4 n for numbers of up to 256 bits.

struct Inverse {
  Num number;
  bool fails;
};

// In 0 .. n - 1; it fails if a and n have a common divisor. Modulo 1 it is 0.
__device__ __noinline__ Inverse inverse_modulo_odd(Num a, Num modulus, const Jump* jumps) {
  int n[L], f[L], g[L], d[L] = {}, e[L] = {1};
  limbs_of(n, modulus);
  limbs_of(g, a);
#pragma unroll
  for (unsigned i = 0; i < L; i++) f[i] = n[i];
  const unsigned inverse = 0 - 4 * inverse_of_word(modulus.w[0]);
  int theta = 0;
#pragma unroll 1
  while (any_limb(g)) {
    const Steps t = thirty_steps((unsigned)f[0], (unsigned)g[0], theta, jumps);
    const int d_times = (int)(inverse * ((unsigned)t.u * (unsigned)d[0] + (unsigned)t.v * (unsigned)e[0])) >> 2;
    const int e_times = (int)(inverse * ((unsigned)t.q * (unsigned)d[0] + (unsigned)t.r * (unsigned)e[0])) >> 2;
    apply_steps<false>(f, g, t, n, 0, 0);
    apply_steps<true>(d, e, t, n, d_times, e_times);
  }
  const bool negative = f[L - 1] < 0;
  negate_limbs(f, negative);
  add_limbs(f, n, 0);
  int other = f[0] ^ 1;
#pragma unroll
  for (unsigned i = 1; i < L; i++) other |= f[i];
  negate_limbs(d, negative);
  add_limbs(d, n, 0);
#pragma unroll 1
  for (int i = 4; i-- > 0;) add_limbs(d, n, d[L - 1] < 0 ? 1 << i : -(1 << i));
#pragma unroll 1
  for (unsigned i = 0; i < 3; i++) add_limbs(d, n, i == 1 ? -1 : d[L - 1] < 0);
  return {number_of_limbs(d), other != 0};
}
