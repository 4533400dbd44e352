// tape_random.cuh: random integers of programs by Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011), and the number
// of the instance within the launch.
//
// Word w of a random integer is word w % 4 of the block whose counter is that of the program and w / 4 above its 64
// bits. Registers only.

constexpr unsigned short RANDOM = 48, S_RANDOM = SCALAR + 128, S_INSTANCE = SCALAR + 129;

__device__ __forceinline__ unsigned random_word(unsigned long long seed, unsigned long long counter, unsigned word) {
  unsigned c0 = (unsigned)counter, c1 = (unsigned)(counter >> 32), c2 = word / 4, c3 = 0;
  const unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
#pragma unroll 1
  for (unsigned round = 0; round < 10; round++) {
    const unsigned long long p0 = 0xd2511f53ull * c0, p1 = 0xcd9e8d57ull * c2;
    c0 = (unsigned)(p1 >> 32) ^ c1 ^ (k0 + round * 0x9e3779b9u);
    c1 = (unsigned)p1;
    c2 = (unsigned)(p0 >> 32) ^ c3 ^ (k1 + round * 0xbb67ae85u);
    c3 = (unsigned)p0;
  }
  const unsigned low = word & 1 ? c1 : c0, high = word & 1 ? c3 : c2;
  return word & 2 ? high : low;
}
