// div_estimate.cuh: estimates of words of a quotient from the top words of window and divisor. docs/div.md.

// The next word of B^6 / (d B + d0), from the remainder u B + u0, which is updated. If u is d, this word and
// all others are B - 1, which is at most two too large in the last of three.
__device__ __forceinline__ unsigned next_of_inverse(unsigned long long& u, unsigned& u0, unsigned long long d, unsigned d0, unsigned inverse) {
  if (u >= d) return ~0u;
  unsigned digit = three_by_two(u, u0, d, inverse);
  const unsigned long long product = mul_words(digit, d0);
  const unsigned low = (unsigned)product;
  const unsigned long long taken = (product >> 32) + (low != 0);
  const bool negative = u < taken;
  u -= taken;
  u0 = 0 - low;
  if (negative) {
    digit--;
    u0 += d0;
    u += d + (u0 < d0);
  }
  return digit;
}

// Three words of the inverse of 0.d1 d0 ..., without its leading 1.
struct Inverse {
  unsigned w2, w1, w0;

  // For words `d` and d0, with the top bit of d set: three words of B^6 / (d B + d0) below its leading 1, at
  // most one too small in the last word.
  __device__ __forceinline__ Inverse(unsigned long long d, unsigned d0) {
    const unsigned first = reciprocal((unsigned)(d >> 32), (unsigned)d);
    unsigned long long rest = ~d;
    unsigned below = 0 - d0;
    rest += d0 == 0;
    w2 = next_of_inverse(rest, below, d, d0, first);
    w1 = next_of_inverse(rest, below, d, d0, first);
    w0 = next_of_inverse(rest, below, d, d0, first);
  }
};

// Two words of a quotient from the top three words of the dividend and the inverse of the divisor: never too
// small, as the omitted terms are less than ROUNDED_UP in units of 1/B (docs/div.md), and at most one too
// large.
__device__ __forceinline__ unsigned long long two_digits(unsigned u2, unsigned u1, unsigned u0, const Inverse& inverse) {
  constexpr unsigned ROUNDED_UP = 9;
  const unsigned long long high = mul_words(u2, inverse.w2);
  const unsigned long long x = mad_words(u2, inverse.w1, (unsigned long long)u0 + __umulhi(u0, inverse.w2));
  const unsigned long long y = mad_words(u1, inverse.w2, (unsigned long long)__umulhi(u2, inverse.w0) + __umulhi(u1, inverse.w1));
  const unsigned long long units = (unsigned long long)(unsigned)x + (unsigned)y + ROUNDED_UP;
  const unsigned long long low = (x >> 32) + (y >> 32) + (unsigned)high + u1 + (units >> 32);
  const unsigned long long top = (high >> 32) + u2 + (low >> 32);
  return top >> 32 != 0 ? ~0ull : top << 32 | (unsigned)low;
}

// The top words of the divisor, in the last lane, with the inverse for estimates of one word.
struct Divisor {
  unsigned long long top;
  unsigned inverse;

  template <unsigned S>
  __device__ __forceinline__ explicit Divisor(const unsigned (&d)[S]) : top(top_of(d)), inverse(reciprocal((unsigned)(top >> 32), (unsigned)top)) {}

  // Other lanes must not divide by zero.
  template <unsigned S>
  static __device__ __forceinline__ unsigned long long top_of(const unsigned (&d)[S]) {
    return (unsigned long long)(d[S - 1] | 0x80000000u) << 32 | d[S - 2];
  }
};

template <unsigned S>
__device__ __forceinline__ Inverse inverse_of(const unsigned (&d)[S]) {
  return Inverse(Divisor::top_of(d), S > 2 ? d[S > 2 ? S - 3 : 0] : 0);
}
