// modinv.cuh: inverses modulo any number within a warp, by division steps. docs/modinv.md.
//
// The steps of gcd.cuh on an odd modulus f and a number g, with d a = f and e a = g mod f: they start as 0 and 1 and get the same
// steps, divided by 2^30 after a multiple of the modulus was added. That it is negative where d or e is keeps both between -2 f and f,
// as in libsecp256k1. The inverse modulo an even m is (1 - m y) / a + m for the inverse y of m modulo a, which is odd.
//
// Shared memory: a slot of 4 PADDED words, of which the lower half holds LANES * L limbs. Barriers: of the warp.

// -1 if f is below 0, else 0, of limbs as steps leave them: the lowest limb of a lane may be below 0 or above 2^30 - 1. The highest
// lane whose limbs are not 0 decides, after what is carried into it: -1 there may be a 0. Wrong of numbers at most that are
// small beside a lane's, so that ranges hardly notice.
__device__ __forceinline__ int sign_of(const int (&f)[L], const Place& at) {
  constexpr int MOST = (int)LIMB30_MASK;
  int some = 0, all = MOST;
#pragma unroll
  for (unsigned i = 1; i + 1 < L; i++) {
    some |= f[i];
    all &= f[i];
  }
  // One lane: its limbs are below 2^30, and the last one has the sign.
  const int low = L > 1 ? f[0] : 0, carry = low >> 30;
  const int upper = f[L - 1] + (carry > 0 && all == MOST ? 1 : carry < 0 && some == 0 ? -1 : 0);
  const bool ones = all == MOST && (L == 1 || low == MOST);
  const bool minus_one = upper == -1 && (carry == 0 ? ones : carry < 0 && low == -1);
  const bool zero = upper == 0 && (carry == 0 ? (some | low) == 0 : carry > 0 && all == MOST && low == MOST + 1);
  const bool below = upper < 0;
  if (LANES == 1) return below ? -1 : 0;
  const unsigned generate = __ballot_sync(~0u, upper > MOST) & PASSING_LANES, passing = __ballot_sync(~0u, carry == 0 && ones && f[L - 1] == MOST) & PASSING_LANES;
  unsigned none = 0;
  const bool gets = carries_into_lanes(generate, passing, none) >> at.lane & 1;
  const unsigned lanes = of_instance(__ballot_sync(~0u, !zero), at);
  const unsigned negative = of_instance(__ballot_sync(~0u, below && !(minus_one && gets)), at);
  return negative > (lanes ^ negative) ? -1 : 0;
}

// x += factor * f, with a carry over all limbs.
__device__ __forceinline__ void add_limbs(int (&x)[L], const int (&f)[L], int factor, const Place& at) {
#pragma unroll
  for (unsigned i = 0; i < L; i++) x[i] += factor * f[i];
  carry_limbs(x, at);
}

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
  // Between -2 n and n, or a little beyond.
  while (__any_sync(~0u, is_below_zero(d, at))) add_limbs(d, modulus, is_below_zero(d, at), at);
  bool below;
  do {
    add_limbs(d, modulus, -1, at);
    below = is_below_zero(d, at);
    add_limbs(d, modulus, below, at);
  } while (__any_sync(~0u, !below));
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
