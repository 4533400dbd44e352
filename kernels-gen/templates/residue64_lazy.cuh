// residue64_lazy.cuh: residues modulo a prime p < 2^62 as words of 64 bits in [0, 2 SPAN p + 2^33). docs/ntt.md.
//
// As residue32_lazy.cuh, with products in [0, SPAN p): SPAN is 2 with an exact quotient, and 4 where p < 2^61 leaves room for
// one that is too small by up to 2 because the product of the low words is left out and the others are cut off.
//
// Multiply pipe: quotient 12 cycles or 16, y w mod 2^64 8, q p mod 2^64 8, or 2 if p = 1 mod 2^32.

typedef unsigned long long Word;
typedef unsigned long long Residue;

// A known factor w in [0, p) and floor(w * 2^64 / p).
struct Twiddle {
  unsigned long long w, f;
};

__device__ __forceinline__ void unpack(Twiddle* w, const uint4& vector) {
  w[0] = {(unsigned long long)vector.y << 32 | vector.x, (unsigned long long)vector.w << 32 | vector.z};
}

struct Prime {
  unsigned long long p;
};

__device__ __forceinline__ unsigned long long residue(unsigned long long word) { return word; }

// floor(x y / 2^64), or up to 2 less if SPAN is 4.
__device__ __forceinline__ unsigned long long quotient(unsigned long long x, unsigned long long y) {
  if (SPAN == 2) return __umul64hi(x, y);
  const unsigned x0 = (unsigned)x, x1 = (unsigned)(x >> 32), y0 = (unsigned)y, y1 = (unsigned)(y >> 32);
  return (unsigned long long)x1 * y1 + __umulhi(x1, y0) + __umulhi(x0, y1);
}

// x - q p mod 2^64.
__device__ __forceinline__ unsigned long long minus_multiple(unsigned long long x, unsigned long long q, const Prime& prime) {
  if ((unsigned)prime.p != 1) return x - q * prime.p;
  // By words: as one sum of 64 bits it would be compiled to one more wide product.
  x -= q;
  union {
    uint2 words;
    unsigned long long value;
  } result;
  result.words.x = (unsigned)x;
  result.words.y = (unsigned)(x >> 32) - (unsigned)q * (unsigned)(prime.p >> 32);
  return result.value;
}

// x less SPAN p unless it is small: at most SPAN p + 2^32 remains of 2 SPAN p. The high words decide.
__device__ __forceinline__ unsigned long long reduce(unsigned long long x, const Prime& prime) {
  const unsigned long long multiple = SPAN * prime.p;
  return (unsigned)(x >> 32) > (unsigned)(multiple >> 32) ? x - multiple : x;
}

// x if that is below multiple, else x - multiple.
__device__ __forceinline__ unsigned long long subtract_once(unsigned long long x, unsigned long long multiple) {
  return x < multiple ? x : x - multiple;
}

// x + y w and x - y w + SPAN p, for any y.
__device__ __forceinline__ void butterfly(unsigned long long& x, unsigned long long& y, const Twiddle& w, const Prime& prime) {
  const unsigned long long sum = minus_multiple(y * w.w + x, quotient(y, w.f), prime);
  y = 2 * x + SPAN * prime.p - sum;
  x = sum;
}

// x + y and x - y + SPAN p.
__device__ __forceinline__ void butterfly_by_one(unsigned long long& x, unsigned long long& y, const Prime& prime) {
  const unsigned long long reduced = subtract_once(subtract_once(y, SPAN * prime.p), prime.p);
  y = x - reduced + SPAN * prime.p;
  x = x + reduced;
}

// y w in [0, SPAN p).
__device__ __forceinline__ unsigned long long times(unsigned long long y, const Twiddle& w, const Prime& prime) {
  return minus_multiple(y * w.w, quotient(y, w.f), prime);
}

// The representative in [0, p).
__device__ __forceinline__ unsigned long long canonical(unsigned long long x, const Prime& prime) {
  x = reduce(x, prime);
  if (SPAN == 4) x = subtract_once(x, 2 * prime.p);
  return subtract_once(subtract_once(x, prime.p), prime.p);
}
