// shift_by.cuh: shifts by an amount for each instance. docs/shift.md. As shift.cuh, with the number of bits
// in a register: words go through the instance's shared memory, PADDED words, and every thread reads the
// words that determine its results. Two barriers.

// Word `word`, which may lie below 0, of the number in `slot`, with zeros below it and zeros or copies of its
// sign above.
template <bool SIGNED>
__device__ __forceinline__ unsigned staged_word(const unsigned* slot, int word) {
  return word < 0 ? 0 : extended_word<SIGNED>(slot, (unsigned)word);
}

// Word `word` of floor(x * 2^n) for the number x in `slot`, |n| at most 2^28.
template <bool SIGNED>
__device__ __forceinline__ unsigned shifted_word(const unsigned* slot, int n, unsigned word) {
  const int from = (int)word - (n >> 5);
  const unsigned bits = (unsigned)n & 31, high = staged_word<SIGNED>(slot, from);
  return bits ? high << bits | staged_word<SIGNED>(slot, from - 1) >> (32 - bits) : high;
}

// floor(x * 2^n) mod 2^BITS, n the same in all threads of the instance.
template <bool SIGNED>
__device__ __forceinline__ Num shift_by(const Num& x, int n, unsigned* slot, const Place& at) {
  stage_alone(slot, x, at);
  Num z = number_of(at, [&](unsigned word) { return shifted_word<SIGNED>(slot, n, word); });
  truncate(z, at);
  return z;
}
