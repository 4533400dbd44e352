// modmul_rns_rows.cuh: products of the constant matrices of modmul_rns with the bytes of residues, on tensor
// cores. docs/modmul_rns.md.
//
// A unit is 8 residues of the GROUP = 8 NT instances of a team, as digit_sums.cuh has them.
//
// Columns stay in registers for all units of a base. Rows lie in shared memory as lanes read them, for all of
// both matrices, or as a ring of STAGES places for rounds, the units that the warps of a team compute at the
// same time (modmul_rns_ring.cuh).

constexpr unsigned UNITS = (KR + 7) / 8;          // of a base
constexpr unsigned CHUNKS = KR / 4;               // of 16 bytes of a column
constexpr unsigned UNIT_WORDS = 128 * row_fragments(CHUNKS);
constexpr unsigned ROUNDS = (UNITS + TW - 1) / TW;
constexpr unsigned ROUND_WORDS = TW * UNIT_WORDS;
typedef Ring<STAGES ? STAGES : 1, ROUND_WORDS, 2 * ROUNDS, THREADS / 32> RowRing;
constexpr unsigned ROW_WORDS = STAGES ? RowRing::SHARED_WORDS : 2 * UNITS * UNIT_WORDS;
constexpr unsigned V = 2 * NT;                    // residues of a lane in a unit
// Words between columns: rows of a matrix of 8 x 16 bytes lie in different banks.
constexpr unsigned PITCH = KR % 16 == 4 || KR % 16 == 12 ? KR : KR + 4;
constexpr unsigned AREA = GROUP * PITCH + 8;      // words of a team's numbers; lanes of a last half unit read 4 more

typedef unsigned Columns[NT][CHUNKS];
typedef unsigned Sums[NT][2][4];

// How often Q is to be subtracted from the numbers of lanes 4 g + t, from the columns of base 2.
__device__ __forceinline__ void find_alpha(unsigned (&alpha)[V], const Columns& b, unsigned t) {
#pragma unroll
  for (unsigned n = 0; n < NT; n++) {
    unsigned z = 0;
#pragma unroll
    for (unsigned c = 0; c < CHUNKS; c++) z += b[n][c] >> 16;
    z += __shfl_xor_sync(~0u, z, 1);
    z += __shfl_xor_sync(~0u, z, 2);
    z = (z + (1 << 14)) >> 15;
#pragma unroll
    for (unsigned e = 0; e < 2; e++) alpha[2 * n + e] = __shfl_sync(~0u, z, 8 * t + 4 * e);
  }
}

// The sum of column e with its four digits joined. `shift` is 2^16, which the compiler must not know: it would
// take more instructions.
__device__ __forceinline__ unsigned long long joined(const unsigned (&c)[2][4], unsigned e, unsigned shift) {
  const unsigned s0 = c[0][e], s1 = c[0][2 + e], s2 = c[1][e], s3 = c[1][2 + e];
  if (JOINING == 0) return mad_wide_word(s2 + (s3 << 8), shift, s0 + (s1 << 8));
  const unsigned low = s0 + ((s1 & 255) << 8);
  if (JOINING == 1) return mad_wide_word(s2 + (s3 << 8) + (s1 >> 8), shift, low);
  return mad_wide_word(s3, shift << 8, mad_wide_word(s2 + (s1 >> 8), shift, low));
}

// The rows in shared memory. All warps of a block go through the same rounds, base by base.
struct Rows {
  const unsigned* packed;  // in global memory: rounds of base 2, then of base 1
  unsigned place;          // of the first row, for this lane
  unsigned round;          // the next one

  __device__ __forceinline__ Rows(const unsigned* packed, unsigned* shared) : packed(packed), place(shared_place(shared) + 16 * (threadIdx.x % 32)), round(0) {
    if (STAGES != 0) RowRing::begin(packed, shared);
    else
      for (unsigned i = threadIdx.x; i < ROW_WORDS / 4; i += THREADS) ((uint4*)shared)[i] = ((const uint4*)packed)[i];
  }

  __device__ __forceinline__ unsigned base() const { return place - 16 * (threadIdx.x % 32); }

  // The rows of a unit of a base, the next one of this warp.
  __device__ __forceinline__ unsigned next(unsigned base_number, unsigned unit, unsigned member) const {
    if (STAGES == 0) return place + 4 * UNIT_WORDS * (base_number * UNITS + unit);
    return RowRing::wait(base(), round) + 16 * (threadIdx.x % 32) + 4 * UNIT_WORDS * member;
  }

  // This warp has read them.
  __device__ __forceinline__ void end_round() {
    if (STAGES == 0) return;
    RowRing::have_read(packed, base(), round);
    round++;
  }

  // The digit sums of a unit of a base.
  __device__ __forceinline__ void products(Sums& c, const Columns& b, unsigned base_number, unsigned unit, unsigned member) {
    multiply<STAGES != 0>(c, b, next(base_number, unit, member));
    end_round();
  }

  // Goes through the last round of a base, of which this warp has no unit.
  __device__ __forceinline__ void idle(unsigned member) {
    if (STAGES == 0 || UNITS % TW == 0 || member + 1 <= UNITS % TW) return;
    next(0, 0, member);
    end_round();
  }

  __device__ __forceinline__ void end() const {
    if (STAGES != 0) RowRing::end(base(), round);
  }
};
