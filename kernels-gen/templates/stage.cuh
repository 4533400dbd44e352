// stage.cuh: an instance's range of shared memory, SLOT_WORDS words at a stride that avoids bank conflicts of
// neighbours.

// The words of x at `to`, in order; `to` is aligned to 16 bytes. Other threads of the instance see them after
// a barrier.
__device__ __forceinline__ void stage_words(unsigned* to, const Num& x, const Place& at) {
  if constexpr (PIECE == 4) each_vector(x, at, [&](unsigned word, uint4 four) { *(uint4*)(to + word) = four; });
  else each_word(x, at, [&](unsigned word, unsigned value) { to[word] = value; });
}

// The thread's words of the number at `from`, likewise aligned.
__device__ __forceinline__ Num staged_words(const unsigned* from, const Place& at) {
  if constexpr (PIECE == 4) return number_of_fours(at, [&](unsigned word) { return *(const uint4*)(from + word); });
  else return number_of(at, [&](unsigned word) { return from[word]; });
}

// The word that starts `bits` (below 32) above the start of `low`.
__device__ __forceinline__ unsigned funnel(unsigned low, unsigned high, unsigned bits) {
  return __funnelshift_r(low, high, bits);
}
