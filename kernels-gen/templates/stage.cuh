// stage.cuh: an instance's stretch of shared memory, SLOT_WORDS words at a distance that keeps neighbours in different banks.

// The words of x at `to`, in order. Other threads of the instance see them after a barrier.
__device__ __forceinline__ void stage_words(unsigned* to, const Num& x, const Place& at) {
  each_word(x, at, [&](unsigned word, unsigned value) { to[word] = value; });
}

// The word that starts `bits` (below 32) above the start of `low`.
__device__ __forceinline__ unsigned funnel(unsigned low, unsigned high, unsigned bits) {
  return bits ? low >> bits | high << (32 - bits) : low;
}
