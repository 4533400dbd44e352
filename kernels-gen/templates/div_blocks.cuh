// div_blocks.cuh: division of long numbers in a whole warp, 31 words of the quotient at a time; all multiples
// of the divisor are byte matrix products. docs/div.md.
//
// The divisor v is shifted up to the top of its words, or to a bit below if its top bits are ones: the top
// bits of a window then give its sign. A window is the 32 words, one per lane, of dividend - (blocks of the
// quotient so far) v that contain the next block, without the carry from lower columns of the product. The
// block is the window times an inverse of 32 words, rounded up: never too small, and one too large if the
// next window, or the remainder, is negative.
//
// Shared memory, after the words of a division's slot: a left factor of 32 words, the inverse and the divisor
// as right factors, and the quotient as a left factor. Barriers: of the warp.

constexpr unsigned BLOCK = 31;          // words of a block
constexpr unsigned FEWEST_DIGITS = 24;  // a shorter quotient takes fewer instructions in steps
constexpr unsigned INVERSE_COPY = 40;   // words of a copy of the inverse, which needs fewer zeros

// Divisors with this top word or more leave a bit free above them: a negative window is at least -2^22 in
// units of its top word, and any other window hardly exceeds the divisor.
constexpr unsigned ROOM_FROM = 0xff800000u;

__device__ __forceinline__ bool is_negative_window(unsigned word) { return __ballot_sync(~0u, word >= 0xffc00000u) >> 31 != 0; }

// The first words of the inverse, minus the error of a divisor of three words.
__device__ __forceinline__ unsigned first_of_inverse(const unsigned (&top)[3], const Place& at) {
  constexpr unsigned LESS = 8;
  const Inverse seed((unsigned long long)top[2] << 32 | top[1], top[0]);
  const unsigned long long low = (unsigned long long)seed.w1 << 32 | seed.w0, less = low - LESS;
  const unsigned high = seed.w2 - (low < LESS);
  const bool none = high > seed.w2;
  return none ? 0 : at.lane == 31 ? high : at.lane == 30 ? (unsigned)(less >> 32) : at.lane == 29 ? (unsigned)less : 0;
}

// 32 words F, as columns of a right factor with the 1 above them, of the inverse 1 + F / B^32 of v / B^32 in
// [1/2, 1), `v` being its 32 top words. Never too large, and too small by less than 2^19 units.
__device__ __forceinline__ void invert(unsigned (&columns)[1][8], const RightFactor& inverse, unsigned* left, unsigned v, const unsigned (&top)[3], const Place& at) {
  // Omitted columns are less than 2^16 units of the lowest word kept.
  constexpr unsigned LEFT_OUT = 1u << 16, STEPS = 4;
  unsigned f = first_of_inverse(top, at), leaving;
  left[32 + at.lane] = 0;
  if (at.lane < 8) inverse.put(32 + (int)at.lane, at.lane == 0, 0);
  for (unsigned step = 0;; step++) {
    const unsigned next = __shfl_down_sync(~0u, f, 1);
    inverse.put((int)at.lane, f, at.lane == 31 ? 1 : next);
    left[at.lane] = v;
    __syncwarp();
    load_columns(columns[0], inverse.of_lane(at) + 32);
    // The square of an error of 2^-92 is one of 2^-184, and so on.
    if (step == STEPS) break;
    const unsigned rest = ~words_of(multiply_high(left, columns, at), 0, 0, LEFT_OUT, leaving, at);
    if (is_negative_window(rest)) break;
    __syncwarp();
    left[at.lane] = rest;
    __syncwarp();
    f = words_of(multiply_high(left, columns, at), 0, f, 0, leaving, at);
    __syncwarp();
  }
  __syncwarp();
}

// Subtracts 1 from the nonzero number from here on.
__device__ __forceinline__ void take_one(unsigned* words, const Place& at) {
  __syncwarp();
  if (at.lane == 0)
    while ((*words++)-- == 0) {}
  __syncwarp();
}

// u / v of `u_bits` and `v_bits` bits, whose quotient is not 0; u of WORDS words. v is in the slot.
template <unsigned WORDS>
struct BlockDivision {
  static constexpr unsigned MOST_DIVISOR_WORDS = WORDS / 2 + 1, BEGIN = WORDS + WORDS / V * PIECE;  // where all this begins in the slot
  static_assert(LANES == 32 && SLOT_WORDS >= BEGIN + LEFT_ABOVE + 4 * INVERSE_COPY + 4 * copy_words(MOST_DIVISOR_WORDS) + WORDS / 2 + 160, "all of it fits the slot");

  unsigned top[3];  // words of v, its highest bit at the top
  unsigned room, words, shift, blocks;
  unsigned* slot;
  unsigned* left;
  unsigned* quotient;
  RightFactor divisor;
  unsigned inverse[1][8];  // as columns

  __device__ __forceinline__ BlockDivision(unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at) : slot(slot), left(slot + BEGIN) {
    read_bits(top, slot, PADDED, (int)v_bits - 96);
    room = top[2] >= ROOM_FROM;
    words = (v_bits + room + 31) / 32;
    shift = 32 * words - room - v_bits;
    blocks = ((u_bits - v_bits) / 32 + BLOCK) / BLOCK;
    divisor = {left + LEFT_ABOVE + 4 * INVERSE_COPY + RIGHT_BELOW, copy_words(words)};
    quotient = divisor.from - RIGHT_BELOW + 4 * divisor.copy + LEFT_BELOW;
    prepare(v_bits, at);
  }

  // The word of the shifted number in the slot.
  __device__ __forceinline__ unsigned shifted(unsigned word) const {
    unsigned value[1];
    read_bits(value, slot, WORDS, 32 * (int)word - (int)shift);
    return value[0];
  }

  __device__ __forceinline__ void prepare(unsigned v_bits, const Place& at) {
    for (unsigned i = at.lane; i < LEFT_BELOW + BLOCK * blocks + LEFT_ABOVE; i += 32) quotient[(int)i - (int)LEFT_BELOW] = 0;
    for (unsigned i = at.lane; i < RIGHT_BELOW + RIGHT_ABOVE; i += 32) divisor.put(i < RIGHT_BELOW ? (int)i - (int)RIGHT_BELOW : (int)(i - RIGHT_BELOW + words), 0, 0);
    __syncwarp();
    // From word -1 on, which has bytes of word 0 behind it.
    for (unsigned i = at.lane; i <= words; i += 32) {
      const int word = (int)i - 1;
      unsigned two[2];
      read_bits(two, slot, PADDED, 32 * word - (int)shift);
      divisor.put(word, two[0], two[1]);
    }
    unsigned v[1];
    read_bits(v, slot, PADDED, (int)v_bits - 1024 + 32 * (int)at.lane);
    invert(inverse, RightFactor{left + LEFT_ABOVE, INVERSE_COPY}, left, v[0], top, at);
  }

  // The lane's word of words `first` to `first` + 31 of u - quotient * v, without the carry from lower words
  // of the product.
  __device__ __forceinline__ unsigned window(unsigned u, unsigned first, const Place& at) const {
    unsigned leaving;
    return ~words_of(multiply_words<1>(quotient, BLOCK * blocks, divisor, words, first, at), 0, ~u, 0, leaving, at);
  }

  // The next block from the window that it lies in.
  __device__ __forceinline__ void estimate(unsigned block, unsigned rest, const Place& at) const {
    // The deficit of window, inverse and their product, in units of the word below the block.
    constexpr unsigned ROUNDED_UP = 1u << 20;
    const unsigned below = __shfl_up_sync(~0u, rest, 1);
    left[at.lane] = __funnelshift_l(at.lane == 0 ? 0 : below, rest, room);
    __syncwarp();
    unsigned leaving;
    const unsigned digit = words_of(multiply_high(left, inverse, at), 0, 0, ROUNDED_UP, leaving, at);
    // A window that is too large may exceed the number by a bit.
    const bool largest = __ballot_sync(~0u, leaving != 0 || (rest >> 31 & room) != 0) >> 31 != 0;
    if (at.lane > 0) quotient[BLOCK * block + at.lane - 1] = largest ? ~0u : digit;
    __syncwarp();
  }

  // The dividend is in the slot.
  __device__ __forceinline__ void divide(const Place& at) const {
    for (unsigned block = blocks; block-- > 0;) {
      const unsigned first = words + BLOCK * block - 1, u = shifted(first + at.lane);
      unsigned rest = block + 1 == blocks ? u : window(u, first, at);
      while (is_negative_window(rest)) {
        take_one(quotient + BLOCK * (block + 1), at);
        rest = window(u, first, at);
      }
      estimate(block, rest, at);
    }
  }

  // The shifted remainder takes the place of the dividend; returns its words with zeros above.
  __device__ __forceinline__ unsigned leave_remainder(const Place& at) const {
    constexpr unsigned COUNT = 2;
    unsigned carry = 0, first = 0, rest, u = shifted(at.lane);
    do {
      unsigned leaving;
      const DigitSums<COUNT> sums = multiply_words<COUNT>(quotient, BLOCK * blocks, divisor, words, first, at);
#pragma unroll
      for (unsigned j = 0; j < COUNT; j++) {
        rest = ~words_of(sums, j, ~u, carry, leaving, at);
        carry = __shfl_sync(~0u, leaving, 31);
        first += 32;
        // The next words' lowest bits are in the last word of these.
        u = shifted(first + at.lane);
        __syncwarp();
        slot[place_of(first - 32 + at.lane)] = rest;
      }
    } while (first < words);
    if (is_negative_window(rest)) {
      take_one(quotient, at);
      carry = 0;
      for (unsigned word = at.lane; word < first; word += 32) {
        const unsigned value = slot[place_of(word)], sum = value + (word < words ? divisor.get(word) : 0);
        const unsigned into = carries_into_lanes(__ballot_sync(~0u, sum < value), __ballot_sync(~0u, sum == ~0u), carry);
        slot[place_of(word)] = sum + (into >> at.lane & 1);
      }
    }
    __syncwarp();
    return first;
  }
};

// u / v for the one instance of the warp, unless another division suits it better. `stage` puts the WORDS
// words of u into the slot.
template <unsigned WORDS, unsigned FEWEST = FEWEST_WORDS, class Stage>
__device__ __forceinline__ Division divide_long(const Num& v, unsigned u_bits, unsigned v_bits, unsigned* slot, const Place& at, Stage stage) {
  using Blocks = BlockDivision<WORDS>;
  if (v_bits / 32 >= Blocks::MOST_DIVISOR_WORDS || u_bits < v_bits + 32 * FEWEST_DIGITS) return divide_in_steps<WORDS, FEWEST>(v, u_bits, v_bits, slot, at, stage);
  stage_lanes(slot, v, at);
  const Blocks division(u_bits, v_bits, slot, at);
  stage();
  division.divide(at);
  const unsigned words = division.leave_remainder(at);
  Division z;
  read_bits(z.remainder.w[0], slot, words, 32 * (int)at.word(0) + (int)division.shift);
  __syncwarp();
  for (unsigned word = at.lane; word < PADDED; word += 32) slot[place_of(word)] = word < BLOCK * division.blocks ? division.quotient[word] : 0;
  __syncwarp();
  z.quotient = take_lane(slot, at, [](unsigned, unsigned value) { return value; });
  return z;
}
