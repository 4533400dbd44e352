// modmul_rns_entries.cuh: the words of an instance of a power: its state, its table, and the digits of its exponent.
// docs/modmul_rns.md.

// Of an instance: residues of the base, and of P^2 mod N unless there is one modulus.
constexpr unsigned STATE_WORDS = (ONE_MODULUS ? 2 : 4) * KR;
constexpr unsigned ENTRY_WORDS = 2 * KR;
constexpr unsigned TABLE_WORDS = ENTRIES * ENTRY_WORDS;
// Four of each prime of base 2, of base 1; residues of 1, which one modulus has in global memory.
constexpr unsigned CONSTANT_WORDS = (ONE_MODULUS ? 8 : 9) * PADDED;

// The words from `at` on, in vectors.
__device__ __forceinline__ void load_vectors(unsigned (&z)[V], const unsigned* at) {
  if constexpr (V % 4 == 0) {
#pragma unroll
    for (unsigned i = 0; i < V; i += 4) {
      const uint4 x = *(const uint4*)(at + i);
      z[i] = x.x, z[i + 1] = x.y, z[i + 2] = x.z, z[i + 3] = x.w;
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < V; i += 2) {
      const uint2 x = *(const uint2*)(at + i);
      z[i] = x.x, z[i + 1] = x.y;
    }
  }
}

// Two words of an exponent, in which a digit lies.
struct Digit {
  unsigned low, high;
};
