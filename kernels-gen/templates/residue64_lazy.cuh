// residue64_lazy.cuh: residues modulo a prime p between 2^40 and 2^62 as words of 64 bits up to 2 SPAN p +
// 2^32. docs/ntt.md.
//
// As residue32_lazy.cuh, with products in [0, SPAN p): SPAN is 2 with an exact quotient, and 4 if p < 2^61
// leaves room for a quotient that is too small by up to 2, because the product of the low words is omitted
// and the others are truncated.
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

// Reduces 2 SPAN p + 2^32 to at most SPAN p + 2^32. By bits: subtracts p as often as 2^BITS divides x, if p
// is not far below 2^BITS; otherwise SPAN p, if the high word shows that x is that large.
__device__ __forceinline__ unsigned long long reduce(unsigned long long x, const Prime& prime) {
  const unsigned high = (unsigned)(x >> 32);
  if (REDUCE_BITS > 0) return minus_multiple(x, high >> (REDUCE_BITS - 32) % 32, prime);
  const unsigned long long multiple = SPAN * prime.p;
  return high > (unsigned)(multiple >> 32) ? x - multiple : x;
}

// x if that is below multiple, else x - multiple, for x < 2^63.
__device__ __forceinline__ unsigned long long subtract_once(unsigned long long x, unsigned long long multiple) {
  const unsigned long long difference = x - multiple;
  return (long long)difference < 0 ? x : difference;
}

// x + y w and x - y w + SPAN p, for any y.
__device__ __forceinline__ void butterfly(unsigned long long& x, unsigned long long& y, const Twiddle& w, const Prime& prime) {
  const unsigned long long sum = minus_multiple(y * w.w + x, quotient(y, w.f), prime);
  y = 2 * x + SPAN * prime.p - sum;
  x = sum;
}

// x + y and x - y + SPAN p, for y at most 2 SPAN p.
__device__ __forceinline__ void butterfly_by_one(unsigned long long& x, unsigned long long& y, const Prime& prime) {
  const unsigned long long multiple = SPAN * prime.p;
  const unsigned long long reduced = REDUCE_BITS > 0 ? reduce(y, prime) : y < multiple ? y : y - multiple;
  y = x - reduced + multiple;
  x = x + reduced;
}

// y w in [0, SPAN p).
__device__ __forceinline__ unsigned long long times(unsigned long long y, const Twiddle& w, const Prime& prime) {
  return minus_multiple(y * w.w, quotient(y, w.f), prime);
}

// The representative in [0, p). The quotient by the high word is too small by up to 1.
__device__ __forceinline__ unsigned long long canonical(unsigned long long x, const Prime& prime) {
  constexpr unsigned long long ALL = ~0ull;
  return subtract_once(minus_multiple(x, __umulhi((unsigned)(x >> 32), (unsigned)(ALL / prime.p)), prime), prime.p);
}
