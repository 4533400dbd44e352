// modmul_rns_walk.cuh: the steps of a sequence, one after the other, round by round. docs/modmul_rns.md.
//
// The steps are words that all blocks read: `begin`, where those of a round begin, `end`, where they end,
// `total`, and the steps: those that bring numbers into Montgomery's form, those of a round, those that bring
// results out of it. A step is a head and its terms. Head: bit 0 of a product, bit 1 of a square, which has
// the first factor alone, the variable that it sets, the terms of the first factor or of a sum, those of the
// second factor. Term: a coefficient from -16 to 16, the variable in rounds whose bit is 0, and in those
// whose bit is 1.

// A step, and the rounds that are done before it.
struct Cursor {
  unsigned at, round;
};

// The steps of all instances.
struct Walk {
  const unsigned *steps, *bits;
  unsigned rounds, top;  // and the place of the first round's bit

  __device__ __forceinline__ static Cursor first() { return {4, 0}; }
  __device__ __forceinline__ unsigned head(Cursor at) const { return steps[at.at]; }
  __device__ __forceinline__ static unsigned to(unsigned head) { return head >> 2 & 0xfff; }
  __device__ __forceinline__ static unsigned terms(unsigned head) { return head >> 14 & 31; }
  __device__ __forceinline__ static unsigned others(unsigned head) { return head >> 19 & 31; }
  __device__ __forceinline__ bool is_end(Cursor at) const { return at.at == steps[2]; }
  __device__ __forceinline__ bool is_sum(Cursor at) const { return !is_end(at) && !(head(at) & 1); }

  // Before and behind the rounds it is 0.
  __device__ __forceinline__ unsigned bit(Cursor at) const {
    if (!BITS || at.round >= rounds) return 0;
    const unsigned place = top - at.round;
    return bits[place / 32] >> place % 32 & 1;
  }

  __device__ __forceinline__ Cursor after(Cursor at) const {
    const unsigned this_head = head(at), begin = steps[0], end = steps[1];
    at.at += 1 + terms(this_head) + others(this_head);
    if (at.at == begin && rounds == 0) at.at = end;
    else if (at.at == end && at.round < rounds) {
      at.round++;
      if (at.round < rounds) at.at = begin;
    }
    return at;
  }

  __device__ __forceinline__ Cursor next_product(Cursor at) const {
    do at = after(at);
    while (is_sum(at));
    return at;
  }
};
