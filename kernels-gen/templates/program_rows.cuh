// program_rows.cuh: room for rows of lists. An instance takes the next row of a list by an atomic counter, so that its
// own rows are in order; those of several instances are in any. A row for which there is no room is counted and not
// written. docs/programs.md.
//
// Control words of list l, behind the first eight: room in rows, first word of its rows, of 64 bits each.

// The place of a row without room.
constexpr unsigned long long NO_ROW = ~0ull;

__device__ __forceinline__ unsigned long long wide_word(const unsigned* words) {
  return (unsigned long long)words[1] << 32 | words[0];
}

// The first word of a row of a list, which is the `number`th one.
__device__ __forceinline__ unsigned long long row_at(unsigned list, unsigned row_words, const unsigned* control, unsigned long long number) {
  const unsigned long long room = wide_word(control + 8 + 4 * list), first = wide_word(control + 10 + 4 * list);
  return number < room ? first + number * row_words : NO_ROW;
}
