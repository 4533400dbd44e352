// ntt_block.cuh: one transform of POINTS points by THREADS threads through shared memory, in passes of R1, R2
// and R3 points in registers. docs/mul_ntt.md. Of the R1 rows of a transform of R1 R2 R3 points the first
// ROWS are computed.
//
// Point k T + j (k < R1, j < T = R2 R3) lies at k (T + 1) + j of the transform's array. The outer pass does
// the stages over k for each j, the middle pass (none if R2 = 1) joins R2 points R3 apart, the inner pass R3
// neighbours. With R1 = 32 there are no bank conflicts: the lanes of the outer pass are neighbours, those of
// the inner pass have different k, and those of the middle pass have 16 or 32 neighbours of k and k + 16. If
// rows are skipped, those from 16 on conflict in pairs.
//
// A block holds IPB transforms. Barriers: between passes, of the block, or of the warp if a transform lies
// within one.

constexpr unsigned T = R2 * R3;
constexpr unsigned ROW = T + 1;                    // distance of the rows in shared memory
constexpr unsigned ARRAY = (ROWS * ROW + 3) / 4 * 4; // residues of an operand in shared memory

// A prime with the factors that all threads share: those of the outer pass forward, of the inner pass
// backward, and those of the outer pass backward that are the same in all columns.
struct Transform {
  Prime prime;
  Twiddle outer[R1];
  Twiddle inner[R3];
  Twiddle columns[COLUMN_FACTORS];
};

// The other factors of a prime in vectors of 16 bytes, one table after the other: middle pass forward
// [R2][ROWS], inner pass forward [R3][ROWS R2], middle pass backward [R2][R3], outer pass backward [ROWS][T],
// an even number of rows.
constexpr unsigned PER_VECTOR = 16 / sizeof(Twiddle);
constexpr unsigned MIDDLE = 0;
constexpr unsigned INNER = MIDDLE + (R2 > 1 ? R2 / PER_VECTOR * ROWS : 0);
constexpr unsigned BACK_MIDDLE = INNER + R3 / PER_VECTOR * ROWS * R2;
constexpr unsigned BACK_OUTER = BACK_MIDDLE + (R2 > 1 ? R2 / PER_VECTOR * R3 : 0);
constexpr unsigned TABLE = BACK_OUTER + (ROWS + PER_VECTOR - 1) / PER_VECTOR * T;

__device__ __forceinline__ void transform_barrier() {
  if (THREADS <= 32) __syncwarp();
  else __syncthreads();
}

// A pass has a task for each R points. If tasks do not fill the last round, some threads are idle in it.
constexpr unsigned rounds_of(unsigned tasks) { return (tasks + THREADS - 1) / THREADS; }
__device__ __forceinline__ bool is_task(unsigned t, unsigned tasks) { return tasks % THREADS == 0 || t < tasks; }

// Task `t` of the middle pass: row k and offset o.
__device__ __forceinline__ void middle_task(unsigned t, unsigned& k, unsigned& o) {
  const unsigned group = t / R3;
  o = t % R3;
  constexpr unsigned PAIRS = ROWS - R1 / 2;
  if (R3 == 16) k = group < 2 * PAIRS ? group % 2 * (R1 / 2) + group / 2 : group - PAIRS;
  else k = group;
}

// Middle pass of S transforms; DIRECTION +1 forward, -1 backward.
template <int DIRECTION, unsigned REDUCE, int S>
__device__ __forceinline__ void middle(Residue* const (&array)[S], const uint4* table, const Prime& prime, unsigned thread) {
#pragma unroll 1
  for (unsigned round = 0; round < rounds_of(ROWS * R3); round++) {
    const unsigned t = thread + round * THREADS;
    if (!is_task(t, ROWS * R3)) break;
    unsigned k, o;
    middle_task(t, k, o);
    const unsigned base = k * ROW + o;
    Residue x[S][R2];
    Twiddle w[R2];
    if (DIRECTION > 0) load_twiddles(w, table + MIDDLE + k, ROWS);
    else load_twiddles(w, table + BACK_MIDDLE + o, R3);
#pragma unroll
    for (unsigned s = 0; s < S; s++)
#pragma unroll
      for (unsigned m = 0; m < R2; m++) x[s][m] = array[s][base + R3 * m];
    if (DIRECTION > 0) forward<REDUCE, 0, 0>(x, w, prime);
    else backward<REDUCE, 0>(x, w, prime);
#pragma unroll
    for (unsigned s = 0; s < S; s++)
#pragma unroll
      for (unsigned m = 0; m < R2; m++) array[s][base + R3 * m] = x[s][m];
  }
}

// The start of the R3 neighbours of task `t` of the inner pass: row by row, but the first R1 / 2 rows of all
// middles come before the others if the others are fewer.
__device__ __forceinline__ unsigned inner_base(unsigned t) {
  constexpr unsigned HALF = R1 / 2, LAST = ROWS < R1 ? ROWS - HALF : ROWS, FIRST = ROWS - LAST;
  if ((int)t < (int)(FIRST * R2)) return t % HALF * ROW + t / HALF * R3;
  const unsigned rest = t - FIRST * R2;
  return (FIRST + rest % LAST) * ROW + rest / LAST * R3;
}

template <unsigned REDUCE, int S>
__device__ __forceinline__ void inner_forward(Residue (&x)[S][R3], Residue* const (&array)[S], const uint4* table, const Prime& prime, unsigned t) {
  Twiddle w[R3];
  load_twiddles(w, table + INNER + t, ROWS * R2);
#pragma unroll
  for (unsigned s = 0; s < S; s++)
#pragma unroll
    for (unsigned i = 0; i < R3; i++) x[s][i] = array[s][inner_base(t) + i];
  forward<REDUCE, 0, 0>(x, w, prime);
}

template <unsigned REDUCE, int BY_ONE>
__device__ __forceinline__ void inner_backward(Residue (&x)[1][R3], Residue* array, const Transform& transform, const Prime& prime, unsigned t) {
  backward<REDUCE, BY_ONE>(x, transform.inner, prime);
#pragma unroll
  for (unsigned i = 0; i < R3; i++) array[inner_base(t) + i] = x[0][i];
}
