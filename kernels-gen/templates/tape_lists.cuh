// tape_lists.cuh: lists of programs. An instance takes the next row of a list by an atomic counter, so that its own rows
// are in order; those of several instances are in any. A row for which there is no room is counted and not written.
//
// Control words of list l, behind the first eight: room in rows, first word of its rows, of 64 bits each.

constexpr unsigned short EMIT = EFFECT + 128, EMIT_NUMBER = EFFECT + 129, EMIT_SCALAR = EFFECT + 130;

// The place of a row without room.
constexpr unsigned long long NO_ROW = ~0ull;

__device__ __forceinline__ unsigned long long wide_word(const unsigned* words) {
  return (unsigned long long)words[1] << 32 | words[0];
}

// The first word of the next row of a list, with the number of the instance in it, for instances that append.
__device__ __forceinline__ unsigned long long next_row(unsigned list, unsigned row_words, const unsigned* control, unsigned* rows,
                                                       unsigned* counters, unsigned long long instance, bool appends,
                                                       const Place& at) {
  unsigned long long number = 0;
  if (appends && at.rank == 0) number = atomicAdd((unsigned long long*)counters + list, 1ull);
  number = (unsigned long long)of_rank((unsigned)(number >> 32), 0, at) << 32 | of_rank((unsigned)number, 0, at);
  const unsigned long long room = wide_word(control + 8 + 4 * list), first = wide_word(control + 10 + 4 * list);
  if (!appends || number >= room) return NO_ROW;
  const unsigned long long row = first + number * row_words;
  if (at.rank == 0) {
    rows[row] = (unsigned)instance;
    rows[row + 1] = (unsigned)(instance >> 32);
  }
  return row;
}
