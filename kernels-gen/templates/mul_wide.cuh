// mul_wide.cuh: all 2 * PADDED words of the quadratic product. docs/mul_classical.md.
//
// A thread computes the chunks that it owns of the lower half, as in mul_classical.cuh, and those CHUNKS
// further. Chunk k has k + 1 blocks and chunk CHUNKS + k the other CHUNKS - k, so both together are one loop
// of the same length in every thread. The carry out of the lower half enters the upper one.
//
// An instance of one thread takes rows: no word passes through shared memory.
//
// Signed factors are extended by their sign to PADDED words; a sign bit then counts -2^(32 PADDED) more than
// it does unsigned, so the other factor is subtracted from the upper half.
//
// Shared memory per instance: as in mul_classical.cuh, L and H of 2 PADDED words. Barriers: those of
// mul_classical.cuh, two more for the extension, two for the carry, and those of the resolutions of both
// halves.

// The words of the lower half, and the upper half with the counts that its runs owe.
struct Halves {
  Num low;
  Sum high;
};

// A number of 2 * PADDED words.
struct Wide {
  Num low, high;
};

template <class F>
__device__ __forceinline__ void each_word(const Wide& x, const Place& at, F f) {
  each_word(x.low, at, f);
  each_word(x.high, at, [&](unsigned word, unsigned value) { f(PADDED + word, value); });
}

template <class F>
__device__ __forceinline__ void each_vector(const Wide& x, const Place& at, F f) {
  each_vector(x.low, at, f);
  each_vector(x.high, at, [&](unsigned word, uint4 four) { f(PADDED + word, four); });
}

// Chunks k and CHUNKS + k, for k below CHUNKS.
__device__ __forceinline__ void convolve_both(unsigned (&low)[6], unsigned (&high)[6], const unsigned* slot, unsigned k) {
  const uint4* a = (const uint4*)slot;
  const uint4* b = (const uint4*)(slot + FACTOR_WORDS);
  unsigned row = 0;
  int window = (int)k;
  Rows acc = {};
  uint4 upper = b[window];
#pragma unroll 1
  for (unsigned block = 0; block <= CHUNKS; block++) {
    if (block == k + 1) {
      sum_of_rows(low, acc);
      acc = {};
      row = k;
      window = CHUNKS;
      upper = make_uint4(0, 0, 0, 0);
    }
    const uint4 lower = b[--window];
    mad_block(acc, a[row++], upper, lower);
    upper = lower;
  }
  sum_of_rows(high, acc);
}

// x with its sign, bit BITS - 1, in all bits above it.
__device__ __forceinline__ void sign_extend(Num& x, bool negative, const Place& at) {
  const Num ones = number_of(at, [&](unsigned word) {
    return negative && word >= FULL_WORDS ? word == FULL_WORDS ? ~TOP_MASK : ~0u : 0;
  });
  x = bit_or(x, ones);
}

// The upper half of unsigned factors, as that of factors of two's complement.
__device__ __forceinline__ Sum signed_upper(const Sum& high, const Num& x, const Num& y, bool x_negative, bool y_negative) {
  const Num zero = {};
  return sub(sub(high, select(x_negative, y, zero)), select(y_negative, x, zero));
}

// By rows, in one thread: a word of x times y, and the lowest word of the sum leaves.
__device__ __forceinline__ Halves multiply_rows(const Num& x, const Num& y) {
  Halves z;
  Partial sum = {};
#pragma unroll
  for (unsigned i = 0; i < V; i++) {
    const Carried carried = first_product(sum, x.w[0][i], y.w[0]);
    z.low.w[0][i] = sum.even[0];
    move_down(sum, carried, 0);
  }
  unsigned odd[V] = {sum.low};
#pragma unroll
  for (unsigned i = 1; i < V; i++) odd[i] = sum.odd[i - 1];
  z.high.owed[0] = (int)add_run(z.high.num.w[0], sum.even, odd);
  return z;
}

// The product of two numbers, unsigned or of two's complement.
template <bool SIGNED>
__device__ __forceinline__ Halves multiply(Num x, Num y, unsigned* slot, unsigned* exchange, const Place& at) {
  constexpr unsigned SIGN_WORD = (BITS - 1) / 32, SIGN_BIT = (BITS - 1) % 32;
  if constexpr (THREADS == 1 && RUNS == 1) {
    const bool x_negative = SIGNED && x.w[0][SIGN_WORD] >> SIGN_BIT & 1, y_negative = SIGNED && y.w[0][SIGN_WORD] >> SIGN_BIT & 1;
    if (SIGNED && BITS != PADDED * 32) {
      sign_extend(x, x_negative, at);
      sign_extend(y, y_negative, at);
    }
    Halves z = multiply_rows(x, y);
    if (SIGNED) z.high = signed_upper(z.high, x, y, x_negative, y_negative);
    return z;
  }
  stage_factors(slot, x, y, at);
  const bool x_negative = SIGNED && slot[SIGN_WORD] >> SIGN_BIT & 1;
  const bool y_negative = SIGNED && slot[FACTOR_WORDS + SIGN_WORD] >> SIGN_BIT & 1;
  if (SIGNED && BITS != PADDED * 32) {
    sign_extend(x, x_negative, at);
    sign_extend(y, y_negative, at);
    stage_factors(slot, x, y, at);
  }
  unsigned acc[2 * CHUNKS_PER_THREAD][6];
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) convolve_both(acc[2 * i], acc[2 * i + 1], slot, owned_chunk(i, at));
  instance_barrier();
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) {
    publish(slot, 2 * PADDED, acc[2 * i], owned_chunk(i, at), at);
    publish(slot, 2 * PADDED, acc[2 * i + 1], CHUNKS + owned_chunk(i, at), at);
  }
  instance_barrier();
  const Sum low = gather_product(slot, 2 * PADDED, 0, at);
  Sum high = gather_product(slot, 2 * PADDED, CHUNKS, at);

  int leaving;
  Halves z;
  z.low = resolve_words<0>(low, leaving, exchange, at);
  instance_barrier();
  if (at.rank == LANES - 1 && at.warp == WARPS - 1) slot[0] = (unsigned)leaving;
  instance_barrier();
  unsigned count[V] = {at.rank == 0 && at.warp == 0 ? slot[0] : 0};
  high.owed[0] += (int)add_run(high.num.w[0], high.num.w[0], count);
  z.high = SIGNED ? signed_upper(high, x, y, x_negative, y_negative) : high;
  return z;
}

// Clears the bits from 2 * BITS on of a half whose first word is word `first` of the number.
__device__ __forceinline__ void truncate_half(Num& x, unsigned first, const Place& at) {
  constexpr unsigned FULL = 2 * BITS / 32, MASK = (1u << (2 * BITS % 32)) - 1;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      const unsigned word = first + at.word(c) + v;
      if (word >= FULL) x.w[c][v] &= word == FULL ? MASK : 0;
    }
}

// x * y, all 2 * BITS bits.
template <bool SIGNED>
__device__ __forceinline__ Wide mul_wide(const Num& x, const Num& y, unsigned* slot, unsigned* exchange, const Place& at) {
  const Halves halves = multiply<SIGNED>(x, y, slot, exchange, at);
  int leaving;
  Wide z = {halves.low, resolve_words<SIGNED ? -2 : 0>(halves.high, leaving, exchange, at)};
  if (SIGNED && BITS != PADDED * 32) {
    truncate_half(z.low, 0, at);
    truncate_half(z.high, PADDED, at);
  }
  return z;
}
