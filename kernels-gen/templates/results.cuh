// results.cuh: instances that lack some of a program's results.

// Marks an instance without these results, which are bits. Only one thread of an instance writes its word.
template <unsigned RESULTS>
__device__ __forceinline__ void mark_results(unsigned* marks, bool fails, const Place& at) {
  if (fails && at.active && at.rank == 0 && at.warp == 0) marks[at.instance] |= RESULTS;
}
