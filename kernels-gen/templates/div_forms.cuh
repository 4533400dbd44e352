// div_forms.cuh: the quotients and remainders of expressions, from those of absolute values. docs/div.md.

// Quotient and remainder of unsigned numbers. `by_zero` is set if v is 0; the results are then those of
// v = 1. Short divisors, of less than FEWEST words per lane, have code of their own only if FEWEST says so.
template <unsigned FEWEST = FEWEST_WORDS>
__device__ __forceinline__ Division div_rem(const Num& u, const Num& v, bool& by_zero, unsigned* slot, const Place& at) {
  const unsigned u_bits = bit_length(u, at), v_bits = bit_length(v, at);
  by_zero = v_bits == 0;
  const Num divisor = bit_or(v, truth(by_zero, at));
  const unsigned divisor_bits = by_zero ? 1 : v_bits;
  if constexpr (LANES > 1 && FEWEST <= FEWEST_WORDS)
    if (warp_max(divisor_bits) <= 64) return divide_by_two_words(u, divisor, divisor_bits, slot, at);
  return divide_long<PADDED, FEWEST>(divisor, u_bits, divisor_bits, slot, at, [&] { stage_lanes(slot, u, at); });
}

// x == 0 in all lanes of the instance.
__device__ __forceinline__ bool is_zero(const Num& x, const Place& at) {
  bool zero = true;
  each_word(x, at, [&](unsigned, unsigned value) { zero &= value == 0; });
  return !any_of_instance(!zero, at);
}

template <bool SIGNED>
__device__ __forceinline__ bool is_negative(const Num& x, const Place& at) {
  if (!SIGNED) return false;
  bool negative = false;
  each_word(x, at, [&](unsigned word, unsigned value) { negative |= word == (BITS - 1) / 32 && value >> (BITS - 1) % 32 & 1; });
  return any_of_instance(negative, at);
}

// -x if `negative`, else x.
template <bool SIGNED>
__device__ __forceinline__ Num with_sign(bool negative, const Num& x, unsigned* exchange, const Place& at) {
  return SIGNED ? select(negative, resolve<-1>(sub(Num{}, x), exchange, at), x) : x;
}

template <bool SIGNED>
__device__ __forceinline__ Num absolute(const Num& x, unsigned* exchange, const Place& at) {
  return with_sign<SIGNED>(is_negative<SIGNED>(x, at), x, exchange, at);
}

// |u| = quotient |v| + remainder.
struct SignedDivision {
  Num quotient, remainder, divisor;
  bool u_negative, v_negative;
  bool by_zero;
};

template <bool SIGNED>
__device__ __forceinline__ SignedDivision divide(const Num& u, const Num& v, unsigned* slot, unsigned* exchange, const Place& at) {
  SignedDivision z;
  z.u_negative = is_negative<SIGNED>(u, at);
  z.v_negative = is_negative<SIGNED>(v, at);
  z.divisor = with_sign<SIGNED>(z.v_negative, v, exchange, at);
  const Division magnitudes = div_rem(with_sign<SIGNED>(z.u_negative, u, exchange, at), z.divisor, z.by_zero, slot, at);
  z.quotient = magnitudes.quotient;
  z.remainder = magnitudes.remainder;
  return z;
}

// Rounded towards 0.
template <bool SIGNED>
__device__ __forceinline__ Num quotient(const SignedDivision& z, unsigned* exchange, const Place& at) {
  return with_sign<SIGNED>(z.u_negative != z.v_negative, z.quotient, exchange, at);
}

template <bool SIGNED>
__device__ __forceinline__ Num remainder(const SignedDivision& z, unsigned* exchange, const Place& at) {
  return with_sign<SIGNED>(z.u_negative, z.remainder, exchange, at);
}

// A negative dividend with a remainder rounds away from 0, so that no remainder is negative.
template <bool SIGNED>
__device__ __forceinline__ Num quotient_euclid(const SignedDivision& z, unsigned* exchange, const Place& at) {
  if (!SIGNED) return z.quotient;
  const bool rounds = !is_zero(z.remainder, at) && z.u_negative;
  const Num rounded = resolve<0>(add(z.quotient, truth(rounds, at)), exchange, at);
  return with_sign<SIGNED>(z.u_negative != z.v_negative, rounded, exchange, at);
}

template <bool SIGNED>
__device__ __forceinline__ Num remainder_euclid(const SignedDivision& z, unsigned* exchange, const Place& at) {
  if (!SIGNED) return z.remainder;
  const bool rounds = !is_zero(z.remainder, at) && z.u_negative;
  return select(rounds, resolve<-1>(sub(z.divisor, z.remainder), exchange, at), z.remainder);
}

// Whether v divides u; 0 divides 0 only.
template <bool SIGNED>
__device__ __forceinline__ bool divides(const SignedDivision& z, const Num& u, const Place& at) {
  return is_zero(select(z.by_zero, u, z.remainder), at);
}
