// modmul_fold_sequence.cuh: sums of multiples of variables and of constants, as factors of products by folds.
// docs/modmul_fold.md.
//
// A variable of an instance lies in its thread's memory, VECTORS vectors of four words. A constant is the same for all
// instances, and lies in shared memory; its number is that of a term's variable, less VARIABLES. Steps are words as in
// modmul_rns_walk.cuh, of which the first one is the place behind the last step. A negative multiple is so many times the
// complement, for which the sum has a constant, so that sums are not below 0. Steps lie in shared memory, too.

constexpr unsigned VECTORS = ENTRY_WORDS / 4;

struct Variables {
  uint4 words[VARIABLES * VECTORS];

  __device__ __forceinline__ Num operator[](unsigned variable) const { return load_entry((const unsigned*)(words + variable * VECTORS)); }
  __device__ __forceinline__ void set(unsigned variable, const Num& x) { store_entry((unsigned*)(words + variable * VECTORS), x); }
};

// z[AT ...] += x[AT ...] modulo B^W, with a carry.
template <unsigned AT>
__device__ __forceinline__ void add_from(Num& z, const Num& x, unsigned carry) {
  if constexpr (AT + 8 <= W) add_from<AT + 8>(z, x, add_next8<AT, AT, AT>(z.w, z.w, x.w, carry));
  else if constexpr (AT + 4 <= W) add_from<AT + 4>(z, x, add_next4<AT, AT, AT>(z.w, z.w, x.w, carry));
  else if constexpr (AT + 2 <= W) add_from<AT + 2>(z, x, add_next2<AT, AT, AT>(z.w, z.w, x.w, carry));
  else if constexpr (AT < W) add_next1<AT, AT, AT>(z.w, z.w, x.w, carry);
}

// So many times x modulo B^W.
__device__ __forceinline__ void multiply_small(Num& x, unsigned times) {
  unsigned long long sum = 0;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    sum = mad_words(x.w[i], times, sum >> 32);
    x.w[i] = (unsigned)sum;
  }
}

struct Steps {
  const unsigned* words;

  __device__ __forceinline__ unsigned end() const { return words[0]; }
  __device__ __forceinline__ static bool is_product(unsigned head) { return head & 1; }
  __device__ __forceinline__ static bool is_square(unsigned head) { return head & 2; }
  __device__ __forceinline__ static unsigned to(unsigned head) { return head >> 2 & 0xfff; }
  __device__ __forceinline__ static unsigned terms(unsigned head) { return head >> 14 & 31; }
  __device__ __forceinline__ static unsigned others(unsigned head) { return head >> 19 & 31; }

  // The number of a term, in a round with this bit.
  __device__ __forceinline__ static Num number(unsigned term, unsigned bit, const Variables& v, const unsigned* constants) {
    const unsigned variable = bit ? term >> 20 : term >> 8 & 0xfff;
    if (variable < VARIABLES) return v[variable];
    return load_entry(constants + (variable - VARIABLES) * ENTRY_WORDS);
  }

  // The multiple that a term is, from its number.
  __device__ __forceinline__ static void multiply(Num& x, unsigned term) {
    const unsigned coefficient = term & 255;
    if (coefficient == 1) return;
    const bool is_negative = coefficient >> 7;
    if (is_negative) {
#pragma unroll
      for (unsigned i = 0; i < W; i++) x.w[i] = ~x.w[i];
    }
    if (coefficient != 255) multiply_small(x, is_negative ? 256 - coefficient : coefficient);
  }

  // The sum of so many terms from a place on. Two are loaded at once: a load takes as long as a sum.
  __device__ __forceinline__ Num sum(unsigned at, unsigned count, unsigned bit, const Variables& v, const unsigned* constants) const {
    Num z;
#pragma unroll
    for (unsigned i = 0; i < W; i++) z.w[i] = 0;
    if (count % 2) {
      z = number(words[at], bit, v, constants);
      multiply(z, words[at++]);
    }
#pragma unroll 1
    for (unsigned i = count % 2; i < count; i += 2, at += 2) {
      Num x = number(words[at], bit, v, constants), y = number(words[at + 1], bit, v, constants);
      multiply(x, words[at]), multiply(y, words[at + 1]);
      if (i == 0) z = x;
      else add_from<0>(z, x, 0);
      add_from<0>(z, y, 0);
    }
    return z;
  }

  // The step at a place; returns the place of the next one.
  __device__ __forceinline__ unsigned run(unsigned at, unsigned bit, Variables& v, const unsigned* constants, const Fold& fold) const {
    const unsigned head = words[at++];
    Num a = sum(at, terms(head), bit, v, constants);
    at += terms(head);
    if (is_product(head)) {
      unsigned even[2 * W + 1] = {}, odd[2 * W + 1] = {};
      if (is_square(head)) {
        square_words(even, odd, a, twice(a));
      } else {
        const Num b = sum(at, others(head), bit, v, constants);
        product_words(even, odd, a, b);
        at += others(head);
      }
      a = fold(even, odd);
    }
    v.set(to(head), a);
    return at;
  }
};
