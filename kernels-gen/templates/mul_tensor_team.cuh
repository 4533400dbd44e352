// mul_tensor_team.cuh: the warps of a block compute one instance together.
//
// Groups of tiles go to the warps from the top down and back again, so that all have about as many steps. A group's words
// are resolved as if nothing came from below and stored, but for the first; once all are there, one warp adds what each
// group passes on to the next. Where that runs beyond the first word, which random numbers hardly ever do, the words are
// read again.

// What is known of a group before the carries of the groups below.
struct Partial {
  unsigned first;   // its first word
  unsigned above;   // what it passes on
  unsigned ones;    // whether all words but the first are all ones
};

template <unsigned COUNT>
__device__ __forceinline__ void multiply_tiles(const Fragments& from, unsigned first, Partial& partial, unsigned* out, unsigned lane) {
  unsigned sums[COUNT][4];
  multiply_group(sums, from, first, lane);
  Carry carry = {0, 0};
  bool ones = true;
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    const unsigned word = resolve(sums[j], carry, lane);
    if (j == 0 && lane == 0) {
      partial.first = word;
    } else {
      ones = ones && word == 0xffffffffu;
      store(out, (first + j) * TILE + lane, word);
    }
  }
  const int all = __all_sync(0xffffffffu, ones);
  if (lane == 0) {
    partial.above = carry.above + carry.bit;
    partial.ones = (unsigned)all;
  }
}

// Adds 1 to the words from `word` on, below `end`.
__device__ __forceinline__ void ripple(unsigned* out, unsigned word, unsigned end, unsigned lane) {
  for (; word < end; word += LANES) {
    const bool inside = word + lane < end && word + lane < W;
    const unsigned value = inside ? out[word + lane] : 0;
    const unsigned stops = __ballot_sync(0xffffffffu, value != 0xffffffffu);
    // The lanes up to the first word that is not all ones.
    if (inside && ((stops ^ (stops - 1)) >> lane & 1)) out[word + lane] = fit(word + lane, value + 1);
    if (stops) return;
  }
}

__device__ __forceinline__ unsigned first_tile(unsigned group) { return FIRST && group ? FIRST + (group - 1) * KM : group * KM; }

__device__ __forceinline__ void add_carries(const Partial* partials, unsigned* out, unsigned lane) {
  unsigned above = 0;
#pragma unroll 1
  for (unsigned group = 0; group < GROUPS; group++) {
    const Partial partial = partials[group];
    const unsigned word = partial.first + above, begin = first_tile(group) * TILE;
    const bool over = word < above;
    if (lane == 0) store(out, begin, word);
    if (over) ripple(out, begin + 1, first_tile(group + 1) * TILE, lane);
    above = partial.above + (over && partial.ones ? 1 : 0);
  }
}

__device__ __forceinline__ void multiply_stage(const unsigned* slot, const Fragments& from, unsigned* out, unsigned, unsigned lane) {
  Partial* const partials = (Partial*)(slot + SLOT);
  const unsigned warp = threadIdx.x / LANES;
#pragma unroll 1
  for (unsigned round = 0; round * TEAM < GROUPS; round++) {
    const unsigned place = round * TEAM + (round % 2 ? TEAM - 1 - warp : warp);
    if (place >= GROUPS) continue;
    const unsigned group = GROUPS - 1 - place;
    if (FIRST > 0 && group == 0) {
      if constexpr (FIRST > 0) multiply_tiles<FIRST>(from, 0, partials[0], out, lane);
    } else {
      multiply_tiles<KM>(from, first_tile(group), partials[group], out, lane);
    }
  }
  __syncthreads();
  if (warp == 0) add_carries(partials, out, lane);
}

__device__ __forceinline__ void wait_for_team() { __syncthreads(); }
