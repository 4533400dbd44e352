// div_newton_digit.cuh: quotients of one word, without an inverse. docs/div_newton.md.

// The quotient or, unless it is 0, one less, by the divisor's top: floor(u / d) for two words d of the
// divisor and three of the dividend is the quotient or one more, as d has its highest bit and the dividend is
// below 2^(64 HALF + 31).
__device__ __forceinline__ unsigned quotient_digit(const unsigned* dividend, const unsigned* top) {
  unsigned long long u = (unsigned long long)dividend[2 * HALF] << 32 | dividend[2 * HALF - 1];
  const unsigned d1 = top[HALF - 1], d0 = top[HALF - 2];
  const unsigned digit = three_by_two(u, dividend[2 * HALF - 2], (unsigned long long)d1 << 32 | d0, reciprocal(d1, d0));
  return digit - (digit != 0);
}

// The divisor's 2 HALF words.
__device__ __forceinline__ Num whole_divisor(const unsigned* low, const unsigned* top, const Place& at) {
  return bit_or(slice<HALF_ALIGNED, 0, HALF, 0>(low, at), slice<FACTOR, 0, HALF, HALF>(top, at));
}
