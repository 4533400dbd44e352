// mul_classical.cuh: the quadratic product by columns, balanced over the threads of an instance.
// docs/mul_classical.md; Oancea and Watt, section 3, figures 4 to 7.
//
// A chunk is four columns. Chunk k is a sum of blocks of 4 x 4 word products, a block being four words of a
// (rows) under a window of seven words of b; its sum has six words, four that stay (L) and two that belong to
// chunk k + 1 (H). A thread owns as many chunks as it holds groups of four words: one from the start, one
// from the end, and so on. L and H are stored in shared memory, and L + H by one carry chain per run is the
// product, with deferred carries.
//
// Shared memory per instance: a, four zeros, b; then L and H in their place. Barriers: four.

constexpr unsigned CHUNKS = PADDED / 4;                        // of a number
constexpr unsigned THREADS = LANES * WARPS;                    // of an instance

// Adds a block: four words of a under the window of seven words of b that ends in `upper`.
__device__ __forceinline__ void mad_block(Rows& acc, uint4 a, uint4 upper, uint4 lower) {
  mad_row(acc, a.x, upper.x, upper.y, upper.z, upper.w);
  mad_row(acc, a.y, lower.w, upper.x, upper.y, upper.z);
  mad_row(acc, a.z, lower.z, lower.w, upper.x, upper.y);
  mad_row(acc, a.w, lower.y, lower.z, lower.w, upper.x);
}

__device__ __forceinline__ void sum_of_rows(unsigned (&sum)[6], const Rows& acc) {
  const unsigned even[4] = {acc.even[1], acc.even[2], acc.even[3], acc.even[4]};
  const unsigned odd[4] = {acc.odd[0], acc.odd[1], acc.odd[2], acc.odd[3]};
  unsigned middle[4];
  const unsigned carry = add_four(middle, even, odd);
  sum[0] = acc.even[0];
#pragma unroll
  for (unsigned i = 0; i < 4; i++) sum[i + 1] = middle[i];
  sum[5] = acc.odd[4] + carry;
}

// The columns of chunk k, below CHUNKS, as six words.
__device__ __forceinline__ void convolve(unsigned (&sum)[6], const unsigned* slot, unsigned k) {
  const uint4* a = (const uint4*)slot;
  const uint4* b = (const uint4*)(slot + FACTOR_WORDS);
  // Bounds that the compiler cannot see through: it unrolls and loads ahead.
  unsigned row = k < CHUNKS ? 0 : k - CHUNKS;
  const unsigned last = k < CHUNKS ? k : CHUNKS - 1;
  Rows acc = {};
  uint4 upper = b[(int)(k - row)];
  for (; row <= last; row++) {
    const uint4 lower = b[(int)(k - row) - 1];
    mad_block(acc, a[row], upper, lower);
    upper = lower;
  }
  sum_of_rows(sum, acc);
}

// The i-th chunk of a thread out of CHUNKS: from the start for even i, mirrored from the end for odd i.
__device__ __forceinline__ unsigned owned_chunk(unsigned i, const Place& at) {
  const unsigned thread = at.warp * LANES + at.rank, index = i / 2 * THREADS + thread;
  return i % 2 ? CHUNKS - 1 - index : index;
}

__device__ __forceinline__ void stage_factors(unsigned* slot, const Num& x, const Num& y, const Place& at) {
  instance_barrier();
  stage_words(slot, x, at);
  stage_words(slot + FACTOR_WORDS, y, at);
  constexpr unsigned ZEROS = FACTOR_WORDS - PADDED;
  if (at.rank < ZEROS && at.warp == 0)
    for (unsigned i = at.rank; i < ZEROS; i += LANES) slot[PADDED + i] = 0;
  instance_barrier();
}

__device__ __forceinline__ void publish(unsigned* slot, unsigned h, const unsigned (&acc)[6], unsigned k, const Place& at) {
  *(uint4*)(slot + 4 * k) = four_of(acc, 0);
  *(uint2*)(slot + h + 2 * (k + 1)) = make_uint2(acc[4], acc[5]);
  if (k == 0) *(uint2*)(slot + h) = make_uint2(0, 0);
}

// L + H for the words from chunk `first` on.
__device__ __forceinline__ Sum gather_product(const unsigned* slot, unsigned h, unsigned first, const Place& at) {
  Sum z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    unsigned l[V], up[V];
#pragma unroll
    for (unsigned v = 0; v < V; v += 4) {
      const unsigned k = first + (at.word(c) + v) / 4;
      const uint4 four = *(const uint4*)(slot + 4 * k);
      const uint2 two = *(const uint2*)(slot + h + 2 * k);
      put_four(l, v, four);
      up[v] = two.x, up[v + 1] = two.y, up[v + 2] = up[v + 3] = 0;
    }
    z.owed[c] = (int)add_run(z.num.w[c], l, up);
  }
  return z;
}

constexpr unsigned CHUNKS_PER_THREAD = RUNS * V / 4;

__device__ __forceinline__ Sum mul_low(const Num& x, const Num& y, unsigned* slot, const Place& at) {
  stage_factors(slot, x, y, at);
  unsigned acc[CHUNKS_PER_THREAD][6];
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) convolve(acc[i], slot, owned_chunk(i, at));
  instance_barrier();
#pragma unroll
  for (unsigned i = 0; i < CHUNKS_PER_THREAD; i++) publish(slot, PADDED, acc[i], owned_chunk(i, at), at);
  instance_barrier();
  return gather_product(slot, PADDED, 0, at);
}
