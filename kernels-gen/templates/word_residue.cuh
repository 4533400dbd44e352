// word_residue.cuh: a number that lies in the instance's slot modulo one word, which may be another one in
// each lane. docs/primality.md.
//
// No barriers.

__device__ __forceinline__ unsigned word_residue(const unsigned* slot, unsigned words, unsigned m) {
  unsigned rest = 0;
#pragma unroll 1
  for (unsigned i = words; i-- > 0;) rest = (unsigned)(((unsigned long long)rest << 32 | slot[i]) % m);
  return rest;
}
