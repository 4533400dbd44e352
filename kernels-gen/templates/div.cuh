// div.cuh: division with remainder, word by word, within a warp. docs/div.md.
//
// The divisor is shifted up to D = LANES * S words, its highest bit at the top; the dividend is shifted along. A window of
// D words under the next word of the dividend then gives one word of the quotient: three words by two (Moller and Granlund
// 2011, algorithms 4 to 6) estimate it in the last lane, every lane subtracts its part of the multiple. S is the smallest of
// V, V / 2, V / 4 and so on that holds the divisors of all instances of the warp, so that short divisors cost little, and
// the steps are as many as the longest quotient of the warp needs.
//
// The window is kept complemented, ~x = -x - 1: subtracting a multiple is then adding it, one chain of multiply-adds. What leaves a lane
// is owed to the next one and paid in its next step, one word higher. The last lane's view is therefore too large by less than
// one word that it does not look at, and an estimate is never too small. Where it is too large the window falls below 0, which
// the last lane sees then or one step later: `repair` adds the divisor back. Rare, but for made-up operands.
//
// Shared memory: a slot of PADDED words. Barriers: of the warp.

// Of words per lane: below the three words of the estimate there must be one for what is owed.
constexpr unsigned FEWEST_WORDS = LANES == 1 ? 2 : 4;

struct Division {
  Num quotient, remainder;
};

// floor((B^3 - 1) / (d1 B + d0)) - B; the highest bit of d1 is set.
__device__ __forceinline__ unsigned reciprocal(unsigned d1, unsigned d0) {
  unsigned inverse = (unsigned)((~0ull - ((unsigned long long)d1 << 32)) / d1);
  unsigned p = d1 * inverse + d0;
  if (p < d0) {
    inverse--;
    if (p >= d1) {
      inverse--;
      p -= d1;
    }
    p -= d1;
  }
  const unsigned long long t = (unsigned long long)inverse * d0;
  const unsigned high = (unsigned)(t >> 32);
  p += high;
  if (p < high) {
    inverse--;
    if (p > d1 || (p == d1 && (unsigned)t >= d0)) inverse--;
  }
  return inverse;
}

// floor((u2 B^2 + u1 B + u0) / (d1 B + d0)), or B - 1 if that is larger.
__device__ __forceinline__ unsigned three_by_two(unsigned u2, unsigned u1, unsigned u0, unsigned d1, unsigned d0, unsigned inverse) {
  const unsigned long long d = (unsigned long long)d1 << 32 | d0, u = (unsigned long long)u2 << 32 | u1;
  const unsigned long long q = (unsigned long long)inverse * u2 + u;
  unsigned digit = (unsigned)(q >> 32);
  unsigned long long rest = (unsigned long long)(u1 - digit * d1) << 32 | u0;
  rest -= d + (unsigned long long)digit * d0;
  digit++;
  if ((unsigned)(rest >> 32) >= (unsigned)q) {
    digit--;
    rest += d;
  }
  if (rest >= d) digit++;
  return u >= d ? ~0u : digit;
}

// slot[from] B^from and what lies above it, less `amount`.
__device__ __forceinline__ void borrow_from(unsigned* slot, unsigned from, unsigned end, unsigned amount) {
  for (; from < end && amount != 0; from++) {
    const unsigned word = slot[from];
    slot[from] = word - amount;
    amount = word < amount;
  }
}

// Pays what lanes owe and adds the divisor to windows below 0; returns how often. `high` is the word above the window in the
// last lane, also complemented: all ones unless the window is below 0.
template <unsigned S>
__device__ __forceinline__ unsigned repair(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned high, unsigned long long owed, const Place& at) {
  const unsigned received[S] = {of_lane_below((unsigned)owed, 0, at), of_lane_below((unsigned)(owed >> 32), 0, at)};
  high += add_across(x, received, at);
  unsigned times = 0;
  for (;;) {
    const bool negative = any_of_instance(at.rank == LAST_RANK && high != ~0u, at);
    if (!__any_sync(~0u, negative)) return times;
    unsigned addend[S];
#pragma unroll
    for (unsigned i = 0; i < S; i++) {
      x[i] = ~x[i];
      addend[i] = negative ? d[i] : 0;
    }
    high -= add_across(x, addend, at);
#pragma unroll
    for (unsigned i = 0; i < S; i++) x[i] = ~x[i];
    times += negative;
  }
}

// The steps with S words to a lane: `slot` holds `steps` words of the shifted dividend and then the quotient's.
template <unsigned S>
__device__ __forceinline__ void divide_steps(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned* slot, unsigned steps, const Place& at) {
  const unsigned inverse = reciprocal(d[S - 1] | 0x80000000u, d[S - 2]);
  unsigned owed = 0;
  for (unsigned j = steps; j-- > 0;) {
    unsigned high = x[S - 1];
    const unsigned low = of_lane_below(high, ~slot[j], at), owed_below = of_lane_below(owed, 0, at);
#pragma unroll
    for (unsigned i = S - 1; i > 0; i--) x[i] = x[i - 1];
    x[0] = low;
    unsigned digit = three_by_two(~high, ~x[S - 1], ~x[S - 2], d[S - 1], d[S - 2], inverse);
    digit = of_rank(digit, LAST_RANK, at);
    const unsigned long long leaving = add_multiple<S>(x, digit, d, owed_below);
    owed = (unsigned)leaving;
    high += owed;
    if (__any_sync(~0u, leaving >> 32 != 0 || (at.rank == LAST_RANK && high != ~0u))) {
      const unsigned times = repair<S>(x, d, high, leaving, at);
      if (at.rank == 0 && digit < times) borrow_from(slot, j + 1, steps, 1);
      digit -= times;
      owed = 0;
    }
    if (at.rank == 0) slot[j] = digit;
  }
  const unsigned times = repair<S>(x, d, ~0u, owed, at);
  if (at.rank == 0) borrow_from(slot, 0, steps, times);
}

// u / v for divisors of at most LANES * S words; u_bits and v_bits are their lengths.
template <unsigned S>
__device__ __forceinline__ Division divide_by(const Num& u, const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at) {
  constexpr unsigned D = LANES * S;
  const unsigned shift = 32 * D - v_bits;
  const unsigned steps = warp_max(u_bits < v_bits ? 0 : (u_bits - v_bits) / 32 + 1);
  const unsigned first = at.rank * S;
  unsigned d[S], x[S + 1];
  stage_alone(slot, v, at);
#pragma unroll
  for (unsigned i = 0; i < S; i++) d[i] = bits_from(slot, PADDED, 32 * (int)(first + i) - (int)shift);
  stage_alone(slot, u, at);
#pragma unroll
  for (unsigned i = 0; i < S; i++) x[i] = ~bits_from(slot, PADDED, 32 * (int)(first + i + steps) - (int)shift);
  const Num digits = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, 32 * (int)word - (int)shift); });
  stage_alone(slot, digits, at);
  divide_steps<S>(x, d, slot, steps, at);
  instance_barrier();
  Division z;
  z.quotient = number_of(at, [&](unsigned word) { return word < steps ? slot[word] : 0; });
  instance_barrier();
#pragma unroll
  for (unsigned i = 0; i < S; i++) slot[first + i] = ~x[i];
  instance_barrier();
  z.remainder = number_of(at, [&](unsigned word) { return bits_from(slot, D, 32 * (int)word + (int)shift); });
  return z;
}

// With the fewest words per lane that hold all divisors of the warp.
template <unsigned S>
__device__ __forceinline__ Division divide_shortest(const Num& u, const Num& v, unsigned u_bits, unsigned v_bits, unsigned longest, unsigned* slot, const Place& at) {
  if constexpr (S % 4 == 0 && S / 2 >= FEWEST_WORDS) {
    if (longest <= 32 * LANES * (S / 2)) return divide_shortest<S / 2>(u, v, u_bits, v_bits, longest, slot, at);
  }
  return divide_by<S>(u, v, u_bits, v_bits, slot, at);
}

// Quotient and remainder of unsigned numbers; `by_zero` where v is 0, the results are then those of v = 1.
__device__ __forceinline__ Division div_rem(const Num& u, const Num& v, bool& by_zero, unsigned* slot, const Place& at) {
  const unsigned u_bits = bit_length(u, at), v_bits = bit_length(v, at);
  by_zero = v_bits == 0;
  const Num divisor = number_of(at, [&](unsigned word) { return by_zero && word == 0; });
  return divide_shortest<V>(u, bit_or(v, divisor), u_bits, by_zero ? 1 : v_bits, warp_max(v_bits), slot, at);
}
