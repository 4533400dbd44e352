// bits.cuh: bitwise operations, selection, constants. docs/bits.md. Operands and results are resolved
// numbers. No barriers, no shared memory.

template <class F>
__device__ __forceinline__ Num map_words(const Num& x, const Num& y, F f) {
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) z.w[c][v] = f(x.w[c][v], y.w[c][v]);
  return z;
}

struct And { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x & y; } };
struct Or { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x | y; } };
struct Xor { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x ^ y; } };
struct Choose {
  bool first;
  __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return first ? x : y; }
};

__device__ __forceinline__ Num bit_and(const Num& x, const Num& y) { return map_words(x, y, And()); }
__device__ __forceinline__ Num bit_or(const Num& x, const Num& y) { return map_words(x, y, Or()); }
__device__ __forceinline__ Num bit_xor(const Num& x, const Num& y) { return map_words(x, y, Xor()); }

// `chosen` is the same in all threads of an instance.
__device__ __forceinline__ Num select(bool chosen, const Num& x, const Num& y) { return map_words(x, y, Choose{chosen}); }

__device__ __forceinline__ Num bit_not(const Num& x, const Place& at) {
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) z.w[c][v] = ~x.w[c][v];
  truncate(z, at);
  return z;
}

// The constant with these words, zeros above them.
template <unsigned COUNT>
__device__ __forceinline__ Num constant(const unsigned (&words)[COUNT], const Place& at) {
  return number_of(at, [&](unsigned word) { return word < COUNT ? words[word] : 0; });
}

// 1 or 0.
__device__ __forceinline__ Num truth(bool value, const Place& at) {
  const unsigned words[1] = {value};
  return constant(words, at);
}
