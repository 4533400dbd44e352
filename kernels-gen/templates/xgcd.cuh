// xgcd.cuh: Bezout coefficients within a warp, by division steps and exact divisions. docs/xgcd.md.
//
// x a + y b = g. Without their common powers of two, one of a and b is odd: the modulus m, which is b if b is
// odd; n is the other one. A cofactor of n mod m is reduced to the c nearest to 0 mod m / g. The other
// coefficient is (g - c n) / m.
//
// Shared memory: a slot of 4 PADDED words, of which either half holds LANES * L limbs. Barriers: of the warp.

// x = (x + digit m + row n) / 2^30.
template <bool ROWS, unsigned I = 0>
__device__ __forceinline__ void exact_limbs(int (&x)[L], const int (&m)[L], const int (&n)[L], int digit, int row, LimbSum& z) {
  if constexpr (I < L) {
    z.sum += mul_signed(digit, m[I]) + x[I];
    if constexpr (ROWS) z.sum += mul_signed(row, n[I]);
    z.pass<I>(x);
    exact_limbs<ROWS, I + 1>(x, m, n, digit, row, z);
  }
}

// x = (x - row n - digit m) / 2^30 for the digit that leaves no remainder, which is returned; `inverse` is 1
// / m mod 2^30.
template <bool ROWS>
__device__ __forceinline__ unsigned exact_step(int (&x)[L], const int (&m)[L], const int (&n)[L], unsigned inverse, int row, const Place& at) {
  unsigned lowest = of_rank((unsigned)x[0], 0, at);
  if (ROWS) lowest -= (unsigned)row * of_rank((unsigned)n[0], 0, at);
  const unsigned digit = lowest * inverse & LIMB30_MASK;
  LimbSum z = {};
  exact_limbs<ROWS>(x, m, n, -(int)digit, -row, z);
  z.close(x, at);
  return digit;
}

// Writes the limbs of (x - c n) / m mod 2^(30 LANES L), for odd m, to `quotient`; c are the limbs at `rows`,
// or 0 without ROWS. x is overwritten.
template <bool ROWS>
__device__ __forceinline__ void exact_quotient(unsigned* quotient, int (&x)[L], const int (&m)[L], const int (&n)[L], const unsigned* rows, const Place& at) {
  const unsigned inverse = inverse_of_word(of_rank((unsigned)m[0], 0, at));
#pragma unroll 1
  for (unsigned j = 0; j < LANES * L; j++) {
    const unsigned digit = exact_step<ROWS>(x, m, n, inverse, ROWS ? (int)rows[j] : 0, at);
    if (at.rank == 0) quotient[j] = digit;
  }
  instance_barrier();
}

// The index of the highest nonzero limb of f, which is positive and carried.
__device__ __forceinline__ unsigned highest_limb(const int (&f)[L], const Place& at) {
  unsigned highest = 0, some = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    highest = f[i] != 0 ? at.rank * L + i : highest;
    some |= (unsigned)f[i];
  }
  return of_rank(highest, 31 - __clz((int)votes(some != 0, at)), at);
}

// d / 2^(30 scale) mod q, nearest to 0, for odd q; d is positive and below 2^(30 scale + 30).
__device__ __forceinline__ void least_residue(int (&d)[L], const int (&q)[L], unsigned scale, const Place& at) {
  const unsigned inverse = inverse_of_word(of_rank((unsigned)q[0], 0, at)), steps = warp_max(scale);
  int x[L];
#pragma unroll
  for (unsigned i = 0; i < L; i++) x[i] = d[i];
#pragma unroll 1
  for (unsigned j = 1; j <= steps; j++) {
    exact_step<false>(x, q, q, inverse, 0, at);
#pragma unroll
    for (unsigned i = 0; i < L; i++) d[i] = j == scale ? x[i] : d[i];
  }
  // Above -q and below 2^30.
  carry_limbs(d, at);
  add_limbs(d, q, is_below_zero(d, at) ? 1 : 0, at);
  if (highest_limb(q, at) == 0 && at.rank == 0) d[0] = (int)((unsigned)d[0] % (unsigned)q[0]);
#pragma unroll
  for (unsigned i = 0; i < L; i++) x[i] = 2 * d[i] - q[i];
  carry_limbs(x, at);
  add_limbs(d, q, is_below_zero(x, at) ? 0 : -1, at);
}

struct Coefficients {
  Num x, y;
};

// The requested Bezout coefficients; both are 0 for a = b = 0.
template <bool SIGNED, bool X, bool Y>
__device__ __forceinline__ Coefficients xgcd(const Num& a, const Num& b, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool a_negative = is_negative<SIGNED>(a, at), b_negative = is_negative<SIGNED>(b, at);
  const Num either = bit_or(a, b);
  const bool none = is_zero(either, at);
  const unsigned twos = trailing_zeros(either, at);
  unsigned *const a_words = slot + 2 * PADDED, *const b_words = slot + 3 * PADDED;
  stage_alone(a_words, absolute<SIGNED>(a, exchange, at), at);
  stage_alone(b_words, absolute<SIGNED>(b, exchange, at), at);
  const bool swapped = !(bits_from(b_words, PADDED, (int)twos) & 1);
  const auto load = [&](int (&m)[L], int (&n)[L]) {
    load_limbs(m, swapped ? a_words : b_words, PADDED, twos, at);
    // It is odd for a = b = 0, too.
    m[0] |= at.rank == 0;
    // The same position, hidden from the compiler, which would otherwise keep the addresses of all loads.
    load_limbs(n, swapped ? b_words : a_words, PADDED, __shfl_sync(~0u, twos, at.lane), at);
  };
  int m[L], n[L], g[L], c[L], q[L];
  load(m, n);
  const unsigned scale = highest_limb(m, at);
  cofactor(g, c, n, m, scale, at);
  exact_quotient<false>(slot, m, g, g, slot, at);
#pragma unroll
  for (unsigned i = 0; i < L; i++) q[i] = (int)slot[at.rank * L + i];
  least_residue(c, q, scale, at);
  Num direct = words_of_limbs(c, slot, at), other = {};
  truncate(direct, at);
  if (__any_sync(~0u, swapped ? X : Y)) {
    load(m, n);
    unsigned* const rows = a_words;
    instance_barrier();
#pragma unroll
    for (unsigned i = 0; i < L; i++) rows[at.rank * L + i] = (unsigned)c[i];
    instance_barrier();
    exact_quotient<true>(slot, g, m, n, rows, at);
    other = words_of_slot(slot, at);
    truncate(other, at);
  }
  const Num x = select(none, Num{}, select(swapped, other, direct)), y = select(swapped, direct, other);
  return {with_sign<SIGNED>(a_negative, x, exchange, at), with_sign<SIGNED>(b_negative, y, exchange, at)};
}
