// lanes_transfer.cuh: operands come in and results go out where a lane holds many words: a warp copies the stretch of memory of all its
// instances, 32 neighbouring words at a time, through their slots. A slot has a word of padding after the V words of each lane, which keeps
// lanes in different banks. Barriers: of the warp.

// Where a word lies in a slot.
__device__ __forceinline__ unsigned place_of(unsigned word) { return word + word / V; }

// The thread's own words at their places.
__device__ __forceinline__ void stage_lanes(unsigned* slot, const Num& x, const Place& at) {
  __syncwarp();
#pragma unroll
  for (unsigned v = 0; v < V; v++) slot[at.rank * (V + 1) + v] = x.w[0][v];
  __syncwarp();
}

// Calls f(index, instance of the warp, word) for the words of `WORDS` each that the lane copies: 32 neighbours at a time.
template <unsigned WORDS, class F>
__device__ __forceinline__ void each_of_stretch(const Place& at, unsigned long long instances, F f) {
  constexpr unsigned OF_WARP = 32 / LANES;
  const unsigned first_slot = threadIdx.x / 32 * OF_WARP;
  const unsigned long long first = (unsigned long long)blockIdx.x * IPB + first_slot;
#pragma unroll
  for (unsigned k = 0; k < (WORDS * OF_WARP + 31) / 32; k++) {
    const unsigned i = 32 * k + at.lane, instance = i / WORDS;
    if (instance < OF_WARP && first_slot + instance < IPB && first + instance < instances)
      f(k, first * WORDS + i, instance, i % WORDS);
  }
}

template <unsigned WORDS = W>
__device__ __forceinline__ Num load_lanes(const unsigned* in, unsigned* slot, const Place& at, unsigned long long instances) {
  unsigned* const slots = slot - at.lane / LANES * SLOT_WORDS;
  unsigned words[(WORDS * (32 / LANES) + 31) / 32] = {};
  each_of_stretch<WORDS>(at, instances, [&](unsigned k, unsigned long long from, unsigned, unsigned) { words[k] = in[from]; });
  __syncwarp();
  each_of_stretch<WORDS>(at, instances, [&](unsigned k, unsigned long long, unsigned instance, unsigned word) {
    slots[instance * SLOT_WORDS + place_of(word)] = words[k];
  });
  __syncwarp();
  return number_of(at, [&](unsigned word) { return at.active && word < WORDS ? slot[place_of(word)] : 0; });
}

__device__ __forceinline__ void store_lanes(unsigned* out, const Num& x, unsigned* slot, const Place& at, unsigned long long instances) {
  const unsigned* const slots = slot - at.lane / LANES * SLOT_WORDS;
  stage_lanes(slot, x, at);
  each_of_stretch<RESULT_W>(at, instances, [&](unsigned, unsigned long long to, unsigned instance, unsigned word) {
    out[to] = slots[instance * SLOT_WORDS + place_of(word)];
  });
}
