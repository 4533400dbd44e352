// residue28.cuh: residues modulo a prime p a little above 2^28 as signed words with three spare bits.
// docs/mul_ntt.md.
//
// A residue is any x = value mod p with |x| < 2^31. Sums are not reduced; a product with a known factor is at
// most (1 + |y| / 2^33) p in magnitude, for any |y| < 2^31. The generator proves the ranges of the sums
// (kernel/ntt/bounds.rs) and inserts reduce() where needed. All arithmetic is mod 2^32, so only final ranges
// matter.
//
// Shoup's product with floor: one high product (4 cycles of the multiply pipe) and two low ones (2 each).

typedef unsigned Word;
typedef int Residue;

// A known factor w in (-p/2, p/2) and round(w * 2^32 / p).
struct Twiddle {
  int w, f;
};

// Two factors to a vector.
__device__ __forceinline__ void unpack(Twiddle* w, const uint4& vector) {
  w[0] = {(int)vector.x, (int)vector.y};
  w[1] = {(int)vector.z, (int)vector.w};
}

struct Prime {
  int p, minus_p, inverse;  // inverse = 1/p mod 2^32
};

__device__ __forceinline__ int residue(unsigned word) { return (int)word; }

// x + y w and x - y w.
__device__ __forceinline__ void butterfly(int& x, int& y, const Twiddle& w, const Prime& prime) {
  const unsigned q = (unsigned)__mulhi(y, w.f);
  unsigned sum = (unsigned)y * (unsigned)w.w + (unsigned)x;
  sum += q * (unsigned)prime.minus_p;
  y = (int)(2 * (unsigned)x - sum);
  x = (int)sum;
}

// x + y and x - y.
__device__ __forceinline__ void butterfly_by_one(int& x, int& y, const Prime&) {
  const int sum = x + y;
  y = x - y;
  x = sum;
}

// y w.
__device__ __forceinline__ int times(int y, const Twiddle& w, const Prime& prime) {
  return (int)((unsigned)y * (unsigned)w.w + (unsigned)__mulhi(y, w.f) * (unsigned)prime.minus_p);
}

// The same residue with |x| at most p + 8 (p - 2^28).
__device__ __forceinline__ int reduce(int x, const Prime& prime) { return x + (x >> 28) * prime.minus_p; }

// x + y w.
__device__ __forceinline__ int add_times(int x, int y, const Twiddle& w, const Prime& prime) {
  return (int)((unsigned)y * (unsigned)w.w + (unsigned)x + (unsigned)__mulhi(y, w.f) * (unsigned)prime.minus_p);
}

// x / 2 modulo p.
__device__ __forceinline__ int half(int x, const Prime& prime) { return (x + (-(x & 1) & prime.p)) >> 1; }

// x y 2^-32 by Montgomery: |x y| 2^-32 + p / 2 at most.
__device__ __forceinline__ int times_residue(int x, int y, const Prime& prime) {
  const long long product = (long long)x * y;
  return (int)(product >> 32) - __mulhi((int)((unsigned)product * (unsigned)prime.inverse), prime.p);
}

// digit 2^-32, for a digit of 64 bits: between -p - 15 (p - 2^28) and 2^28.
__device__ __forceinline__ int residue_of_digit(unsigned low, unsigned high, const Prime& prime) {
  const unsigned reduced = high + (high >> 28) * (unsigned)prime.minus_p;
  return (int)(reduced - __umulhi(low * (unsigned)prime.inverse, (unsigned)prime.p));
}

// The representative in [0, p) of a residue in (-p, 2 p).
__device__ __forceinline__ unsigned canonical(int x, const Prime& prime) {
  unsigned y = (unsigned)x;
  y = min(y, y + (unsigned)prime.p);
  return min(y, y + (unsigned)prime.minus_p);
}
