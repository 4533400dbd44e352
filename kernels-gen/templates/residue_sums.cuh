// residue_sums.cuh: sums and differences of residues in the registers of one thread, modulo the n of a ring of any
// kind. docs/programs.md.

// x + over B^W < 2 n minus n unless it is below n.
template <class R>
__device__ __forceinline__ Num less_modulus(const Num& x, unsigned over, const R& ring) {
  Num z;
  const bool below = sub_words(z, x, ring.n) != 0;
  return select(FULL ? below && over == 0 : below, x, z);
}

// n, or 2 n where that is below B^W.
template <bool TWICE, class R>
__device__ __forceinline__ Num multiple_of_modulus(const R& ring) {
  Num z = ring.n;
#pragma unroll
  for (unsigned i = 0; TWICE && i < W; i++) z.w[i] = __funnelshift_l(i > 0 ? ring.n.w[i - (i > 0)] : 0, ring.n.w[i], 1);
  return z;
}

// Modulo n; of LAZY residues, which are below 2 n, modulo 2 n.
template <bool LAZY = false, class R>
__device__ __forceinline__ Num residue_add(const Num& a, const Num& b, const R& ring) {
  Num z;
  const unsigned over = add_words(z, a, b);
  if constexpr (!LAZY) return less_modulus(z, over, ring);
  Num less;
  const bool below = sub_words(less, z, multiple_of_modulus<true>(ring)) != 0;
  return select(below, z, less);
}

template <bool LAZY = false, class R>
__device__ __forceinline__ Num residue_sub(const Num& a, const Num& b, const R& ring) {
  const Num modulus = multiple_of_modulus<LAZY>(ring);
  Num z, n, sum;
  const unsigned below = sub_words(z, a, b);
#pragma unroll
  for (unsigned i = 0; i < W; i++) n.w[i] = modulus.w[i] & below;
  add_words(sum, z, n);
  return sum;
}

// a - b and a multiple of n, below 4 n: for b < n, or b < 2 n.
template <bool TWICE, class R>
__device__ __forceinline__ Num wide_sub(const Num& a, const Num& b, const R& ring) {
  return integer_sub(integer_add(a, multiple_of_modulus<TWICE>(ring)), b);
}
