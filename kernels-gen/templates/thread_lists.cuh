// thread_lists.cuh: rows of lists of straight programs, by `program_rows.cuh`.

// The lists of a launch, as they lie in memory.
struct Lists {
  const unsigned* control;
  unsigned *rows, *counters;
  unsigned long long instance;

  // The first word of the next row of a list, with the number of the instance in it.
  __device__ __forceinline__ unsigned long long next_row(unsigned list, unsigned row_words) const {
    const unsigned long long row = row_at(list, row_words, control, atomicAdd((unsigned long long*)counters + list, 1ull));
    if (row != NO_ROW) {
      rows[row] = (unsigned)instance;
      rows[row + 1] = (unsigned)(instance >> 32);
    }
    return row;
  }

  // A column that begins at a word of a row.
  __device__ __forceinline__ void set_number(unsigned long long row, unsigned at, unsigned words, const Num& x) const {
    if (row == NO_ROW) return;
#pragma unroll
    for (unsigned i = 0; i < W; i++)
      if (i < words) rows[row + at + i] = x.w[i];
  }

  __device__ __forceinline__ void set_scalar(unsigned long long row, unsigned at, unsigned words, unsigned long long x) const {
    if (row == NO_ROW) return;
    rows[row + at] = (unsigned)x;
    if (words > 1) rows[row + at + 1] = (unsigned)(x >> 32);
  }
};
