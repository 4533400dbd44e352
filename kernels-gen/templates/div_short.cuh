// div_short.cuh: division by divisors of at most two words, where an instance has several lanes. docs/div.md.
//
// Once R, the remainder mod d of the lanes above, is known for every lane, all lanes divide at the same time.
// First each lane computes c, its words mod d, and B^V mod d. Then the remainders R B^V + c move down from 1,
// 2, 4 ... lanes above, as all lanes have the same powers of B. Then each lane divides its words again, below
// its R. All divisions are three words by two; only the shift uses shared memory.

__device__ __forceinline__ unsigned long long of_rank_long(unsigned long long value, unsigned rank, const Place& at) {
  return (unsigned long long)of_rank((unsigned)(value >> 32), rank, at) << 32 | of_rank((unsigned)value, rank, at);
}

// The value of the lane `distance` ranks above, if there is one.
__device__ __forceinline__ unsigned long long of_lane_above(unsigned long long value, unsigned ranks, const Place& at) {
  return of_rank_long(value, at.rank + ranks < LANES ? at.rank + ranks : at.rank, at);
}

// The loops over a lane's words are rolled, as unrolled ones take a third of the time that a division takes to
// compile. The words therefore lie in the slot, which has no indices that must be known to the compiler.
__device__ __forceinline__ Division divide_by_two_words(const Num& u, const Num& v, unsigned v_bits, unsigned* slot, const Place& at) {
  const unsigned shift = 64 - v_bits;
  unsigned long long d = (unsigned long long)of_rank(v.w[0][1], 0, at) << 32 | of_rank(v.w[0][0], 0, at);
  d <<= shift;
  const unsigned inverse = reciprocal((unsigned)(d >> 32), (unsigned)d);
  // The words of the shifted dividend, and the two above all of them.
  unsigned shifted[V], above[2];
  stage_lanes(slot, u, at);
  read_bits(shifted, slot, PADDED, 32 * (int)at.word(0) - (int)shift);
  read_bits(above, slot, PADDED, 32 * (int)PADDED - (int)shift);
  __syncwarp();
  put_lane(slot, at.rank * V, shifted);
  unsigned* const words = slot + place_of(at.rank * V);
  unsigned long long own = 0, power = 1;
#pragma unroll 1
  for (unsigned i = V; i-- > 0;) {
    three_by_two(own, words[i], d, inverse);
    three_by_two(power, 0, d, inverse);
  }
  const unsigned long long rest = (unsigned long long)above[1] << 32 | above[0], next = of_lane_above(own, 1, at);
  unsigned long long mine = at.rank == LAST_RANK ? rest : next;
#pragma unroll 1
  for (unsigned distance = 1; distance < LANES; distance *= 2) {
    const unsigned long long sum = mulmod_add(of_lane_above(mine, distance, at), power, mine, d, inverse);
    if (at.rank + distance < LANES) mine = sum;
    power = mulmod_add(power, power, 0, d, inverse);
  }
#pragma unroll 1
  for (unsigned i = V; i-- > 0;) words[i] = three_by_two(mine, words[i], d, inverse);
  __syncwarp();
  Division z;
  z.quotient = take_lane(slot, at, [](unsigned, unsigned value) { return value; });
  mine = of_rank_long(mine, 0, at) >> shift;
  z.remainder = number_of(at, [&](unsigned word) { return word == 0 ? (unsigned)mine : word == 1 ? (unsigned)(mine >> 32) : 0; });
  return z;
}
