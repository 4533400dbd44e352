// thread_random.cuh: random integers in the registers of one thread, by `program_philox.cuh`.

// Up to 64 bits.
__device__ __forceinline__ unsigned long long random_scalar(unsigned long long seed, unsigned long long counter) {
  const uint4 block = random_block(seed, counter, 0);
  return (unsigned long long)block.y << 32 | block.x;
}

__device__ __forceinline__ Num random_number(unsigned long long seed, unsigned long long counter, unsigned bits) {
  Num z = {};
#pragma unroll
  for (unsigned i = 0; i < W; i += 4) {
    if (32 * i >= bits) continue;
    const uint4 block = random_block(seed, counter, i / 4);
    const unsigned words[4] = {block.x, block.y, block.z, block.w};
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
      if (i + k < W) z.w[i + k] = extended(words[k], i + k, bits, false);
  }
  return z;
}
