// residue_thread.cuh: residues modulo odd numbers in the registers of one thread, in Montgomery form with R = B^W,
// below the modulus. docs/programs.md.
//
// A product takes W rows of one factor and, after each, the row of the modulus that makes the lowest word 0; then
// all words move down by one. With a, b < n the sum of a row is below 2 n B: it fits W + 1 words if n has a bit
// less than W words, and else has a carry above them, which FULL keeps.

// A modulus, and -1 / n mod B. Sums and differences take any ring with an n.
struct Ring {
  Num n;
  unsigned inverse;
};

// 1 / n mod B of an odd word: each step doubles the number of correct bits, from 5 on.
__device__ __forceinline__ unsigned inverse_of_word(unsigned n) {
  unsigned x = 3 * n ^ 2;
#pragma unroll
  for (unsigned i = 0; i < 3; i++) x *= 2 - n * x;
  return x;
}

// An even number, of an instance that fails, is made odd.
__device__ __forceinline__ Ring ring_of(const Num& n) {
  Ring ring = {n, 0};
  ring.n.w[0] |= 1;
  ring.inverse = 0 - inverse_of_word(ring.n.w[0]);
  return ring;
}

// Down by one word: the lowest one is 0.
__device__ __forceinline__ void move_down(Partial& t) {
  Partial z;
  z.low = t.even[1];
#pragma unroll
  for (unsigned i = 0; i <= W; i++) z.even[i] = t.odd[i];
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.odd[i] = t.even[i + 2];
  z.even[W + 1] = z.odd[W] = 0;
  t = z;
}

// The row of the modulus behind another one.
__device__ __forceinline__ void reduce_row(Partial& t, const Ring& ring) {
  const unsigned times = t.even[0] * ring.inverse;
  add_odd(t, times, ring.n);
  add_even(t, times, ring.n);
  move_down(t);
}

// The sum of the last row, modulo n; below 2 n of LAZY factors, which are below 4 n < B^W / 4.
template <bool LAZY = false>
__device__ __forceinline__ Num reduced(const Partial& t, const Ring& ring) {
  Num even, odd, z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    even.w[i] = t.even[i];
    odd.w[i] = i == 0 ? t.low : t.odd[i - (i > 0)];
  }
  const unsigned carry = add_words(z, even, odd);
  if constexpr (LAZY) return z;
  return less_modulus(z, carry + t.even[W] + t.odd[W - 1], ring);
}

// a b / R mod n, for a < R and b < n.
template <bool LAZY = false>
__device__ __forceinline__ Num residue_mul(const Num& a, const Num& b, const Ring& ring) {
  Partial t = {};
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    add_odd_first(t, a.w[i], b);
    add_even(t, a.w[i], b);
    reduce_row(t, ring);
  }
  return reduced<LAZY>(t, ring);
}

// (low + even + odd B) / R and a multiple of the modulus: its rows alone.
__device__ __forceinline__ void reduce_rows(Partial& t, const Ring& ring) {
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    const unsigned times = (t.even[0] + t.low) * ring.inverse;
    add_odd_first(t, times, ring.n);
    add_even(t, times, ring.n);
    move_down(t);
  }
}

// a / R mod n, for a < R.
__device__ __forceinline__ Num residue_reduce(const Num& a, const Ring& ring) {
  Partial t = {};
#pragma unroll
  for (unsigned i = 0; i < W; i++) t.even[i] = a.w[i];
  reduce_rows(t, ring);
  return reduced(t, ring);
}

// a^2 / R mod n, for a < n: half of the products of words that a product takes, and the rows of the modulus.
template <bool LAZY = false>
__device__ __forceinline__ Num residue_sqr(const Num& a, const Ring& ring) {
  unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
  Num twice, x, y, upper, z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) twice.w[i] = a.w[i] << 1 | (i > 0 ? a.w[i - (i > 0)] >> 31 : 0);
  square_words(even, odd, a, twice);
  // The lower words are divided by R, the upper ones are added then.
  Partial t = {};
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    t.even[i] = even[i];
    if (i + 1 < W) t.odd[i] = odd[i];
    x.w[i] = even[W + i];
    y.w[i] = odd[W - 1 + i];
  }
  add_words(upper, x, y);
  if (FULL) {
    // The bit of 2 a above its words, times the words of a but the highest one.
    const unsigned above = 0 - (a.w[W - 1] >> 31);
#pragma unroll
    for (unsigned i = 0; i < W; i++) x.w[i] = i + 1 < W ? a.w[i] & above : 0;
    add_words(upper, upper, x);
  }
  reduce_rows(t, ring);
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    x.w[i] = t.even[i];
    y.w[i] = i == 0 ? t.low : t.odd[i - (i > 0)];
  }
  unsigned over = add_words(z, x, y) + t.even[W] + t.odd[W - 1];
  over += add_words(z, z, upper);
  if constexpr (LAZY) return z;
  return less_modulus(z, over, ring);
}

// a word / B mod n: one step of a product.
__device__ __forceinline__ Num residue_word(const Num& a, unsigned word, const Ring& ring) {
  Partial t = {};
  add_odd_first(t, word, a);
  add_even(t, word, a);
  reduce_row(t, ring);
  return reduced(t, ring);
}

// R mod n: the highest power of two up to n, and doublings.
__device__ __noinline__ Num residue_one(Ring ring) {
  const unsigned bits = bit_length(ring.n);
  // Only 1 is a power of two itself.
  Num x = less_modulus(shifted_left(number_of_scalar(1, false), bits - 1), 0, ring);
#pragma unroll 1
  for (unsigned i = bits - 1; i < 32 * W; i++) x = residue_add(x, x, ring);
  return x;
}


// The same as calls: by value, so that no number needs an address.
__device__ __noinline__ Num residue_mul_called(Num a, Num b, Ring ring) { return residue_mul(a, b, ring); }

__device__ __noinline__ Num residue_sqr_called(Num a, Ring ring) { return residue_sqr(a, ring); }

__device__ __noinline__ Num residue_reduce_called(Num a, Ring ring) { return residue_reduce(a, ring); }

// R^2 mod n: 2^(32 W) in Montgomery form, by squares and doublings of 2.
__device__ __noinline__ Num residue_square(Ring ring) {
  Num x = residue_one(ring);
  x = residue_add(x, x, ring);
  unsigned bit = 31 - (unsigned)__clz((int)(32 * W));
#pragma unroll 1
  while (bit-- > 0) {
    x = residue_mul(x, x, ring);
    if (32 * W >> bit & 1) x = residue_add(x, x, ring);
  }
  return x;
}
