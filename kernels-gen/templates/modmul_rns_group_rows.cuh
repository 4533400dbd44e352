// modmul_rns_group_rows.cuh: products of the constant matrices of modmul_rns with the bytes of residues, by a warpgroup.
// docs/modmul_rns.md.
//
// A unit is 16 residues of all instances of a team: 64 rows, the digits of the residues. Row 16 w + g of the unit is digit
// 2 (g % 2) of residue 4 w + g / 2, row 16 w + g + 8 the digit above it. So lanes of even g have the two lower digits of
// a residue of two instances of each tile, those of odd g the upper ones; each gives the other one's instance away.
//
// Rows and numbers lie in shared memory in pieces of 8 x 16 bytes: a unit's rows come round by round, a round is a unit.
// A residue of an instance is a word of a piece. Barriers: of the team, one after each base.

constexpr unsigned STEPS = (KR + 7) / 8;               // of 32 bytes; what is beyond KR meets zeros
constexpr unsigned UNIT_WORDS = 512 * STEPS;
constexpr unsigned TILE_WORDS = 64 * STEPS;            // of the numbers of 8 instances
constexpr unsigned AREA = NT * TILE_WORDS;             // of a team's numbers
typedef Ring<STAGES, UNIT_WORDS, 2 * UNITS, THREADS / 32> RowRing;
constexpr unsigned ROW_WORDS = RowRing::SHARED_WORDS;

// The rows of this warp's next unit.
struct GroupRows {
  const unsigned* packed;  // in global memory: units of base 2, then of base 1
  unsigned base;
  unsigned round;

  // Begins the digit sums of a unit, of the team's numbers.
  __device__ __forceinline__ void begin(GroupSums& c, unsigned long long numbers) const {
    const unsigned long long rows = matrix_at(RowRing::wait(base, round), 1024, 128);
    begin_products();
#pragma unroll
    for (unsigned s = 0; s < STEPS; s++)
      if (s == 0) add_product<false>(c, rows, numbers);
      else add_product<true>(c, rows + 128 * s, numbers + 16 * s);
  }

  __device__ __forceinline__ void finish(GroupSums& c) {
    finish_products(c);
    RowRing::have_read(packed, base, round);
    round++;
  }
};

// The digits of the thread's residue of tile i, joined. `shift` is 2^16, which the compiler must not know: it would take
// more instructions.
__device__ __forceinline__ unsigned long long joined(const GroupSums& c, unsigned i, bool is_odd, unsigned shift) {
  // Of the lower digits the upper one may have more than 24 bits: what does not fit is added to the digits above.
  const unsigned kept = JOINING == 0 || is_odd ? ~0u : 255;
  const unsigned first = c[4 * i] + ((c[4 * i + 2] & kept) << 8), second = c[4 * i + 1] + ((c[4 * i + 3] & kept) << 8);
  const unsigned own = is_odd ? second : first, other = __shfl_xor_sync(~0u, is_odd ? first : second, 4);
  unsigned upper = is_odd ? own : other;
  if (JOINING != 0) {
    const unsigned carried = __shfl_xor_sync(~0u, c[4 * i + 3] >> 8, 4);
    upper += is_odd ? carried : c[4 * i + 2] >> 8;
  }
  return mad_wide_word(upper, shift, is_odd ? other : own);
}
