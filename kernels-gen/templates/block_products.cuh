// block_products.cuh: a warp multiplies numbers in shared memory, 32 words at a time, one per lane, as byte
// matrix products. docs/div.md.
//
// A left factor is words with zeros around them; a right factor is stored four times, shifted by bytes. A
// matrix has 16 rows of the left factor, 8 bytes apart, and 8 columns of the right one, a byte apart: its
// elements are the 128 coefficients of 32 words.

constexpr unsigned LEFT_BELOW = 32, LEFT_ABOVE = 64;    // zeros around a left factor
constexpr unsigned RIGHT_BELOW = 66, RIGHT_ABOVE = 34;  // and around a right one

// Words between the copies of a right factor: lanes read four copies, without bank conflicts.
__host__ __device__ constexpr unsigned copy_words(unsigned words) { return (words + RIGHT_BELOW + RIGHT_ABOVE + 23) / 32 * 32 + 8; }

// A number's copies from byte 0, 1, 2 and 3 on, the bytes of each word in reverse: the fragments of a
// Toeplitz matrix are words of it.
struct RightFactor {
  unsigned* from;  // word 0 of the first copy
  unsigned copy;   // words of a copy

  // Word `word`, with the one above it.
  __device__ __forceinline__ void put(int word, unsigned value, unsigned above) const {
#pragma unroll
    for (unsigned bytes = 0; bytes < 4; bytes++) from[(int)(bytes * copy) + word] = __byte_perm(value, above, 0x0123 + 0x1111 * bytes);
  }

  __device__ __forceinline__ unsigned get(unsigned word) const { return __byte_perm(from[word], 0, 0x0123); }

  // The lane's words: column j = lane / 4 of the matrix is shifted by j bytes.
  __device__ __forceinline__ const unsigned* of_lane(const Place& at) const {
    const unsigned column = at.lane / 4 + 1;
    return from + (int)(column % 4 * copy + column / 4) - 1 - (int)(at.lane % 4);
  }
};

// The lane's words of four matrices of a right factor, from word 0 of `right` down.
__device__ __forceinline__ void load_columns(unsigned (&columns)[8], const unsigned* right) {
#pragma unroll
  for (unsigned i = 0; i < 8; i++) columns[i] = right[-4 * (int)i];
}

// The coefficients of COUNT times 32 words of a product. Lane 4 r + t gets those of bytes 8 r + 2 t of each
// 32 words, the next one, and both 64 bytes above. The upper rows of a left factor's matrix are the lower
// ones of the matrix 64 bytes further, which has its halves exchanged in separate sums: no register moves.
template <unsigned COUNT>
struct DigitSums {
  const unsigned* data;
  unsigned rows[2][4], straight[COUNT][4], turned[COUNT][4];

  // From this word of the left factor on.
  __device__ __forceinline__ DigitSums(const unsigned* left, const Place& at) : data(left + at.lane / 4 * 2 + at.lane % 4) {
#pragma unroll
    for (unsigned i = 0; i < 4; i++) rows[i / 2][i % 2 * 2] = data[4 * i];
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++)
#pragma unroll
      for (unsigned i = 0; i < 4; i++) straight[j][i] = turned[j][i] = 0;
  }

  // 32 words of the left factor, by columns for each of the sums.
  __device__ __forceinline__ void add(const unsigned (&columns)[COUNT][8]) {
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
      const unsigned other = i < 2;
      rows[i % 2][other] = data[8 * i + 16];
      rows[i % 2][other + 2] = data[8 * i + 20];
#pragma unroll
      for (unsigned j = 0; j < COUNT; j++) {
        const unsigned b[2] = {columns[j][2 * i], columns[j][2 * i + 1]};
        mma_u8(i < 2 ? straight[j] : turned[j], rows[i % 2], b);
      }
    }
    data += 32;
  }

  __device__ __forceinline__ void get(unsigned (&sums)[4], unsigned j) const {
#pragma unroll
    for (unsigned i = 0; i < 4; i++) sums[i] = straight[j][i] + turned[j][(i + 2) % 4];
  }
};

// COUNT times 32 words from `first` on of a left factor of `end` words times a right factor of `words` words.
template <unsigned COUNT>
__device__ __forceinline__ DigitSums<COUNT> multiply_words(const unsigned* left, unsigned end, const RightFactor& right, unsigned words, unsigned first, const Place& at) {
  const int last = (int)first + 32 * ((int)COUNT - 1), lowest = (int)first - (int)words, from = lowest < -(int)LEFT_BELOW ? -(int)LEFT_BELOW : lowest;
  const unsigned of_right = ((unsigned)(last - from) + 1) / 32 + 1, of_left = ((unsigned)((int)end - from) + 31) / 32;
  const unsigned* next = right.of_lane(at) + ((int)first - from);
  DigitSums<COUNT> sums(left + from, at);
  unsigned columns[COUNT][8];
  // Words 32 above use the same columns one iteration later.
#pragma unroll
  for (unsigned j = 1; j < COUNT; j++) load_columns(columns[j - 1], next + 32 * j);
#pragma unroll(COUNT)
  for (unsigned turns = of_left < of_right ? of_left : of_right; turns > 0; turns--) {
#pragma unroll
    for (unsigned j = COUNT; j-- > 1;)
#pragma unroll
      for (unsigned i = 0; i < 8; i++) columns[j][i] = columns[j - 1][i];
    load_columns(columns[0], next);
    sums.add(columns);
    next -= 32;
  }
  return sums;
}

// The upper 32 words of the product of two numbers of 32 words.
__device__ __forceinline__ DigitSums<1> multiply_high(const unsigned* left, const unsigned (&columns)[1][8], const Place& at) {
  DigitSums<1> sums(left, at);
  sums.add(columns);
  return sums;
}

// 32 words of sums number j + `addend` + `from_below`, one per lane. The last lane has its carry out in
// `leaving`.
template <unsigned COUNT>
__device__ __forceinline__ unsigned words_of(const DigitSums<COUNT>& of, unsigned j, unsigned addend, unsigned from_below, unsigned& leaving, const Place& at) {
  unsigned sums[4];
  of.get(sums, j);
  // Neighbours hold the halves of two words, 16 apart: each gets one.
  const bool upper = at.lane % 2 != 0;
  const unsigned half0 = __shfl_xor_sync(~0u, upper ? sums[0] : sums[2], 1), half1 = __shfl_xor_sync(~0u, upper ? sums[1] : sums[3], 1);
  unsigned long long sum = upper ? half0 : sums[0];
  sum = mad_words(upper ? half1 : sums[1], 1u << 8, sum);
  sum = mad_words(upper ? sums[2] : half0, 1u << 16, sum);
  sum = mad_words(upper ? sums[3] : half1, 1u << 24, sum);
  const unsigned holder = at.lane % 16 / 2 * 4 + at.lane % 2 * 2 + at.lane / 16;
  const unsigned low = __shfl_sync(~0u, (unsigned)sum, holder) + addend;
  const unsigned high = __shfl_sync(~0u, (unsigned)(sum >> 32), holder) + (low < addend);
  const unsigned below = __shfl_up_sync(~0u, high, 1), in = at.lane == 0 ? from_below : below;
  const unsigned word = low + in;
  unsigned carry = 0;
  const unsigned into = carries_into_lanes(__ballot_sync(~0u, word < in), __ballot_sync(~0u, word == ~0u), carry);
  leaving = high + carry;
  return word + (into >> at.lane & 1);
}
