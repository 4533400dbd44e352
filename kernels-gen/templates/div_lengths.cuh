// div_lengths.cuh: all lengths of divisors that a division within a warp has code for. docs/div.md.

// Fewest words per lane: a carry owed to the last lane is below the words that it reads.
constexpr unsigned FEWEST_WORDS = LANES == 1 ? 2 : 8;
