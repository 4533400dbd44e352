// ptx_wgmma.cuh: matrix products by the warps of a warpgroup, concurrent with other instructions (sm_90a);
// ptx_wgmma_twin.cuh has the same functions in plain C++, for the emulator.

// Rows of 64 bytes in shared memory, in the order of swizzled(): the words of a wgmma descriptor.
struct Rows {
  unsigned long long descriptor;

  // Advanced by a multiple of 32 bytes.
  __device__ __forceinline__ Rows moved(int bytes) const { return {descriptor + (unsigned long long)(long long)(bytes / 16)}; }
};

// Shared memory from where the swizzle's pattern begins: 512 bytes.
__device__ __forceinline__ unsigned* whole_patterns(unsigned* shared) {
  const unsigned address = (unsigned)__cvta_generic_to_shared(shared);
  return shared + (0u - address) % 512 / 4;
}

// Rows of 64 bytes, eight of them 512 bytes further, in the 64-byte swizzle.
__device__ __forceinline__ Rows rows_from(const unsigned* shared, unsigned bytes) {
  const unsigned address = (unsigned)__cvta_generic_to_shared(shared) + bytes;
  return {(unsigned long long)(address >> 4) | 1ull << 16 | 32ull << 32 | 2ull << 62};
}

// Makes stores to shared memory visible to products.
__device__ __forceinline__ void publish() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

// C += A * B of a warpgroup: A is 64 x 32 bytes, of each warp 16 rows as in m16n8k32; B 32 x 32 bytes, column
// n in row n of `rows`; C has the sums of four m16n8k32 beside one another. Between begin_products() and
// finish_products() nothing else may touch the registers of C and A.
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

__device__ __forceinline__ void add_product(unsigned (&c)[16], const unsigned (&a)[4], const Rows& rows) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 "
      "{ %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, { %16, %17, %18, %19}, %20, 1;"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7]), "+r"(c[8]), "+r"(c[9]),
        "+r"(c[10]), "+r"(c[11]), "+r"(c[12]), "+r"(c[13]), "+r"(c[14]), "+r"(c[15])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(rows.descriptor));
}

__device__ __forceinline__ void finish_products() {
  asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Reads the thread's number again, so that values computed from it take no registers meanwhile.
__device__ __forceinline__ unsigned thread_again() {
  unsigned thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}
