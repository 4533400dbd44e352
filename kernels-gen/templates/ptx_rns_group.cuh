// ptx_rns_group.cuh: products of matrices of bytes in shared memory by a warpgroup, for {{ columns }} columns (sm_90a);
// ptx_rns_group_twin.cuh has the same functions in plain C++.
//
// A matrix lies in pieces of 8 rows of 16 bytes, 128 bytes together: the next piece of the same rows is `along` bytes
// further, that of the next 8 rows `across`. Columns are rows of bytes, too.

typedef unsigned GroupSums[{{ columns // 2 }}];

// The matrix from this place on, as products take it.
__device__ __forceinline__ unsigned long long matrix_at(unsigned place, unsigned along, unsigned across) {
  return (place & 0x3ffff) >> 4 | (unsigned long long)(along >> 4) << 16 | (unsigned long long)(across >> 4) << 32;
}

// Makes this thread's stores to shared memory visible to products that begin behind a barrier.
__device__ __forceinline__ void publish() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// c = a b^T, or c + a b^T if ADDS, of 64 rows of 32 bytes and all columns. Warp w has rows 16 w to 16 w + 15, in the order
// of m16n8k32: lane 4 g + t has, of columns 8 i + 2 t and the next one, row g in words 4 i and 4 i + 1, row g + 8 in words
// 4 i + 2 and 4 i + 3. Between begin_products() and finish_products() nothing else may touch the words of c.
template <bool ADDS>
__device__ __forceinline__ void add_product(GroupSums& c, unsigned long long a, unsigned long long b) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %{{ columns // 2 + 2 }}, 0; "
      "wgmma.mma_async.sync.aligned.m64n{{ columns }}k32.s32.u8.u8 { {% for i in range(columns // 2) %}{{ ", " if i }}%{{ i }}{% endfor %} }, %{{ columns // 2 }}, %{{ columns // 2 + 1 }}, adds; }"
      : {% for i in range(columns // 2) %}{{ ", " if i }}"+r"(c[{{ i }}]){% endfor %}

      : "l"(a), "l"(b), "r"((int)ADDS));
}

// Ends a part of the products.
__device__ __forceinline__ void end_part() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Waits until the part before the last one has read its matrices.
__device__ __forceinline__ void wait_for_part_before() { asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory"); }

// Waits for all parts.
__device__ __forceinline__ void finish_products(GroupSums& c) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (unsigned i = 0; i < {{ columns // 2 }}; i++) asm volatile("" : "+r"(c[i]) :: "memory");
}
