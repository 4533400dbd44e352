// mul_tensor_wgmma.cuh: low products by matrices of bytes, a warpgroup of four warps to an instance.
// docs/mul_tensor.md.
//
// Digits are bytes. Row psi and column s of the product's matrix hold digit 64s + psi, for psi below 64. Step
// tau adds a[psi - 32 + 32tau - k] * b[64s + 32 - 32tau + k] for k below 32: a is the Toeplitz matrix, in
// registers; b lies in shared memory unchanged; its rows of 64 bytes are columns of the matrix, so a step
// only changes the start address. The columns are computed 32 at a time; group c has data up to step
// 64c + 63.
//
// Row 16w + g + 8r of the instruction is psi = g + 8 (w mod 2) + 32 (w / 2) + 16r. So a warp's fragment has
// one word twice, and one of the step before: two loads per step. Four copies of a with their bytes reversed,
// each a byte later than the one before, contain all words.

constexpr unsigned LANES = 32;
constexpr unsigned WARPS = 4;
constexpr unsigned THREADS = WARPS * LANES;
constexpr unsigned COLUMNS = PADDED / 16;               // of 64 digits
constexpr unsigned GROUPS = COLUMNS / 32;
static_assert(PADDED % 512 == 0 && W <= PADDED && W % 4 == 0, "whole groups of columns, whole vectors");

// Shared memory in words: 32 rows of zeros, b; copies of a, each after zeros. Later the coefficients replace
// both.
constexpr unsigned ZEROS = 512;
constexpr unsigned COPY_ZEROS = 24;
constexpr unsigned COPY = PADDED + COPY_ZEROS;          // 24 banks between copies
constexpr unsigned COPIES = ZEROS + PADDED;
constexpr unsigned CARRIES = COPIES + 4 * COPY;         // the carry out of each warp
constexpr unsigned PITCH = 68;                          // coefficients of a column: stores and loads use all banks
static_assert(ZEROS + COLUMNS * PITCH <= CARRIES, "digit sums fit where the operands were");
static_assert(CARRIES + WARPS + 124 == SHARED_WORDS, "the plan knows the size, with what is in front of whole patterns");

constexpr unsigned LOADS = PADDED / 4 / THREADS;        // vectors of an operand that a thread loads
constexpr unsigned TILES = PADDED / THREADS;            // of 32 words that a warp resolves
constexpr unsigned FULL_WORDS = BITS / 32;
constexpr unsigned TOP_MASK = (1u << (BITS % 32)) - 1;

// Loads and stores the operands. Data above a number only affect digits above it.
__device__ __forceinline__ void lay_out(unsigned* shared, const unsigned* a, const unsigned* b) {
  const unsigned thread = thread_again(), lane = thread % LANES;
  uint4 first[LOADS], second[LOADS];
  unsigned below[LOADS];
#pragma unroll
  for (unsigned i = 0; i < LOADS; i++) {
    const unsigned at = 4 * (thread + THREADS * i);
    const bool there = W == PADDED || at < W;
    first[i] = there ? __ldcs((const uint4*)(a + at)) : make_uint4(0, 0, 0, 0);
    second[i] = there ? __ldcs((const uint4*)(b + at)) : make_uint4(0, 0, 0, 0);
    below[i] = lane == 0 && at > 0 && there ? __ldg(a + at - 1) : 0;
  }
  if (thread < 4 * COPY_ZEROS) shared[COPIES + thread / COPY_ZEROS * COPY + thread % COPY_ZEROS] = 0;
#pragma unroll
  for (unsigned i = 0; i < LOADS; i++) {
    const unsigned at = 4 * (thread + THREADS * i);
    const uint4 x = first[i];
    const unsigned above = __shfl_sync(0xffffffffu, x.w, (int)((lane + 31) % LANES));
    const unsigned before = lane == 0 ? below[i] : above;
#pragma unroll
    for (unsigned copy = 0; copy < 4; copy++) {
      const unsigned order = 0x4567 - 0x1111 * copy;
      *(uint4*)(shared + COPIES + copy * COPY + COPY_ZEROS + at) =
          make_uint4(__byte_perm(before, x.x, order), __byte_perm(x.x, x.y, order), __byte_perm(x.y, x.z, order), __byte_perm(x.z, x.w, order));
    }
    *(uint4*)(shared + swizzled(4 * (ZEROS + at)) / 4) = second[i];
  }
}

// Steps 2i and 2i + 1 of groups FROM and up, for i = PAIR.
template <unsigned FROM, unsigned PAIR>
__device__ __forceinline__ void multiply_pair(unsigned (&sums)[GROUPS][16], const unsigned (&a)[2][4], const Rows& rows) {
#pragma unroll
  for (unsigned step = 0; step < 2; step++) {
#pragma unroll
    for (unsigned group = FROM; group < GROUPS; group++)
      add_product(sums[group], a[step], rows.moved(64 * (32 * (int)group - (int)PAIR) + (step ? 0 : 32)));
  }
}

// 64 steps of groups FROM and up. The compiler must see that no register of a product changes before it is
// finished.
template <unsigned FROM>
__device__ __forceinline__ void multiply_from(unsigned (&sums)[GROUPS][16], const unsigned*& toeplitz, unsigned& last, Rows& rows, unsigned zero) {
  constexpr unsigned PAIRS = GROUPS - FROM <= 2 ? 2 : 1;  // enough concurrent products
#pragma unroll 1
  for (unsigned step = 0; step < 64; step += 4 * PAIRS) {
#pragma unroll
    for (unsigned half = 0; half < 2; half++) {
      unsigned a[PAIRS][2][4];
#pragma unroll
      for (unsigned i = 0; i < 2 * PAIRS; i++) {
        unsigned (&to)[4] = a[i / 2][i % 2];
        to[0] = toeplitz[8 * i];
        to[1] = toeplitz[8 * i + 4];
        to[2] = (i ? a[(i - 1) / 2][(i - 1) % 2][1] : last) ^ zero;
        to[3] = to[0] ^ zero;
      }
      last = a[PAIRS - 1][1][1] + zero;
      toeplitz += 16 * PAIRS;
      begin_products();
      multiply_pair<FROM, 0>(sums, a[0], rows);
      if constexpr (PAIRS == 2) multiply_pair<FROM, 1>(sums, a[1], rows);
      finish_products();
      rows = rows.moved(-64 * (int)PAIRS);
    }
  }
  if constexpr (FROM + 1 < GROUPS) multiply_from<FROM + 1>(sums, toeplitz, last, rows, zero);
}

// Psi of the thread's first row.
__device__ __forceinline__ unsigned row_of(unsigned thread) {
  const unsigned warp = thread / LANES;
  return thread % LANES / 4 + 8 * (warp % 2) + 32 * (warp / 2);
}

// `zero` is 0, hidden from the compiler, which would copy registers with equal values for every product.
__device__ __forceinline__ void multiply(unsigned (&sums)[GROUPS][16], const unsigned* shared, unsigned zero) {
  const unsigned thread = thread_again(), psi = row_of(thread), copy = (3 - psi) % 4;
  // psi - 35 + copy is a multiple of 4.
  const unsigned* toeplitz = shared + COPIES + copy * COPY + COPY_ZEROS + ((int)(psi + copy) - 35) / 4 - (int)(thread % 4);
  unsigned last = toeplitz[-4] + zero;
#pragma unroll
  for (unsigned i = 0; i < 16 * GROUPS; i++) sums[i / 16][i % 16] = 0;
  Rows rows = rows_from(shared, 4 * ZEROS);
  multiply_from<0>(sums, toeplitz, last, rows, zero);
}

// Stores the coefficients in place of the operands.
__device__ __forceinline__ void put_sums(unsigned* shared, const unsigned (&sums)[GROUPS][16]) {
  const unsigned thread = thread_again();
  unsigned* const to = shared + ZEROS + 2 * (thread % 4) * PITCH + row_of(thread);
#pragma unroll
  for (unsigned i = 0; i < 16 * GROUPS; i++) to[(i / 4 * 8 + i % 2) * PITCH + i / 2 % 2 * 16] = sums[i / 16][i % 16];
}

// Word `at` from its coefficients, and its carry.
__device__ __forceinline__ void join(const unsigned* shared, unsigned at, unsigned& low, unsigned& high) {
  const uint4 four = *(const uint4*)(shared + ZEROS + at / 16 * PITCH + 4 * (at % 16));
  const unsigned x = four.y + (four.x >> 8), y = four.z + (x >> 8), z = four.w + (y >> 8);
  low = __byte_perm(__byte_perm(four.x, x, 0x0040), __byte_perm(y, z, 0x0040), 0x5410);
  high = z >> 8;
}

// A word of the result: its bits above BITS are zero.
__device__ __forceinline__ unsigned fit(unsigned word, unsigned value) {
  if (BITS == 32 * PADDED) return value;
  return word < FULL_WORDS ? value : word == FULL_WORDS ? value & TOP_MASK : 0;
}

// Resolves the carries. Each warp resolves a quarter of the words, for a carry from below and for none; the
// warps exchange the actual carries.
__device__ __forceinline__ void resolve(unsigned* shared, unsigned* out) {
  const unsigned thread = thread_again(), warp = thread / LANES, lane = thread % LANES, begin = warp * (PADDED / WARPS) + lane;
  unsigned words[TILES], generates[TILES], passes[TILES], low, high, above = 0, carries[2] = {0, 1};
  if (warp > 0) join(shared, begin - lane - 1, low, above);
#pragma unroll
  for (unsigned i = 0; i < TILES; i++) {
    join(shared, begin + LANES * i, low, high);
    const unsigned below = __shfl_sync(0xffffffffu, high, (int)((lane + 31) % LANES));
    const unsigned in = lane == 0 ? above : below;
    above = below;
    words[i] = low + in;
    generates[i] = __ballot_sync(0xffffffffu, words[i] < in);
    passes[i] = __ballot_sync(0xffffffffu, words[i] == 0xffffffffu);
#pragma unroll
    for (unsigned k = 0; k < 2; k++) carries[k] = (generates[i] >> 31) + (passes[i] + 2 * generates[i] + carries[k] < passes[i]);
  }
  if (lane == 0) shared[CARRIES + warp] = carries[0] | carries[1] << 1;
  __syncthreads();
  unsigned carry = 0;
#pragma unroll
  for (unsigned k = 0; k + 1 < WARPS; k++)
    if (k < warp) carry = shared[CARRIES + k] >> carry & 1;
#pragma unroll
  for (unsigned i = 0; i < TILES; i++) {
    const unsigned sum = passes[i] + 2 * generates[i] + carry;
    carry = (generates[i] >> 31) + (sum < passes[i]);
    const unsigned at = begin + LANES * i;
    if (W == PADDED || at < W) __stcs(out + at, fit(at, words[i] + ((sum ^ passes[i]) >> lane & 1)));
  }
}
