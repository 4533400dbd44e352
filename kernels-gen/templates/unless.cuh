// unless.cuh: kernels that skip instances by flags that an earlier kernel has set.

// Whether all of `count` instances from `first` on match one of these bits in the second of their four words,
// or do not exist.
__device__ __forceinline__ bool left_out(const unsigned* flags, unsigned mask, unsigned long long first, unsigned count, unsigned long long instances) {
  bool all = true;
  for (unsigned i = 0; i < count && first + i < instances; i++) all &= (flags[4 * (first + i) + 1] & mask) != 0;
  return all;
}
