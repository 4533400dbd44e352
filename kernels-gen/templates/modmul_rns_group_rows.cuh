// modmul_rns_group_rows.cuh: products of the constant matrices of modmul_rns with the bytes of residues, by a warpgroup.
// docs/modmul_rns.md.
//
// A unit is 16 residues of all instances of a team: 64 rows, the digits of the residues. Row 16 w + g of the unit is digit
// 2 (g % 2) of residue 4 w + g / 2, row 16 w + g + 8 the digit above it. So lanes of even g have the two lower digits of
// a residue of two instances of each tile, those of odd g the upper ones; each gives the other one's instance away.
//
// Rows and numbers lie in shared memory in pieces of 8 x 16 bytes. A residue of an instance is a word of a piece. A unit's
// rows come in PARTS rounds: the products of a round are waited for when those of the next one have begun. Barriers: of
// the team, one after each base.

constexpr unsigned PART_STEPS = ((KR + 7) / 8 + PARTS - 1) / PARTS;  // of 32 bytes, of a round
constexpr unsigned STEPS = PARTS * PART_STEPS;         // what is beyond KR meets zeros
constexpr unsigned ROUND_WORDS = 512 * PART_STEPS;
// Of the numbers of 8 instances, with those that units have beyond KR: threads read them, and nobody writes there.
constexpr unsigned TILE_WORDS = 64 * STEPS < 128 * UNITS ? 128 * UNITS : 64 * STEPS;
constexpr unsigned AREA = NT * TILE_WORDS;             // of a team's numbers
typedef Ring<STAGES, ROUND_WORDS, 2 * UNITS * PARTS, THREADS / 32> RowRing;
constexpr unsigned ROW_WORDS = RowRing::SHARED_WORDS;

// The rows of this warp's next unit.
struct GroupRows {
  const unsigned* packed;  // in global memory: units of base 2, then of base 1
  unsigned base;
  unsigned round;

  // Begins the digit sums of a unit, of the team's numbers.
  __device__ __forceinline__ void begin(GroupSums& c, unsigned long long numbers) {
#pragma unroll
    for (unsigned part = 0; part < PARTS; part++) {
      const unsigned long long rows = matrix_at(RowRing::wait(base, round), 1024, 128);
      begin_products();
#pragma unroll
      for (unsigned s = 0; s < PART_STEPS; s++)
        if (part == 0 && s == 0) add_product<false>(c, rows, numbers);
        else add_product<true>(c, rows + 128 * s, numbers + 16 * (PART_STEPS * part + s));
      end_part();
      if (part != 0) {
        wait_for_part_before();
        RowRing::have_read(packed, base, round - 1);
      }
      round++;
    }
  }

  __device__ __forceinline__ void finish(GroupSums& c) const {
    finish_products(c);
    RowRing::have_read(packed, base, round - 1);
  }
};

// The digits of the thread's residue of tile i, joined. `shift` is 2^16, which the compiler must not know: it would take
// more instructions.
__device__ __forceinline__ unsigned long long joined(const GroupSums& c, unsigned i, bool is_odd, unsigned shift) {
  // Of the lower digits the upper one may have more than 24 bits: what does not fit is added to the digits above.
  const unsigned kept = JOINING == 0 || (JOINING == 1 && is_odd) ? ~0u : 255;
  const unsigned first = c[4 * i] + ((c[4 * i + 2] & kept) << 8), second = c[4 * i + 1] + ((c[4 * i + 3] & kept) << 8);
  const unsigned own = is_odd ? second : first, other = __shfl_xor_sync(~0u, is_odd ? first : second, 4);
  unsigned upper = is_odd ? own : other;
  if (JOINING == 1) {
    const unsigned carried = __shfl_xor_sync(~0u, c[4 * i + 3] >> 8, 4);
    upper += is_odd ? carried : c[4 * i + 2] >> 8;
  }
  if (JOINING == 2) {
    // Of the upper digits, too: what does not fit has the weight 2^32.
    const unsigned of_first = c[4 * i + 2] >> 8, of_second = c[4 * i + 3] >> 8;
    const unsigned of_own = is_odd ? of_second : of_first, of_other = __shfl_xor_sync(~0u, is_odd ? of_first : of_second, 4);
    const unsigned low = is_odd ? of_other : of_own, high = is_odd ? of_own : of_other;
    return mad_wide_word(upper + low, shift, is_odd ? other : own) + ((unsigned long long)high << 32);
  }
  return mad_wide_word(upper, shift, is_odd ? other : own);
}
