// cofactor.cuh: greatest common divisors with an odd modulus, and the cofactor of the other number, by
// division steps within a warp. docs/modinv.md.
//
// The steps of gcd.cuh on f = m and g = n, with d n = s f and e n = s g mod m: d and e start as 0 and s and
// get the same steps, divided by 2^30 after a multiple of m was added. It is between -2^29 and 2^29, so a
// round increases them by at most m / 2. This needs no signs and a few more bits.
//
// Barriers: of the warp.

// The bits of 1 + (rounds of 30 steps) / 2.
constexpr unsigned bits_of_multiples() {
  const unsigned long long steps = (45907ull * BITS + 26313) / 19929, multiples = 1 + (steps + 29) / 30 / 2;
  unsigned bits = 0;
  while (multiples >> bits != 0) bits++;
  return bits;
}

// The multiple of the modulus that goes with u d + v e: it makes the lowest 30 bits 0. `inverse` is -4 /
// modulus mod 2^32.
__device__ __forceinline__ int multiple_of_modulus(int u, int v, int d, int e, unsigned inverse) {
  return (int)(inverse * ((unsigned)u * (unsigned)d + (unsigned)v * (unsigned)e)) >> 2;
}

template <unsigned I = 0>
__device__ __forceinline__ void step_cofactors(int (&d)[L], int (&e)[L], const int (&f)[L], const Steps& t, int d_times, int e_times, LimbSum& x, LimbSum& y) {
  if constexpr (I < L) {
    x.sum = x.sum + mul_signed(t.u, d[I]) + mul_signed(t.v, e[I]) + mul_signed(d_times, f[I]);
    y.sum = y.sum + mul_signed(t.q, d[I]) + mul_signed(t.r, e[I]) + mul_signed(e_times, f[I]);
    x.pass<I>(d);
    y.pass<I>(e);
    step_cofactors<I + 1>(d, e, f, t, d_times, e_times, x, y);
  }
}

// (d, e) after the steps; `inverse` is -4 / modulus mod 2^32.
__device__ __forceinline__ void apply_to_cofactors(int (&d)[L], int (&e)[L], const int (&modulus)[L], unsigned inverse, const Steps& t, const Place& at) {
  const int d0 = (int)of_rank((unsigned)d[0], 0, at), e0 = (int)of_rank((unsigned)e[0], 0, at);
  const int d_times = multiple_of_modulus(t.u, t.v, d0, e0, inverse);
  const int e_times = multiple_of_modulus(t.q, t.r, d0, e0, inverse);
  LimbSum x = {}, y = {};
  step_cofactors(d, e, modulus, t, d_times, e_times, x, y);
  x.close(d, at);
  y.close(e, at);
}

// Sets f to the gcd of g and the odd modulus, carried, and d in 0 .. modulus - 1 with d g = s f mod modulus,
// where s = 2^(30 scale) is below the modulus. g is overwritten. Modulo 1, d is 0.
__device__ __forceinline__ void cofactor(int (&f)[L], int (&d)[L], int (&g)[L], const int (&modulus)[L], unsigned scale, const Place& at) {
  int e[L];
  const bool trivial = is_one(modulus, at);
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    f[i] = modulus[i];
    d[i] = 0;
    e[i] = at.rank * L + i == scale && !trivial;
  }
  const unsigned inverse = 0 - 4 * inverse_of_word(of_rank((unsigned)modulus[0], 0, at));
  int theta = 0;
  while (any_limb(g)) {
    const Steps steps = divsteps(of_rank((unsigned)f[0], 0, at), of_rank((unsigned)g[0], 0, at), theta);
    apply_steps(f, g, steps, at);
    apply_to_cofactors(d, e, modulus, inverse, steps, at);
  }
  negate_limbs(d, absolute_limbs(f, at));
  carry_limbs(d, at);
#pragma unroll 1
  for (unsigned i = bits_of_multiples(); i-- > 0;) add_limbs(d, modulus, is_below_zero(d, at) ? 1 << i : -(1 << i), at);
  // Between -modulus and modulus; both are 0 modulo 1.
#pragma unroll 1
  for (unsigned i = 0; i < 3; i++) add_limbs(d, modulus, i == 1 ? -1 : is_below_zero(d, at), at);
}
