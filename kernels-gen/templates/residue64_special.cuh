// residue64_special.cuh: residues modulo p = 2^64 - 2^32 + 1 as any words of 64 bits. docs/ntt.md.
//
// 2^64 = 2^32 - 1 mod p: a carry out of a word is added to it as 2^32 - 1. If one of two terms is at most p,
// this happens once: x + y - 2^64 + 2^32 - 1 = x + y - p is below 2^64, and x - y + 2^64 - (2^32 - 1) = x -
// y + p is not below 0.
//
// Products by Montgomery (1985): factors come as w 2^64 mod p, below p, so that products are in [0, p) for
// any other word. The multiple of p to subtract needs no product: 1 / p = 1 + 2^32 and p = 1 - 2^32 mod 2^64.

typedef unsigned long long Word;
typedef unsigned long long Residue;

// A known factor as w 2^64 mod p.
struct Twiddle {
  unsigned long long w;
};

// Two factors to a vector.
__device__ __forceinline__ void unpack(Twiddle* w, const uint4& vector) {
  w[0] = {(unsigned long long)vector.y << 32 | vector.x};
  w[1] = {(unsigned long long)vector.w << 32 | vector.z};
}

struct Prime {
  unsigned long long p;
};

__device__ __forceinline__ unsigned long long residue(unsigned long long word) { return word; }
__device__ __forceinline__ unsigned long long reduce(unsigned long long x, const Prime&) { return x; }
__device__ __forceinline__ unsigned long long canonical(unsigned long long x, const Prime& prime) { return x < prime.p ? x : x - prime.p; }

// y w in [0, p). The high word of the product is at most p - 2 for w < p, so that the sum does not overflow.
__device__ __forceinline__ unsigned long long times(unsigned long long y, const Twiddle& w, const Prime&) {
  unsigned long long m;
  const unsigned long long sum = special_sum(y * w.w, __umul64hi(y, w.w), m);
  return subtract_special(sum, m);
}

// x + y and x - y, for y at most p.
__device__ __forceinline__ void butterfly_by_one(unsigned long long& x, unsigned long long& y, const Prime&) {
  unsigned carry;
  const unsigned long long sum = add_carry(x, y, carry);
  y = subtract_special(x, y);
  x = sum + carry * 0xffffffffull;
}

// x + y w and x - y w.
__device__ __forceinline__ void butterfly(unsigned long long& x, unsigned long long& y, const Twiddle& w, const Prime& prime) {
  y = times(y, w, prime);
  butterfly_by_one(x, y, prime);
}
