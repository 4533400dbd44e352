// cmp.cuh: comparison. docs/cmp.md. Every run compares its words from the top; two ballots say in which lanes
// x is greater and in which it is less. As integers, the ballot with the higher bit is larger, so comparing
// the ballots decides. Across warps the same comparison runs on one word per warp.
//
// Barriers: none within a warp; two if an instance has several warps, with IPB * WARPS words of `exchange`.

// The ballot's bits of this lane's instance.
__device__ __forceinline__ unsigned of_instance(unsigned ballot, const Place& at) {
  return LANES == 32 ? ballot : ballot >> (at.lane - at.rank) & ((1u << LANES % 32) - 1);
}

// The lanes of the instance in which the condition holds. A single lane has no vote: ptxas 13.0 makes one that is false of
// a bit that it finds to be always 1.
__device__ __forceinline__ unsigned votes(bool condition, const Place& at) {
  return LANES == 1 ? condition : of_instance(__ballot_sync(~0u, condition), at);
}

// -1, 0 or 1, the same in all threads of the instance.
template <bool SIGNED>
__device__ __forceinline__ int order(const Num& x, const Num& y, unsigned* exchange, const Place& at) {
  int result = 0;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    int run = 0;
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      // Flipping both sign bits maps the signed order to the unsigned one.
      const unsigned sign = SIGNED && at.word(c) + v == (BITS - 1) / 32 ? 1u << (BITS - 1) % 32 : 0;
      const unsigned a = x.w[c][v] ^ sign, b = y.w[c][v] ^ sign;
      run = a == b ? run : a > b ? 1 : -1;
    }
    const unsigned greater = votes(run > 0, at);
    const unsigned less = votes(run < 0, at);
    result = greater == less ? result : greater > less ? 1 : -1;
  }
  if (WARPS > 1) {
    __syncthreads();
    if (at.lane == 0) exchange[threadIdx.x / 32] = (unsigned)result;
    __syncthreads();
    const int warp = at.lane < WARPS ? (int)exchange[at.slot * WARPS + at.lane] : 0;
    const unsigned greater = __ballot_sync(~0u, warp > 0), less = __ballot_sync(~0u, warp < 0);
    result = greater == less ? 0 : greater > less ? 1 : -1;
    __syncthreads();
  }
  return result;
}
