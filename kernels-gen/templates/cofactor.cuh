// cofactor.cuh: greatest common divisors with an odd modulus, and the cofactor of the other number, by division steps within a warp.
// docs/modinv.md.
//
// The steps of gcd.cuh on f = m and g = n, with d n = s f and e n = s g mod m: d and e start as 0 and s and get the same steps, divided by
// 2^30 after a multiple of m was added. That it is chosen by their signs keeps both between -2 m and m, as in libsecp256k1.
//
// Barriers: of the warp.

// The multiple of the modulus that goes with u d + v e: it makes the lowest 30 bits 0.
__device__ __forceinline__ int multiple_of_modulus(int u, int v, int d, int e, int d_sign, int e_sign, unsigned inverse) {
  const unsigned sum = (unsigned)u * (unsigned)d + (unsigned)v * (unsigned)e;
  // Without signs: the compiler else makes a number of 64 bits of it.
  const unsigned multiple = (unsigned)(u & d_sign) + (unsigned)(v & e_sign);
  return (int)(multiple - ((inverse * sum + multiple) & LIMB30_MASK));
}

template <unsigned I = 0>
__device__ __forceinline__ void step_cofactors(int (&d)[L], int (&e)[L], const int (&f)[L], const Steps& t, int d_times, int e_times, LimbSum& x, LimbSum& y) {
  if constexpr (I < L) {
    const long long a = opaque(d[I]), b = opaque(e[I]), m = opaque(f[I]);
    x.sum += t.u * a;
    x.sum += t.v * b;
    x.sum += d_times * m;
    y.sum += t.q * a;
    y.sum += t.r * b;
    y.sum += e_times * m;
    x.pass<I>(d);
    y.pass<I>(e);
    step_cofactors<I + 1>(d, e, f, t, d_times, e_times, x, y);
  }
}

// (d, e) after the steps; `inverse` is 1 / modulus mod 2^30.
__device__ __forceinline__ void apply_to_cofactors(int (&d)[L], int (&e)[L], const int (&modulus)[L], unsigned inverse, const Steps& t, const Place& at) {
  const int d_sign = sign_of(d, at), e_sign = sign_of(e, at);
  const int d0 = (int)of_rank((unsigned)d[0], 0, at), e0 = (int)of_rank((unsigned)e[0], 0, at);
  const int d_times = multiple_of_modulus(t.u, t.v, d0, e0, d_sign, e_sign, inverse);
  const int e_times = multiple_of_modulus(t.q, t.r, d0, e0, d_sign, e_sign, inverse);
  // Else the compiler keeps the numbers of 64 bits that it has made of them before, and no longer sees products of words.
  const Steps factors = {opaque(t.u), opaque(t.v), opaque(t.q), opaque(t.r)};
  LimbSum x = {}, y = {};
  step_cofactors(d, e, modulus, factors, d_times, e_times, x, y);
  x.close(d, at);
  y.close(e, at);
}

// f becomes the greatest common divisor of g and the odd modulus, carried, and d in 0 .. modulus - 1 that with d g = s f mod modulus, where
// s = 2^(30 scale) is below the modulus; g is lost. Modulo 1 d is 0.
__device__ __forceinline__ void cofactor(int (&f)[L], int (&d)[L], int (&g)[L], const int (&modulus)[L], unsigned scale, const Place& at) {
  int e[L];
  const bool trivial = is_one(modulus, at);
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    f[i] = modulus[i];
    d[i] = 0;
    e[i] = at.rank * L + i == scale && !trivial;
  }
  const unsigned inverse = inverse_of_word(of_rank((unsigned)modulus[0], 0, at));
  int theta = 0;
  while (any_limb(g)) {
    const Steps steps = divsteps(of_rank((unsigned)f[0], 0, at), of_rank((unsigned)g[0], 0, at), theta);
    apply_steps(f, g, steps, at);
    apply_to_cofactors(d, e, modulus, inverse, steps, at);
  }
  negate_limbs(d, absolute_limbs(f, at));
  carry_limbs(d, at);
  // Between -2 modulus and modulus, or with the other sign.
  while (__any_sync(~0u, is_below_zero(d, at))) add_limbs(d, modulus, is_below_zero(d, at), at);
  bool below;
  do {
    add_limbs(d, modulus, -1, at);
    below = is_below_zero(d, at);
    add_limbs(d, modulus, below, at);
  } while (__any_sync(~0u, !below));
}
