// partial.cuh: sums of a number times the words of another one, from the lowest on: rows of multiply-adds, each
// two chains of carries, of which the lowest word leaves. docs/powmod.md, docs/mul_classical.md.

// The value of a lane: low + even + odd B. Products of even and of odd words of a number have separate sums,
// so the halves of each lie in one pair of registers; moving down by a word exchanges the sums.
struct Partial {
  unsigned even[V], odd[V];
  unsigned low;
};

// The carry out of a lane in a step: to its word V, and to the one above it.
struct Carried {
  unsigned words[2];
};

// The begin of a step: t += a * d.
__device__ __forceinline__ Carried first_product(Partial& t, unsigned a, const unsigned (&d)[V]) {
  Carried z = {};
  add_carry(z.words[1], mad_chain<0, V, 1>(t.odd, a, d, add_word(t.even[0], t.low)));
  add_carry(z.words[0], mad_whole_chain<0, V>(t.even, a, d));
  return z;
}

// t += a * d.
__device__ __forceinline__ void add_product(Partial& t, Carried& carried, unsigned a, const unsigned (&d)[V]) {
  add_carry(carried.words[1], mad_whole_chain<0, V, 1>(t.odd, a, d));
  add_carry(carried.words[0], mad_whole_chain<0, V>(t.even, a, d));
}

// Down by one word; the lowest one leaves, and `received` is added to the highest.
__device__ __forceinline__ void move_down(Partial& t, const Carried& carried, unsigned received) {
  Partial z;
#pragma unroll
  for (unsigned i = 0; i < V; i++) {
    z.even[i] = t.odd[i];
    z.odd[i] = i + 2 < V ? t.even[i + 2] : carried.words[i + 2 - V];
  }
  add_carry(z.odd[V - 1], add_word(z.odd[V - 2], received));
  z.low = t.even[1];
  t = z;
}
