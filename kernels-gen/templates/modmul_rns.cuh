// modmul_rns.cuh: words modulo a prime of a residue number system. docs/modmul_rns.md.

// v / 2^32 mod p, from 1 to floor(v / 2^32) + p, for `inverse` = 1 / p mod 2^32.
__device__ __forceinline__ unsigned redc(unsigned long long v, unsigned p, unsigned inverse) {
  return (unsigned)(v >> 32) + p - __umulhi((unsigned)v * inverse, p);
}

// r, less p if it is not below p.
__device__ __forceinline__ unsigned less_once(unsigned r, unsigned p) { return min(r, r - p); }
