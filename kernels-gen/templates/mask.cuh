// mask.cuh: ones in a range of bits. docs/bits.md. No barriers, no shared memory; ends of the range are the
// same in all threads of the instance, and at most 2^29 either way.

// The ones of word `word` in the bits from..to.
__device__ __forceinline__ unsigned field_word(unsigned word, int from, int to) {
  const int first = (int)(word * 32);
  const unsigned below_to = to <= first ? 0 : to - first >= 32 ? ~0u : (1u << (to - first)) - 1;
  const unsigned below_from = from <= first ? 0 : from - first >= 32 ? ~0u : (1u << (from - first)) - 1;
  return below_to & ~below_from;
}

// Ones in the lowest n bits, or in the highest -n.
__device__ __forceinline__ Num mask(int n, const Place& at) {
  const int from = n < 0 ? (int)BITS + n : 0, to = n < 0 || n > (int)BITS ? (int)BITS : n;
  return number_of(at, [&](unsigned word) { return field_word(word, from, to); });
}
