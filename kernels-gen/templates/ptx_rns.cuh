// ptx_rns.cuh: wide multiply-adds, matrices in shared memory and barriers of teams, for modmul_rns. ptx_rns_twin.cuh
// has the same functions in plain C++. Places in shared memory are addresses in bytes.

__device__ __forceinline__ unsigned long long mul_wide_word(unsigned a, unsigned b) {
  unsigned long long z;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(a), "r"(b));
  return z;
}

// a * b + c in one instruction.
__device__ __forceinline__ unsigned long long mad_wide_word(unsigned a, unsigned b, unsigned long long c) {
  unsigned long long z;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(z) : "r"(a), "r"(b), "l"(c));
  return z;
}

__device__ __forceinline__ unsigned shared_place(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }

// Hides how a place was computed, so that no load from it moves before this.
__device__ __forceinline__ unsigned settled(unsigned place) {
  asm volatile("" : "+r"(place) :: "memory");
  return place;
}

// Four words of shared memory: constant ones, or, VOLATILE, those of a place that other words come to.
template <bool VOLATILE>
__device__ __forceinline__ void load_four(unsigned (&x)[4], unsigned at) {
  if (VOLATILE) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at) : "memory");
  else asm("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at));
}

// COUNT matrices of 8 rows of 16 bytes, one register each: lane 4 g + t gets word t of row g. Lane 8 m + g
// brings the place of row g of matrix m.
template <unsigned COUNT>
__device__ __forceinline__ void load_matrices(unsigned* x, unsigned at) {
  if (COUNT == 4) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at) : "memory");
  if (COUNT == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(x[0]), "=r"(x[1]) : "r"(at) : "memory");
  if (COUNT == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(at) : "memory");
}

// Waits for `COUNT` threads at the barrier of this number, from 1 to 15.
template <unsigned COUNT>
__device__ __forceinline__ void group_barrier(unsigned number) {
  asm volatile("bar.sync %0, %1;" :: "r"(number), "n"(COUNT) : "memory");
}

// A barrier of shared memory, 8 bytes, for rows that come to a place one time after the other. By one thread.
__device__ __forceinline__ void arrivals_begin(unsigned at) {
#if __CUDA_ARCH__ < 900
  asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(at) : "memory");
#else
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at) : "memory");
#endif
}

// Copies BYTES to shared memory, a multiple of 16, of which this barrier learns. By a warp, or its lane 0 from sm_90 on,
// which knows that nobody reads that place any more.
template <unsigned BYTES>
__device__ __forceinline__ void copy_rows(unsigned to, const unsigned* from, unsigned barrier) {
#if __CUDA_ARCH__ < 900
  for (unsigned i = 16 * (threadIdx.x % 32); i < BYTES; i += 512)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to + i), "l"(__cvta_generic_to_global(from + i / 4)) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(barrier) : "memory");
#else
  if (threadIdx.x % 32 != 0) return;
  // Others have read the place, and initialised the barrier, by instructions; copies are made by another unit.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "n"(BYTES) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
    :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(BYTES), "r"(barrier) : "memory");
#endif
}

// Waits until so many copies have come, of which only the lowest bit is told: 0 for the first one, 1 for the second.
__device__ __forceinline__ void arrivals_wait(unsigned barrier, unsigned parity) {
  unsigned has_come;
  do {
#if __CUDA_ARCH__ < 900
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(has_come) : "r"(barrier), "r"(parity) : "memory");
#else
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(has_come) : "r"(barrier), "r"(parity) : "memory");
#endif
  } while (!has_come);
  __syncwarp();
}

// Whether all other warps, of `warps`, have been here since the last one was told so; `at` counts them. What they read
// before has been read. Lanes that do not start copies are told nothing.
__device__ __forceinline__ bool is_last_warp(unsigned at, unsigned warps) {
  __syncwarp();
  unsigned before = 0;
  if (threadIdx.x % 32 == 0) asm volatile("atom.acq_rel.cta.shared.inc.u32 %0, [%1], %2;" : "=r"(before) : "r"(at), "r"(warps - 1) : "memory");
#if __CUDA_ARCH__ < 900
  before = __shfl_sync(~0u, before, 0);
#endif
  return before == warps - 1;
}

// Brings a line of memory near.
__device__ __forceinline__ void prefetch(const unsigned* at) { asm volatile("prefetch.global.L2 [%0];" :: "l"(__cvta_generic_to_global(at))); }
