// poly_inverse.cuh: inverses, by Fermat. On top of poly.cuh.

// The number of the highest bit of a word that is not 0.
__device__ constexpr int highest_bit(Word word) { return word > 1 ? 1 + highest_bit(word >> 1) : 0; }

// R^2 / x mod p, for x other than 0: x is (x / R) R, raised to the power p - 2 from the exponent's highest
// bit down. Starting above that bit with the constant R made nvrtc 13.0 compile forever for p = 3: all but
// the last product were of constants.
__device__ __forceinline__ Word twice_shifted_inverse(Word x) {
  Word power = x;
#pragma unroll 1
  for (int bit = highest_bit(PRIME.p - 2) - 1; bit >= 0; bit--) {
    power = times(power, Twiddle{power}, PRIME);
    if ((PRIME.p - 2) >> bit & 1) power = times(power, Twiddle{x}, PRIME);
  }
  return power;
}
