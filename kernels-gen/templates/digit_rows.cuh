// digit_rows.cuh: the order of the rows that digit_sums.cuh multiplies by, with chunks of 16 bytes of a number.
//
// Rows of a unit lie as lanes read them, in vectors of 16 bytes of a lane: two tiles for each 32 bytes, then both for the
// last 16.

// Vectors of a lane.
constexpr unsigned row_fragments(unsigned chunks) { return chunks / 2 * 2 + chunks % 2; }

// Where a unit has the four bytes of a digit of a word of the result that meet word `slot` of a number.
__device__ __forceinline__ unsigned row_word(unsigned chunks, unsigned word, unsigned slot, unsigned digit) {
  // Lane 4 g + t has word g: in a vector of 32 bytes two words of the number and two digits, in the last one of 16 bytes one.
  const unsigned lane = 4 * word + slot % 4;
  if (slot / 8 == chunks / 2) return 128 * (chunks / 2 * 2) + 4 * lane + digit;
  return 128 * (slot / 8 * 2 + digit / 2) + 4 * lane + slot / 4 % 2 * 2 + digit % 2;
}
