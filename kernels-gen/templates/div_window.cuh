// div_window.cuh: the steps of a division within a warp, one or two words of the quotient each. docs/div.md.
//
// The window is stored complemented, ~x = -x - 1: subtracting a multiple is then an addition. The carry out
// of a lane is owed to the next lane, which adds it in its next step, two words higher. The last lane's view
// is therefore too large by less than one unit of the lowest word that it reads, and an estimate is never too
// small. If it is too large, the window becomes negative, which the last lane sees at once or some steps
// later: `repair` adds the divisor back. This is rare for random operands.

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
  high += add_across_rarely(x, addend, at);
  unsigned times = 0;
  for (;;) {
    const bool negative = any_of_instance(at.rank == LAST_RANK && high != ~0ull, at);
    if (!__any_sync(~0u, negative)) return times;
#pragma unroll
    for (unsigned i = 0; i < S; i++) {
      x[i] = ~x[i];
      addend[i] = negative ? d[i] : 0;
    }
    high -= add_across_rarely(x, addend, at);
#pragma unroll
    for (unsigned i = 0; i < S; i++) x[i] = ~x[i];
    times += negative;
  }
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

// Words of a step. Steps of two words take twice the registers: if all words of a lane are in use, there is
// room for steps of one word only.
template <unsigned S>
constexpr unsigned STEP = S == V && S > 16 ? 1 : 2;

// The steps with S words per lane. The `digits` words of the quotient, an even number, replace the dividend's
// in the slot.
template <unsigned S>
__device__ __forceinline__ void divide_steps(unsigned (&x)[S + 1], const unsigned (&d)[S], unsigned* slot, unsigned digits, unsigned shift, const Place& at) {
  const auto by = [&] {
    if constexpr (STEP<S> == 1) return Divisor(d);
    else return inverse_of(d);
  }();
  Digits dividend(slot, digits, shift);
  Leaving owed = {0, 0};
  unsigned long long high, quotient;
  unsigned j = digits;
  // Returns whether the window must be repaired. After the last step no carries are owed.
  const auto step = [&] {
    j -= STEP<S>;
    if constexpr (STEP<S> == 1) quotient = step_by_one<S>(x, d, high, owed, dividend, by, at);
    else quotient = step_by_two<S>(x, d, high, owed, dividend, by, at);
    high += owed.words;
    return __any_sync(~0u, j == 0 || (owed.above | (STEP<S> == 1 ? (unsigned)(owed.words >> 32) : 0)) != 0 || (at.rank == LAST_RANK && high != ~0ull));
  };
  const auto repairs = [&] {
    const unsigned times = repair<S>(x, d, high, owed, at);
    if (at.rank == 0 && quotient < times) borrow_from(slot, j + STEP<S>, digits, 1);
    quotient -= times;
    owed = {0, 0};
  };
  const auto store = [&] {
    __syncwarp();  // all lanes have read the dividend's words that these take the place of
    if (at.rank == 0) {
      slot[place_of(j)] = (unsigned)quotient;
      if (STEP<S> == 2) slot[place_of(j + 1)] = (unsigned)(quotient >> 32);
    }
  };
#pragma unroll 1
  while (j > 0) {
    if constexpr (STEP<S> == 1) {
      if (step()) repairs();
    } else {
      // Repairs are outside the loop of steps, which would have two copies of them otherwise.
#pragma unroll 1
      for (;;) {
        if (step()) break;
        store();
        // Two steps of two words save moves of the window between registers after each step. With few words
        // per lane there are more warps and too few registers for it.
        if constexpr (V > 16) {
          if (step()) break;
          store();
        }
      }
      repairs();
    }
    store();
  }
}
