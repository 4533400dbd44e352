// instance.cuh: reductions over all threads of an instance: the maximum, the sum, or the bits of one word of
// each.
//
// Within a warp by exchanging words with the lane at distance 1, 2, 4, ... below LANES. Barriers: none within
// a warp; three if an instance has several warps, with IPB * WARPS words of `exchange` for each of up to two
// words.

struct Largest { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x > y ? x : y; } };
struct Plus { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x + y; } };

template <unsigned COUNT, class F>
__device__ __forceinline__ void combine_lanes(unsigned (&words)[COUNT], F f) {
#pragma unroll
  for (unsigned distance = 1; distance < LANES; distance *= 2)
#pragma unroll
    for (unsigned i = 0; i < COUNT; i++) words[i] = f(words[i], __shfl_xor_sync(~0u, words[i], distance));
}

// Replaces each word, in all threads, by f over the words of all threads of the instance. f is associative
// and commutative, with neutral element 0.
template <unsigned COUNT, class F>
__device__ __forceinline__ void combine(unsigned (&words)[COUNT], F f, unsigned* exchange, const Place& at) {
  static_assert(COUNT <= 2, "as many arrays as `exchange` has");
  combine_lanes(words, f);
  if (WARPS > 1) {
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < COUNT; i++)
      if (at.lane == 0) exchange[i * EXCHANGE_WORDS + threadIdx.x / 32] = words[i];
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < COUNT; i++)
      words[i] = at.lane < WARPS ? exchange[i * EXCHANGE_WORDS + at.slot * WARPS + at.lane] : 0;
    combine_lanes(words, f);
    __syncthreads();
  }
}

template <class F>
__device__ __forceinline__ unsigned combined(unsigned word, F f, unsigned* exchange, const Place& at) {
  unsigned words[1] = {word};
  combine(words, f, exchange, at);
  return words[0];
}
