// ntt_tile.cuh: SLOTS transforms of POINTS points in a block, THREADS threads each, natural order in and out.
// docs/ntt.md.
//
// Point k T + j (k < R1, j < T = R2 R3) of a transform lies at k (T + 1) + j of its slot in shared memory.
// The outer pass does the stages over k for each j, the middle pass (none if R2 = 1) joins R2 points R3
// apart, the inner pass R3 neighbours. Then position k T + m R3 + i holds the value with the index whose
// digits are reversed: the lanes of the inner pass have all k of some m, so that for each i they store
// neighbours.
//
// In memory a transform's points are neighbours, or STRIDE apart in a tile of SLOTS neighbouring transforms:
// then slots are the lanes' lowest bits, and SLOT is such that a warp's slots lie in different banks.
//
// Barriers: after the outer and the middle pass.

constexpr unsigned T = R2 * R3;
constexpr unsigned POINTS = R1 * T;
constexpr unsigned ROW = T + 1;  // distance of the R1 rows in shared memory

// The constants of the prime that the compiler knows: factors of the outer pass (unused if NESTED) and of its
// first stage (if THREE), and the factor of every result.
struct Transform {
  Prime prime;
  Twiddle outer[R1];
  Three three;
  Twiddle scale;
};

// The other factors in vectors of 16 bytes, for each tile if NESTED: middle pass [R2][R1], inner pass [R3][R1
// R2], outer pass [R1]; each of these for all slots if NESTED. Last, if results are twisted, a factor of
// each.
constexpr unsigned PER_VECTOR = 16 / sizeof(Twiddle);
constexpr unsigned TABLES = NESTED ? SLOTS : 1;
constexpr unsigned MIDDLE = 0;
constexpr unsigned INNER = MIDDLE + (R2 > 1 ? R2 / PER_VECTOR * R1 : 0);
constexpr unsigned OUTER = INNER + R3 / PER_VECTOR * R1 * R2;
constexpr unsigned TABLE = OUTER + (NESTED ? R1 / PER_VECTOR : 0);

// A thread of a transform.
struct Lane {
  unsigned thread, slot;
  __device__ __forceinline__ explicit Lane(bool strided) {
    thread = strided ? threadIdx.x / SLOTS : threadIdx.x % THREADS;
    slot = strided ? threadIdx.x % SLOTS : threadIdx.x / THREADS;
  }
};

// The transforms of a block: SLOTS whole ones from SLOTS times `instance` on, or a tile of one instance.
struct Tile {
  unsigned long long instance;
  unsigned tile;
  __device__ __forceinline__ Tile() : instance(blockIdx.x / TILES), tile(blockIdx.x % TILES) {}
  // Whether the block has a transform for a slot. Tiles are full; a last group of whole transforms may not
  // be.
  __device__ __forceinline__ bool active(unsigned slot, unsigned long long instances) const {
    return STORE_STRIDED || SLOTS == 1 || instance * SLOTS + slot < instances;
  }
  // The place of a transform's point 0.
  __device__ __forceinline__ unsigned long long base(bool strided, unsigned slot) const {
    if (strided) return instance * (POINTS * (unsigned long long)STRIDE) + tile * SLOTS + slot;
    return ((instance * TILES + tile) * SLOTS + slot) * POINTS;
  }
};

// The log2(N) bits of x in reverse; for N = 3 2^t its highest digit, of base 3, becomes the lowest one.
template <int N>
__device__ __forceinline__ unsigned reversed(unsigned x) {
  if constexpr (N % 3 == 0) return x / (N / 3) + 3 * reversed<N / 3>(x % (N / 3));
  return N == 1 ? 0 : __brev(x) >> (32 - log2_of(N)) % 32;
}

__device__ __forceinline__ void block_barrier() {
  if (THREADS * SLOTS <= 32) __syncwarp();
  else __syncthreads();
}

// Whole cache lines are read and written once; the rest of a partial line belongs to other blocks.
__device__ __forceinline__ Word load(const Word* at) { return LOAD_STRIDED ? __ldg(at) : __ldcs(at); }
__device__ __forceinline__ void store(Word* at, Word value) {
  if (STORE_STRIDED) *at = value;
  else __stcs(at, value);
}

// The outer pass of a thread, from memory to shared memory.
__device__ __forceinline__ void outer(const Word* __restrict__ in, Residue* shared, const Transform& transform, const uint4* table, const Tile& tile, unsigned long long instances) {
  const Lane lane(LOAD_STRIDED);
  const unsigned step = LOAD_STRIDED ? STRIDE : 1;
  const Word* const from = in + tile.base(LOAD_STRIDED, lane.slot);
  const bool active = tile.active(lane.slot, instances);
#pragma unroll 1
  for (unsigned round = 0; round < T / THREADS; round++) {
    const unsigned j = lane.thread + round * THREADS;
    Residue x[1][R1];
#pragma unroll
    for (unsigned k = 0; k < R1; k++) x[0][k] = residue(active ? load(from + (k * T + j) * step) : 0);
    if (NESTED) {
      Twiddle w[R1];
      load_twiddles(w, table + OUTER * TABLES + lane.slot, TABLES);
      forward<OUTER_REDUCE, 0, 0>(x, w, transform.prime);
    } else if (THREE) {
      forward_three<OUTER_REDUCE, BY_ONE, PLUS>(x, transform.outer, transform.three, transform.prime);
    } else {
      forward<OUTER_REDUCE, 0, BY_ONE>(x, transform.outer, transform.prime);
    }
#pragma unroll
    for (unsigned k = 0; k < R1; k++) shared[lane.slot * SLOT + k * ROW + j] = x[0][k];
  }
}

// The middle pass of a thread. Its task is a row k and an offset o; with 32 rows the lanes have 16 neighbours
// of k and k + 16, which lie in different banks.
__device__ __forceinline__ void middle(Residue* shared, const Transform& transform, const uint4* table) {
  const Lane lane(STORE_STRIDED);
#pragma unroll 1
  for (unsigned round = 0; round < R1 * R3 / THREADS; round++) {
    const unsigned task = lane.thread + round * THREADS, group = task / R3;
    const unsigned k = R3 == 16 && !STORE_STRIDED ? group % 2 * (R1 / 2) + group / 2 : group;
    Residue* const at = shared + lane.slot * SLOT + k * ROW + task % R3;
    Residue x[1][R2];
    Twiddle w[R2];
    load_twiddles(w, table + (MIDDLE + k) * TABLES + (NESTED ? lane.slot : 0), R1 * TABLES);
#pragma unroll
    for (unsigned m = 0; m < R2; m++) x[0][m] = at[R3 * m];
    forward<MIDDLE_REDUCE, 0, 0>(x, w, transform.prime);
#pragma unroll
    for (unsigned m = 0; m < R2; m++) at[R3 * m] = x[0][m];
  }
}

// The inner pass of a thread, from shared memory to memory.
__device__ __forceinline__ void inner(const Residue* shared, Word* __restrict__ out, const Transform& transform, const uint4* table, const Twiddle* __restrict__ twist, const Tile& tile, unsigned long long instances) {
  const Lane lane(STORE_STRIDED);
  const unsigned step = STORE_STRIDED ? STRIDE : 1;
  Word* const to = out + tile.base(STORE_STRIDED, lane.slot);
  const bool active = tile.active(lane.slot, instances);
#pragma unroll 1
  for (unsigned round = 0; round < R1 * R2 / THREADS; round++) {
    const unsigned at_once = lane.thread + round * THREADS, m = at_once / R1;
    // Fewer threads than rows take rows whose results are neighbours.
    const unsigned k = THREADS < R1 && !STORE_STRIDED ? reversed<R1>(at_once % R1) : at_once % R1;
    const unsigned task = m * R1 + k;
    const Residue* const at = shared + lane.slot * SLOT + k * ROW + m * R3;
    Residue x[1][R3];
    Twiddle w[R3];
    load_twiddles(w, table + (INNER + task) * TABLES + (NESTED ? lane.slot : 0), R1 * R2 * TABLES);
#pragma unroll
    for (unsigned i = 0; i < R3; i++) x[0][i] = at[i];
    forward<INNER_REDUCE, 0, 0>(x, w, transform.prime);
    const unsigned first = reversed<R2>(m) * R1 + reversed<R1>(k);
#pragma unroll
    for (unsigned i = 0; i < R3; i++) {
      const unsigned index = reversed<R3>(i) * (R1 * R2) + first;
      Residue y = x[0][i];
      if (FINISH == NOTHING && REDUCE_RESULT) y = reduce(y, transform.prime);
      if (FINISH == SCALE) y = times(y, transform.scale, transform.prime);
      if (FINISH == TWIST) y = times(y, twist[(STORE_STRIDED ? tile.tile * SLOTS + lane.slot : 0) + index * step], transform.prime);
      if (active) store(to + index * step, CANONICAL ? canonical(y, transform.prime) : (Word)y);
    }
  }
}
