// div.cuh: division with remainder, one or two words of the quotient at a time, within a warp. docs/div.md.
//
// The divisor is shifted up to D = LANES * S words, with its top bit set; the dividend is shifted by as much.
// A window of D words above the next two words of the dividend gives two words of the quotient: the last lane
// estimates them by an inverse of the divisor's top three words, and every lane subtracts its part of the
// multiple. If all words of a lane are in use, a step computes one word, estimated as three words by two
// (Moller and Granlund 2011, algorithms 4 to 6). S is the smallest of V, V / 2, V / 4 and so on, down to
// FEWEST_WORDS, that holds the divisors of all instances of the warp, so short divisors cost little. The number
// of steps is that of the warp's longest quotient.
//
// Shared memory: a slot of PADDED words with the padding of lanes. Barriers: of the warp.

struct Division {
  Num quotient, remainder;
};

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

// Uses the fewest words per lane, but FEWEST, that hold all divisors of the warp; the longest has `longest`
// bits.
template <unsigned S, unsigned WORDS, unsigned FEWEST, class Stage>
__device__ __forceinline__ Division divide_shortest(const Num& v, unsigned u_bits, unsigned v_bits, unsigned longest, unsigned* slot, const Place& at, Stage stage) {
  if constexpr (S % 4 == 0 && S / 2 >= FEWEST) {
    if (longest <= 32 * LANES * (S / 2)) return divide_shortest<S / 2, WORDS, FEWEST>(v, u_bits, v_bits, longest, slot, at, stage);
  }
  return divide_by<S, WORDS>(v, u_bits, v_bits, slot, at, stage);
}

template <unsigned WORDS, unsigned FEWEST = FEWEST_WORDS, class Stage>
__device__ __forceinline__ Division divide_in_steps(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  return divide_shortest<V, WORDS, FEWEST>(v, u_bits, v_bits, warp_max(v_bits), slot, at, stage);
}
