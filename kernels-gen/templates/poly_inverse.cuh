// poly_inverse.cuh: inverses, by Fermat. On top of poly.cuh.

// R^2 / x mod p, for x other than 0: x is (x / R) R.
__device__ __forceinline__ Word twice_shifted_inverse(Word x) {
  Word power = times(1, r_squared(), PRIME);  // R
  for (int bit = 8 * (int)sizeof(Word) - 1; bit >= 0; bit--) {
    power = times(power, Twiddle{power}, PRIME);
    if ((PRIME.p - 2) >> bit & 1) power = times(power, Twiddle{x}, PRIME);
  }
  return power;
}
