// residue32_lazy.cuh: residues modulo a prime p < 2^30 as words in [0, 4 p). docs/ntt.md.
//
// Harvey, "Faster arithmetic for number-theoretic transforms" (2014): a product with a known factor lies in
// [0, 2 p) for any other factor, so a butterfly needs x in [0, 2 p) and gives words in [0, 4 p). The
// generator proves where x must be reduced (ntt/bounds.rs).
//
// Shoup's product with floor: one high product (4 cycles of the multiply pipe) and two low ones (2 each).

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

// x in [0, 4 p) to [0, 2 p).
__device__ __forceinline__ unsigned reduce(unsigned x, const Prime& prime) { return min(x, x - 2 * prime.p); }

// x + y w and x - y w + 2 p, for any y.
__device__ __forceinline__ void butterfly(unsigned& x, unsigned& y, const Twiddle& w, const Prime& prime) {
  const unsigned sum = y * w.w + x - __umulhi(y, w.f) * prime.p;
  y = 2 * x + 2 * prime.p - sum;
  x = sum;
}

// x + y and x - y + 2 p, for y in [0, 4 p).
__device__ __forceinline__ void butterfly_by_one(unsigned& x, unsigned& y, const Prime& prime) {
  const unsigned reduced = reduce(y, prime);
  y = x - reduced + 2 * prime.p;
  x = x + reduced;
}

// y w in [0, 2 p).
__device__ __forceinline__ unsigned times(unsigned y, const Twiddle& w, const Prime& prime) {
  return y * w.w - __umulhi(y, w.f) * prime.p;
}

// x in [0, 4 p) to [0, p).
__device__ __forceinline__ unsigned canonical(unsigned x, const Prime& prime) {
  x = reduce(x, prime);
  return min(x, x - prime.p);
}
