// isqrt_rem.cuh: the remainder of a square root. docs/isqrt.md.
//
// Shared memory and barriers: those of mul_low.

// a - root^2 for the root of a, or for a smaller number.
__device__ __forceinline__ Num isqrt_rem(const Num& a, const Num& root, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num square = resolve<0>(mul_low(root, root, slot, at), exchange, at);
  return resolve<-1>(sub(a, square), exchange, at);
}
