// modmul_rns_ring.cuh: rows of the matrices that come round by round into places of shared memory. docs/modmul_rns.md.
//
// The warp that reads a place as the last one starts to load the next round into it, so that no warp waits for another
// one, but for rows that have not come: warps may be PLACES - 1 rounds apart. Barriers: none, but for those that count
// what has come.

constexpr unsigned CONTROL_WORDS = 4;  // of a place: two of the barrier of its rows, one of its readers

// Rounds of WORDS words, PERIOD of them again and again, in PLACES places that begin at `base`, with their controls behind
// them. WARPS read each round, each from round 0 on.
template <unsigned PLACES, unsigned WORDS, unsigned PERIOD, unsigned WARPS>
struct Ring {
  static constexpr unsigned SHARED_WORDS = PLACES * (WORDS + CONTROL_WORDS);

  __device__ __forceinline__ static unsigned control(unsigned base, unsigned place) { return base + 4 * (PLACES * WORDS + CONTROL_WORDS * place); }

  // By all threads of a block, which meet before they wait for a round.
  __device__ __forceinline__ static void begin(const unsigned* packed, unsigned* shared) {
    if (threadIdx.x >= 32) return;
    const unsigned base = shared_place(shared);
    for (unsigned i = 0; i < PLACES; i++) {
      if (threadIdx.x == 0) shared[PLACES * WORDS + CONTROL_WORDS * i + 2] = 0, arrivals_begin(control(base, i));
      __syncwarp();
      start(packed, base, i);
    }
  }

  // Starts to load a round. By a warp, or its lane 0 where copies need no more.
  __device__ __forceinline__ static void start(const unsigned* packed, unsigned base, unsigned round) {
    const unsigned place = round % PLACES;
    copy_rows<4 * WORDS>(base + 4 * WORDS * place, packed + WORDS * (round % PERIOD), control(base, place));
  }

  // Waits for a round; where it is.
  __device__ __forceinline__ static unsigned wait(unsigned base, unsigned round) {
    arrivals_wait(control(base, round % PLACES), round / PLACES % 2);
    return base + 4 * WORDS * (round % PLACES);
  }

  // This warp has read a round.
  __device__ __forceinline__ static void have_read(const unsigned* packed, unsigned base, unsigned round) {
    if (is_last_warp(control(base, round % PLACES) + 8, WARPS)) start(packed, base, round + PLACES);
    __syncwarp();
  }

  // Waits for the rounds that nobody reads: a block ends when all that it started has come.
  __device__ __forceinline__ static void end(unsigned base, unsigned round) {
    for (unsigned i = round; i != round + PLACES; i++) wait(base, i);
  }
};
