// add.cuh: addition and subtraction with deferred carries, and their resolution by ballots. docs/add.md.
//
// An addition is a carry chain over each run and one integer addition per run: no exchange between threads.
// resolve() pays the owed carries: every run receives its neighbour's count and adds it; the carry out of
// that (at most 1) goes through the ballots: carries into lanes = ((G | P) + G + cin) ^ P. Oancea and Watt,
// section 2, by ballots instead of a scan.
//
// Barriers: none in add and sub. resolve: none within a warp; two if an instance has several warps, with two
// words of shared memory (`exchange`) for each warp of the block: the carries it owes, and whether it
// generates or propagates one.

__device__ __forceinline__ const Num& words_of(const Num& x) { return x; }
__device__ __forceinline__ const Num& words_of(const Sum& x) { return x.num; }
__device__ __forceinline__ int owed_by(const Num&, unsigned) { return 0; }
__device__ __forceinline__ int owed_by(const Sum& x, unsigned run) { return x.owed[run]; }

template <class X, class Y>
__device__ __forceinline__ Sum add(const X& x, const Y& y) {
  Sum z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    const unsigned carry = add_run(z.num.w[c], words_of(x).w[c], words_of(y).w[c]);
    z.owed[c] = owed_by(x, c) + owed_by(y, c) + (int)carry;
  }
  return z;
}

template <class X, class Y>
__device__ __forceinline__ Sum sub(const X& x, const Y& y) {
  Sum z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    const int borrow = sub_run(z.num.w[c], words_of(x).w[c], words_of(y).w[c]);
    z.owed[c] = owed_by(x, c) - owed_by(y, c) + borrow;
  }
  return z;
}

// Clears the bits from BITS on.
__device__ __forceinline__ void truncate(Num& x, const Place& at) {
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      const unsigned word = at.word(c) + v;
      if (BITS != PADDED * 32 && word >= FULL_WORDS) x.w[c][v] &= word == FULL_WORDS ? TOP_MASK : 0;
    }
}

// The formula for a warp: carries into the lanes that `generate` and `propagate` name, and the carry out in
// `carry`.
__device__ __forceinline__ unsigned carries_into_lanes(unsigned generate, unsigned propagate, unsigned& carry) {
  const unsigned either = generate | propagate;
  const unsigned half = either + generate, sum = half + carry;
  carry = (half < either) | (sum < half);
  return sum ^ propagate;
}

// The last lane of each instance of a warp: its carry out is dropped.
constexpr unsigned last_lanes(unsigned lane = LANES) { return lane > 32 ? 0 : 1u << (lane - 1) | last_lanes(lane + LANES); }
constexpr unsigned PASSING_LANES = WARPS == 1 && RUNS == 1 ? ~last_lanes() : ~0u;

// The count that each run receives from the run before it in the order of words; the first run of an instance
// receives 0.
__device__ __forceinline__ void receive(int (&received)[RUNS], const int (&owed)[RUNS], unsigned* exchange, const Place& at) {
  int before = 0;
  if (WARPS > 1) {
    if (at.lane == 31) exchange[threadIdx.x / 32] = (unsigned)owed[RUNS - 1];
    __syncthreads();
    if (at.warp > 0) before = (int)exchange[threadIdx.x / 32 - 1];
  }
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    const int below = LANES == 1 ? 0 : __shfl_sync(~0u, owed[c], (at.lane + 31) % 32);
    received[c] = at.rank == 0 ? before : below;
    before = below;
  }
}

// Adds the carries that runs generate (bits of `carries`) into the runs after them, through all runs of the
// instance. Returns whether the thread's last run has a carry out.
__device__ __forceinline__ bool propagate(Num& x, const bool (&carries)[RUNS], unsigned* exchange, const Place& at) {
  unsigned generate[RUNS], passing[RUNS];
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    unsigned all = ~0u;
#pragma unroll
    for (unsigned v = 0; v < V; v++) all &= x.w[c][v];
    generate[c] = __ballot_sync(~0u, carries[c]) & PASSING_LANES;
    passing[c] = __ballot_sync(~0u, all == ~0u && !carries[c]) & PASSING_LANES;
  }
  unsigned carry = 0;
  if (WARPS > 1) {
    bool all = true;
#pragma unroll
    for (unsigned c = 0; c < RUNS; c++) {
      carries_into_lanes(generate[c], passing[c], carry);
      all &= passing[c] == ~0u;
    }
    unsigned* words = exchange + EXCHANGE_WORDS;
    if (at.lane == 0) words[threadIdx.x / 32] = carry | (all ? 2 : 0);
    __syncthreads();
    const unsigned word = at.lane < WARPS ? words[at.slot * WARPS + at.lane] : 0;
    unsigned none = 0;
    const unsigned g = __ballot_sync(~0u, word & 1), p = __ballot_sync(~0u, word == 2);
    carry = carries_into_lanes(g, p, none) >> at.warp & 1;
  }
  bool left = false;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    left = false;
    const unsigned into = carries_into_lanes(generate[c], passing[c], carry);
    if (into >> at.lane & 1 && ++x.w[c][0] == 0) {
      // Rare: the carry propagates within the run.
      unsigned on = 1;
#pragma unroll
      for (unsigned v = 1; v < V; v++) {
        x.w[c][v] += on;
        on &= x.w[c][v] == 0;
      }
      left = on;
    }
  }
  return left;
}

// The words of a sum mod 2^(32 PADDED), and in `leaving` the carry out of the thread's last run; in the last
// thread of an instance that is the count of 2^(32 PADDED). LOWEST <= 0 is a proved bound on what any run
// owes.
//
// If runs may owe borrows, every run owes -LOWEST more, and one constant number is subtracted, so that only
// carries remain.
template <int LOWEST>
__device__ __forceinline__ Num resolve_words(const Sum& sum, int& leaving, unsigned* exchange, const Place& at) {
  Num x = sum.num;
  int owed[RUNS], received[RUNS];
  bool carries[RUNS];
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    owed[c] = sum.owed[c];
    if (LOWEST < 0) {
      // - sum over runs t >= 1 of K * 2^(32 V t): nothing in run 0, -K in run 1, -K - 1 in the runs after it.
      const unsigned run = (at.warp * RUNS + c) * LANES + at.rank;
      unsigned offset[V];
#pragma unroll
      for (unsigned v = 0; v < V; v++) offset[v] = run == 0 ? 0 : ~0u;
      offset[0] = run == 0 ? 0 : (unsigned)LOWEST - (run > 1 ? 1 : 0);
      owed[c] += (int)add_run(x.w[c], x.w[c], offset) - LOWEST;
    }
  }
  receive(received, owed, exchange, at);
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    unsigned count[V] = {(unsigned)received[c]};
    carries[c] = add_run(x.w[c], x.w[c], count);
  }
  const bool left = LANES > 1 && propagate(x, carries, exchange, at);
  leaving = owed[RUNS - 1] + carries[RUNS - 1] + left;
  return x;
}

// The number that a sum stands for, mod 2^BITS.
template <int LOWEST>
__device__ __forceinline__ Num resolve(const Sum& sum, unsigned* exchange, const Place& at) {
  int leaving;
  Num x = resolve_words<LOWEST>(sum, leaving, exchange, at);
  truncate(x, at);
  return x;
}
