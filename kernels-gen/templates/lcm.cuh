// lcm.cuh: least common multiples mod 2^BITS, from the greatest common divisor. docs/gcd.md.
//
// Shared memory: that of gcd.cuh, div.cuh and low_product. Barriers: of the warp.

// lcm(0, 0) = 0: a zero divisor is replaced by 1.
template <bool SIGNED>
__device__ __forceinline__ Num lcm(const Num& a, const Num& b, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num x = absolute<SIGNED>(a, exchange, at), y = absolute<SIGNED>(b, exchange, at);
  bool by_zero;
  const Num factor = div_rem(x, gcd_of(x, y, slot, at), by_zero, slot, at).quotient;
  return low_product(factor, y, slot, at);
}
