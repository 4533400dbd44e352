// modmul_rns_entries.cuh: the words of an instance of a power: its state, its table, and the digits of its exponent.
// docs/modmul_rns.md.

// Of an instance: residues of the base, and of P^2 mod N unless there is one modulus.
constexpr unsigned STATE_WORDS = (ONE_MODULUS ? 2 : 4) * KR;
constexpr unsigned ENTRY_WORDS = 2 * KR;
constexpr unsigned TABLE_WORDS = ENTRIES * ENTRY_WORDS;
// Four of each prime of base 2, of base 1; residues of 1, which one modulus has in global memory.
constexpr unsigned CONSTANT_WORDS = (ONE_MODULUS ? 8 : 9) * PADDED;

// The factors of the next extension: residues of a product times those of its next factor, and the constants of moduli.
__device__ __forceinline__ void make_factors(unsigned (&w)[V], const unsigned (&r)[V], const unsigned (&y)[V], const unsigned (&nu)[V], const unsigned (&k)[4]) {
#pragma unroll
  for (unsigned i = 0; i < V; i++) {
    w[i] = redc(mul_wide_word(r[i], y[i]), k[0], k[1]);
    if (!ONE_MODULUS) w[i] = redc(mul_wide_word(w[i], nu[i]), k[0], k[1]);
  }
}

// Two words of an exponent, in which a digit lies.
struct Digit {
  unsigned low, high;
};
