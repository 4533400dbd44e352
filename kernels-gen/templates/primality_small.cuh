// primality_small.cuh: small factors. docs/primality.md.
//
// The number lies in the instance's slot, where each lane divides it by other primes. No barriers but those
// of votes.

// The odd primes below 256, products of consecutive ones below 2^32, and where each product ends.
constexpr unsigned PRODUCTS = 12, NEXT_PRIME = 257;
__constant__ unsigned char PRIMES[] = {
    3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101, 103, 107,
    109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251};
__constant__ unsigned char PRODUCT_ENDS[] = {9, 14, 19, 24, 28, 32, 36, 40, 44, 48, 52, 53};

enum Verdict { COMPOSITE, PRIME, OPEN };

// The staged number times a power of two, modulo odd m below 2^32 - 1, by Montgomery's method.
__device__ __forceinline__ unsigned reduced(const unsigned* slot, unsigned words, unsigned m) {
  const unsigned inverse = 0 - inverse_of_word(m);
  // At most m + 1 after each step.
  unsigned long long rest = 0;
#pragma unroll 1
  for (unsigned i = 0; i < words; i++) {
    rest += slot[i];
    rest = mad_words((unsigned)rest * inverse, m, rest) >> 32;
  }
  return (unsigned)rest;
}

// The answer for the staged number of `bits` bits by division by the primes below 256.
__device__ __forceinline__ Verdict small_factors(const unsigned* slot, unsigned bits, const Place& at) {
  const unsigned words = warp_max((bits + 31) / 32), lowest = slot[0];
  bool divisible = false;
#pragma unroll 1
  for (unsigned k = at.rank; k < PRODUCTS; k += LANES) {
    const unsigned first = k == 0 ? 0 : PRODUCT_ENDS[k - 1], end = PRODUCT_ENDS[k];
    unsigned product = 1;
    for (unsigned i = first; i < end; i++) product *= PRIMES[i];
    const unsigned rest = reduced(slot, words, product);
    for (unsigned i = first; i < end; i++) divisible |= rest % PRIMES[i] == 0 && (bits > 8 || lowest != PRIMES[i]);
  }
  divisible = any_of_instance(divisible, at);
  if (bits == 2 && lowest == 2) return PRIME;
  if (bits <= 1 || lowest % 2 == 0 || divisible) return COMPOSITE;
  return bits <= 32 && lowest < NEXT_PRIME * NEXT_PRIME ? PRIME : OPEN;
}
