// bits_thread.cuh: counts of bits, rotations, fields and upper halves of products, by one thread, of integers
// of BITS bits in numbers of W words. docs/bits.md, docs/shift.md.

// The number whose lowest n bits are ones, for n from 0 to 32 W.
__device__ __forceinline__ Num low_ones(unsigned n) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = n >= 32 * i + 32 ? ~0u : n > 32 * i ? (1u << (n - 32 * i)) - 1 : 0;
  return z;
}

__device__ __forceinline__ Num count_ones(const Num& x, unsigned bits) {
  const Num masked = wrapped_number(x, bits, false);
  unsigned count = 0;
#pragma unroll
  for (unsigned i = 0; i < W; i++) count += (unsigned)__popc((int)masked.w[i]);
  return number_of_scalar(count, false);
}

__device__ __forceinline__ Num leading_zeros(const Num& x, unsigned bits) {
  return number_of_scalar(bits - bit_length(wrapped_number(x, bits, false)), false);
}

__device__ __forceinline__ Num trailing_zeros(const Num& x, unsigned bits) {
  const Num masked = wrapped_number(x, bits, false);
  unsigned zeros = bits;
#pragma unroll
  for (unsigned i = W; i-- > 0;) zeros = masked.w[i] != 0 ? 32 * i + (unsigned)__ffs((int)masked.w[i]) - 1 : zeros;
  return number_of_scalar(zeros, false);
}

// n mod BITS, from 0 on, also of a negative n.
template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ unsigned turns_of(const Num& n) {
  const bool negative = SIGNED && is_negative(n);
  const Num distance = negative ? integer_neg(n) : n;
  unsigned turns = 0;
#pragma unroll
  for (unsigned i = W; i-- > 0;) turns = (unsigned)(((unsigned long long)turns << 32 | distance.w[i]) % BITS);
  return negative && turns != 0 ? BITS - turns : turns;
}

template <bool SIGNED, unsigned BITS, bool LEFT>
__device__ __forceinline__ Num integer_rotated(const Num& x, const Num& n) {
  const Num masked = wrapped_number(x, BITS, false);
  const unsigned turns = turns_of<SIGNED, BITS>(n), left = LEFT || turns == 0 ? turns : BITS - turns;
  return integer_or(shifted_left(masked, left), shifted_right(masked, BITS - left, 0));
}

// floor(x / 2^start) mod 2^length.
template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ Num integer_extract(const Num& x, const Num& start, const Num& length) {
  const unsigned bits = SIGNED && is_negative(length) ? 0 : amount_of(length);
  return integer_and(integer_shift<SIGNED, false>(x, start), low_ones(bits < BITS ? bits : BITS));
}

// x with its bits from `start` on, `length` of them, replaced by the lowest ones of y.
template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ Num integer_insert(const Num& x, const Num& y, const Num& start, const Num& length) {
  if (SIGNED && is_negative(length)) return x;
  unsigned first = 0, end = 0;
  if (SIGNED && is_negative(start)) {
    const Num sum = integer_add(start, length);
    end = is_negative(sum) ? 0 : amount_of(sum);
  } else {
    first = amount_of(start);
    end = first + amount_of(length);
  }
  const Num replaced = integer_xor(low_ones(first < BITS ? first : BITS), low_ones(end < BITS ? end : BITS));
  const Num moved = integer_shift<SIGNED, true>(y, start);
  return integer_or(integer_and(x, integer_not(replaced)), integer_and(moved, replaced));
}

// Ones in the lowest n bits, or in the highest -n of BITS.
template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ Num integer_mask(const Num& n) {
  const bool negative = SIGNED && is_negative(n);
  unsigned bits = amount_of(negative ? integer_neg(n) : n);
  bits = bits < BITS ? bits : BITS;
  return negative ? integer_xor(low_ones(BITS), low_ones(BITS - bits)) : low_ones(bits);
}

template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ Num integer_mask_high(const Num& n) {
  const bool negative = SIGNED && is_negative(n);
  unsigned bits = amount_of(negative ? integer_neg(n) : n);
  bits = bits < BITS ? bits : BITS;
  return negative ? low_ones(bits) : integer_xor(low_ones(BITS), low_ones(BITS - bits));
}

// high B^W + low.
struct TwoNumbers {
  Num high, low;
};

// x y of numbers without a sign.
__device__ __noinline__ TwoNumbers integer_mul_full(Num x, Num y) {
  Num high = {}, low = {};
  // The words of y in turn; x stands still, and the sum moves down by a word.
#pragma unroll 1
  for (unsigned i = 0; i < W; i++) {
    const unsigned word = word_at(y, i, 0);
    unsigned long long carry = 0;
    unsigned lowest = 0;
#pragma unroll
    for (unsigned k = 0; k < W; k++) {
      carry += (unsigned long long)x.w[k] * word + high.w[k];
      if (k == 0) lowest = (unsigned)carry; else high.w[k - 1] = (unsigned)carry;
      carry >>= 32;
    }
    high.w[W - 1] = (unsigned)carry;
#pragma unroll
    for (unsigned k = 0; k + 1 < W; k++) low.w[k] = low.w[k + 1];
    low.w[W - 1] = lowest;
  }
  return {high, low};
}

// floor(x y / 2^BITS).
template <bool SIGNED, unsigned BITS>
__device__ __forceinline__ Num integer_mul_high(const Num& x, const Num& y) {
  const TwoNumbers product = integer_mul_full(x, y);
  Num high = product.high;
  // A negative factor x is x + B^W here.
  if (SIGNED && is_negative(x)) high = integer_sub(high, y);
  if (SIGNED && is_negative(y)) high = integer_sub(high, x);
  return integer_or(shifted_right(product.low, BITS, 0), shifted_left(high, 32 * W - BITS));
}
