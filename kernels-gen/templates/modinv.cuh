// modinv.cuh: inverses modulo any number within a warp, by division steps. docs/modinv.md.
//
// The steps of gcd.cuh on an odd modulus f and a number g, with d a = f and e a = g mod f: they start as 0 and 1 and get the same
// steps, divided by 2^30 after a multiple of the modulus was added. It is between -2^29 and 2^29, so that a round makes them longer by
// half a modulus at most, which needs no signs meanwhile and a few more bits. The inverse modulo an even m is (1 - m y) / a + m for the inverse y of m modulo a, which is odd.
//
// Shared memory: a slot of 4 PADDED words, of which the lower half holds LANES * L limbs. Barriers: of the warp.

// The bits of 1 + (rounds of 30 steps) / 2.
constexpr unsigned bits_of_multiples() {
  const unsigned long long steps = (45907ull * BITS + 26313) / 19929, multiples = 1 + (steps + 29) / 30 / 2;
  unsigned bits = 0;
  while (multiples >> bits != 0) bits++;
  return bits;
}

// x += factor * f, with a carry over all limbs.
__device__ __forceinline__ void add_limbs(int (&x)[L], const int (&f)[L], int factor, const Place& at) {
  long long sum = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    sum += mul_signed(factor, f[i]) + x[i];
    const bool last = i + 1 == L && at.rank == LAST_RANK;
    x[i] = last ? (int)sum : (int)((unsigned)sum & LIMB30_MASK);
    sum >>= 30;
  }
  x[0] += (int)of_lane_below((unsigned)sum, 0, at);
  carry_limbs(x, at);
}

// The multiple of the modulus that goes with u d + v e: it makes the lowest 30 bits 0. `inverse` is -4 / modulus mod 2^32.
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

// Whether f, which has been carried, is 1.
__device__ __forceinline__ bool is_one(const int (&f)[L], const Place& at) {
  int other = at.rank == 0 ? f[0] ^ 1 : f[0];
#pragma unroll
  for (unsigned i = 1; i < L; i++) other |= f[i];
  return !any_of_instance(other != 0, at);
}

// 1 / a mod n in 0 .. n - 1 for odd n; `coprime` tells whether there is one.
__device__ __forceinline__ Num inverse_modulo_odd(const Num& a, const Num& n, bool& coprime, unsigned* slot, const Place& at) {
  int modulus[L], f[L], g[L], d[L], e[L];
  stage_alone(slot, a, at);
  load_limbs(g, slot, PADDED, 0, at);
  stage_alone(slot, n, at);
  // The same position, which the compiler does not know: else it keeps the addresses of all loads.
  load_limbs(modulus, slot, PADDED, __shfl_sync(~0u, 0u, at.lane), at);
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    f[i] = modulus[i];
    d[i] = e[i] = 0;
  }
  // Modulo 1 all is 0.
  const bool trivial = is_one(modulus, at);
  e[0] = at.rank == 0 && !trivial;
  const unsigned lowest = of_rank((unsigned)modulus[0], 0, at);
  unsigned inverse = lowest;
#pragma unroll
  for (unsigned i = 0; i < 4; i++) inverse *= 2 - lowest * inverse;
  inverse = 0 - 4 * inverse;
  int theta = 0;
  while (any_limb(g)) {
    const Steps steps = divsteps(of_rank((unsigned)f[0], 0, at), of_rank((unsigned)g[0], 0, at), theta);
    apply_steps(f, g, steps, at);
    apply_to_cofactors(d, e, modulus, inverse, steps, at);
  }
  carry_limbs(f, at);
  carry_limbs(d, at);
  const bool negative = is_below_zero(f, at);
  negate_limbs(f, negative);
  negate_limbs(d, negative);
  carry_limbs(f, at);
  carry_limbs(d, at);
  coprime = is_one(f, at);
#pragma unroll 1
  for (unsigned i = bits_of_multiples(); i-- > 0;) add_limbs(d, modulus, is_below_zero(d, at) ? 1 << i : -(1 << i), at);
  // Between -n and n; modulo 1 both are to be 0.
#pragma unroll 1
  for (unsigned i = 0; i < 3; i++) add_limbs(d, modulus, i == 1 ? -1 : is_below_zero(d, at), at);
  return words_of_limbs(d, slot, at);
}

// 1 / a mod m for even m >= 2 and odd a: from y = 1 / m mod a.
__device__ __forceinline__ Num inverse_modulo_even(const Num& y, const Num& a, const Num& m, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num inverse = inverse_of_odd(a, slot, exchange, at), one = truth(true, at);
  const Num product = low_product(m, y, slot, at);
  const Num difference = resolve<-1>(sub(one, product), exchange, at);
  return resolve<0>(add(low_product(difference, inverse, slot, at), m), exchange, at);
}

// Where |a| and |m| wait in the slot for the end of the steps.
constexpr unsigned NUMBER_AT = 2 * PADDED, MODULUS_AT = 3 * PADDED;

// The odd one of both: the modulus if it is odd, else the number; 1 if there is none.
__device__ __forceinline__ Num odd_of(const Num& number, const Num& modulus, const Place& at) {
  const bool even = !(of_rank(modulus.w[0][0], 0, at) & 1), even_number = !(of_rank(number.w[0][0], 0, at) & 1);
  return select(!even, modulus, select(even_number, truth(true, at), number));
}

// 1 / a mod |m| in 0 .. |m| - 1; `fails` where m is 0 or not coprime to a.
template <bool SIGNED>
__device__ __forceinline__ Num modinv(const Num& a, const Num& m, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool even = !(of_rank(m.w[0][0], 0, at) & 1), even_number = !(of_rank(a.w[0][0], 0, at) & 1), zero = is_zero(m, at);
  const bool negative = is_negative<SIGNED>(a, at);
  Num number = absolute<SIGNED>(a, exchange, at), modulus = absolute<SIGNED>(m, exchange, at);
  stage_alone(slot + NUMBER_AT, number, at);
  stage_alone(slot + MODULUS_AT, modulus, at);
  bool coprime;
  Num inverse = inverse_modulo_odd(select(even, modulus, number), odd_of(number, modulus, at), coprime, slot, at);
  fails = zero || !coprime || (even && even_number);
  modulus = number_of(at, [&](unsigned word) { return slot[MODULUS_AT + word]; });
  if (__any_sync(~0u, even)) {
    number = number_of(at, [&](unsigned word) { return slot[NUMBER_AT + word]; });
    const Num one = truth(true, at), odd = odd_of(number, modulus, at);
    // Modulo 1 it is to be 1 here.
    const bool trivial = is_zero(resolve<-1>(sub(odd, one), exchange, at), at);
    const Num y = select(trivial, one, inverse);
    inverse = select(even, inverse_modulo_even(y, odd, modulus, slot, exchange, at), inverse);
  }
  if (!SIGNED) return inverse;
  const bool none = is_zero(inverse, at);
  return select(negative && !none, resolve<-1>(sub(modulus, inverse), exchange, at), inverse);
}
