// hensel.cuh: inverses modulo 2^BITS, by Hensel lifting. docs/modinv2k.md.
//
// If n y = 1 + e B^k, then the words of y (2 - n y) from k to 2 k are those of -y e: each step doubles the
// correct words.
//
// Shared memory and barriers: those of products of words (montgomery.cuh).

// 1 / n mod 2^BITS for odd n.
__device__ __forceinline__ Num inverse_of_odd(const Num& n, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned two[1] = {2}, lowest[1] = {inverse_of_word(of_rank(n.w[0][0], 0, at))};
  Num inverse = constant(lowest, at), error;
  // Both products of a step share one piece of code.
#pragma unroll 1
  for (unsigned known = 1, i = 0; known < WORDS; i ^= 1) {
    const unsigned next = 2 * known < WORDS ? 2 * known : WORDS;
    const Num product = product_words(inverse, select(i != 0, error, n), i != 0 ? known : 0, next, slot, at);
    if (i != 0) {
      inverse = bit_or(inverse, product);
      known = next;
    } else {
      error = resolve<-1>(sub(constant(two, at), product), exchange, at);
    }
  }
  // One word may have more bits than a number.
  truncate(inverse, at);
  return inverse;
}
