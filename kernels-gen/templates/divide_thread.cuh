// divide_thread.cuh: quotients, remainders and arithmetic modulo numbers, by one thread. docs/div.md,
// docs/modulus.md.

struct Divided {
  Num quotient, remainder;
};

// (r B^W + x) / d of numbers without a sign, for r < d: word by word (Knuth 4.3.1, algorithm D). Each word of the
// quotient is estimated from two words of the rest and one of d, whose highest bit is set, by its reciprocal
// (Moller and Granlund 2011, algorithm 4): it is at most 2 too large.
__device__ __noinline__ Divided divided(Num r, Num x, Num d) {
  const unsigned shift = 32 * W - bit_length(d);
  d = shifted_left(d, shift);
  r = integer_or(shifted_left(r, shift), shifted_right(x, 32 * W - shift, 0));
  x = shifted_left(x, shift);
  const unsigned top = d.w[W - 1], inverse = (unsigned)((~0ull - ((unsigned long long)top << 32)) / top);
#pragma unroll 1
  for (unsigned i = 0; i < W; i++) {
    unsigned above = r.w[W - 1];
#pragma unroll
    for (unsigned k = W - 1; k > 0; k--) r.w[k] = r.w[k - 1];
    r.w[0] = x.w[W - 1];
    unsigned digit = ~0u;
    if (above < top) {
      const unsigned next = r.w[W - 1];
      const unsigned long long q = (unsigned long long)inverse * above + ((unsigned long long)above << 32 | next);
      digit = (unsigned)(q >> 32) + 1;
      unsigned rest = next - digit * top;
      if (rest > (unsigned)q) {
        digit--;
        rest += top;
      }
      if (rest >= top) digit++;
    }
    unsigned long long carry = 0;
#pragma unroll
    for (unsigned k = 0; k < W; k++) {
      carry += (unsigned long long)digit * d.w[k];
      const unsigned low = (unsigned)carry, before = r.w[k];
      r.w[k] = before - low;
      carry = (carry >> 32) + (before < low);
    }
    above -= (unsigned)carry;
    // The rest is negative.
    while (above != 0) {
      above += add_words(r, r, d);
      digit--;
    }
#pragma unroll
    for (unsigned k = W - 1; k > 0; k--) x.w[k] = x.w[k - 1];
    x.w[0] = digit;
  }
  return {x, shifted_right(r, shift, 0)};
}

__device__ __forceinline__ Num remainder_of(const Num& x, const Num& d) { return divided(Num{}, x, d).remainder; }

constexpr int TRUNCATED = 0, FLOORED = 1, EUCLIDEAN = 2;

// The quotient rounded towards 0, down, or so that the remainder is not negative.
template <bool SIGNED, int ROUNDED>
__device__ __forceinline__ Divided integer_divided(const Num& x, const Num& y) {
  if constexpr (!SIGNED) return divided(Num{}, x, y);
  const bool x_negative = is_negative(x), y_negative = is_negative(y);
  Divided z = divided(Num{}, integer_abs(x), integer_abs(y));
  if (x_negative != y_negative) z.quotient = integer_neg(z.quotient);
  if (x_negative) z.remainder = integer_neg(z.remainder);
  const bool down = ROUNDED == FLOORED ? x_negative != y_negative : ROUNDED == EUCLIDEAN && x_negative;
  if (down && !is_zero(z.remainder)) {
    const bool up = ROUNDED == EUCLIDEAN && y_negative;
    const Num one = number_of_scalar(1, false);
    z.quotient = up ? integer_add(z.quotient, one) : integer_sub(z.quotient, one);
    z.remainder = up ? integer_sub(z.remainder, y) : integer_add(z.remainder, y);
  }
  return z;
}

// Whether x is a multiple of y; the only one of 0 is 0.
template <bool SIGNED>
__device__ __forceinline__ bool integer_divisible(const Num& x, const Num& y) {
  if (is_zero(y)) return is_zero(x);
  return is_zero(SIGNED ? remainder_of(integer_abs(x), integer_abs(y)) : remainder_of(x, y));
}

// x mod |m|, from 0 to |m| - 1.
template <bool SIGNED>
__device__ __forceinline__ Num reduced(const Num& x, const Num& m) {
  if constexpr (!SIGNED) return remainder_of(x, m);
  const Num rest = remainder_of(integer_abs(x), m);
  return is_negative(x) && !is_zero(rest) ? integer_sub(m, rest) : rest;
}

template <bool SIGNED>
__device__ __forceinline__ Num integer_addmod(const Num& x, const Num& y, const Num& modulus) {
  const Num m = SIGNED ? integer_abs(modulus) : modulus;
  Num sum, less;
  const unsigned carry = add_words(sum, reduced<SIGNED>(x, m), reduced<SIGNED>(y, m));
  const bool below = sub_words(less, sum, m) != 0;
  return select(carry != 0 || !below, less, sum);
}

template <bool SIGNED>
__device__ __forceinline__ Num integer_submod(const Num& x, const Num& y, const Num& modulus) {
  const Num m = SIGNED ? integer_abs(modulus) : modulus;
  Num z;
  const bool below = sub_words(z, reduced<SIGNED>(x, m), reduced<SIGNED>(y, m)) != 0;
  return select(below, integer_add(z, m), z);
}

// (high B^W + low) mod d.
__device__ __forceinline__ Num rest_of_two(const TwoNumbers& x, const Num& d) {
  return divided(remainder_of(x.high, d), x.low, d).remainder;
}

template <bool SIGNED>
__device__ __forceinline__ Num integer_mulmod(const Num& x, const Num& y, const Num& modulus) {
  const Num m = SIGNED ? integer_abs(modulus) : modulus;
  const TwoNumbers product = integer_mul_full(SIGNED ? integer_abs(x) : x, SIGNED ? integer_abs(y) : y);
  const Num rest = rest_of_two(product, m);
  return SIGNED && is_negative(x) != is_negative(y) && !is_zero(rest) ? integer_sub(m, rest) : rest;
}

// high 2^BITS + low of unsigned integers, as two numbers.
template <unsigned BITS>
__device__ __forceinline__ TwoNumbers two_numbers(const Num& x, const Num& y) {
  const Num upper = wrapped_number(x, BITS, false), lower = wrapped_number(y, BITS, false);
  return {shifted_right(upper, 32 * W - BITS, 0), integer_or(shifted_left(upper, BITS), lower)};
}

template <unsigned BITS>
__device__ __forceinline__ Num integer_div_wide(const Num& x, const Num& y, const Num& divisor) {
  const TwoNumbers both = two_numbers<BITS>(x, y);
  return divided(both.high, both.low, wrapped_number(divisor, BITS, false)).quotient;
}

template <unsigned BITS>
__device__ __forceinline__ Num integer_rem_wide(const Num& x, const Num& y, const Num& divisor) {
  return rest_of_two(two_numbers<BITS>(x, y), wrapped_number(divisor, BITS, false));
}

// The inverse of an odd x modulo B^W: each step doubles the bits that are right, from 3 on.
__device__ __forceinline__ Num inverse_of_powers(const Num& x) {
  Num z = x;
#pragma unroll 1
  for (unsigned bits = 3; bits < 32 * W; bits *= 2)
    z = integer_mul(z, integer_sub(number_of_scalar(2, false), integer_mul(x, z)));
  return z;
}
