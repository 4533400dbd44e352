// mul_tensor_warp.cuh: one warp computes whole instances, one after the other.

// Two instances in one tile, the first in the rows below 4, the second in those above: one data fragment serves both,
// each has Toeplitz fragments and sums of its own, of which half are meant.
__device__ __forceinline__ void multiply_pair(const Fragments& first, unsigned* out, unsigned left, unsigned lane) {
  unsigned lower[4] = {0, 0, 0, 0}, upper[4] = {0, 0, 0, 0};
#pragma unroll
  for (unsigned i = 0; i < 2 - TOP_SKIP; i++) {
    unsigned data[4], toeplitz[2];
    first.load_data(data, i, false, lane);
    first.load_toeplitz(toeplitz, i);
    mma_u8(lower, data, toeplitz);
    first.load_toeplitz(toeplitz, i + SLOT / 8);
    mma_u8(upper, data, toeplitz);
  }
  unsigned sums[4], low, high;
#pragma unroll
  for (unsigned k = 0; k < 4; k++) sums[k] = lane < LANES / 2 ? lower[k] : upper[k];
  join(sums, low, high);
  const unsigned below = __shfl_up_sync(0xffffffffu, high, 1), in = lane % 16 ? below : 0;
  unsigned word = low + in;
  // Nothing is carried from one instance into the other.
  const unsigned generates = __ballot_sync(0xffffffffu, word < in) & 0x7fff7fffu;
  const unsigned passes = __ballot_sync(0xffffffffu, word == 0xffffffffu) & 0x7fff7fffu;
  if (((passes + 2 * generates) ^ passes) >> lane & 1) word++;
  const unsigned at = W == 16 ? lane : lane / 16 * W + lane % 16;
  if (lane / 16 < left && (W == 16 || lane % 16 < W)) __stcs(out + at, fit(lane % 16, word));
}

template <unsigned COUNT>
__device__ __forceinline__ void multiply_tiles(const Fragments& from, unsigned first, Carry& carry, unsigned* out, bool there, unsigned lane) {
  unsigned sums[COUNT][4];
  multiply_group(sums, from, first, lane);
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    const unsigned word = resolve(sums[j], carry, lane);
    if (STAGE_INSTANCES == 1 || there) store(out, (first + j) * TILE + lane, word);
  }
}

__device__ __forceinline__ void multiply_instance(const Fragments& from, unsigned* out, bool there, unsigned lane) {
  Carry carry = {0, 0};
  if constexpr (FIRST > 0) multiply_tiles<FIRST>(from, 0, carry, out, there, lane);
#pragma unroll 1
  for (unsigned first = FIRST; first < TILES; first += KM) multiply_tiles<KM>(from, first, carry, out, there, lane);
}

// All instances are computed, `count` of them are there. Unrolled, so that their addresses stand in the instructions.
__device__ __forceinline__ void multiply_stage(const unsigned*, const Fragments& from, unsigned* out, unsigned count, unsigned lane) {
#pragma unroll
  for (unsigned i = 0; i < STAGE_INSTANCES; i += PAIRED ? 2 : 1) {
    const Fragments of = from.of_instance(i);
    if constexpr (PAIRED) multiply_pair(of, out + i * W, i < count ? count - i : 0, lane);
    else multiply_instance(of, out + i * W, i < count, lane);
  }
}

__device__ __forceinline__ void wait_for_team() { __syncwarp(); }
