// mul_tensor_half.cuh: squares of few tiles. A number is l + h B, l its lowest HALF words, and its square l
// (l + 2h B), as h^2 B^2 is a multiple of 2^BITS: the Toeplitz factor has half the digits, so that a tile
// takes half the steps.

// Puts words o, o + 1, ... of a number that is squared, from a tile on, into both areas. HALF is a multiple
// of N.
template <unsigned N>
__device__ __forceinline__ void put_square(unsigned* slot, unsigned tile, unsigned o, const Vector<N>& x, const Before& before) {
  const unsigned first = tile * TILE + o;
  const bool lower = first < HALF, upper = first > HALF;
  Vector<N> low, doubled;
#pragma unroll
  for (unsigned v = 0; v < N; v++) {
    low.w[v] = ONE_COPY || lower ? x.w[v] : 0;
    doubled.w[v] = __funnelshift_l(v ? x.w[v - 1] : upper ? before.last : 0, x.w[v], lower ? 0 : 1);
  }
  // Above the first words of the upper half, which take what is moved out of the lower one, zeros are zeros
  // already.
  if (ONE_COPY ? lower : !upper) put_toeplitz(slot, tile, o, low, before);
  const unsigned second = N > 1 || first > HALF + 1 ? before.second : 0;
  put_data(slot + DATA, tile, o, doubled, Before{__funnelshift_l(second, before.last, upper ? 1 : 0), 0});
}

// One or two tiles: the digits of l are in reach of 16 THREAD_WORDS slots of all columns. A lane's words are
// those of l that its slots take, and the one below them, from which columns that want it moved by a byte get
// theirs; as many of the data of each tile, and the one below. No two words of a load, of all threads, are in
// one bank.
template <unsigned COUNT>
__device__ __forceinline__ void square_tiles(unsigned (&sums)[COUNT][4], const Fragments& from, unsigned, unsigned lane) {
  constexpr unsigned LAST = THREAD_WORDS - 1;
  unsigned toeplitz[THREAD_WORDS], below = from.toeplitz[-1];
  const unsigned by = lane & 4 ? 0 : 8;
#pragma unroll
  for (unsigned k = 0; k < THREAD_WORDS; k++) {
    const unsigned word = from.toeplitz[k];
    toeplitz[k] = __funnelshift_r(word, below, by);
    below = word;
  }
#pragma unroll
  for (unsigned j = 0; j < COUNT; j++) {
    unsigned data[THREAD_WORDS + 1], moved[THREAD_WORDS];
#pragma unroll
    for (unsigned k = 0; k <= THREAD_WORDS; k++) data[k] = from.data[0][(int)(j * TILE) - (int)k];
#pragma unroll
    for (unsigned k = 0; k < THREAD_WORDS; k++) moved[k] = __byte_perm(data[k + 1], data[k], 0x5432);
#pragma unroll
    for (unsigned k = 0; k < LAST; k += 2) mma_u8(sums[j], {moved[k], data[k], moved[k + 1], data[k + 1]}, {toeplitz[k], toeplitz[k + 1]});
    mma_u8(sums[j], {moved[LAST], data[LAST]}, {toeplitz[LAST]});
  }
}
