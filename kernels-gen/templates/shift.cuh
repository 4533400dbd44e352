// shift.cuh: shifts by a constant number of bits. docs/shift.md. Words go through the instance's shared
// memory, PADDED words; every thread reads the words that determine its results. Two barriers.

__device__ __forceinline__ void stage_alone(unsigned* slot, const Num& x, const Place& at) {
  instance_barrier();
  stage_words(slot, x, at);
  instance_barrier();
}

template <unsigned N>
__device__ __forceinline__ Num shift_left(const Num& x, unsigned* slot, const Place& at) {
  stage_alone(slot, x, at);
  // A word below 0 wraps to a large number.
  Num z = number_of(at, [&](unsigned word) {
    const unsigned from = word - N / 32;
    const unsigned high = from <= word ? slot[from] : 0;
    const unsigned low = N % 32 && from - 1 < word ? slot[from - 1] : 0;
    return N % 32 ? high << N % 32 | low >> (32 - N % 32) : high;
  });
  truncate(z, at);
  return z;
}

// A word of the number in `slot` with copies of its sign above BITS, or zeros.
template <bool SIGNED>
__device__ __forceinline__ unsigned extended_word(const unsigned* slot, unsigned word) {
  const unsigned value = word < PADDED ? slot[word] : 0;
  if (!SIGNED || word < FULL_WORDS) return value;
  const unsigned sign = slot[(BITS - 1) / 32] >> (BITS - 1) % 32 & 1 ? ~0u : 0;
  return word == FULL_WORDS ? value | (sign & ~TOP_MASK) : sign;
}

template <unsigned N, bool SIGNED>
__device__ __forceinline__ Num shift_right(const Num& x, unsigned* slot, const Place& at) {
  stage_alone(slot, x, at);
  Num z = number_of(at, [&](unsigned word) {
    const unsigned from = word + N / 32;
    return funnel(extended_word<SIGNED>(slot, from), N % 32 ? extended_word<SIGNED>(slot, from + 1) : 0, N % 32);
  });
  truncate(z, at);
  return z;
}
