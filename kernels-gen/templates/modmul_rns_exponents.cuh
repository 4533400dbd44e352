// modmul_rns_exponents.cuh: the longest exponent of a block. docs/modmul_rns.md.

// The bits of the longest exponent of a block of `count` instances; `exchange` is a word that is 0.
__device__ __forceinline__ unsigned longest(const unsigned* exponents, unsigned count, unsigned* exchange) {
  unsigned bits = 0;
  for (unsigned i = threadIdx.x; i < count * EXPONENT_WORDS; i += THREADS) {
    const unsigned word = exponents[i];
    if (word) bits = max(bits, 32 * (i % EXPONENT_WORDS + 1) - (unsigned)__clz((int)word));
  }
  atomicMax(exchange, bits);
  __syncthreads();
  return *exchange;
}
