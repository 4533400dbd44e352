// residue32.cuh: residues modulo an odd prime p < 2^32 as words in [0, p). docs/ntt.md.
//
// Products by Montgomery (1985): factors come as w 2^32 mod p.

typedef unsigned Word;
typedef unsigned Residue;

// A known factor as w 2^32 mod p.
struct Twiddle {
  unsigned w;
};

// Four factors to a vector.
__device__ __forceinline__ void unpack(Twiddle* w, const uint4& vector) {
  w[0] = {vector.x};
  w[1] = {vector.y};
  w[2] = {vector.z};
  w[3] = {vector.w};
}

struct Prime {
  unsigned p, inverse;  // inverse = 1/p mod 2^32
};

__device__ __forceinline__ unsigned residue(unsigned word) { return word; }
__device__ __forceinline__ unsigned canonical(unsigned x, const Prime&) { return x; }
__device__ __forceinline__ unsigned reduce(unsigned x, const Prime&) { return x; }

// x - y mod p, for x < p and y <= p.
__device__ __forceinline__ unsigned difference(unsigned x, unsigned y, const Prime& prime) {
  const unsigned long long exact = (unsigned long long)x - y;
  return (unsigned)exact - (unsigned)(exact >> 32) * prime.p;
}

// y w.
__device__ __forceinline__ unsigned times(unsigned y, const Twiddle& w, const Prime& prime) {
  const unsigned long long product = (unsigned long long)y * w.w;
  return difference((unsigned)(product >> 32), __umulhi((unsigned)product * prime.inverse, prime.p), prime);
}

// x + y and x - y.
__device__ __forceinline__ void butterfly_by_one(unsigned& x, unsigned& y, const Prime& prime) {
  const unsigned sum = difference(x, prime.p - y, prime);
  y = difference(x, y, prime);
  x = sum;
}

// x + y w and x - y w.
__device__ __forceinline__ void butterfly(unsigned& x, unsigned& y, const Twiddle& w, const Prime& prime) {
  y = times(y, w, prime);
  butterfly_by_one(x, y, prime);
}
