// mul_tensor_high.cuh: the upper half of a product alone; one warp computes whole instances, one after the
// other, as in mul_tensor_warp.cuh, whose place it takes. docs/mul_tensor.md.
//
// Only the carry out of the lower half is needed. Its highest tile gives it, computed with a carry of zero from
// the tiles below: their true carry is less than a word, and it propagates only if all words but the lowest are
// ones, in 1 of 2^992 random products. Then all tiles are computed.

static_assert(PHASES == 1, "a product alone");
constexpr unsigned HIGH_FIRST = BITS / 32;  // the first word of the upper half
// Whether the upper half begins with a group of tiles, and the lower one has more tiles than one.
constexpr bool HIGH_ALONE = HIGH_FIRST % (KM * TILE) == 0 && HIGH_FIRST > TILE;

// Calls f(number, word) for the words of COUNT tiles from `first` on.
template <unsigned COUNT, class F>
__device__ __forceinline__ void each_of_tiles(const Fragments& from, unsigned first, Carry& carry, unsigned lane, F f) {
  unsigned sums[COUNT][4];
  sum_products(sums, from, 0, first, lane);
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    unsigned low, high;
    join(sums[j], low, high);
    const unsigned word = resolve(low, high, carry, lane);
    f((first + j) * TILE + lane, word);
  }
}

// `out` is the place of the lane's first word.
__device__ __forceinline__ void compute_high(const Fragments& from, unsigned* out, bool there, unsigned lane) {
  Carry carry = {0, 0};
  unsigned first = 0;
  if constexpr (HIGH_ALONE) {
    bool ones;
    each_of_tiles<1>(from, HIGH_FIRST / TILE - 1, carry, lane, [&](unsigned, unsigned word) { ones = lane == 0 || word == 0xffffffffu; });
    if (__all_sync(0xffffffffu, ones)) carry = {0, 0};
    else first = HIGH_FIRST / TILE;
  }
#pragma unroll 1
  for (; first < OUT_GROUPS * KM; first += KM) {
    each_of_tiles<KM>(from, first, carry, lane, [&](unsigned number, unsigned word) {
      const unsigned at = number - HIGH_FIRST;
      if ((STAGE_INSTANCES == 1 || there) && at < W) __stcs(out - lane + at, word);
    });
  }
}

__device__ __forceinline__ void compute_stage(unsigned*, const Fragments& from, const Operands&, unsigned* out, int left, unsigned lane) {
#pragma unroll
  for (unsigned i = 0; i < STAGE_INSTANCES; i++) compute_high(from.of_instance(i), out + i * RESULT_W, (int)i < left, lane);
}

__device__ __forceinline__ void wait_for_team() { __syncwarp(); }
