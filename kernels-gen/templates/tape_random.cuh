// tape_random.cuh: random integers of tapes, and the number of the instance within the launch.

constexpr unsigned short RANDOM = 48, S_RANDOM = SCALAR + 128, S_INSTANCE = SCALAR + 129;

__device__ __forceinline__ unsigned random_word(unsigned long long seed, unsigned long long counter, unsigned word) {
  const uint4 block = random_block(seed, counter, word / 4);
  const unsigned low = word & 1 ? block.y : block.x, high = word & 1 ? block.w : block.z;
  return word & 2 ? high : low;
}
