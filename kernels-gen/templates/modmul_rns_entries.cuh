// modmul_rns_entries.cuh: the words of an instance of a power: its state, its table, and the digits of its exponent.
// docs/modmul_rns.md.

// Of an instance: residues of the base, and of P^2 mod N unless there is one modulus.
constexpr unsigned STATE_WORDS = (ONE_MODULUS ? 2 : 4) * KR;
constexpr unsigned ENTRY_WORDS = 2 * KR;
constexpr unsigned TABLE_WORDS = ENTRIES * ENTRY_WORDS;
// Four of each prime of base 2, of base 1; residues of 1, which one modulus has in global memory.
constexpr unsigned CONSTANT_WORDS = (ONE_MODULUS ? 8 : 9) * PADDED;

// Two words of an exponent, in which a digit lies.
struct Digit {
  unsigned low, high;
};
