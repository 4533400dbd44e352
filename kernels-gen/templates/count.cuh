// count.cuh: how many bits are ones, or zeros above the highest or below the lowest one. docs/bits.md. Every
// thread counts in its words; one exchange between the threads of an instance (instance.cuh) adds up, or
// takes the largest. The result is the same in all threads.

__device__ __forceinline__ unsigned population(const Num& x, unsigned* exchange, const Place& at) {
  unsigned ones = 0;
  each_word(x, at, [&](unsigned, unsigned value) { ones += (unsigned)__popc(value); });
  return combined(ones, Plus(), exchange, at);
}

// Words of zeros are skipped: runs are in the order of words, so the last nonzero word holds the highest bit.
__device__ __forceinline__ unsigned leading_zeros(const Num& x, unsigned* exchange, const Place& at) {
  unsigned length = 0;
  each_word(x, at, [&](unsigned word, unsigned value) {
    if (value) length = word * 32 + 32 - (unsigned)__clz((int)value);
  });
  return BITS - combined(length, Largest(), exchange, at);
}

// There are at most BITS zeros, so the minimum of zeros is the maximum of BITS - zeros.
__device__ __forceinline__ unsigned trailing_zeros(const Num& x, unsigned* exchange, const Place& at) {
  unsigned above = 0;
  each_word(x, at, [&](unsigned word, unsigned value) {
    if (value && above == 0) above = BITS - (word * 32 + (unsigned)__ffs((int)value) - 1);
  });
  return BITS - combined(above, Largest(), exchange, at);
}

// The number that a count is, mod 2^BITS: it is below 2^BITS for every width.
__device__ __forceinline__ Num count(unsigned count, const Place& at) {
  const unsigned words[1] = {count};
  return constant(words, at);
}
