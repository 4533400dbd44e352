// div.cuh: division with remainder, one or two words of the quotient at a time, within a warp. docs/div.md.
//
// The divisor is shifted up to D = LANES * S words, with its top bit set; the dividend is shifted by as much.
// A window of D words above the next two words of the dividend gives two words of the quotient: the last lane
// estimates them by an inverse of the divisor's top three words, and every lane subtracts its part of the
// multiple. If all words of a lane are in use, a step computes one word, estimated as three words by two
// (Moller and Granlund 2011, algorithms 4 to 6). S is the smallest of V, V / 2, V / 4 and so on that holds
// the divisors of all instances of the warp, so short divisors cost little. The number of steps is that of
// the warp's longest quotient.
//
// The window is stored complemented, ~x = -x - 1: subtracting a multiple is then an addition. The carry out
// of a lane is owed to the next lane, which adds it in its next step, two words higher. The last lane's view
// is therefore too large by less than one unit of the lowest word that it reads, and an estimate is never too
// small. If it is too large, the window becomes negative, which the last lane sees at once or some steps
// later: `repair` adds the divisor back. This is rare for random operands.
//
// Shared memory: a slot of PADDED words with the padding of lanes. Barriers: of the warp.

// Fewest words per lane: a carry owed to the last lane is below the words that it reads.
constexpr unsigned FEWEST_WORDS = LANES == 1 ? 2 : 8;

struct Division {
  Num quotient, remainder;
};

// The next word of B^6 / (d B + d0), from the remainder u B + u0, which is updated. If u is d, this word and
// all others are B - 1, which is at most two too large in the last of three.
__device__ __forceinline__ unsigned next_of_inverse(unsigned long long& u, unsigned& u0, unsigned long long d, unsigned d0, unsigned inverse) {
  if (u >= d) return ~0u;
  unsigned digit = three_by_two(u, u0, d, inverse);
  const unsigned long long product = mul_words(digit, d0);
  const unsigned low = (unsigned)product;
  const unsigned long long taken = (product >> 32) + (low != 0);
  const bool negative = u < taken;
  u -= taken;
  u0 = 0 - low;
  if (negative) {
    digit--;
    u0 += d0;
    u += d + (u0 < d0);
  }
  return digit;
}

// Three words of the inverse of 0.d1 d0 ..., without its leading 1.
struct Inverse {
  unsigned w2, w1, w0;

  // For words `d` and d0, with the top bit of d set: three words of B^6 / (d B + d0) below its leading 1, at
  // most one too small in the last word.
  __device__ __forceinline__ Inverse(unsigned long long d, unsigned d0) {
    const unsigned first = reciprocal((unsigned)(d >> 32), (unsigned)d);
    unsigned long long rest = ~d;
    unsigned below = 0 - d0;
    rest += d0 == 0;
    w2 = next_of_inverse(rest, below, d, d0, first);
    w1 = next_of_inverse(rest, below, d, d0, first);
    w0 = next_of_inverse(rest, below, d, d0, first);
  }
};

// Two words of a quotient from the top three words of the dividend and the inverse of the divisor: never too
// small, as the omitted terms are less than ROUNDED_UP in units of 1/B (docs/div.md), and at most one too
// large.
__device__ __forceinline__ unsigned long long two_digits(unsigned u2, unsigned u1, unsigned u0, const Inverse& inverse) {
  constexpr unsigned ROUNDED_UP = 9;
  const unsigned long long high = mul_words(u2, inverse.w2);
  const unsigned long long x = mad_words(u2, inverse.w1, (unsigned long long)u0 + __umulhi(u0, inverse.w2));
  const unsigned long long y = mad_words(u1, inverse.w2, (unsigned long long)__umulhi(u2, inverse.w0) + __umulhi(u1, inverse.w1));
  const unsigned long long units = (unsigned long long)(unsigned)x + (unsigned)y + ROUNDED_UP;
  const unsigned long long low = (x >> 32) + (y >> 32) + (unsigned)high + u1 + (units >> 32);
  const unsigned long long top = (high >> 32) + u2 + (low >> 32);
  return top >> 32 != 0 ? ~0ull : top << 32 | (unsigned)low;
}

// Subtracts `amount` from the number in a slot from word `from` on.
__device__ __forceinline__ void borrow_from(unsigned* slot, unsigned from, unsigned end, unsigned amount) {
  for (; from < end && amount != 0; from++) {
    const unsigned word = slot[place_of(from)];
    slot[place_of(from)] = word - amount;
    amount = word < amount;
  }
}

// Adds the owed carries, and the divisor to negative windows; returns how often. `high` are the two words
// above the window in the last lane, also complemented: all ones unless the window is negative.
template <unsigned S>
__device__ __forceinline__ unsigned repair(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned long long high, const Leaving& owed, const Place& at) {
  unsigned addend[S];
#pragma unroll
  for (unsigned i = 0; i < S; i++) {
    const unsigned word = i == 0 ? (unsigned)owed.words : i == 1 ? (unsigned)(owed.words >> 32) : owed.above;
    addend[i] = i < 3 ? of_lane_below(word, 0, at) : 0;
  }
  high += add_across(x, addend, at);
  unsigned times = 0;
  for (;;) {
    const bool negative = any_of_instance(at.rank == LAST_RANK && high != ~0ull, at);
    if (!__any_sync(~0u, negative)) return times;
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

// The top words of the divisor, in the last lane, with the inverse for estimates of one word.
struct Divisor {
  unsigned long long top;
  unsigned inverse;

  template <unsigned S>
  __device__ __forceinline__ explicit Divisor(const unsigned (&d)[S]) : top(top_of(d)), inverse(reciprocal((unsigned)(top >> 32), (unsigned)top)) {}

  // Other lanes must not divide by zero.
  template <unsigned S>
  static __device__ __forceinline__ unsigned long long top_of(const unsigned (&d)[S]) {
    return (unsigned long long)(d[S - 1] | 0x80000000u) << 32 | d[S - 2];
  }
};

template <unsigned S>
__device__ __forceinline__ Inverse inverse_of(const unsigned (&d)[S]) {
  return Inverse(Divisor::top_of(d), S > 2 ? d[S > 2 ? S - 3 : 0] : 0);
}

// The words of the shifted dividend, from the top down, two at a time.
struct Digits {
  const unsigned* slot;
  int word;          // with the upper bits of the next digit
  unsigned bits;     // of the shift
  unsigned above;    // the word at `word`

  __device__ __forceinline__ Digits(const unsigned* slot, unsigned digits, unsigned shift)
      : slot(slot), word((int)(digits - 1) - (int)(shift / 32)), bits(shift % 32), above(at(word)) {}

  __device__ __forceinline__ unsigned at(int index) const { return index >= 0 ? slot[place_of((unsigned)index)] : 0; }

  __device__ __forceinline__ unsigned next() {
    const unsigned below = at(--word), digit = __funnelshift_l(below, above, bits);
    above = below;
    return digit;
  }
};

// A step of one word: the window moves up by it, the last lane estimates, all lanes subtract. Returns the
// estimate; `high` are the words above the window in the last lane afterwards.
template <unsigned S>
__device__ __forceinline__ unsigned long long step_by_one(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned long long& high, Leaving& owed, Digits& dividend, const Divisor& divisor, const Place& at) {
  high = ~0ull << 32 | x[S - 1];
  const unsigned low = of_lane_below(x[S - 1], ~dividend.next(), at);
  const unsigned owed_below = of_lane_below((unsigned)owed.words, 0, at);
#pragma unroll
  for (unsigned i = S - 1; i > 0; i--) x[i] = x[i - 1];
  x[0] = low;
  unsigned long long rest = ~(high << 32 | x[S - 1]);
  const bool largest = rest >= divisor.top;
  const unsigned estimate = three_by_two(rest, ~x[S - 2], divisor.top, divisor.inverse);
  const unsigned digit = of_rank(largest ? ~0u : estimate, LAST_RANK, at);
  owed = {add_multiple<S>(x, digit, d, owed_below), 0};
  return digit;
}

// A step of two words.
template <unsigned S>
__device__ __forceinline__ unsigned long long step_by_two(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned long long& high, Leaving& owed, Digits& dividend, const Inverse& inverse, const Place& at) {
  high = (unsigned long long)x[S - 1] << 32 | x[S - 2];
  const unsigned next1 = ~dividend.next(), next0 = ~dividend.next();
  const unsigned low1 = of_lane_below(x[S - 1], next1, at), low0 = of_lane_below(x[S - 2], next0, at);
  const unsigned owed1 = of_lane_below((unsigned)(owed.words >> 32), 0, at), owed0 = of_lane_below((unsigned)owed.words, 0, at);
#pragma unroll
  for (unsigned i = S - 1; i > 1; i--) x[i] = x[i - 2];
  x[1] = low1;
  x[0] = low0;
  const unsigned long long estimate = two_digits(~(unsigned)(high >> 32), ~(unsigned)high, ~x[S - 1], inverse);
  const unsigned digit1 = of_rank((unsigned)(estimate >> 32), LAST_RANK, at), digit0 = of_rank((unsigned)estimate, LAST_RANK, at);
  owed = add_two_multiples<S>(x, digit1, digit0, d, (unsigned long long)owed1 << 32 | owed0);
  return (unsigned long long)digit1 << 32 | digit0;
}

// The steps with S words per lane. The `digits` words of the quotient, an even number, replace the dividend's
// in the slot. Steps of two words take twice the registers: if all words of a lane are in use, there is room
// for steps of one word only.
template <unsigned S>
__device__ __forceinline__ void divide_steps(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned* slot, unsigned digits, unsigned shift, const Place& at) {
  constexpr unsigned STEP = S == V && S > 16 ? 1 : 2;
  const auto by = [&] {
    if constexpr (STEP == 1) return Divisor(d);
    else return inverse_of(d);
  }();
  Digits dividend(slot, digits, shift);
  Leaving owed = {0, 0};
  // Two steps of two words save moves of the window between registers after each step. With few words per
  // lane there are more warps and too few registers for it.
#pragma unroll(STEP == 2 && V > 16 ? 2 : 1)
  for (unsigned j = digits; j > 0;) {
    j -= STEP;
    unsigned long long high, quotient;
    if constexpr (STEP == 1) quotient = step_by_one<S>(x, d, high, owed, dividend, by, at);
    else quotient = step_by_two<S>(x, d, high, owed, dividend, by, at);
    high += owed.words;
    // After the last step no carries are owed.
    if (__any_sync(~0u, j == 0 || (owed.above | (STEP == 1 ? (unsigned)(owed.words >> 32) : 0)) != 0 || (at.rank == LAST_RANK && high != ~0ull))) {
      const unsigned times = repair<S>(x, d, high, owed, at);
      if (at.rank == 0 && quotient < times) borrow_from(slot, j + STEP, digits, 1);
      quotient -= times;
      owed = {0, 0};
    }
    __syncwarp();  // all lanes have read the dividend's words that these take the place of
    if (at.rank == 0) {
      slot[place_of(j)] = (unsigned)quotient;
      if (STEP == 2) slot[place_of(j + 1)] = (unsigned)(quotient >> 32);
    }
  }
}

// u / v for divisors of at most LANES * S words; u_bits and v_bits are their lengths. `stage` puts the WORDS
// words of u into the slot.
template <unsigned S, unsigned WORDS, class Stage>
__device__ __forceinline__ Division divide_by(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  constexpr unsigned D = LANES * S;
  const unsigned shift = 32 * D - v_bits, first = at.rank * S;
  const unsigned digits = warp_max(u_bits < v_bits ? 0 : ((u_bits - v_bits) / 32 + 2) / 2 * 2);
  unsigned d[S], x[S + 1];
  stage_lanes(slot, v, at);
  read_bits(d, slot, PADDED, 32 * (int)first - (int)shift);
  stage();
  read_bits(x, slot, WORDS, 32 * (int)(first + digits) - (int)shift);
#pragma unroll
  for (unsigned i = 0; i < S; i++) x[i] = ~x[i];
  divide_steps<S>(x, d, slot, digits, shift, at);
  __syncwarp();
  Division z;
  z.quotient = take_lane(slot, at, [&](unsigned word, unsigned value) { return word < digits ? value : 0; });
  unsigned rest[S];
#pragma unroll
  for (unsigned i = 0; i < S; i++) rest[i] = ~x[i];
  __syncwarp();
  put_lane(slot, first, rest);
  __syncwarp();
  read_bits<D % 4 == 0>(z.remainder.w[0], slot, D, 32 * (int)at.word(0) + (int)shift);
  return z;
}

// Uses the fewest words per lane that hold all divisors of the warp; the longest has `longest` bits.
template <unsigned S, unsigned WORDS, class Stage>
__device__ __forceinline__ Division divide_shortest(const Num& v, unsigned u_bits, unsigned v_bits, unsigned longest, unsigned* slot, const Place& at, Stage stage) {
  if constexpr (S % 4 == 0 && S / 2 >= FEWEST_WORDS) {
    if (longest <= 32 * LANES * (S / 2)) return divide_shortest<S / 2, WORDS>(v, u_bits, v_bits, longest, slot, at, stage);
  }
  return divide_by<S, WORDS>(v, u_bits, v_bits, slot, at, stage);
}

template <unsigned WORDS, class Stage>
__device__ __forceinline__ Division divide_in_steps(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  return divide_shortest<V, WORDS>(v, u_bits, v_bits, warp_max(v_bits), slot, at, stage);
}
