// lanes_wide.cuh: stores of wide products for lanes of many words: as in lanes_transfer.cuh, through a slot
// of twice the size. The words of the upper half are treated as those of further lanes. Barriers: those of
// lanes_transfer.cuh.

__device__ __forceinline__ void store_lanes(unsigned* out, const Wide& x, unsigned* slot, const Place& at, unsigned long long instances) {
  using Piece = typename PieceOf<piece_of(RESULT_W)>::Type;
  const unsigned* const slots = slot - at.lane / LANES * SLOT_WORDS;
  __syncwarp();
  put_lane(slot, at.rank * V, x.low.w[0]);
  put_lane(slot, PADDED + at.rank * V, x.high.w[0]);
  __syncwarp();
  each_of_stretch<RESULT_W>(at, instances, [&](unsigned, unsigned long long to, unsigned instance, unsigned word) {
    ((Piece*)out)[to] = *(const Piece*)(slots + instance * SLOT_WORDS + place_of(word));
  });
}
