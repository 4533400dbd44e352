// modmul_rns.cuh: words modulo a prime of a residue number system, and vectors of them. docs/modmul_rns.md.

// COUNT words from `at` on, in vectors.
template <unsigned COUNT>
__device__ __forceinline__ void load_words(unsigned* z, const unsigned* at) {
#pragma unroll
  for (unsigned i = 0; i < COUNT; i += COUNT % 4 == 0 ? 4 : COUNT % 2 == 0 ? 2 : 1) {
    if constexpr (COUNT % 4 == 0) {
      const uint4 x = *(const uint4*)(at + i);
      z[i] = x.x, z[i + 1] = x.y, z[i + 2] = x.z, z[i + 3] = x.w;
    } else if constexpr (COUNT % 2 == 0) {
      const uint2 x = *(const uint2*)(at + i);
      z[i] = x.x, z[i + 1] = x.y;
    } else {
      z[i] = at[i];
    }
  }
}

// v / 2^32 mod p, from 1 to floor(v / 2^32) + p, for `inverse` = 1 / p mod 2^32.
__device__ __forceinline__ unsigned redc(unsigned long long v, unsigned p, unsigned inverse) {
  return (unsigned)(v >> 32) + p - __umulhi((unsigned)v * inverse, p);
}

// r, less p if it is not below p.
__device__ __forceinline__ unsigned less_once(unsigned r, unsigned p) { return min(r, r - p); }

// The residue below p that low + 2^32 high is, times factor / 2^64: high is a sum of less than 2^9 upper words, and
// `factor` is below p.
__device__ __forceinline__ unsigned residue_of(unsigned long long low, unsigned long long high, unsigned factor, unsigned p, unsigned p_inverse) {
  // (low + 2^32 high) / 2^32 mod p, below 2^41; then below 2 p + 2^20, and below p.
  const unsigned long long sum = redc(low, p, p_inverse) + high;
  const unsigned lazy = redc((unsigned long long)redc(sum, p, p_inverse) * factor, p, p_inverse);
  return less_once(less_once(lazy, p), p);
}

// a b / 2^32 mod p, below p, for a and b below p.
__device__ __forceinline__ unsigned product_of(unsigned a, unsigned b, unsigned p, unsigned p_inverse) {
  return less_once(redc((unsigned long long)a * b, p, p_inverse), p);
}

// a^exponent of such products, for an exponent of so many bits, of which the highest is 1.
__device__ __forceinline__ unsigned power_of(unsigned a, unsigned exponent, unsigned bits, unsigned p, unsigned p_inverse) {
  unsigned power = a;
#pragma unroll 1
  for (unsigned bit = bits - 1; bit-- > 0;) {
    power = product_of(power, power, p, p_inverse);
    const unsigned times = product_of(power, a, p, p_inverse);
    power = exponent >> bit & 1 ? times : power;
  }
  return power;
}

// The inverse of n modulo a prime p of 31 bits, times 2^32, or 0 if p divides n; `square` is 2^64 mod p.
__device__ __forceinline__ unsigned inverse_of(unsigned n, unsigned p, unsigned p_inverse, unsigned square) {
  return power_of(product_of(n, square, p, p_inverse), p - 2, 31, p, p_inverse);
}
