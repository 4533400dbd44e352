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

__device__ __forceinline__ unsigned long long mul_words(unsigned x, unsigned y) { return (unsigned long long)x * y; }

__device__ __forceinline__ long long mul_signed(int x, int y) { return (long long)x * y; }

