// program_open.cuh: the instances of a launch by a list, so that warps of a loop in which many instances have finished
// stay full. docs/programs.md.
//
// Control word 7 is the length of the list, 0 for all instances in order. The list lies behind the rooms of lists, from
// word OPEN on. An entry that is no instance leaves its threads without one.

__device__ __forceinline__ unsigned long long open_instance(unsigned long long thread, const unsigned* control) {
  const unsigned length = control[7];
  if (length == 0) return thread;
  return thread < length ? control[OPEN + thread] : ~0ull;
}
