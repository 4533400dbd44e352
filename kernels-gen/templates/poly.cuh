// poly.cuh: sums of products of residues, and positions of polynomials in memory. docs/poly.md.
//
// On top of residue32.cuh or residue64.cuh: residues in [0, p), Montgomery's product.

__device__ constexpr Prime PRIME = {{ prime }};

// R^2 mod p as a factor, for R = 2^32 or 2^64: times(x, this) is x R.
__device__ __forceinline__ Twiddle r_squared() { return {{ r_squared }}; }

__device__ __forceinline__ unsigned high_product(unsigned x, unsigned y) { return __umulhi(x, y); }
__device__ __forceinline__ unsigned long long high_product(unsigned long long x, unsigned long long y) {
  return __umul64hi(x, y);
}

__device__ __forceinline__ Word sum(Word x, Word y) { return difference(x, PRIME.p - y, PRIME); }

// A sum of products, below p R: only its high word is kept below p, and one reduction finishes it.
struct Sum {
  Word low, high;
};

// x y is at most (p - 1)^2, so its high word and a carry are below p.
__device__ __forceinline__ void add_product(Sum& sum, Word x, Word y) {
  const Word low = sum.low + x * y;
  const Word high = high_product(x, y) + (low < sum.low);
  sum.high = difference(sum.high, PRIME.p - high, PRIME);
  sum.low = low;
}

// sum / R mod p: high - floor(m p / R) for m = low / p mod R.
__device__ __forceinline__ Word reduced(const Sum& sum) {
  return difference(sum.high, high_product(sum.low * PRIME.inverse, PRIME.p), PRIME);
}
