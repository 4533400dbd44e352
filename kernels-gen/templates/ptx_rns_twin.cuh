// ptx_rns_twin.cuh: the functions of ptx_rns.cuh in plain C++, for the emulator. A place is an offset in the
// dynamic shared memory.

extern __shared__ uint4 limbforge_shared[];

__device__ __forceinline__ unsigned long long mul_wide_word(unsigned a, unsigned b) { return (unsigned long long)a * b; }

__device__ __forceinline__ unsigned long long mad_wide_word(unsigned a, unsigned b, unsigned long long c) {
  return (unsigned long long)a * b + c;
}

__device__ __forceinline__ unsigned shared_place(const void* at) {
  return (unsigned)((const unsigned char*)at - (const unsigned char*)limbforge_shared);
}

__device__ __forceinline__ unsigned* shared_words(unsigned at) { return (unsigned*)((unsigned char*)limbforge_shared + at); }

__device__ __forceinline__ unsigned settled(unsigned place) { return place; }

template <bool VOLATILE>
__device__ __forceinline__ void load_four(unsigned (&x)[4], unsigned at) {
  for (unsigned i = 0; i < 4; i++) x[i] = shared_words(at)[i];
}

template <unsigned COUNT>
__device__ __forceinline__ void load_matrices(unsigned* x, unsigned at) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned m = 0; m < COUNT; m++) x[m] = shared_words(__shfl_sync(~0u, at, 8 * m + lane / 4))[lane % 4];
}

template <unsigned COUNT>
__device__ __forceinline__ void group_barrier(unsigned number) {
  limbforge_emulate::meet_group("bar.sync", __LINE__, number, COUNT);
}

// The barrier is the number of copies that have come.
__device__ __forceinline__ void arrivals_begin(unsigned at) { *shared_words(at) = 0; }

template <unsigned BYTES>
__device__ __forceinline__ void copy_rows(unsigned to, const unsigned* from, unsigned barrier) {
  if (threadIdx.x % 32 != 0) return;
  for (unsigned i = 0; i < BYTES / 4; i++) shared_words(to)[i] = from[i];
  ++*shared_words(barrier);
  limbforge_emulate::tell_change();
}

__device__ __forceinline__ void arrivals_wait(unsigned barrier, unsigned parity) {
  while (*shared_words(barrier) % 2 == parity) limbforge_emulate::meet_change("mbarrier.try_wait", __LINE__);
  __syncwarp();
}

__device__ __forceinline__ bool is_last_warp(unsigned at, unsigned warps) {
  __syncwarp();
  unsigned before = 0;
  if (threadIdx.x % 32 == 0) {
    before = *shared_words(at);
    *shared_words(at) = before == warps - 1 ? 0 : before + 1;
  }
  return before == warps - 1;
}

__device__ __forceinline__ void prefetch(const unsigned*) {}
