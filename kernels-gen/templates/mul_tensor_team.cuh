// mul_tensor_team.cuh: the warps of a block compute one instance together.
//
// Groups of tiles are assigned to the warps from the top down and back again, so that all have about as many
// steps. The words of a group are resolved with a carry of zero from below and stored, except the first; then
// one warp adds the carry of each group to the next. If that propagates beyond the first word, which is rare
// for random numbers, the words are read again. Words for later phases are stored in shared memory, and
// copied to their areas when the carries are added.

// The state of a group before the carries of the groups below.
struct Partial {
  unsigned first;   // its first word
  unsigned above;   // its carry out
  unsigned ones;    // whether all words but the first are all ones
};

// The place of a phase's words: in the result, or in shared memory.
struct Sink {
  unsigned* to;
  bool is_result;

  __device__ __forceinline__ void put(unsigned at, unsigned word) const {
    if (PHASES == 1 || is_result) store(to + at, at, word);
    else to[at] = word;
  }
};

template <unsigned COUNT>
__device__ __forceinline__ void compute_tiles(unsigned phase, const unsigned* slot, const Fragments& from, const Operands& operands, unsigned first, Partial& partial, const Sink& sink, unsigned lane) {
  unsigned sums[COUNT][4];
  sum_products(sums, from, phase, first, lane);
  Carry carry = {0, 0};
  bool ones = true;
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    const unsigned at = (first + j) * TILE + lane;
    unsigned low, high;
    join(sums[j], low, high);
    add_terms(phase, low, high, at, slot, operands, true);
    const unsigned word = resolve(low, high, carry, lane);
    if (j == 0 && lane == 0) {
      partial.first = word;
    } else {
      ones = ones && word == 0xffffffffu;
      sink.put(at, word);
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
    const bool inside = word + lane < end && word + lane < RESULT_W;
    const unsigned value = inside ? out[word + lane] : 0;
    const unsigned stops = __ballot_sync(0xffffffffu, value != 0xffffffffu);
    // The lanes up to the first word that is not all ones.
    if (inside && ((stops ^ (stops - 1)) >> lane & 1)) out[word + lane] = fit(word + lane, value + 1);
    if (stops) return;
  }
}

__device__ __forceinline__ unsigned first_tile(unsigned group) { return FIRST && group ? FIRST + (group - 1) * KM : group * KM; }

__device__ __forceinline__ void add_carries(const Partial* partials, const Sink& sink, unsigned lane) {
  unsigned above = 0;
#pragma unroll 1
  for (unsigned group = 0; group < OUT_GROUPS; group++) {
    const Partial partial = partials[group];
    const unsigned word = partial.first + above, begin = first_tile(group) * TILE;
    const bool over = word < above;
    if (lane == 0) sink.put(begin, word);
    if (over) ripple(sink.to, begin + 1, first_tile(group + 1) * TILE, lane);
    above = partial.above + (over && partial.ones ? 1 : 0);
  }
}

// The groups by their steps, the longest first: of a wide product those in the middle.
__device__ __forceinline__ unsigned group_at(unsigned place) {
  constexpr int UPPER = OUT_GROUPS - GROUPS;
  if ((int)place >= 2 * UPPER) return GROUPS - 1 - (place - UPPER);
  return place % 2 ? GROUPS - 1 - place / 2 : GROUPS + place / 2;
}

__device__ __forceinline__ void compute_groups(unsigned phase, const unsigned* slot, const Fragments& from, const Operands& operands, Partial* partials, const Sink& sink, unsigned lane) {
  const unsigned warp = threadIdx.x / LANES;
#pragma unroll 1
  for (unsigned round = 0; round * TEAM < OUT_GROUPS; round++) {
    const unsigned place = round * TEAM + (round % 2 ? TEAM - 1 - warp : warp);
    if (place >= OUT_GROUPS) continue;
    const unsigned group = group_at(place);
    if (FIRST > 0 && group == 0) {
      if constexpr (FIRST > 0) compute_tiles<FIRST>(phase, slot, from, operands, 0, partials[0], sink, lane);
    } else {
      compute_tiles<KM>(phase, slot, from, operands, first_tile(group), partials[group], sink, lane);
    }
  }
}

// Lays out the words of a value for the phases that read it.
__device__ __forceinline__ void lay_out(unsigned phase, unsigned* slot, const unsigned* words) {
  for (unsigned at = 4 * threadIdx.x; at < SLOT_WORDS; at += 4 * LANES * TEAM) {
    const uint4 four = *(const uint4*)(words + at);
    const Before before = {at ? words[at - 1] : 0, at ? words[at - 2] : 0};
    leave(phase, slot, 0, at, Vector<4>{four.x, four.y, four.z, four.w}, before);
  }
}

__device__ __forceinline__ void compute_stage(unsigned* slot, const Fragments& from, const Operands& operands, unsigned* out, int, unsigned lane) {
  unsigned* const words = slot + SLOT;
  Partial* const partials = (Partial*)(words + (PHASES > 1 ? SLOT_WORDS : 0));
#pragma unroll 1
  for (unsigned phase = 0; phase < PHASES; phase++) {
    const bool is_result = phase == PHASES - 1;
    const Sink sink = {is_result ? out : words, is_result};
    compute_groups(phase, slot, from, operands, partials, sink, lane);
    __syncthreads();
    if (threadIdx.x < LANES) add_carries(partials, sink, lane);
    if (is_result) break;
    __syncthreads();
    lay_out(phase, slot, words);
    __syncthreads();
  }
}

__device__ __forceinline__ void wait_for_team() { __syncthreads(); }
