// gcd.cuh: greatest common divisors by division steps, within a warp. docs/gcd.md.
//
// Common powers of two are removed first; then one of the numbers is odd. Every lane computes thirty steps
// from the low limbs, and all lanes apply them to both numbers.
//
// Shared memory: a slot of PADDED words, or LANES * L if that is more. Barriers: of the warp.

__device__ __forceinline__ void swap_limbs(int (&f)[L], int (&g)[L], bool swaps) {
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    const int limb = f[i];
    f[i] = swaps ? g[i] : limb;
    g[i] = swaps ? limb : g[i];
  }
}

// gcd of unsigned numbers; gcd(x, 0) = x.
__device__ __forceinline__ Num gcd_of(const Num& a, const Num& b, unsigned* slot, const Place& at) {
  const unsigned twos = trailing_zeros(bit_or(a, b), at);
  int f[L], g[L];
  stage_alone(slot, a, at);
  load_limbs(f, slot, PADDED, twos, at);
  stage_alone(slot, b, at);
  // The same position, hidden from the compiler, which would otherwise keep the addresses of all loads.
  load_limbs(g, slot, PADDED, __shfl_sync(~0u, twos, at.lane), at);
  swap_limbs(f, g, !(of_rank((unsigned)f[0], 0, at) & 1));
  int theta = 0;
  while (any_limb(g)) {
    const Steps steps = divsteps(of_rank((unsigned)f[0], 0, at), of_rank((unsigned)g[0], 0, at), theta);
    apply_steps(f, g, steps, at);
  }
  absolute_limbs(f, at);
  const Num odd = words_of_limbs(f, slot, at);
  stage_alone(slot, odd, at);
  return number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) - (int)twos); });
}

template <bool SIGNED>
__device__ __forceinline__ Num gcd(const Num& a, const Num& b, unsigned* slot, unsigned* exchange, const Place& at) {
  return gcd_of(absolute<SIGNED>(a, exchange, at), absolute<SIGNED>(b, exchange, at), slot, at);
}
