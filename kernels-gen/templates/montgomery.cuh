// montgomery.cuh: products modulo odd numbers within a warp, by Montgomery's method (1985), word by word.
// docs/powmod.md.
//
// A step adds a word of one factor times the other factor and the multiple of the modulus that makes the
// lowest word 0, and moves all words down by one. Carries between lanes are not resolved meanwhile: a lane
// has two words more than its V, its value stays below 4 B^V between steps, and the part above V words is
// added to the lowest word of the lane above, which moves down to it. R = B^steps, where steps is at least
// the length of the longest modulus of the warp.
//
// Without multiples of a modulus, the words that move out are those of the low product.
//
// Barriers: of the warp.

// Steps of an iteration of the loop; at its end all words move to other registers, except after V steps.
constexpr unsigned ROUND = V % 16 == 0 ? 16 : V <= 24 ? V : V % 8 == 0 ? 8 : 4;

// Numbers modulo n are below n, times R.
struct Montgomery {
  Num n;
  unsigned inverse;  // -1 / n mod B
  unsigned steps;
};

// For odd n of at most `steps` words, the same count in all lanes of the warp.
__device__ __forceinline__ Montgomery montgomery(const Num& n, unsigned steps, const Place& at) {
  return {n, 0 - inverse_of_word(of_rank(n.w[0][0], 0, at)), steps};
}

// Down by one word; the lowest one leaves, and goes to the lane below.
__device__ __forceinline__ void move_down(Partial& t, const Carried& carried, const Place& at) {
  const unsigned lowest = LANES == 1 ? 0 : __shfl_sync(~0u, t.even[0], (at.lane + 1) % 32);
  move_down(t, carried, at.rank == LAST_RANK ? 0 : lowest);
}

// Its words, and the one above them.
__device__ __forceinline__ void words_of_partial(unsigned (&t)[V + 1], const Partial& x) {
  t[0] = x.even[0];
  unsigned carry = add_word(t[0], x.low);
#pragma unroll
  for (unsigned i = 1; i <= V; i++) {
    const unsigned long long sum = (unsigned long long)x.odd[i - 1] + (i < V ? x.even[i % V] : 0) + carry;
    t[i] = (unsigned)sum;
    carry = (unsigned)(sum >> 32);
  }
}

// t < 2 n, with the word above it in the last lane, minus n if t >= n.
template <unsigned N>
__device__ __forceinline__ Num less_modulus(const unsigned (&t)[N], unsigned above, const Montgomery& m, const Place& at) {
  // ~t + n = ~(t - n) carries if t < n.
  unsigned x[V];
#pragma unroll
  for (unsigned i = 0; i < V; i++) x[i] = ~t[i];
  const unsigned less = add_across(x, m.n.w[0], at);
  const bool stays = any_of_instance(at.rank == LAST_RANK && less != 0 && above == 0, at);
  Num z;
#pragma unroll
  for (unsigned i = 0; i < V; i++) z.w[0][i] = stays ? t[i] : ~x[i];
  return z;
}

// A step.
__device__ __forceinline__ void montgomery_step(Partial& t, const Num& a, unsigned word, const Montgomery& m, const Place& at) {
  Carried carried = first_product(t, word, a.w[0]);
  add_product(t, carried, of_rank(t.even[0] * m.inverse, 0, at), m.n.w[0]);
  move_down(t, carried, at);
}

// The sum of the last step, modulo n.
__device__ __forceinline__ Num montgomery_reduced(const Partial& sum, const Montgomery& m, const Place& at) {
  unsigned t[V + 1];
  words_of_partial(t, sum);
  unsigned above = t[V];
  if constexpr (LANES > 1) {
    const unsigned received[V] = {of_lane_below(t[V], 0, at)};
    above += add_across(t, received, at);
  }
  return less_modulus(t, above, m, at);
}

// a * b / R for a < R and the b < n that lies at `factor`.
__device__ __forceinline__ Num montgomery_mul(const Num& a, const unsigned* factor, const Montgomery& m, const Place& at) {
  Partial sum = {};
#pragma unroll 1
  for (unsigned j = 0; j < m.steps; j += ROUND) {
#pragma unroll
    for (unsigned i = 0; i < ROUND; i++) montgomery_step(sum, a, factor[j + i], m, at);
  }
  return montgomery_reduced(sum, m, at);
}

// 2 a mod n.
__device__ __forceinline__ Num montgomery_double(const Num& a, const Montgomery& m, const Place& at) {
  unsigned t[V], above = a.w[0][V - 1] >> 31, below = of_lane_below(above, 0, at);
#pragma unroll
  for (unsigned i = 0; i < V; i++) {
    t[i] = a.w[0][i] << 1 | below;
    below = a.w[0][i] >> 31;
  }
  return less_modulus(t, above, m, at);
}

// a + b mod n for a, b < n; b may also be n.
__device__ __forceinline__ Num montgomery_add(const Num& a, const Num& b, const Montgomery& m, const Place& at) {
  unsigned t[V];
#pragma unroll
  for (unsigned i = 0; i < V; i++) t[i] = a.w[0][i];
  const unsigned above = add_across(t, b.w[0], at);
  return less_modulus(t, above, m, at);
}

// The number of steps for numbers of at most `bits` bits in this instance.
__device__ __forceinline__ unsigned steps_for(unsigned bits) { return (warp_max((bits + 31) / 32) + ROUND - 1) / ROUND * ROUND; }

// R mod n: the highest power of two below n, and doublings.
__device__ __forceinline__ Num montgomery_one(const Montgomery& m, const Place& at) {
  const unsigned bits = bit_length(m.n, at);
  // Modulo 1 every residue is 0.
  Num x = number_of(at, [&](unsigned word) { return bits > 1 && word == (bits - 1) / 32 ? 1u << (bits - 1) % 32 : 0; });
  const unsigned times = 32 * m.steps - (bits - 1), longest = warp_max(times);
#pragma unroll 1
  for (unsigned i = 0; i < longest; i++) x = select(i < times, montgomery_double(x, m, at), x);
  return x;
}

// Words of a number without padding.
constexpr unsigned WORDS = (BITS + 31) / 32;

// Words first to end - 1 of a * b mod 2^BITS, for a b without words below `first`; zeros around them. The
// slot has 2 PADDED words.
__device__ __forceinline__ Num product_words(const Num& a, const Num& b, unsigned first, unsigned end, unsigned* slot, const Place& at) {
  stage_alone(slot, b, at);
  Partial t = {};
#pragma unroll 2
  for (unsigned j = first; j < end; j++) {
    const Carried carried = first_product(t, slot[j], a.w[0]);
    if (at.rank == 0) slot[PADDED + j] = t.even[0];
    move_down(t, carried, at);
  }
  instance_barrier();
  Num z = number_of(at, [&](unsigned word) { return first <= word && word < end ? slot[PADDED + word] : 0; });
  truncate(z, at);
  return z;
}

// a * b mod 2^BITS.
__device__ __forceinline__ Num low_product(const Num& a, const Num& b, unsigned* slot, const Place& at) {
  return product_words(a, b, 0, WORDS, slot, at);
}
