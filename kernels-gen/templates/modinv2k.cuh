// modinv2k.cuh: inverses modulo 2^BITS as an operation. docs/modinv2k.md.
//
// Shared memory and barriers: those of hensel.cuh.

// `fails` if a is even. Modulo 2^BITS signs make no difference.
template <bool SIGNED>
__device__ __forceinline__ Num modinv2k(const Num& a, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  fails = !(of_rank(a.w[0][0], 0, at) & 1);
  return inverse_of_odd(a, slot, exchange, at);
}
