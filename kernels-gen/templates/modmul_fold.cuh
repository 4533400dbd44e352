// modmul_fold.cuh: products modulo one N of all instances, whose upper words a constant matrix folds. docs/modmul_fold.md.
//
// A thread has the number of an instance, W words: one more than N has. A product has W - 1 + UPPER words: 2 W, or one
// less where numbers are far below B^W. Its words from B^(W - 1) on go to shared memory, where tensor cores multiply their
// bytes by the residues of 256^i B^(W - 1) modulo N, 32 instances at a time. The digit sums come back through shared memory, two words for each
// word of the result: s0 + 2^8 s1 and s2 + 2^8 s3.

constexpr unsigned TILES = 4;                          // of 8 instances of a warp
constexpr unsigned PRODUCT = W - 1 + UPPER;            // words of a product
constexpr unsigned CHUNKS = (UPPER + 3) / 4;           // of 16 bytes of what is folded
constexpr unsigned PITCH = 4 * (CHUNKS | 1);           // an odd number of chunks, so that rows lie in different banks
constexpr unsigned UNITS = (W - 1 + 7) / 8;
constexpr unsigned UNITS_AT_ONCE = UNITS > 2 ? 1 : UNITS;  // in a turn of the loop: more take seconds to compile, and gain 1 %
constexpr unsigned UNIT_WORDS = 128 * row_fragments(CHUNKS);
constexpr unsigned SUM_PITCH = 16 * UNITS + 4;
constexpr unsigned AREA = 32 * (PITCH > SUM_PITCH ? PITCH : SUM_PITCH);  // words of a warp, for one and then the other
constexpr unsigned ENTRY_WORDS = (W + 3) / 4 * 4;      // of a number in memory

// The carries of low + sums, and of that and halves B^1/2.
struct Carries {
  unsigned sums, halves;
};

__device__ __forceinline__ void add_sums(unsigned (&z)[4], const unsigned (&low)[4], const uint4& first, const uint4& second, unsigned& before, Carries& carry) {
  const unsigned sums[4] = {first.x, first.z, second.x, second.z};
  const unsigned halves[4] = {__funnelshift_l(before, first.y, 16), __funnelshift_l(first.y, first.w, 16),
                              __funnelshift_l(first.w, second.y, 16), __funnelshift_l(second.y, second.w, 16)};
  unsigned sum[4];
  carry.sums = add_next4<0, 0, 0>(sum, low, sums, carry.sums);
  carry.halves = add_next4<0, 0, 0>(z, sum, halves, carry.halves);
  before = second.w;
}

// The W words of 2 a.
__device__ __forceinline__ Num twice(const Num& a) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) z.w[i] = __funnelshift_l(i > 0 ? a.w[i - (i > 0)] : 0, a.w[i], 1);
  return z;
}

// The memory of a warp and the rows.
struct Fold {
  unsigned lane;
  unsigned* area;
  unsigned rows;  // place of the first row, for this lane

  // The number that is even + odd B modulo N.
  __device__ __forceinline__ Num operator()(const unsigned (&even)[2 * W + 1], const unsigned (&odd)[2 * W + 1]) const {
    unsigned words[8 * ((PRODUCT + 7) / 8)], carry = 0;
#pragma unroll
    for (unsigned i = 0; i < PRODUCT; i += 8) {
      unsigned x[8], y[8], z[8];
#pragma unroll
      for (unsigned k = 0; k < 8; k++) {
        x[k] = i + k < PRODUCT ? even[i + k] : 0;
        y[k] = i + k > 0 && i + k < PRODUCT ? odd[i + k - 1] : 0;
      }
      carry = add_next8<0, 0, 0>(z, x, y, carry);
#pragma unroll
      for (unsigned k = 0; k < 8; k++) words[i + k] = z[k];
    }
    unsigned* const mine = area + PITCH * lane;
#pragma unroll
    for (unsigned i = 0; i < UPPER; i += 4) {
      const auto upper = [&](unsigned k) { return i + k < UPPER ? words[W - 1 + i + k] : 0; };
      *(uint4*)(mine + i) = make_uint4(upper(0), upper(1), upper(2), upper(3));
    }
    multiply_bytes();
    return with_sums(words);
  }

  // From the words that are folded to pairs of digit sums.
  __device__ __forceinline__ void multiply_bytes() const {
    unsigned b[TILES][CHUNKS], g = lane / 4, t = lane % 4;
    // Else the compiler would load all rows before a loop of squares.
    const unsigned first_row = settled(rows);
    __syncwarp();
    load_columns<PITCH>(b, shared_place(area) + 4 * PITCH * (lane % 8) + 16 * (lane / 8));
    __syncwarp();
#pragma unroll UNITS_AT_ONCE
    for (unsigned unit = 0; unit < UNITS; unit++) {
      unsigned c[TILES][2][4];
      multiply<false>(c, b, first_row + 4 * UNIT_WORDS * unit);
#pragma unroll
      for (unsigned n = 0; n < TILES; n++)
#pragma unroll
        for (unsigned j = 0; j < 2; j++)
          *(uint2*)(area + (8 * n + 2 * t + j) * SUM_PITCH + 2 * (8 * unit + g)) =
            make_uint2(c[n][0][j] + (c[n][0][2 + j] << 8), c[n][1][j] + (c[n][1][2 + j] << 8));
    }
    __syncwarp();
  }

  // The lowest words and the digit sums.
  template <unsigned N>
  __device__ __forceinline__ Num with_sums(const unsigned (&words)[N]) const {
    const unsigned* const mine = area + SUM_PITCH * lane;
    unsigned before = 0;
    Carries carry = {0, 0};
    Num z;
#pragma unroll
    for (unsigned i = 0; i < W; i += 4) {
      unsigned low[4], sum[4];
#pragma unroll
      for (unsigned k = 0; k < 4; k++) low[k] = i + k < W - 1 ? words[i + k] : 0;
      // Beyond the units there are no sums.
      const bool exists = i < 8 * UNITS;
      const uint4 none = make_uint4(0, 0, 0, 0);
      add_sums(sum, low, exists ? *(const uint4*)(mine + 2 * i) : none, exists ? *(const uint4*)(mine + 2 * i + 4) : none, before, carry);
#pragma unroll
      for (unsigned k = 0; k < 4; k++)
        if (i + k < W) z.w[i + k] = sum[k];
    }
    __syncwarp();
    return z;
  }

  __device__ __forceinline__ Num square(const Num& a) const {
    unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
    square_words(even, odd, a, twice(a));
    return (*this)(even, odd);
  }

  __device__ __forceinline__ Num product(const Num& a, const Num& b) const {
    unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
    product_words(even, odd, a, b);
    return (*this)(even, odd);
  }
};

// An entry of the table of powers.
__device__ __forceinline__ Num load_entry(const unsigned* from) {
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i += 4) {
    const uint4 words = *(const uint4*)(from + i);
    z.w[i] = words.x;
    if (i + 1 < W) z.w[i + 1 < W ? i + 1 : 0] = words.y;
    if (i + 2 < W) z.w[i + 2 < W ? i + 2 : 0] = words.z;
    if (i + 3 < W) z.w[i + 3 < W ? i + 3 : 0] = words.w;
  }
  return z;
}

__device__ __forceinline__ void store_entry(unsigned* to, const Num& x) {
#pragma unroll
  for (unsigned i = 0; i < W; i += 4) {
    const auto word = [&](unsigned k) { return i + k < W ? x.w[i + k] : 0; };
    *(uint4*)(to + i) = make_uint4(word(0), word(1), word(2), word(3));
  }
}
