// mul_high.cuh: the upper half of the quadratic product, from all its words (mul_wide.cuh).
//
// Shared memory per instance: that of mul_wide.cuh. Barriers: those of mul_wide.cuh, and two for the shift if
// BITS is not the whole width.

// floor(x * y / 2^BITS), unsigned or of two's complement numbers. A run owes -2 to 2.
template <bool SIGNED>
__device__ __forceinline__ Sum mul_high(const Num& x, const Num& y, unsigned* slot, unsigned* exchange, const Place& at) {
  if (BITS == PADDED * 32) return multiply<SIGNED>(x, y, slot, exchange, at).high;
  const Wide product = mul_wide<SIGNED>(x, y, slot, exchange, at);
  instance_barrier();
  stage_words(slot, product.low, at);
  stage_words(slot + PADDED, product.high, at);
  instance_barrier();
  Num high = number_of(at, [&](unsigned word) {
    const unsigned from = word + BITS / 32;
    return funnel(from < 2 * PADDED ? slot[from] : 0, from + 1 < 2 * PADDED ? slot[from + 1] : 0, BITS % 32);
  });
  truncate(high, at);
  return add(high, Num{});
}
