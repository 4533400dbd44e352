// tape_div_lengths.cuh: the lengths of divisors that a division of a program has code for. docs/programs.md.
//
// A program waits for the code of all its operations. Each length takes a sixth of the compilation of a program
// that divides.

// Fewest words per lane.
constexpr unsigned FEWEST_WORDS = V / 2;
