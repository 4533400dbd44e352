// residue32_half.cuh: residues modulo a prime p < 2^31 as words in [0, 2 p). docs/ntt.md.
//
// Shoup's product with floor as in residue32_lazy.cuh. There is one spare bit, so both terms of a sum are
// reduced to [0, p) before it.

typedef unsigned Word;
typedef unsigned Residue;

// A known factor w in [0, p) and floor(w * 2^32 / p).
struct Twiddle {
  unsigned w, f;
};

// Two factors to a vector.
__device__ __forceinline__ void unpack(Twiddle* w, const uint4& vector) {
  w[0] = {vector.x, vector.y};
  w[1] = {vector.z, vector.w};
}

struct Prime {
  unsigned p;
};

__device__ __forceinline__ unsigned residue(unsigned word) { return word; }

// x in [0, 2 p) to [0, p).
__device__ __forceinline__ unsigned canonical(unsigned x, const Prime& prime) { return min(x, x - prime.p); }

// Butterflies reduce by themselves.
__device__ __forceinline__ unsigned reduce(unsigned x, const Prime&) { return x; }

// x + y and x - y.
__device__ __forceinline__ void butterfly_by_one(unsigned& x, unsigned& y, const Prime& prime) {
  const unsigned left = canonical(x, prime), right = canonical(y, prime);
  x = left + right;
  y = left - right + prime.p;
}

// y w in [0, 2 p).
__device__ __forceinline__ unsigned times(unsigned y, const Twiddle& w, const Prime& prime) {
  return y * w.w - __umulhi(y, w.f) * prime.p;
}

// x + y w and x - y w.
__device__ __forceinline__ void butterfly(unsigned& x, unsigned& y, const Twiddle& w, const Prime& prime) {
  y = times(y, w, prime);
  butterfly_by_one(x, y, prime);
}
