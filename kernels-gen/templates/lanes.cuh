// lanes.cuh: numbers over the lanes of a warp, S words per lane, and functions for steps of one word. An
// instance takes LANES lanes of one warp; lane `rank` holds words rank * S to rank * S + S - 1. S is even and
// need not be V.
//
// No barriers but those of the warp; all its lanes take part in every call. Slots are those of
// lanes_transfer.cuh.

constexpr unsigned LAST_RANK = LANES - 1;

// The value of another lane of the instance.
__device__ __forceinline__ unsigned of_rank(unsigned value, unsigned rank, const Place& at) {
  return LANES == 1 ? value : __shfl_sync(~0u, value, at.lane - at.rank + rank);
}

// The value of the lane below; `otherwise` in the first lane.
__device__ __forceinline__ unsigned of_lane_below(unsigned value, unsigned otherwise, const Place& at) {
  if (LANES == 1) return otherwise;
  const unsigned below = __shfl_sync(~0u, value, (at.lane + 31) % 32);
  return at.rank == 0 ? otherwise : below;
}

// 1 / n mod B for odd n.
__device__ __forceinline__ unsigned inverse_of_word(unsigned n) {
  unsigned inverse = n;
  // Correct to 3 bits, which each step doubles.
#pragma unroll
  for (unsigned i = 0; i < 4; i++) inverse *= 2 - n * inverse;
  return inverse;
}

// The largest value in the warp.
__device__ __forceinline__ unsigned warp_max(unsigned value) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const unsigned other = __shfl_xor_sync(~0u, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

// Whether the condition holds in some lane of the instance.
__device__ __forceinline__ bool any_of_instance(bool condition, const Place& at) { return votes(condition, at) != 0; }

// The highest nonzero word, and its index in `index`: a binary search.
template <unsigned COUNT>
__device__ __forceinline__ unsigned highest_word(const unsigned (&words)[COUNT], unsigned& index) {
  if constexpr (COUNT == 1) {
    return words[0];
  } else {
    constexpr unsigned LOWER = COUNT / 2, UPPER = COUNT - LOWER;
    unsigned any = 0, half[UPPER];
#pragma unroll
    for (unsigned i = 0; i < UPPER; i++) any |= words[LOWER + i];
#pragma unroll
    for (unsigned i = 0; i < UPPER; i++) half[i] = any != 0 ? words[LOWER + i] : i < LOWER ? words[i] : 0;
    index += any != 0 ? LOWER : 0;
    return highest_word(half, index);
  }
}

// Number of bits of x, the position above its highest one; 0 for 0.
__device__ __forceinline__ unsigned bit_length(const Num& x, const Place& at) {
  unsigned index = at.word(0);
  const unsigned highest = highest_word(x.w[0], index), bits = 32 * index + 32 - __clz((int)highest);
  const unsigned holders = votes(highest != 0, at);
  const unsigned of_holder = of_rank(bits, holders == 0 ? 0 : 31 - __clz((int)holders), at);
  return holders == 0 ? 0 : of_holder;
}

// The words from bit `position` on of the number of `words` words in a slot; there are zeros below it and
// above. FOURS: `words` is a multiple of four where a piece is four words.
template <bool FOURS = true, unsigned COUNT>
__device__ __forceinline__ void read_bits(unsigned (&z)[COUNT], const unsigned* slot, unsigned words, int position) {
  const int first = position >> 5;
  unsigned w[COUNT + 7];
  if constexpr (FOURS && PIECE == 4 && COUNT >= 8) {
    // From a multiple of four words on, then down to the first one.
#pragma unroll
    for (unsigned i = 0; i < COUNT + 4; i += 4) {
      const int at = (first & ~3) + (int)i;
      put_four(w, i, (unsigned)at < words ? *(const uint4*)(slot + place_of((unsigned)at)) : make_uint4(0, 0, 0, 0));
    }
#pragma unroll
    for (unsigned i = 0; i < COUNT + 2; i++) w[i] = first & 2 ? w[i + 2] : w[i];
#pragma unroll
    for (unsigned i = 0; i < COUNT + 1; i++) w[i] = first & 1 ? w[i + 1] : w[i];
  } else {
#pragma unroll
    for (unsigned i = 0; i < COUNT + 1; i++) {
      const unsigned at = (unsigned)(first + (int)i);
      w[i] = at < words ? slot[place_of(at)] : 0;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < COUNT; i++) z[i] = __funnelshift_r(w[i], w[i + 1], (unsigned)position % 32);
}

// Number of zeros below the lowest one of x; 0 for 0.
__device__ __forceinline__ unsigned trailing_zeros(const Num& x, const Place& at) {
  unsigned lowest = 0, index = 0;
#pragma unroll
  for (unsigned v = V; v-- > 0;) {
    index = x.w[0][v] != 0 ? v : index;
    lowest = x.w[0][v] != 0 ? x.w[0][v] : lowest;
  }
  const unsigned zeros = 32 * (at.word(0) + index) + 31 - __clz((int)(lowest & (0 - lowest)));
  const unsigned holders = votes(lowest != 0, at);
  return of_rank(holders == 0 ? 0 : zeros, holders == 0 ? 0 : 31 - __clz((int)(holders & (0 - holders))), at);
}

// 32 bits from bit `position` on, which may lie below 0 or above the number of `words` words at `from`, where
// zeros are.
__device__ __forceinline__ unsigned bits_from(const unsigned* from, unsigned words, int position) {
  const int word = position >> 5;
  const unsigned low = (unsigned)word < words ? from[word] : 0;
  const unsigned high = (unsigned)(word + 1) < words ? from[word + 1] : 0;
  return funnel(low, high, (unsigned)position % 32);
}

// A chain whose first product is given.
template <unsigned AT, unsigned END, unsigned FROM = AT, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_given_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S], unsigned long long pair) {
  const unsigned low = (unsigned)pair, high = (unsigned)(pair >> 32);
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END, FROM + 8>(x, a, d, mad_given4<AT, FROM>(x, a, d, low, high));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END, FROM + 4>(x, a, d, mad_given2<AT, FROM>(x, a, d, low, high));
  else return mad_chain<AT + 2, END, FROM + 2>(x, a, d, mad_given1<AT, FROM>(x, a, d, low, high));
}

// z[AT ...] = x[AT ...] + y[FROM ...] up to word END, after a carry.
template <unsigned AT, unsigned END, unsigned FROM = AT, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned add_chain(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M], unsigned carry) {
  if constexpr (AT + 8 <= END) return add_chain<AT + 8, END, FROM + 8>(z, x, y, add_next8<AT, AT, FROM>(z, x, y, carry));
  else if constexpr (AT + 4 <= END) return add_chain<AT + 4, END, FROM + 4>(z, x, y, add_next4<AT, AT, FROM>(z, x, y, carry));
  else if constexpr (AT + 2 <= END) return add_chain<AT + 2, END, FROM + 2>(z, x, y, add_next2<AT, AT, FROM>(z, x, y, carry));
  else if constexpr (AT < END) return add_next1<AT, AT, FROM>(z, x, y, carry);
  else return carry;
}

// A chain from its start, of two words or more.
template <unsigned AT, unsigned END, unsigned FROM = AT, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned add_whole_chain(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M]) {
  if constexpr (AT + 8 <= END) return add_chain<AT + 8, END, FROM + 8>(z, x, y, add_first8<AT, AT, FROM>(z, x, y));
  else if constexpr (AT + 4 <= END) return add_chain<AT + 4, END, FROM + 4>(z, x, y, add_first4<AT, AT, FROM>(z, x, y));
  else return add_chain<AT + 2, END, FROM + 2>(z, x, y, add_first2<AT, AT, FROM>(z, x, y));
}

// x += a * d + owed * B over the S words of a lane; returns the carry out of the lane: a word, or B if all
// words are ones. `owed` is below B and 0 if an instance has one lane; x has a word above the S, which is not
// kept.
template <unsigned S>
__device__ __forceinline__ unsigned long long add_multiple(unsigned (&x)[S + 1], unsigned a, const unsigned (&d)[S], unsigned owed) {
  static_assert(S % 2 == 0, "products fall on pairs of words");
  x[S] = 0;
  unsigned long long carry = 0;
  // Without `owed` all of it is less than B^(S + 1).
  if constexpr (LANES == 1) mad_whole_chain<1, S + 1>(x, a, d);
  else carry = mad_given_chain<1, S + 1>(x, a, d, mad_words(a, d[1], owed));
  const unsigned even = mad_whole_chain<0, S>(x, a, d);
  return (carry << 32 | x[S]) + even;
}

// The carry out of a lane: two words, and a bit above them if all words are ones.
struct Leaving {
  unsigned long long words;
  unsigned above;
};

// x += (a1 B + a0) * d + owed B^2 over the S words of a lane. `owed` is 0 if an instance has one lane.
//
// Products at words (0, 1), (2, 3) and so on have one sum, those at (1, 2), (3, 4) and so on another, so that
// the two halves of every product lie in an aligned pair of registers; the second sum is added at the end.
// The owed word is added with two products, which leave room for it.
template <unsigned S>
__device__ __forceinline__ Leaving add_two_multiples(unsigned (&x)[S + 1], unsigned a1, unsigned a0, const unsigned (&d)[S], unsigned long long owed) {
  static_assert(S % 2 == 0 && (LANES == 1 || S >= 4), "products fall on pairs of words, what is owed on the second pair");
  unsigned even[S + 2], odd[S];
#pragma unroll
  for (unsigned i = 0; i < S; i++) even[i] = x[i];
#pragma unroll
  for (unsigned i = 0; i < S; i += 2) {
    const unsigned long long product = LANES > 1 && i == 2 ? mad_words(a0, d[i + 1], owed >> 32) : mul_words(a0, d[i + 1]);
    odd[i] = (unsigned)product;
    odd[i + 1] = (unsigned)(product >> 32);
  }
  even[S] = mad_whole_chain<0, S>(even, a0, d);
  even[S + 1] = 0;
  unsigned above;
  if constexpr (LANES == 1) above = mad_whole_chain<2, S + 2, 1>(even, a1, d);
  else above = mad_given_chain<2, S + 2, 1>(even, a1, d, mad_words(a1, d[1], (unsigned)owed));
  unsigned high = mad_whole_chain<0, S>(odd, a1, d);
  unsigned sum[S + 1];
  high += add_whole_chain<1, S + 1, 0>(sum, even, odd);
  x[0] = even[0];
#pragma unroll
  for (unsigned i = 1; i < S; i++) x[i] = sum[i];
  const unsigned long long top = (unsigned long long)even[S + 1] + high;
  return Leaving{top << 32 | sum[S], above + (unsigned)(top >> 32)};
}

// The carry out of an instance, in its last lane, once x has those of its lanes: `carry` out of the lane, whose
// words are all ones if `ones`.
template <unsigned S, unsigned N>
__device__ __forceinline__ unsigned carry_across(unsigned (&x)[N], unsigned carry, bool ones, const Place& at) {
  const unsigned generate = __ballot_sync(~0u, carry != 0) & PASSING_LANES;
  const unsigned passing = __ballot_sync(~0u, ones) & PASSING_LANES;
  unsigned none = 0;
  unsigned on = carries_into_lanes(generate, passing, none) >> at.lane & 1;
#pragma unroll
  for (unsigned i = 0; i < S; i++) {
    x[i] += on;
    on &= x[i] == 0;
  }
  return carry + on;
}

// x += y over the lanes of an instance, with all carries; the last lane of the instance returns the carry
// out.
template <unsigned S, unsigned N>
__device__ __forceinline__ unsigned add_across(unsigned (&x)[N], const unsigned (&y)[S], const Place& at) {
  const unsigned carry = add_whole_chain<0, S>(x, x, y);
  unsigned all = ~0u;
#pragma unroll
  for (unsigned i = 0; i < S; i++) all &= x[i];
  return carry_across<S>(x, carry, all == ~0u, at);
}

// The same without chains, whose registers are others after the sum: for sums that are rare in a loop that
// keeps x in registers.
template <unsigned S, unsigned N>
__device__ __forceinline__ unsigned add_across_rarely(unsigned (&x)[N], const unsigned (&y)[S], const Place& at) {
  unsigned carry = 0;
  bool ones = true;
#pragma unroll
  for (unsigned i = 0; i < S; i++) {
    const unsigned long long sum = (unsigned long long)x[i] + y[i] + carry;
    x[i] = (unsigned)sum;
    carry = (unsigned)(sum >> 32);
    ones &= x[i] == ~0u;
  }
  return carry_across<S>(x, carry, ones, at);
}
