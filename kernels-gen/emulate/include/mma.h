// mma.h: the tensor-core products mma.sync.aligned.{m16n8k32, m8n8k16}.row.col.s32.u8.u8.s32.
//
// Fragments as the PTX manual lays them out, with g = lane / 4 and t = lane % 4:
//   a[0..3]  bytes 4t..4t+3 of A's row g, row g + 8, then the same rows 16 bytes further
//   b[0..1]  bytes 4t..4t+3 of B's column g, then 16 bytes further
//   d[0..3]  D's row g columns 2t and 2t + 1, then row g + 8
// of m16n8k32; m8n8k16 has no rows from 8 on and no bytes from 16 on.
#pragma once

namespace limbforge_emulate {

struct Mma {
  int* d;
  const unsigned *a, *b;
};

inline unsigned mma_byte(const unsigned word, unsigned k) { return word >> (8 * (k & 3)) & 255; }

// d += A * B, modulo 2^32, of M x K and K x 8 bytes.
template <unsigned M, unsigned K>
inline void mma_u8(int (&d)[M / 4], const unsigned (&a)[M * K / 128], const unsigned (&b)[K / 16], int line = __builtin_LINE()) {
  static_assert((M == 16 && (K == 32 || K == 16)) || (M == 8 && K == 16), "the shapes that there are");
  Mma mine{d, a, b};
  meet_warp(M == 8 ? "mma.m8n8k16" : K == 32 ? "mma.m16n8k32" : "mma.m16n8k16", line, 0xffffffffu, &mine, [](void* const data[32], unsigned) {
    for (unsigned row = 0; row < M; row++)
      for (unsigned column = 0; column < 8; column++) {
        unsigned sum = 0;
        for (unsigned k = 0; k < K; k++) {
          const unsigned lane = k % 16 / 4, half = k / 16;
          const Mma& from_a = *static_cast<Mma*>(data[4 * (row % 8) + lane]);
          const Mma& from_b = *static_cast<Mma*>(data[4 * column + lane]);
          sum += mma_byte(from_a.a[M / 8 * half + row / 8], k) * mma_byte(from_b.b[half], k);
        }
        int& to = static_cast<Mma*>(data[4 * (row % 8) + column / 2])->d[2 * (row / 8) + column % 2];
        to = (int)((unsigned)to + sum);
      }
  });
}

}  // namespace limbforge_emulate
