// mul_high.cuh: the upper half of the quadratic product. All columns of mul_classical.cuh are computed, a second share
// of chunks for each thread; what the lower half carries out enters the upper one.
//
// Shared memory per instance: L and H of 2 PADDED words. Barriers: those of mul_classical.cuh, two for the carry, two for
// the shift if BITS is not the whole width, and those of two resolutions.

// floor(x * y / 2^BITS), unsigned or of two's complement numbers.
template <bool SIGNED>
__device__ __forceinline__ Sum mul_high(const Num& x, const Num& y, unsigned* slot, unsigned* exchange, const Place& at) {
  stage_factors(slot, x, y, at);
  const unsigned sign_word = (BITS - 1) / 32, sign_bit = (BITS - 1) % 32;
  const bool x_negative = slot[sign_word] >> sign_bit & 1, y_negative = slot[MUL_B + sign_word] >> sign_bit & 1;
  unsigned acc[2 * CHUNKS_PER_THREAD][6];
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) {
    convolve(acc[2 * i], slot, owned_chunk(i, at));
    convolve(acc[2 * i + 1], slot, CHUNKS + owned_chunk(i, at));
  }
  instance_barrier();
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) {
    publish(slot, 2 * PADDED, acc[2 * i], owned_chunk(i, at), at);
    publish(slot, 2 * PADDED, acc[2 * i + 1], CHUNKS + owned_chunk(i, at), at);
  }
  instance_barrier();
  const Sum low_sum = gather_product(slot, 2 * PADDED, 0, at);
  Sum high_sum = gather_product(slot, 2 * PADDED, CHUNKS, at);

  // What the low half carries out enters the high half.
  int leaving;
  const Num low = resolve_words<0>(low_sum, leaving, exchange, at);
  instance_barrier();
  if (at.rank == LANES - 1 && at.warp == WARPS - 1) slot[0] = (unsigned)leaving;
  instance_barrier();
  unsigned count[V] = {at.rank == 0 && at.warp == 0 ? slot[0] : 0};
  high_sum.owed[0] += (int)add_run(high_sum.num.w[0], high_sum.num.w[0], count);
  Num high = resolve_words<0>(high_sum, leaving, exchange, at);

  if (BITS != PADDED * 32) {
    instance_barrier();
    stage_words(slot, low, at);
    stage_words(slot + PADDED, high, at);
    instance_barrier();
    high = number_of(at, [&](unsigned word) {
      const unsigned from = word + BITS / 32;
      return funnel(from < 2 * PADDED ? slot[from] : 0, from + 1 < 2 * PADDED ? slot[from + 1] : 0, BITS % 32);
    });
    truncate(high, at);
  }
  // A sign bit counts -2^BITS more than it does unsigned.
  const Num zero = {};
  if (!SIGNED) return add(high, zero);
  return sub(sub(high, select(x_negative, y, zero)), select(y_negative, x, zero));
}
