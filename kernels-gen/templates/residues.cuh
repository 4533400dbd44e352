// residues.cuh: sums, differences and products modulo any number. docs/modulus.md.
//
// Operands are reduced first, by a division without steps if they are already below the modulus. It has no
// code for moduli of less than half the words of a lane, which are seldom and take as long to compile. The product
// of two residues has twice as many words; its remainder comes from a division with a slot of twice the
// words.

struct Residues {
  Num a, b, m;
  bool by_zero;
};

// x modulo m, in 0..m, for x of either sign.
template <bool SIGNED>
__device__ __forceinline__ Num residue(const Num& x, const Num& m, bool& by_zero, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool negative = is_negative<SIGNED>(x, at);
  const Num rest = div_rem<V / 2>(with_sign<SIGNED>(negative, x, exchange, at), m, by_zero, slot, at).remainder;
  if (!SIGNED) return rest;
  const bool turns = !is_zero(rest, at) && negative;
  return select(turns, resolve<-1>(sub(m, rest), exchange, at), rest);
}

template <bool SIGNED>
__device__ __forceinline__ Residues residues(const Num& a, const Num& b, const Num& m, unsigned* slot, unsigned* exchange, const Place& at) {
  Residues z;
  z.m = absolute<SIGNED>(m, exchange, at);
  z.a = a;
  // One copy of the code of the division.
#pragma unroll 1
  for (unsigned i = 0; i < 2; i++) {
    z.b = residue<SIGNED>(select(i == 0, a, b), z.m, z.by_zero, slot, exchange, at);
    z.a = select(i == 0, z.b, z.a);
  }
  return z;
}

// (a - b) mod m.
__device__ __forceinline__ Num submod(const Residues& z, unsigned* exchange, const Place& at) {
  const bool less = order<false>(z.a, z.b, exchange, at) < 0;
  const Num difference = resolve<-1>(sub(z.a, z.b), exchange, at);
  return select(less, resolve<0>(add(difference, z.m), exchange, at), difference);
}

// (a + b) mod m: a minus (m - b), which fits the words of m.
__device__ __forceinline__ Num addmod(const Residues& z, unsigned* exchange, const Place& at) {
  const Num opposite = resolve<-1>(sub(z.m, z.b), exchange, at);
  const bool less = order<false>(z.a, opposite, exchange, at) < 0;
  const Num difference = resolve<-1>(sub(z.a, opposite), exchange, at);
  return select(less, resolve<0>(add(z.a, z.b), exchange, at), difference);
}
