// tape_lists.cuh: rows of lists on tapes, by `program_rows.cuh`.

constexpr unsigned short EMIT = EFFECT + 128, EMIT_NUMBER = EFFECT + 129, EMIT_SCALAR = EFFECT + 130;

// The first word of the next row of a list, with the number of the instance in it, for instances that append.
__device__ __forceinline__ unsigned long long next_row(unsigned list, unsigned row_words, const unsigned* control, unsigned* rows,
                                                       unsigned* counters, unsigned long long instance, bool appends,
                                                       const Place& at) {
  unsigned long long number = 0;
  if (appends && at.rank == 0) number = atomicAdd((unsigned long long*)counters + list, 1ull);
  number = (unsigned long long)of_rank((unsigned)(number >> 32), 0, at) << 32 | of_rank((unsigned)number, 0, at);
  const unsigned long long row = appends ? row_at(list, row_words, control, number) : NO_ROW;
  if (row != NO_ROW && at.rank == 0) {
    rows[row] = (unsigned)instance;
    rows[row + 1] = (unsigned)(instance >> 32);
  }
  return row;
}
