// div_steps.cuh: what div_blocks.cuh has, where there are no products of matrices or instances have less than a warp. docs/div.md.

// u / v, which no other kind of division suits better.
__device__ __forceinline__ Division divide_long(const Num& u, const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at) {
  return divide_in_steps(u, v, u_bits, v_bits, slot, at);
}
