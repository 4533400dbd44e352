// ptx_thread_products_twin.cuh: the functions of ptx_thread_products.cuh in plain C++, for the emulator.

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

