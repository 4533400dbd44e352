// thread_numbers.cuh: numbers of W words in the registers of one thread. docs/programs.md.
//
// Numbers of a signed type have copies of their sign up to W words. No function takes part in anything of a warp:
// each may stand in a branch or a loop that some threads take.

__device__ __forceinline__ Num number_of_scalar(unsigned long long x, bool is_signed) {
  const unsigned above = is_signed && (long long)x < 0 ? ~0u : 0;
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = i == 0 ? (unsigned)x : i == 1 ? (unsigned)(x >> 32) : above;
  return z;
}

__device__ __forceinline__ unsigned long long low_words(const Num& x) { return (unsigned long long)x.w[1] << 32 | x.w[0]; }

__device__ __forceinline__ Num select(bool condition, const Num& x, const Num& y) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = condition ? x.w[i] : y.w[i];
  return z;
}

__device__ __forceinline__ bool is_zero(const Num& x) {
  unsigned all = 0;
#pragma unroll
  for (unsigned i = 0; i < W; i++) all |= x.w[i];
  return all == 0;
}

__device__ __forceinline__ bool is_negative(const Num& x) { return x.w[W - 1] >> 31; }

// x of `bits` bits with its sign, or zeros, above them.
__device__ __forceinline__ Num wrapped_number(const Num& x, unsigned bits, bool is_signed) {
  const bool negative = is_signed && x.w[(bits - 1) / 32] >> (bits - 1) % 32 & 1;
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = extended(x.w[i], i, bits, negative);
  return z;
}

__device__ __forceinline__ Num integer_add(const Num& x, const Num& y) {
  Num z;
  add_words(z, x, y);
  return z;
}

__device__ __forceinline__ Num integer_sub(const Num& x, const Num& y) {
  Num z;
  sub_words(z, x, y);
  return z;
}

__device__ __forceinline__ Num integer_neg(const Num& x) { return integer_sub(Num{}, x); }

// The lowest W words of the product.
__device__ __forceinline__ Num integer_mul(const Num& x, const Num& y) {
  Num z = {};
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    unsigned long long carry = 0;
#pragma unroll
    for (unsigned k = 0; i + k < W; k++) {
      carry += (unsigned long long)x.w[i] * y.w[k] + z.w[i + k];
      z.w[i + k] = (unsigned)carry;
      carry >>= 32;
    }
  }
  return z;
}

template <class F>
__device__ __forceinline__ Num each_word(const Num& x, const Num& y, F f) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = f(x.w[i], y.w[i]);
  return z;
}

__device__ __forceinline__ Num integer_and(const Num& x, const Num& y) {
  return each_word(x, y, [](unsigned a, unsigned b) { return a & b; });
}

__device__ __forceinline__ Num integer_or(const Num& x, const Num& y) {
  return each_word(x, y, [](unsigned a, unsigned b) { return a | b; });
}

__device__ __forceinline__ Num integer_xor(const Num& x, const Num& y) {
  return each_word(x, y, [](unsigned a, unsigned b) { return a ^ b; });
}

__device__ __forceinline__ Num integer_not(const Num& x) {
  return each_word(x, x, [](unsigned a, unsigned) { return ~a; });
}

__device__ __forceinline__ bool integer_eq(const Num& x, const Num& y) { return is_zero(integer_xor(x, y)); }

__device__ __forceinline__ bool integer_lt(const Num& x, const Num& y) {
  Num z;
  return sub_words(z, x, y) != 0;
}

// In two's complement: the order of the words with their highest bits flipped.
__device__ __forceinline__ bool integer_lt_signed(Num x, Num y) {
  x.w[W - 1] ^= 1u << 31;
  y.w[W - 1] ^= 1u << 31;
  return integer_lt(x, y);
}

__device__ __forceinline__ Num integer_abs(const Num& x) { return select(is_negative(x), integer_neg(x), x); }

// The word at a place that is known when the program runs: registers have no addresses.
__device__ __forceinline__ unsigned word_at(const Num& x, unsigned word, unsigned above) {
  unsigned z = above;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z = word == i ? x.w[i] : z;
  return z;
}

// 64 bits from a position on.
__device__ __forceinline__ unsigned long long bits_from(const Num& x, unsigned long long position, unsigned above) {
  const unsigned first = position < 32 * W ? (unsigned)position / 32 : W, shift = (unsigned)position % 32;
  const unsigned low = word_at(x, first, above), middle = word_at(x, first + 1, above), high = word_at(x, first + 2, above);
  return (unsigned long long)__funnelshift_r(middle, high, shift) << 32 | __funnelshift_r(low, middle, shift);
}

// The number of bits of a number without a sign.
__device__ __forceinline__ unsigned bit_length(const Num& x) {
  unsigned bits = 0;
#pragma unroll
  for (unsigned i = 0; i < W; i++) bits = x.w[i] != 0 ? 32 * i + 32 - (unsigned)__clz((int)x.w[i]) : bits;
  return bits;
}

// floor(x / 2^n), the sign as `above`.
__device__ __forceinline__ Num shifted_right(const Num& x, unsigned n, unsigned above) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    const unsigned from = i + n / 32;
    z.w[i] = n >= 32 * W ? above : __funnelshift_r(word_at(x, from, above), word_at(x, from + 1, above), n % 32);
  }
  return z;
}

__device__ __forceinline__ Num shifted_left(const Num& x, unsigned n) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    const unsigned from = i - n / 32;
    // Words below the lowest one are past all of them.
    z.w[i] = n >= 32 * W ? 0 : __funnelshift_l(word_at(x, from - 1, 0), word_at(x, from, 0), n % 32);
  }
  return z;
}

// An amount as so many bits, all of them if it is longer.
__device__ __forceinline__ unsigned amount_of(const Num& n) {
  unsigned above = 0;
#pragma unroll
  for (unsigned i = 1; i < W; i++) above |= n.w[i];
  return above != 0 || n.w[0] > 32 * W ? 32 * W : n.w[0];
}

template <bool SIGNED, bool LEFT>
__device__ __forceinline__ Num integer_shift(const Num& x, const Num& n) {
  const bool negative = SIGNED && is_negative(n);
  const unsigned amount = amount_of(negative ? integer_neg(n) : n);
  return LEFT != negative ? shifted_left(x, amount) : shifted_right(x, amount, SIGNED && is_negative(x) ? ~0u : 0);
}

