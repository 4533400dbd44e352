// three_by_two.cuh: words of a quotient by a divisor of two words, and numbers mod it (Moller and Granlund
// 2011, algorithms 4 and 6).

// floor((B^3 - 1) / (d1 B + d0)) - B; the highest bit of d1 is set.
__device__ __forceinline__ unsigned reciprocal(unsigned d1, unsigned d0) {
  unsigned inverse = (unsigned)((~0ull - ((unsigned long long)d1 << 32)) / d1);
  unsigned p = d1 * inverse + d0;
  if (p < d0) {
    inverse--;
    if (p >= d1) {
      inverse--;
      p -= d1;
    }
    p -= d1;
  }
  const unsigned long long t = (unsigned long long)inverse * d0;
  const unsigned high = (unsigned)(t >> 32);
  p += high;
  if (p < high) {
    inverse--;
    if (p > d1 || (p == d1 && (unsigned)t >= d0)) inverse--;
  }
  return inverse;
}

// floor((u B + u0) / d), and in `u` the remainder, for u < d.
__device__ __forceinline__ unsigned three_by_two(unsigned long long& u, unsigned u0, unsigned long long d, unsigned inverse) {
  const unsigned long long q = mad_words(inverse, (unsigned)(u >> 32), u);
  unsigned digit = (unsigned)(q >> 32);
  unsigned long long rest = (unsigned long long)((unsigned)u - digit * (unsigned)(d >> 32)) << 32 | u0;
  rest -= mad_words(digit, (unsigned)d, d);
  digit++;
  if ((unsigned)(rest >> 32) >= (unsigned)q) {
    digit--;
    rest += d;
  }
  if (rest >= d) {
    digit++;
    rest -= d;
  }
  u = rest;
  return digit;
}

// (R f + c) mod d, for R, f, c < d whose highest bit is set.
__device__ __forceinline__ unsigned long long mulmod_add(unsigned long long r, unsigned long long f, unsigned long long c, unsigned long long d, unsigned inverse) {
  const unsigned long long low = r * f, high = __umul64hi(r, f);
  unsigned long long rest = high;
  three_by_two(rest, (unsigned)(low >> 32), d, inverse);
  three_by_two(rest, (unsigned)low, d, inverse);
  const unsigned long long sum = rest + c;
  return sum < rest || sum >= d ? sum - d : sum;
}
