// amount.cuh: the amount of a shift or rotation that an operand gives, in all threads of its instance.
// docs/shift.md. At most two exchanges between the threads of an instance (instance.cuh).

// The largest amount: Amount::FAR of the expression.
constexpr int FAR = 1 << 28;

// An operand without its sign: -1 - x, whose words are the complement, if x is negative.
struct Distance {
  bool negative;
  unsigned low;   // the lowest word
  bool far;       // whether any other word is not zero
};

template <bool SIGNED>
__device__ __forceinline__ bool is_sign(unsigned word) { return SIGNED && word == (BITS - 1) / 32; }

// A word of -1 - x, or of x.
__device__ __forceinline__ unsigned flipped(unsigned word, unsigned value, bool negative) {
  if (!negative) return value;
  return word < FULL_WORDS ? ~value : word == FULL_WORDS ? ~value & TOP_MASK : 0;
}

template <bool SIGNED>
__device__ __forceinline__ Distance distance(const Num& x, unsigned* exchange, const Place& at) {
  // Bit 0: a word that is not zero; bit 1: one that is not zero in -1 - x; bit 2: the sign. The threads' bits
  // are combined by Or.
  unsigned words[2] = {0, 0};
  each_word(x, at, [&](unsigned word, unsigned value) {
    if (word == 0) words[1] = value;
    else words[0] |= (value ? 1 : 0) | (SIGNED && flipped(word, value, true) ? 2 : 0);
    if (is_sign<SIGNED>(word)) words[0] |= value >> (BITS - 1) % 32 & 1 ? 4 : 0;
  });
  combine(words, Or(), exchange, at);
  const bool negative = words[0] & 4;
  return {negative, flipped(0, words[1], negative), (words[0] & (negative ? 2 : 1)) != 0};
}

// The operand, clamped to -FAR to FAR.
template <bool SIGNED>
__device__ __forceinline__ int amount(const Num& x, unsigned* exchange, const Place& at) {
  const Distance found = distance<SIGNED>(x, exchange, at);
  const int near = found.far || found.low > (unsigned)FAR ? FAR : (int)found.low;
  return found.negative ? -1 - (near < FAR ? near : FAR - 1) : near;
}
