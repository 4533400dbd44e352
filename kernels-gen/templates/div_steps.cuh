// div_steps.cuh: what div_blocks.cuh has, where there are no products of matrices or instances have less than a warp. docs/div.md.

// u / v, which no other kind of division suits better. `stage` puts the WORDS words of u into the slot.
template <unsigned WORDS, class Stage>
__device__ __forceinline__ Division divide_long(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  return divide_in_steps<WORDS>(v, u_bits, v_bits, slot, at, stage);
}
