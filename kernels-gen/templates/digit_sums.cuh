// digit_sums.cuh: products of constant matrices with the bytes of numbers, on tensor cores. docs/modmul_rns.md,
// docs/modmul_fold.md.
//
// A unit is 8 words of the results: two tiles of 16 rows, for each of TILES tiles of 8 columns, the numbers. Rows 0 .. 7
// of the first tile are digits 0 of the words, rows 8 .. 15 digits 1, those of the second tile digits 2 and 3: lane 4 g + t
// has all four digit sums of word g of numbers 2 t and 2 t + 1 of each tile. Columns have CHUNKS chunks of 16 bytes.
//
// Rows lie in shared memory in the order of digit_rows.cuh.

// The bytes of the numbers from `at` on, which is the lane's place; PITCH words are between numbers.
template <unsigned PITCH, unsigned TILES, unsigned CHUNKS>
__device__ __forceinline__ void load_columns(unsigned (&b)[TILES][CHUNKS], unsigned at) {
#pragma unroll
  for (unsigned n = 0; n < TILES; n++) {
    const unsigned column = at + 32 * PITCH * n;
#pragma unroll
    for (unsigned c = 0; c + 4 <= CHUNKS; c += 4) load_matrices<4>(b[n] + c, column + 16 * c);
    if (CHUNKS % 4 >= 2) load_matrices<2>(b[n] + CHUNKS / 4 * 4, column + 16 * (CHUNKS / 4 * 4));
    if (CHUNKS % 2) load_matrices<1>(b[n] + CHUNKS - 1, column + 16 * (CHUNKS - 1));
  }
}

// The digit sums of a unit, whose rows lie at `rows` for this lane: in a place that other rows come to if VOLATILE.
template <bool VOLATILE, unsigned TILES, unsigned CHUNKS>
__device__ __forceinline__ void multiply(unsigned (&c)[TILES][2][4], const unsigned (&b)[TILES][CHUNKS], unsigned rows) {
#pragma unroll
  for (unsigned n = 0; n < TILES; n++)
#pragma unroll
    for (unsigned i = 0; i < 8; i++) c[n][i / 4][i % 4] = 0;
#pragma unroll
  for (unsigned s = 0; s != CHUNKS / 2; s++) {
    unsigned a[2][4];
    load_four<VOLATILE>(a[0], rows + 512 * (2 * s));
    load_four<VOLATILE>(a[1], rows + 512 * (2 * s + 1));
#pragma unroll
    for (unsigned m = 0; m < 2; m++)
#pragma unroll
      for (unsigned n = 0; n < TILES; n++) {
        const unsigned column[2] = {b[n][2 * s], b[n][2 * s + 1]};
        mma_u8(c[n][m], a[m], column);
      }
  }
  if (CHUNKS % 2) {
    unsigned a[4];
    load_four<VOLATILE>(a, rows + 512 * (CHUNKS / 2 * 2));
#pragma unroll
    for (unsigned m = 0; m < 2; m++)
#pragma unroll
      for (unsigned n = 0; n < TILES; n++) {
        const unsigned half[2] = {a[2 * m], a[2 * m + 1]}, column[1] = {b[n][CHUNKS - 1]};
        mma_u8(c[n][m], half, column);
      }
  }
}
