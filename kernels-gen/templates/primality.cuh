// primality.cuh: the test of Baillie, Pomerance, Selfridge and Wagstaff (1980): small factors, a strong test
// to the base 2, and a strong Lucas test. docs/primality.md.
//
// After each part, a warp is done if all its numbers have an answer.
//
// Shared memory: a slot of 4 PADDED words. Barriers: of the warp.

// Both tests for numbers that are `open`. Both go along the bits of an index, in one loop, so that there is
// one copy of the products' code. At bit i, with k = index >> i:
//
// * to the base 2, the index is n - 1, `low` is 2^k and `high` is 1;
// * of Lucas, it is (n + 1) / 2, and they are W_k and W_k+1.
//
// The index is d 2^s for odd d. At bit s of n - 1, n passes if low is 1 or -1, and below if low is -1. At bit
// s + 1 of (n + 1) / 2, it passes if low is high or -high, which is that U or V with index d is 0; and below
// if low is 0, as V with index d 2^r then is. `one` is R mod n.
__device__ __forceinline__ bool is_probable_prime(bool open, const Num& one, const Montgomery& m, unsigned* slot, unsigned* exchange, const Place& at) {
  Num low = one, high = one, index = m.n;
  if (at.rank == 0) index.w[0][0]--;
  stage_alone(slot + INDEX_AT, index, at);
  unsigned last = trailing_zeros(index, at);
  bool lucas = false, passes = false;
#pragma unroll 1
  for (unsigned i = warp_max(bit_length(index, at));; i--) {
    if (__any_sync(~0u, i <= last)) {
      const bool equal = is_zero(bit_xor(low, high), at), opposite = is_zero(montgomery_add(low, high, m, at), at), zero = is_zero(low, at);
      passes |= i == last ? equal || opposite : i < last && (lucas ? zero : opposite);
    }
    if (i == 1) {
      open &= passes;
      if (lucas || !__any_sync(~0u, open)) return open;
      const Ladder ladder = lucas_ladder(open, one, m, slot, exchange, at);
      low = ladder.low;
      high = ladder.high;
      last = ladder.zeros + 1;
      i = ladder.bits + 1;
      lucas = true;
      passes = false;
      continue;
    }
    const bool odd = bits_from(slot + INDEX_AT, PADDED, (int)i - 1) & 1, turns = lucas && odd;
    const Num factor = select(turns, high, low);
    Num cross = select(lucas && !odd, high, low), square = factor;
    stage_alone(slot, factor, at);
    // The product of both and the square of one; to the base 2, the square alone.
#pragma unroll 1
    for (unsigned j = lucas ? 0 : 1; j < 2; j++) {
      const Num product = montgomery_mul(cross, slot, m, at);
      Num addend = select(odd, product, Num{});
      if (lucas) addend = staged_words(slot + (j == 0 ? LESS_P_AT : LESS_TWO_AT), at);
      cross = square;
      square = montgomery_add(product, addend, m, at);
    }
    low = select(turns, cross, square);
    high = select(!lucas, high, select(odd, square, cross));
  }
}

template <bool SIGNED>
__device__ __forceinline__ bool is_prime(const Num& n, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned bits = bit_length(n, at);
  stage_alone(slot, n, at);
  const bool negative = is_negative<SIGNED>(n, at);
  const Verdict verdict = small_factors(slot, bits, at);
  const bool prime = !negative && verdict == PRIME;
  bool open = !negative && verdict == OPEN;
  const unsigned longest = warp_max(open ? bits : 0);
  if (longest == 0) return prime;
  // Another odd number of the same length, if the answer is known.
  const Montgomery m = montgomery(select(open, n, mask((int)longest, at)), steps_for(longest), at);
  const Num one = montgomery_one(m, at);
  const bool passes = is_probable_prime(open, one, m, slot, exchange, at);
  return prime || passes;
}
