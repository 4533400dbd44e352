// ptx_thread_twin.cuh: the functions of ptx_thread.cuh in plain C++, for the emulator.

__device__ __forceinline__ unsigned add_words(Num& z, const Num& x, const Num& y) {
  unsigned carry = 0;
  for (unsigned i = 0; i < W; i++) {
    const unsigned long long sum = (unsigned long long)x.w[i] + y.w[i] + carry;
    z.w[i] = (unsigned)sum;
    carry = (unsigned)(sum >> 32);
  }
  return carry;
}

__device__ __forceinline__ unsigned sub_words(Num& z, const Num& x, const Num& y) {
  unsigned borrow = 0;
  for (unsigned i = 0; i < W; i++) {
    const unsigned long long difference = (unsigned long long)x.w[i] - y.w[i] - borrow;
    z.w[i] = (unsigned)difference;
    borrow = (unsigned)(difference >> 63);
  }
  return 0 - borrow;
}

// x += a * (b[from] + b[from + 2] B^2 + ...) + carry over so many words; returns the carry.
__device__ __forceinline__ unsigned add_multiples(unsigned* x, unsigned a, const Num& b, unsigned from, unsigned words, unsigned carry) {
  for (unsigned i = 0; i < words; i += 2) {
    const unsigned long long product = (unsigned long long)a * b.w[from + i];
    const unsigned long long low = (unsigned long long)x[i] + (unsigned)product + carry;
    const unsigned long long high = (unsigned long long)x[i + 1] + (product >> 32) + (low >> 32);
    x[i] = (unsigned)low;
    x[i + 1] = (unsigned)high;
    carry = (unsigned)(high >> 32);
  }
  return carry;
}

// A carry out of a sum that has no word for it would be lost.
__device__ __forceinline__ void add_top(unsigned* x, unsigned words, bool carries, unsigned carry) {
  if (carries) x[words] += carry;
  else __builtin_assume(carry == 0);
}

__device__ __forceinline__ void add_odd(Partial& t, unsigned a, const Num& b) {
  add_top(t.odd, {{ odd }}, {{ odd_carries | lower }}, add_multiples(t.odd, a, b, 1, {{ odd }}, 0));
}

__device__ __forceinline__ void add_odd_first(Partial& t, unsigned a, const Num& b) {
  const unsigned long long sum = (unsigned long long)t.even[0] + t.low;
  t.even[0] = (unsigned)sum;
  add_top(t.odd, {{ odd }}, {{ odd_carries | lower }}, add_multiples(t.odd, a, b, 1, {{ odd }}, (unsigned)(sum >> 32)));
}

__device__ __forceinline__ void add_even(Partial& t, unsigned a, const Num& b) {
  add_top(t.even, {{ even }}, {{ even_carries | lower }}, add_multiples(t.even, a, b, 0, {{ even }}, 0));
}

__device__ __forceinline__ void square_words(unsigned (&even)[2 * W + 1], unsigned (&odd)[2 * W + 1], const Num& a, const Num& twice) {
  for (unsigned i = 0; i < W; i++) {
    Num factors = twice;
    factors.w[i] = a.w[i];
    if (i + 1 < W) factors.w[i + 1] = a.w[i + 1] << 1;
    const unsigned words = (W - i + 1) / 2 * 2, odd_words = (W - i) / 2 * 2;
    even[2 * i + words] += add_multiples(even + 2 * i, a.w[i], factors, i, words, 0);
    odd[2 * i + odd_words] += add_multiples(odd + 2 * i, a.w[i], factors, i + 1, odd_words, 0);
  }
  __builtin_assume(even[2 * W] == 0);
}

__device__ __forceinline__ void product_words(unsigned (&even)[2 * W + 1], unsigned (&odd)[2 * W + 1], const Num& a, const Num& b) {
  for (unsigned i = 0; i < W; i++) {
    const unsigned upper = i % 2, words = (W - upper + 1) / 2 * 2, odd_words = (W + upper) / 2 * 2;
    even[i + upper + words] += add_multiples(even + i + upper, a.w[i], b, upper, words, 0);
    odd[i - upper + odd_words] += add_multiples(odd + i - upper, a.w[i], b, 1 - upper, odd_words, 0);
  }
  __builtin_assume(even[2 * W] == 0);
}

__device__ __forceinline__ unsigned long long mul_words(unsigned x, unsigned y) { return (unsigned long long)x * y; }

__device__ __forceinline__ long long mul_signed(int x, int y) { return (long long)x * y; }

