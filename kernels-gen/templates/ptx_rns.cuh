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

// Starts to copy 16 bytes to shared memory.
__device__ __forceinline__ void copy_start(unsigned to, const unsigned* from) {
#if __CUDA_ARCH__ < 800
  const uint4 x = *(const uint4*)from;
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"(to), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w) : "memory");
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(__cvta_generic_to_global(from)) : "memory");
#endif
}

// Ends a group of copies of this thread.
__device__ __forceinline__ void copies_end() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for all groups of this thread but the last PENDING.
template <unsigned PENDING>
__device__ __forceinline__ void copies_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
#endif
}

// Brings a line of memory near.
__device__ __forceinline__ void prefetch(const unsigned* at) { asm volatile("prefetch.global.L2 [%0];" :: "l"(__cvta_generic_to_global(at))); }
