// chains.cuh: chains of multiply-adds of pairs of words, with a carry from pair to pair.

// The rest of a chain of multiply-adds up to word END of x, after a carry: x[AT] += a * d[FROM] and so on.
template <unsigned AT, unsigned END, unsigned FROM = AT, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S], unsigned carry) {
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END, FROM + 8>(x, a, d, mad_next4<AT, FROM>(x, a, d, carry));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END, FROM + 4>(x, a, d, mad_next2<AT, FROM>(x, a, d, carry));
  else if constexpr (AT + 2 <= END) return mad_chain<AT + 2, END, FROM + 2>(x, a, d, mad_next1<AT, FROM>(x, a, d, carry));
  else return carry;
}

// A chain from its start.
template <unsigned AT, unsigned END, unsigned FROM = AT, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_whole_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S]) {
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END, FROM + 8>(x, a, d, mad_first4<AT, FROM>(x, a, d));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END, FROM + 4>(x, a, d, mad_first2<AT, FROM>(x, a, d));
  else return mad_chain<AT + 2, END, FROM + 2>(x, a, d, mad_first1<AT, FROM>(x, a, d));
}
