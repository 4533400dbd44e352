// scan.cuh: sums over the threads of a block.

// The sum of the values of all threads before this one; `total` is that of all. Has two barriers, the first
// before anything that another call may still read is written.
__device__ __forceinline__ unsigned sum_before(unsigned value, unsigned& total) {
  __shared__ unsigned warp_sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = value;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += before;
  }
  __syncthreads();
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  unsigned before = 0;
  total = 0;
  for (unsigned i = 0; i < THREADS / 32; i++) {
    if (i < warp) before += warp_sums[i];
    total += warp_sums[i];
  }
  return before + sum - value;
}
