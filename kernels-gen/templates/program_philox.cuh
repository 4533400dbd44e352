// program_philox.cuh: random words of programs by Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011). docs/programs.md.
//
// Registers only.

// Words 4 i to 4 i + 3 of the random integer at a counter: the block whose counter is that of the program and i above
// its 64 bits.
__device__ __forceinline__ uint4 random_block(unsigned long long seed, unsigned long long counter, unsigned i) {
  unsigned c0 = (unsigned)counter, c1 = (unsigned)(counter >> 32), c2 = i, c3 = 0;
  const unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
#pragma unroll 1
  for (unsigned round = 0; round < 10; round++) {
    const unsigned long long p0 = 0xd2511f53ull * c0, p1 = 0xcd9e8d57ull * c2;
    c0 = (unsigned)(p1 >> 32) ^ c1 ^ (k0 + round * 0x9e3779b9u);
    c1 = (unsigned)p1;
    c2 = (unsigned)(p0 >> 32) ^ c3 ^ (k1 + round * 0xbb67ae85u);
    c3 = (unsigned)p0;
  }
  return make_uint4(c0, c1, c2, c3);
}
