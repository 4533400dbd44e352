// div_wide.cuh: divisions of numbers of twice the words within a warp. docs/div.md. Shared memory: a slot of
// two numbers with the padding of lanes.

// The number with these halves of PADDED words, divided by v, or by 1 if `by_zero`. The lower half of the
// quotient is kept.
__device__ __forceinline__ Division divide_halves(const Num& low, const Num& high, const Num& v, bool by_zero, unsigned* slot, const Place& at) {
  const unsigned high_bits = bit_length(high, at), low_bits = bit_length(low, at), v_bits = bit_length(v, at);
  const unsigned bits = high_bits == 0 ? low_bits : 32 * PADDED + high_bits, divisor_bits = by_zero ? 1 : v_bits;
  const auto stage = [&] {
    __syncwarp();
    each_word(low, at, [&](unsigned word, unsigned value) { slot[place_of(word)] = value; });
    each_word(high, at, [&](unsigned word, unsigned value) { slot[place_of(PADDED + word)] = value; });
    __syncwarp();
  };
  return divide_long<2 * PADDED>(bit_or(v, truth(by_zero, at)), bits, divisor_bits, slot, at, stage);
}

struct WideDivision {
  Num quotient, remainder;
  bool by_zero, is_long;
};

// (high 2^BITS + low) / v; `is_long` if the quotient has more than BITS bits.
__device__ __forceinline__ WideDivision divide_wide(const Num& high, const Num& low, const Num& v, unsigned* slot, unsigned* exchange, const Place& at) {
  WideDivision z;
  z.by_zero = is_zero(v, at);
  z.is_long = order<false>(high, v, exchange, at) >= 0;
  Num lower = low, upper = high;
  if constexpr (BITS != 32 * PADDED) {
    stage_lanes(slot, high, at);
    read_bits(lower.w[0], slot, PADDED, 32 * (int)at.word(0) - (int)BITS);
    read_bits(upper.w[0], slot, PADDED, 32 * (int)(PADDED + at.word(0)) - (int)BITS);
    lower = bit_or(lower, low);
  }
  const Division division = divide_halves(lower, upper, v, z.by_zero, slot, at);
  z.quotient = division.quotient;
  truncate(z.quotient, at);
  z.remainder = division.remainder;
  return z;
}
