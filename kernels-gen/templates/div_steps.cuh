// div_steps.cuh: the functions of div_blocks.cuh without tensor cores, or if instances have less than a warp.
// docs/div.md.

// u / v, unless another division suits it better. `stage` puts the WORDS words of u into the slot.
template <unsigned WORDS, unsigned FEWEST = FEWEST_WORDS, class Stage>
__device__ __forceinline__ Division divide_long(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  return divide_in_steps<WORDS, FEWEST>(v, u_bits, v_bits, slot, at, stage);
}
