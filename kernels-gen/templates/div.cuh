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
// Shared memory: a slot of PADDED words with the padding of lanes. Barriers: of the warp.

// Fewest words per lane: a carry owed to the last lane is below the words that it reads.
constexpr unsigned FEWEST_WORDS = LANES == 1 ? 2 : 8;

struct Division {
  Num quotient, remainder;
};

// What the steps leave: the lane's words of the remainder, shifted, with zeros above, and how many they are.
template <unsigned N>
struct Rest {
  unsigned words[N];
  unsigned per_lane, shift;
};

// The steps for divisors of at most LANES * S words. The divisor is in the slot; `stage` puts the WORDS words
// of the dividend there, and the quotient's take their place.
template <unsigned S, unsigned WORDS, unsigned N, class Stage>
__device__ __forceinline__ Rest<N> divide_by(const Divisor& by, unsigned digits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  const unsigned shift = 32 * LANES * S - v_bits, first = at.rank * S;
  unsigned d[S], x[S + 1];
  read_bits(d, slot, PADDED, 32 * (int)first - (int)shift);
  stage();
  read_bits(x, slot, WORDS, 32 * (int)(first + digits) - (int)shift);
#pragma unroll
  for (unsigned i = 0; i < S; i++) x[i] = ~x[i];
  divide_steps<S>(x, d, by, slot, digits, shift, at);
  Rest<N> rest = {};
  rest.per_lane = S;
  rest.shift = shift;
#pragma unroll
  for (unsigned i = 0; i < S; i++) rest.words[i] = ~x[i];
  return rest;
}

// Whether S words per lane may be halved: several lanes store their parts in vectors of four words.
template <unsigned S, unsigned FEWEST>
constexpr bool HALVES = S % (LANES == 1 ? 4 : 8) == 0 && S / 2 >= FEWEST;

// Uses the fewest words per lane, but FEWEST, that hold all divisors of the warp; the longest has `longest`
// bits.
template <unsigned S, unsigned FEWEST, unsigned WORDS, unsigned N, class Stage>
__device__ __forceinline__ Rest<N> divide_shortest(const Divisor& by, unsigned digits, unsigned v_bits, unsigned longest, unsigned* slot, const Place& at, Stage stage) {
  if constexpr (HALVES<S, FEWEST>) {
    if (longest <= 32 * LANES * (S / 2)) return divide_shortest<S / 2, FEWEST, WORDS, N>(by, digits, v_bits, longest, slot, at, stage);
  }
  return divide_by<S, WORDS, N>(by, digits, v_bits, slot, at, stage);
}

// The quotient, whose words are in the slot, and the remainder.
template <unsigned N>
__device__ __forceinline__ Division take_division(const Rest<N>& rest, unsigned per_lane, unsigned digits, unsigned* slot, const Place& at) {
  constexpr unsigned FOUR = piece_of(V);
  Division z;
  __syncwarp();
  z.quotient = take_lane(slot, at, [&](unsigned word, unsigned value) { return word < digits ? value : 0; });
  __syncwarp();
  unsigned* const to = slot + place_of(at.rank * per_lane);
#pragma unroll
  for (unsigned i = 0; i < N; i += FOUR) {
    if (i >= per_lane) continue;
    if constexpr (FOUR == 4) *(uint4*)(to + i) = four_of(rest.words, i);
    else to[i] = rest.words[i];
  }
  __syncwarp();
  read_bits<FOUR == 4>(z.remainder.w[0], slot, (LANES * per_lane + FOUR - 1) / FOUR * FOUR, 32 * (int)at.word(0) + (int)rest.shift);
  return z;
}

// u / v; u_bits and v_bits are their lengths. `stage` puts the WORDS words of u into the slot. There is one
// copy of the code around the steps for divisors that take all words of a lane, and one for others.
template <unsigned WORDS, unsigned FEWEST = FEWEST_WORDS, class Stage>
__device__ __forceinline__ Division divide_in_steps(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  const unsigned digits = warp_max(u_bits < v_bits ? 0 : ((u_bits - v_bits) / 32 + 2) / 2 * 2), longest = warp_max(v_bits);
  stage_lanes(slot, v, at);
  Divisor by(slot, v_bits);
  if constexpr (HALVES<V, FEWEST>) {
    if (longest <= 32 * LANES * (V / 2)) {
      by.take_three();
      const Rest<V / 2> rest = divide_shortest<V / 2, FEWEST, WORDS, V / 2>(by, digits, v_bits, longest, slot, at, stage);
      return take_division(rest, rest.per_lane, digits, slot, at);
    }
  }
  if constexpr (STEP<V> == 2) by.take_three();
  return take_division(divide_by<V, WORDS, V>(by, digits, v_bits, slot, at, stage), V, digits, slot, at);
}
