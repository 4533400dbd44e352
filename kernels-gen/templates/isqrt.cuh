// isqrt.cuh: integer square roots, digit by digit, within a warp. docs/isqrt.md.
//
// The number is shifted up by an even count of bits so that its bits end two or three below 2 D words: twice
// its root then has the highest bit of D words set. The digits s of the root S are found from the top as
// those of a quotient by 2 S (div.cuh): with the remainder R = a - S^2 and the next digit's weight b, three
// words by two estimate s = R / (2 S b), and R -= (2 S + s b) s b. An estimate is never too small. If it is
// too large, R becomes negative and the digit is decreased: rare except for the second digit. Only a window
// of D words of R changes in a step. It is stored complemented as in div.cuh, but carries are resolved in
// every step, so digits are final.
//
// Lane `rank` works on H words of 2 S, which lies in shared memory, and holds H words of the window. Only the
// digits of the root at or above the binary point are computed.
//
// Shared memory: a slot of PADDED + D words, at most twice PADDED. Barriers: of the warp.

// Two words more where the number leaves no two bits.
constexpr unsigned H = V / 2 + (BITS > 32 * PADDED - 2 ? 2 : 0);
constexpr unsigned D = LANES * H;

// floor(sqrt(x)) for x < 2^62.
__device__ __forceinline__ unsigned root_of_two_words(unsigned long long x) {
  unsigned root = 0;
#pragma unroll 1
  for (unsigned bit = 1u << 30; bit != 0; bit >>= 1) {
    const unsigned next = root | bit;
    if ((unsigned long long)next * next <= x) root = next;
  }
  return root;
}

// x += a * d; returns the carry out of the lane, one word. x has a word above the H words, which is not kept.
__device__ __forceinline__ unsigned add_multiple(unsigned (&x)[H + 1], unsigned a, const unsigned (&d)[H]) {
  x[H] = 0;
  mad_whole_chain<1, H + 1>(x, a, d);
  return x[H] + mad_whole_chain<0, H>(x, a, d);
}

// The lane's words of 2 S.
__device__ __forceinline__ void load_doubled(unsigned (&d)[H], const unsigned* doubled, const Place& at) {
#pragma unroll
  for (unsigned i = 0; i < H; i += 2) {
    const uint2 two = *(const uint2*)(doubled + at.rank * H + i);
    d[i] = two.x;
    d[i + 1] = two.y;
  }
}

// Puts digit j of 2 S, below 2^33. The digit above is twice another one and so even.
__device__ __forceinline__ void put_doubled(unsigned* doubled, unsigned j, unsigned long long value, const Place& at) {
  __syncwarp();
  if (at.rank == 0) {
    doubled[j] = (unsigned)value;
    doubled[j + 1] = (doubled[j + 1] & ~1u) | (unsigned)(value >> 32);
  }
  __syncwarp();
}

// The top two words of 2 S, from which the last lane estimates digits.
struct Estimate {
  unsigned long long top;
  unsigned inverse;

  __device__ __forceinline__ unsigned digit(unsigned u2, unsigned u1, unsigned u0) const {
    unsigned long long u = (unsigned long long)u2 << 32 | u1;
    const bool largest = u >= top;
    const unsigned digit = three_by_two(u, u0, top, inverse);
    return largest ? ~0u : digit;
  }
};

// The step of the digit at word j. x is the complement of the remainder's words from j + 1 on, then from j
// on.
__device__ __forceinline__ void root_step(unsigned (&x)[H + 1], const Estimate& by, unsigned* doubled, unsigned next, unsigned j, const Place& at) {
  unsigned high = x[H - 1], d[H];
  const unsigned low = of_lane_below(high, ~next, at);
#pragma unroll
  for (unsigned i = H - 1; i > 0; i--) x[i] = x[i - 1];
  x[0] = low;
  unsigned digit = by.digit(~high, ~x[H - 1], ~x[H - 2]);
  digit = of_rank(digit, LAST_RANK, at);
  put_doubled(doubled, j, digit, at);
  load_doubled(d, doubled, at);
  const unsigned owed = add_multiple(x, digit, d);
  const unsigned received[H] = {of_lane_below(owed, 0, at)};
  high += owed + add_across(x, received, at);
  for (;;) {
    const bool negative = any_of_instance(at.rank == LAST_RANK && high != ~0u, at);
    if (!__any_sync(~0u, negative)) break;
    // With a digit less by 1 the remainder is larger by 2 S - 1.
    put_doubled(doubled, j, 2ull * digit - negative, at);
    load_doubled(d, doubled, at);
#pragma unroll
    for (unsigned i = 0; i < H; i++) {
      x[i] = ~x[i];
      d[i] = negative ? d[i] : 0;
    }
    high -= add_across(x, d, at);
#pragma unroll
    for (unsigned i = 0; i < H; i++) x[i] = ~x[i];
    digit -= negative;
  }
  put_doubled(doubled, j, 2ull * digit, at);
}

// The root of an unsigned number.
__device__ __forceinline__ Num isqrt_of(const Num& a, unsigned* slot, const Place& at) {
  const unsigned bits = bit_length(a, at), shift = bits == 0 ? 0 : (64 * D - 2 - bits) / 2 * 2;
  // The digits from word `last` on: of the smallest shift in the warp.
  const unsigned last = D - warp_max(bits == 0 ? 1 : D - shift / 64);
  stage_alone(slot, a, at);
  const auto word_of = [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) - (int)shift); };
  // 0, whose digits are meaningless, is replaced by another number.
  const unsigned long long upper = bits == 0 ? 1ull << 60 : (unsigned long long)word_of(2 * D - 1) << 32 | word_of(2 * D - 2);
  const unsigned digit = root_of_two_words(upper);
  const unsigned rest = (unsigned)(upper - (unsigned long long)digit * digit);
  unsigned x[H + 1], *doubled = slot + PADDED;
#pragma unroll
  for (unsigned i = 0; i < H; i++) {
    const unsigned word = at.rank * H + i;
    x[i] = ~(word == D - 1 ? rest : word_of(word + D - 1));
    doubled[word] = word == D - 1 ? 2 * digit : 0;
  }
  const Num lower = number_of(at, word_of);
  stage_alone(slot, lower, at);
  Estimate by;
#pragma unroll 1
  for (unsigned j = D - 1; j-- > last;) {
    if (j + 4 >= D) {
      // They change until the third digit below them is known.
      const unsigned d1 = doubled[D - 1], d0 = doubled[D - 2];
      by.top = (unsigned long long)d1 << 32 | d0;
      by.inverse = reciprocal(d1, d0);
    }
    root_step(x, by, doubled, slot[j], j, at);
  }
  return number_of(at, [&](unsigned word) { return bits == 0 ? 0 : bits_from(doubled, D, (int)(32 * word + shift / 2 + 1)); });
}

// `fails` if a is negative.
template <bool SIGNED>
__device__ __forceinline__ Num isqrt(const Num& a, bool& fails, unsigned* slot, const Place& at) {
  fails = is_negative<SIGNED>(a, at);
  return isqrt_of(a, slot, at);
}
