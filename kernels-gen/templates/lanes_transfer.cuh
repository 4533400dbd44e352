// lanes_transfer.cuh: loads of operands and stores of results for lanes of many words. A warp copies the
// range of memory of all its instances, 32 neighbouring pieces at a time, through their slots. A piece is
// PIECE words, or one word if instances have no whole pieces. A slot has a piece of padding after the V words
// of each lane, which avoids bank conflicts. Barriers: of the warp.

template <unsigned WORDS> struct PieceOf { using Type = unsigned; };
template <> struct PieceOf<4> { using Type = uint4; };

// Words of a piece, for instances of `words` words in memory.
__host__ __device__ constexpr unsigned piece_of(unsigned words) { return words % PIECE == 0 ? PIECE : 1; }

// The place of a word in a slot.
__device__ __forceinline__ unsigned place_of(unsigned word) { return word + word / V * PIECE; }

// S words of a lane from word `first` on, a multiple of S, where S divides V.
template <unsigned S>
__device__ __forceinline__ void put_lane(unsigned* slot, unsigned first, const unsigned (&x)[S]) {
  unsigned* const to = slot + place_of(first);
#pragma unroll
  for (unsigned i = 0; i < S; i += piece_of(S)) {
    if constexpr (piece_of(S) == 4) *(uint4*)(to + i) = four_of(x, i);
    else to[i] = x[i];
  }
}

// The thread's words, f(word, value) of those in the slot.
template <class F>
__device__ __forceinline__ Num take_lane(const unsigned* slot, const Place& at, F f) {
  Num x;
  if constexpr (PIECE == 4) x = number_of_fours(at, [&](unsigned word) { return *(const uint4*)(slot + place_of(word)); });
  else x = number_of(at, [&](unsigned word) { return slot[place_of(word)]; });
#pragma unroll
  for (unsigned v = 0; v < V; v++) x.w[0][v] = f(at.word(0) + v, x.w[0][v]);
  return x;
}

// The thread's own words at their places.
__device__ __forceinline__ void stage_lanes(unsigned* slot, const Num& x, const Place& at) {
  __syncwarp();
  put_lane(slot, at.rank * V, x.w[0]);
  __syncwarp();
}

// Calls f(index, piece in memory, instance of the warp, first word) for the pieces of instances of `WORDS`
// each that the lane copies: 32 neighbours at a time.
template <unsigned WORDS, class F>
__device__ __forceinline__ void each_of_stretch(const Place& at, unsigned long long instances, F f) {
  constexpr unsigned OF_WARP = 32 / LANES, PIECES = WORDS / piece_of(WORDS);
  const unsigned first_slot = threadIdx.x / 32 * OF_WARP;
  const unsigned long long first = (unsigned long long)blockIdx.x * IPB + first_slot;
#pragma unroll
  for (unsigned k = 0; k < (PIECES * OF_WARP + 31) / 32; k++) {
    const unsigned i = 32 * k + at.lane, instance = i / PIECES;
    if (instance < OF_WARP && first_slot + instance < IPB && first + instance < instances)
      f(k, first * PIECES + i, instance, i % PIECES * piece_of(WORDS));
  }
}

template <unsigned WORDS = W>
__device__ __forceinline__ Num load_lanes(const unsigned* in, unsigned* slot, const Place& at, unsigned long long instances) {
  using Piece = typename PieceOf<piece_of(WORDS)>::Type;
  unsigned* const slots = slot - at.lane / LANES * SLOT_WORDS;
  Piece pieces[(WORDS / piece_of(WORDS) * (32 / LANES) + 31) / 32] = {};
  each_of_stretch<WORDS>(at, instances, [&](unsigned k, unsigned long long from, unsigned, unsigned) { pieces[k] = ((const Piece*)in)[from]; });
  __syncwarp();
  each_of_stretch<WORDS>(at, instances, [&](unsigned k, unsigned long long, unsigned instance, unsigned word) {
    *(Piece*)(slots + instance * SLOT_WORDS + place_of(word)) = pieces[k];
  });
  __syncwarp();
  return take_lane(slot, at, [&](unsigned word, unsigned value) { return at.active && word < WORDS ? value : 0; });
}

__device__ __forceinline__ void store_lanes(unsigned* out, const Num& x, unsigned* slot, const Place& at, unsigned long long instances) {
  using Piece = typename PieceOf<piece_of(RESULT_W)>::Type;
  const unsigned* const slots = slot - at.lane / LANES * SLOT_WORDS;
  stage_lanes(slot, x, at);
  each_of_stretch<RESULT_W>(at, instances, [&](unsigned, unsigned long long to, unsigned instance, unsigned word) {
    ((Piece*)out)[to] = *(const Piece*)(slots + instance * SLOT_WORDS + place_of(word));
  });
}
