// tape.cuh: operations of tapes on numbers. docs/programs.md.

// The lowest 64 bits.
__device__ __forceinline__ unsigned long long low_words(const Num& x, const Place& at) {
  return (unsigned long long)of_rank(x.w[0][1], 0, at) << 32 | of_rank(x.w[0][0], 0, at);
}

// a - b mod n for a, b < n.
__device__ __forceinline__ Num montgomery_sub(const Num& a, const Num& b, const Montgomery& m, const Place& at) {
  // ~(~a + b) = a - b
  Num x;
#pragma unroll
  for (unsigned i = 0; i < V; i++) x.w[0][i] = ~a.w[0][i];
  const unsigned less = add_across(x.w[0], b.w[0], at);
#pragma unroll
  for (unsigned i = 0; i < V; i++) x.w[0][i] = ~x.w[0][i];
  const bool below = any_of_instance(at.rank == LAST_RANK && less != 0, at);
  unsigned n[V];
#pragma unroll
  for (unsigned i = 0; i < V; i++) n[i] = below ? m.n.w[0][i] : 0;
  add_across(x.w[0], n, at);
  return x;
}

// a * word / B mod n: one step of a product.
__device__ __forceinline__ Num montgomery_word(const Num& a, unsigned word, const Montgomery& m, const Place& at) {
  Partial sum = {};
  montgomery_step(sum, a, word, m, at);
  return montgomery_reduced(sum, m, at);
}
