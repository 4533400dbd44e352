// primality_lucas.cuh: strong Lucas probable primes with Selfridge's parameters (Baillie and Wagstaff 1980).
// docs/primality.md.
//
// With P = 1, Q = (1 - D) / 4, A and B the roots of x^2 - x + Q, and p = 1 / Q - 2, the numbers W_k = ((A /
// B)^k + (B / A)^k) have W_0 = 2, W_1 = p, W_2k = W_k^2 - 2 and W_2k+1 = W_k W_k+1 - p: two products for each
// bit of the index. U and V come from them:
//
//     V_2k = Q^k W_k,   V_2k+1 = Q^(k+1) (W_k+1 + W_k),   D U_2k+1 = Q^(k+1) (W_k+1 - W_k).
//
// Q has an inverse modulo n, or n is composite, which the sequences show: modulo a prime factor of Q they
// are 1.
//
// Shared memory: a slot of 4 PADDED words. Barriers: of the warp.

// The place of the ladder's index and of the number that it subtracts.
constexpr unsigned LESS_TWO_AT = PADDED, INDEX_AT = 2 * PADDED, LESS_P_AT = 3 * PADDED;

// Candidates D before the test whether n is a square, which has no D.
constexpr unsigned SQUARE_AFTER = 20;

// The Jacobi symbol (a / n) for odd n.
__device__ __forceinline__ int jacobi_of_words(unsigned a, unsigned n) {
  int symbol = 1;
  while (a != 0) {
    const unsigned twos = (unsigned)__ffs((int)a) - 1;
    a >>= twos;
    if (twos % 2 == 1 && (n % 8 == 3 || n % 8 == 5)) symbol = -symbol;
    if (a % 4 == 3 && n % 4 == 3) symbol = -symbol;
    const unsigned rest = n % a;
    n = a;
    a = rest;
  }
  return n == 1 ? symbol : 0;
}

// Candidate i of 5, -7, 9, -11 and so on.
struct Selfridge {
  unsigned magnitude;
  bool negative;

  __device__ __forceinline__ explicit Selfridge(unsigned i) : magnitude(2 * i + 5), negative(i % 2 == 1) {}

  // (D / n) for the staged odd n.
  __device__ __forceinline__ int symbol(const unsigned* slot, unsigned words) const {
    const bool d3 = magnitude % 4 == 3, n3 = slot[0] % 4 == 3;
    const int symbol = jacobi_of_words(word_residue(slot, words, magnitude), magnitude);
    // (-1 / n) = -1 for n = 3 mod 4.
    return (d3 && n3) != (negative && n3) ? -symbol : symbol;
  }

  __device__ __forceinline__ unsigned magnitude_of_q() const { return negative ? (magnitude + 1) / 4 : (magnitude - 1) / 4; }
};

// Whether n is a square: the root bit by bit, slower than that of isqrt.cuh, but of few instructions. It is
// rarely needed.
__device__ __forceinline__ bool is_square_by_bits(const Num& n, const Place& at) {
  // With the root S found so far, down to bit i, `rest` is n - S^2 and `doubled` is S 2^(i + 1).
  Num rest = n, doubled = {};
#pragma unroll 1
  for (unsigned i = (warp_max(bit_length(n, at)) + 1) / 2; i-- > 0;) {
    unsigned x[V], t[V];
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      x[v] = ~rest.w[0][v];
      t[v] = doubled.w[0][v] | (at.word(0) + v == i / 16 ? 1u << i % 16 * 2 : 0);
    }
    // ~rest + t = ~(rest - t) carries if rest < t.
    const unsigned less = add_across(x, t, at), above = LANES == 1 ? 0 : __shfl_sync(~0u, doubled.w[0][0], (at.lane + 1) % 32);
    const bool stays = any_of_instance(at.rank == LAST_RANK && less != 0, at);
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      const unsigned next = v + 1 < V ? doubled.w[0][(v + 1) % V] : at.rank == LAST_RANK ? 0 : above;
      rest.w[0][v] = stays ? rest.w[0][v] : ~x[v];
      doubled.w[0][v] = doubled.w[0][v] >> 1 | next << 31;
      doubled.w[0][v] |= stays ? 0 : at.word(0) + v == i / 16 ? 1u << i % 16 * 2 : 0;
    }
  }
  return is_zero(rest, at);
}

// The first candidate with symbol -1. `open` becomes false if an earlier candidate has a common divisor with
// n, and for squares. A candidate that n divides is never first: no non-square has the symbol 1 for that many
// candidates.
__device__ __forceinline__ unsigned first_candidate(const Num& n, bool& open, unsigned words, unsigned* slot, const Place& at) {
  unsigned found = 0;
  bool seeks = open;
  stage_alone(slot, n, at);
#pragma unroll 1
  for (unsigned first = 0; __any_sync(~0u, seeks); first += LANES) {
    const int symbol = seeks ? Selfridge(first + at.rank).symbol(slot, words) : 1;
    const unsigned ends = votes(symbol != 1, at), fails = votes(symbol == 0, at);
    const unsigned lowest = ends & (0 - ends);
    if (ends != 0) {
      found = first + 31 - __clz((int)lowest);
      open &= (fails & lowest) == 0;
      seeks = false;
    }
    if (first < SQUARE_AFTER && first + LANES >= SQUARE_AFTER && __any_sync(~0u, seeks)) {
      const bool square = is_square_by_bits(n, at);
      open &= !square;
      seeks &= !square;
    }
  }
  return found;
}

// x / q mod n for a small q; without an inverse `open` becomes false. In one lane: one pass for x + n t, and
// one divides it.
__device__ __forceinline__ Num over_word(const Num& x, const Num& n, unsigned q, unsigned words, bool& open, unsigned* slot, const Place& at) {
  unsigned* const sum = slot + PADDED;
  stage_alone(slot, n, at);
  stage_alone(sum, x, at);
  const unsigned step = word_residue(slot, words, q);
  unsigned rest = word_residue(sum, words, q), t = 0;
  for (; rest != 0 && t < q; t++) rest = rest >= q - step ? rest - (q - step) : rest + step;
  open &= rest == 0;
  instance_barrier();
  if (at.rank == 0) {
    unsigned long long word = 0;
    for (unsigned i = 0; i < words; i++) {
      word = mad_words(slot[i], t, (word >> 32) + sum[i]);
      sum[i] = (unsigned)word;
    }
    word >>= 32;
    for (unsigned i = words; i-- > 0;) {
      word = word << 32 | sum[i];
      sum[i] = (unsigned)(word / q);
      word %= q;
    }
  }
  instance_barrier();
  return staged_words(sum, at);
}

// W_0 and W_1, and the lengths of the ladder's index, (n + 1) / 2 = d 2^zeros: the longest of the warp.
struct Ladder {
  Num low, high;
  unsigned bits, zeros;
};

// Stages the index, and what the steps subtract. `one` is R mod n. `open` becomes false if n is composite.
__device__ __forceinline__ Ladder lucas_ladder(bool& open, const Num& one, const Montgomery& m, unsigned* slot, unsigned* exchange, const Place& at) {
  const Selfridge d(first_candidate(m.n, open, m.steps, slot, at));
  const Num two = montgomery_double(one, m, at), less_two = resolve<-1>(sub(m.n, two), exchange, at);
  const Num quotient = over_word(one, m.n, open ? d.magnitude_of_q() : 1, m.steps, open, slot, at);
  const Num inverse = select(d.negative, quotient, resolve<-1>(sub(m.n, quotient), exchange, at));
  const Num p = montgomery_add(inverse, less_two, m, at);
  stage_alone(slot, m.n, at);
  Num index = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) + 1); });
  index = resolve<0>(add(index, truth(true, at)), exchange, at);
  stage_alone(slot + INDEX_AT, index, at);
  stage_alone(slot + LESS_TWO_AT, less_two, at);
  stage_alone(slot + LESS_P_AT, resolve<-1>(sub(m.n, p), exchange, at), at);
  return {two, p, warp_max(bit_length(index, at)), trailing_zeros(index, at)};
}
