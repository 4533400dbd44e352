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

// Arrivals that are left in this round, those of every round, and the round's number. Bytes come at once.
struct CountBarrier {
  unsigned short left, all;
  unsigned round;
};

__device__ __forceinline__ CountBarrier& barrier_at(unsigned at) { return *(CountBarrier*)shared_words(at); }

__device__ __forceinline__ void count_barrier(unsigned at, unsigned threads) {
  barrier_at(at) = {(unsigned short)threads, (unsigned short)threads, 0};
}

__device__ __forceinline__ void counts_end() {}

// A round's number, of which the barrier knows the parity.
__device__ __forceinline__ void wait_for_count(unsigned at, unsigned round) {
  while ((barrier_at(at).round - round) % 2 == 0) limbforge_emulate::wait_for_count("mbarrier.try_wait", __LINE__);
}

__device__ __forceinline__ void count_one(unsigned at) {
  CountBarrier& barrier = barrier_at(at);
  if (--barrier.left > 0) return;
  barrier.left = barrier.all, barrier.round++;
  limbforge_emulate::counted();
}

__device__ __forceinline__ void copy_counted(unsigned to, const unsigned* from, unsigned bytes, unsigned barrier) {
  for (unsigned i = 0; i < bytes / 4; i++) shared_words(to)[i] = from[i];
  count_one(barrier);
}

__device__ __forceinline__ void prefetch(const unsigned*) {}
