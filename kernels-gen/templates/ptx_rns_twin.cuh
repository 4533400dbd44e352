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

__device__ __forceinline__ void copy_start(unsigned to, const unsigned* from) {
  for (unsigned i = 0; i < 4; i++) shared_words(to)[i] = from[i];
}

__device__ __forceinline__ void copies_end() {}

template <unsigned PENDING>
__device__ __forceinline__ void copies_wait() {}

__device__ __forceinline__ void prefetch(const unsigned*) {}
