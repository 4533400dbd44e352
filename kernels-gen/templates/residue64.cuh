// residue64.cuh: residues modulo an odd prime p < 2^64 as words of 64 bits in [0, p). docs/ntt.md.
//
// Products by Montgomery (1985): factors come as w 2^64 mod p.

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
  unsigned long long p, inverse;  // inverse = 1/p mod 2^64
};

__device__ __forceinline__ unsigned long long residue(unsigned long long word) { return word; }
__device__ __forceinline__ unsigned long long canonical(unsigned long long x, const Prime&) { return x; }
__device__ __forceinline__ unsigned long long reduce(unsigned long long x, const Prime&) { return x; }

// x - y mod p, for x < p and y <= p.
__device__ __forceinline__ unsigned long long difference(unsigned long long x, unsigned long long y, const Prime& prime) {
  return x - y + (x < y ? prime.p : 0);
}

// floor(m p / 2^64) for m = low / p mod 2^64.
__device__ __forceinline__ unsigned long long high_of_multiple(unsigned long long low, const Prime& prime) {
  return __umul64hi(low * prime.inverse, prime.p);
}

// y w.
__device__ __forceinline__ unsigned long long times(unsigned long long y, const Twiddle& w, const Prime& prime) {
  return difference(__umul64hi(y, w.w), high_of_multiple(y * w.w, prime), prime);
}

// x + y and x - y.
__device__ __forceinline__ void butterfly_by_one(unsigned long long& x, unsigned long long& y, const Prime& prime) {
  const unsigned long long sum = difference(x, prime.p - y, prime);
  y = difference(x, y, prime);
  x = sum;
}

// x + y w and x - y w.
__device__ __forceinline__ void butterfly(unsigned long long& x, unsigned long long& y, const Twiddle& w, const Prime& prime) {
  y = times(y, w, prime);
  butterfly_by_one(x, y, prime);
}
