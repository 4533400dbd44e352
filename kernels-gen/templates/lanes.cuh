// lanes.cuh: numbers over the lanes of a warp, S words to a lane, and what one-word steps through them need. An instance belongs
// to LANES lanes of one warp; lane `rank` holds words rank * S to rank * S + S - 1. S is even and need not be V.
//
// No barriers but those of the warp; all its lanes take part in every call.

constexpr unsigned LAST_RANK = LANES - 1;

// The value of another lane of the instance.
__device__ __forceinline__ unsigned of_rank(unsigned value, unsigned rank, const Place& at) {
  return LANES == 1 ? value : __shfl_sync(~0u, value, at.lane - at.rank + rank);
}

// The value of the lane below; of the first lane, `otherwise`.
__device__ __forceinline__ unsigned of_lane_below(unsigned value, unsigned otherwise, const Place& at) {
  if (LANES == 1) return otherwise;
  const unsigned below = __shfl_sync(~0u, value, (at.lane + 31) % 32);
  return at.rank == 0 ? otherwise : below;
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
__device__ __forceinline__ bool any_of_instance(bool condition, const Place& at) {
  return of_instance(__ballot_sync(~0u, condition), at) != 0;
}

// Bits of x: the position above its highest one; 0 of 0.
__device__ __forceinline__ unsigned bit_length(const Num& x, const Place& at) {
  unsigned bits = 0;
#pragma unroll
  for (unsigned v = 0; v < V; v++)
    if (x.w[0][v] != 0) bits = 32 * (at.word(0) + v) + 32 - __clz((int)x.w[0][v]);
  const unsigned holders = of_instance(__ballot_sync(~0u, bits != 0), at);
  return of_rank(bits, holders == 0 ? 0 : 31 - __clz((int)holders), at);
}

// 32 bits from bit `position` on, which may lie below 0 or above the number of `words` words at `from`, where zeros are.
__device__ __forceinline__ unsigned bits_from(const unsigned* from, unsigned words, int position) {
  const int word = position >> 5;
  const unsigned low = (unsigned)word < words ? from[word] : 0;
  const unsigned high = (unsigned)(word + 1) < words ? from[word + 1] : 0;
  return funnel(low, high, (unsigned)position % 32);
}

// The rest of a chain up to word END, after a carry.
template <unsigned AT, unsigned END, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S], unsigned carry) {
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END>(x, a, d, mad_next4<AT>(x, a, d, carry));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END>(x, a, d, mad_next2<AT>(x, a, d, carry));
  else if constexpr (AT + 2 <= END) return mad_chain<AT + 2, END>(x, a, d, mad_next1<AT>(x, a, d, carry));
  else return carry;
}

// A chain from its start.
template <unsigned AT, unsigned END, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_whole_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S]) {
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END>(x, a, d, mad_first4<AT>(x, a, d));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END>(x, a, d, mad_first2<AT>(x, a, d));
  else return mad_chain<AT + 2, END>(x, a, d, mad_first1<AT>(x, a, d));
}

// A chain whose first product is given.
template <unsigned AT, unsigned END, unsigned N, unsigned S>
__device__ __forceinline__ unsigned mad_given_chain(unsigned (&x)[N], unsigned a, const unsigned (&d)[S], unsigned long long pair) {
  const unsigned low = (unsigned)pair, high = (unsigned)(pair >> 32);
  if constexpr (AT + 8 <= END) return mad_chain<AT + 8, END>(x, a, d, mad_given4<AT>(x, a, d, low, high));
  else if constexpr (AT + 4 <= END) return mad_chain<AT + 4, END>(x, a, d, mad_given2<AT>(x, a, d, low, high));
  else return mad_chain<AT + 2, END>(x, a, d, mad_given1<AT>(x, a, d, low, high));
}

// x += a * d + owed * B over the S words of a lane; returns what leaves the lane: a word, or B itself where all words are ones.
// `owed` is below B and 0 if an instance has one lane; x has a word above the S, which is not kept.
template <unsigned S>
__device__ __forceinline__ unsigned long long add_multiple(unsigned (&x)[S + 1], unsigned a, const unsigned (&d)[S], unsigned owed) {
  static_assert(S % 2 == 0, "products fall on pairs of words");
  x[S] = 0;
  unsigned long long carry = 0;
  // Without `owed` all of it is less than B^(S + 1).
  if constexpr (LANES == 1) mad_whole_chain<1, S + 1>(x, a, d);
  else carry = mad_given_chain<1, S + 1>(x, a, d, (unsigned long long)a * d[1] + owed);
  const unsigned even = mad_whole_chain<0, S>(x, a, d);
  return (carry << 32 | x[S]) + even;
}

// x += y over the lanes of an instance, carries and all; returns what leaves the instance's last lane, there.
template <unsigned S, unsigned N>
__device__ __forceinline__ unsigned add_across(unsigned (&x)[N], const unsigned (&y)[S], const Place& at) {
  unsigned carry = 0;
  bool ones = true;
#pragma unroll
  for (unsigned i = 0; i < S; i++) {
    const unsigned long long sum = (unsigned long long)x[i] + y[i] + carry;
    x[i] = (unsigned)sum;
    carry = (unsigned)(sum >> 32);
    ones &= x[i] == ~0u;
  }
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
