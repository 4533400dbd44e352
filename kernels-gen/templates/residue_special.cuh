// residue_special.cuh: residues modulo a constant n = 2^{{ bits }} - c in the registers of one thread, as they are and
// not in Montgomery form. docs/programs.md.
//
// B^W = SHIFTED mod n for SHIFTED = c 2^(32 W - {{ bits }}) below 2^40: the upper words of a product, times SHIFTED, are
// added to the lower ones, twice. What is above bit {{ bits }} then goes the same way.

constexpr unsigned long long SHIFTED = {{ shifted }}ull, SUBTRAHEND = {{ subtrahend }}ull;
constexpr unsigned SPECIAL_BITS = {{ bits }};

struct Special {
  Num n;
};

__device__ __forceinline__ Special special_ring() { return { { { {{ modulus }} } } }; }

// x + y for y below 2^96; returns the carry.
__device__ __forceinline__ unsigned add_low(Num& x, unsigned long long y, unsigned above) {
  Num z = {};
  z.w[0] = (unsigned)y;
  z.w[1] = (unsigned)(y >> 32);
  z.w[2] = above;
  return add_words(x, x, z);
}

// even + odd B mod n, the words of a product: even[2 W] and those from odd[2 W - 1] on are 0.
__device__ __forceinline__ Num special_reduced(const unsigned (&even)[2 * W + 1], const unsigned (&odd)[2 * W + 1], const Num& more, const Special& ring) {
  Num x, y, low, high;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    x.w[i] = even[i];
    y.w[i] = i == 0 ? 0 : odd[i - (i > 0)];
  }
  const unsigned carry = add_words(low, x, y);
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    x.w[i] = even[W + i];
    y.w[i] = odd[W - 1 + i];
  }
  add_words(high, x, y);
  if (FULL) add_words(high, high, more);
  add_low(high, carry, 0);
  // low + high SHIFTED, as a sum of rows.
  constexpr unsigned FACTOR = (unsigned)SHIFTED, UPPER = (unsigned)(SHIFTED >> 32);
  Partial t = {};
#pragma unroll
  for (unsigned i = 0; i < W; i++) t.even[i] = low.w[i];
  add_odd(t, FACTOR, high);
  add_even(t, FACTOR, high);
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    x.w[i] = t.even[i];
    y.w[i] = i == 0 ? 0 : t.odd[i - (i > 0)];
  }
  unsigned long long above = add_words(z, x, y);
  above += t.even[W] + (unsigned long long)t.odd[W - 1];
  if constexpr (UPPER != 0) {
#pragma unroll
    for (unsigned i = 0; i < W; i++) x.w[i] = i == 0 ? 0 : high.w[i - (i > 0)];
    Num product = x;
    unsigned long long top = high.w[W - 1];
    if constexpr (UPPER > 1) {
      unsigned long long sum = 0;
#pragma unroll
      for (unsigned i = 0; i < W; i++) {
        sum += mul_words(x.w[i], UPPER);
        product.w[i] = (unsigned)sum;
        sum >>= 32;
      }
      top = mul_words(high.w[W - 1], UPPER) + sum;
    }
    above += top + add_words(z, z, product);
  }
  // above < 2^41: its product with SHIFTED is below 2^81.
  const unsigned long long first = mul_words((unsigned)above, FACTOR);
  const unsigned long long second = (first >> 32) + mul_words((unsigned)(above >> 32), FACTOR) + mul_words((unsigned)above, UPPER);
  const unsigned third = (unsigned)(second >> 32) + (unsigned)(above >> 32) * UPPER;
  const unsigned over = add_low(z, second << 32 | (unsigned)first, third);
  add_low(z, over != 0 ? SHIFTED : 0, 0);
  if constexpr (SPECIAL_BITS < 32 * W) {
    constexpr unsigned SHIFT = SPECIAL_BITS % 32;
    const unsigned beyond = z.w[W - 1] >> SHIFT;
    z.w[W - 1] &= (1u << SHIFT) - 1;
    // SUBTRAHEND < 2^40, and both together are below 2^72.
    const unsigned long long low_product = mul_words(beyond, (unsigned)SUBTRAHEND);
    const unsigned long long high_product = (low_product >> 32) + mul_words(beyond, (unsigned)(SUBTRAHEND >> 32));
    add_low(z, high_product << 32 | (unsigned)low_product, (unsigned)(high_product >> 32));
  }
  return less_modulus(z, 0, ring);
}

// a b mod n for a, b < R.
__device__ __forceinline__ Num residue_mul(const Num& a, const Num& b, const Special& ring) {
  unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
  product_words(even, odd, a, b);
  return special_reduced(even, odd, Num{}, ring);
}

__device__ __forceinline__ Num residue_sqr(const Num& a, const Special& ring) {
  unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
  Num twice, more = {};
  const unsigned above = 0 - (a.w[W - 1] >> 31);
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    twice.w[i] = a.w[i] << 1 | (i > 0 ? a.w[i - (i > 0)] >> 31 : 0);
    if (FULL && i + 1 < W) more.w[i] = a.w[i] & above;
  }
  square_words(even, odd, a, twice);
  return special_reduced(even, odd, more, ring);
}

__device__ __forceinline__ Num residue_reduce(const Num& a, const Special&) { return a; }

__device__ __forceinline__ Num residue_one(const Special&) { return number_of_scalar(1, false); }

__device__ __forceinline__ Num residue_square(const Special& ring) { return residue_one(ring); }

__device__ __noinline__ Num residue_mul_called(Num a, Num b, Special ring) { return residue_mul(a, b, ring); }

__device__ __noinline__ Num residue_sqr_called(Num a, Special ring) { return residue_sqr(a, ring); }

__device__ __forceinline__ Num residue_reduce_called(const Num& a, const Special&) { return a; }

// a word / B mod n, by the inverse of B.
__device__ __forceinline__ Num residue_word(const Num& a, unsigned word, const Special& ring) {
  const Num inverse = { { {{ inverse }} } };
  return residue_mul_called(residue_mul_called(a, number_of_scalar(word, false), ring), inverse, ring);
}
