// primality.cuh: the test of Baillie, Pomerance, Selfridge and Wagstaff (1980): small factors, a strong test
// to the base 2, and a strong Lucas test. docs/primality.md.
//
// After each part, a warp is done if all its numbers have an answer.
//
// Shared memory: a slot of 4 PADDED words. Barriers: of the warp.

// Whether 2^d = 1 or 2^(d 2^r) = -1 for an r below s, where n - 1 = d 2^s for odd n: squares and doublings
// along the bits of n - 1, whose last s squares decide. `one` is R mod n.
__device__ __forceinline__ bool is_strong_to_base_two(const Num& one, const Montgomery& m, unsigned* slot, const Place& at) {
  Num less = m.n, power = one;
  if (at.rank == 0) less.w[0][0]--;
  const unsigned s = trailing_zeros(less, at);
  stage_alone(slot + PADDED, less, at);
  bool passes = false;
#pragma unroll 1
  for (unsigned i = warp_max(bit_length(less, at)); i-- > 1;) {
    stage_alone(slot, power, at);
    power = montgomery_mul(power, slot, m, at);
    const bool doubles = bits_from(slot + PADDED, PADDED, (int)i) & 1;
    power = select(doubles, montgomery_double(power, m, at), power);
    if (__any_sync(~0u, i <= s)) {
      const bool is_one = is_zero(bit_xor(power, one), at), minus_one = is_zero(montgomery_add(power, one, m, at), at);
      passes |= (i == s && is_one) || (i <= s && minus_one);
    }
  }
  return passes;
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
  open &= is_strong_to_base_two(one, m, slot, at);
  if (!__any_sync(~0u, open)) return prime;
  const bool passes = is_strong_lucas(open, one, m, slot, exchange, at);
  return prime || passes;
}
