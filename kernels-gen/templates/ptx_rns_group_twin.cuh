// ptx_rns_group_twin.cuh: the functions of ptx_rns_group.cuh in plain C++, for the emulator.

typedef unsigned GroupSums[{{ columns // 2 }}];

__device__ __forceinline__ unsigned long long matrix_at(unsigned place, unsigned along, unsigned across) {
  return place >> 4 | (unsigned long long)(along >> 4) << 16 | (unsigned long long)(across >> 4) << 32;
}

__device__ __forceinline__ void publish() {}

__device__ __forceinline__ void begin_products() {}

// The 16 bytes of a row of a matrix from byte 16 `piece` on.
__device__ __forceinline__ const unsigned char* piece_of(unsigned long long matrix, unsigned row, unsigned piece) {
  const unsigned place = 16 * (unsigned)(matrix & 0x3fff), along = 16 * (unsigned)(matrix >> 16 & 0x3fff), across = 16 * (unsigned)(matrix >> 32 & 0x3fff);
  return (const unsigned char*)shared_words(place + row / 8 * across + piece * along + row % 8 * 16);
}

template <bool ADDS>
__device__ __forceinline__ void add_product(GroupSums& c, unsigned long long a, unsigned long long b) {
  const unsigned warp = threadIdx.x / 32 % 4, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  for (unsigned i = 0; i < {{ columns // 2 }}; i++) {
    const unsigned row = 16 * warp + g + i % 4 / 2 * 8, column = i / 4 * 8 + 2 * t + i % 2;
    unsigned sum = ADDS ? c[i] : 0;
    for (unsigned piece = 0; piece < 2; piece++)
      for (unsigned k = 0; k < 16; k++) sum += (unsigned)piece_of(a, row, piece)[k] * piece_of(b, column, piece)[k];
    c[i] = sum;
  }
}

__device__ __forceinline__ void end_part() {}

__device__ __forceinline__ void wait_for_part_before() {}

__device__ __forceinline__ void finish_products(GroupSums&) {}
