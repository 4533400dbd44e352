// mul_tensor_warp.cuh: one warp computes whole instances, one after the other.

// No carry goes from one instance into the other.
__device__ __forceinline__ unsigned resolve_two(unsigned low, unsigned high, unsigned lane) {
  const unsigned below = __shfl_up_sync(0xffffffffu, high, 1), in = lane % 16 ? below : 0;
  unsigned word = low + in;
  const unsigned generates = __ballot_sync(0xffffffffu, word < in) & 0x7fff7fffu;
  const unsigned passes = __ballot_sync(0xffffffffu, word == 0xffffffffu) & 0x7fff7fffu;
  if (((passes + 2 * generates) ^ passes) >> lane & 1) word++;
  return word;
}

__device__ __forceinline__ void compute_two(unsigned* slots, const Fragments& from, const Operands& operands, unsigned* out, int left, unsigned lane) {
  const unsigned which = lane / 16, at = lane % 16;
  unsigned* const slot = slots + which * SLOT;
#pragma unroll PHASE_COPIES
  for (unsigned phase = 0; phase < PHASES; phase++) {
    unsigned sums[1][4], low, high;
    sum_products(sums, from, phase, 0, lane);
    join(sums[0], low, high);
    add_terms(phase, low, high, at, slot, operands.of_instance(which), (int)which < left);
    const unsigned word = resolve_two(low, high, lane);
    if (phase == PHASES - 1) {
      if ((int)which < left && (W == 16 || at < W)) __stcs(out - which * (16 - W), fit(at, word));
    } else {
      const unsigned below = __shfl_up_sync(0xffffffffu, word, 1);
      leave(phase, slot, 0, at, Vector<1>{word}, Before{at ? below : 0, 0});
      __syncwarp();
    }
  }
}

// The words of COUNT tiles of a phase from their coefficients.
template <unsigned COUNT>
__device__ __forceinline__ void finish_tiles(const unsigned (&sums)[COUNT][4], unsigned phase, unsigned* slot, const Operands& operands, unsigned first, Carry& carry, unsigned& kept, unsigned* out, bool there, unsigned lane) {
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    const unsigned at = (first + j) * TILE + lane;
    unsigned low, high;
    join(sums[j], low, high);
    add_terms(phase, low, high, at, slot, operands, there);
    const unsigned word = resolve(low, high, carry, lane);
    if (phase == PHASES - 1) {
      if (STAGE_INSTANCES == 1 || there) store(out + (first + j) * TILE, at, word);
    } else {
      const unsigned below = from_below(word, kept, lane);
      leave(phase, slot, first + j, lane, Vector<1>{word}, Before{below, 0});
    }
  }
}

template <unsigned COUNT>
__device__ __forceinline__ void compute_tiles(unsigned phase, unsigned* slot, const Fragments& from, const Operands& operands, unsigned first, Carry& carry, unsigned& kept, unsigned* out, bool there, unsigned lane) {
  unsigned sums[COUNT][4];
  sum_products(sums, from, phase, first, lane);
  finish_tiles(sums, phase, slot, operands, first, carry, kept, out, there, lane);
}

__device__ __forceinline__ void compute_instance(unsigned* slot, const Fragments& from, const Operands& operands, unsigned* out, bool there, unsigned lane) {
  [[maybe_unused]] unsigned sums[PHASES][KM][4] = {};
#pragma unroll PHASE_COPIES
  for (unsigned phase = 0; phase < PHASES; phase++) {
    Carry carry = {0, 0};
    unsigned kept = 0;
    if constexpr (WALKS) {
      walk(sums, from, phase);
      finish_tiles(sums[phase], phase, slot, operands, 0, carry, kept, out, there, lane);
    } else {
      if constexpr (FIRST > 0) compute_tiles<FIRST>(phase, slot, from, operands, 0, carry, kept, out, there, lane);
#pragma unroll 1
      for (unsigned first = FIRST; first < FIRST + (OUT_GROUPS - (FIRST > 0 ? 1 : 0)) * KM; first += KM) compute_tiles<KM>(phase, slot, from, operands, first, carry, kept, out, there, lane);
    }
    if (PHASES > 1) __syncwarp();
  }
}

// All instances are computed; at least `left` of them exist. The loop is unrolled, so that addresses are
// constants in the instructions.
__device__ __forceinline__ void compute_stage(unsigned* slots, const Fragments& from, const Operands& operands, unsigned* out, int left, unsigned lane) {
#pragma unroll
  for (unsigned i = 0; i < STAGE_INSTANCES; i += PAIRED ? 2 : 1) {
    const Fragments of = from.of_instance(i);
    unsigned* const slot = slots + i * SLOT;
    if constexpr (PAIRED) compute_two(slot, of, operands.of_instance(i), out + i * W, left - (int)i, lane);
    else compute_instance(slot, of, operands.of_instance(i), out + i * RESULT_W, (int)i < left, lane);
  }
}

__device__ __forceinline__ void wait_for_team() { __syncwarp(); }
