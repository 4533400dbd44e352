// div_newton.cuh: planes of instances between the kernels of a division by an inverse. docs/div_newton.md.
//
// An instance belongs to one block. A kernel writes its results for others as planes of a buffer, one after
// the other, each with all instances of the batch.

// Words FROM to FROM + COUNT of the instance, times B^PLACE.
template <unsigned STRIDE, unsigned FROM, unsigned COUNT, unsigned PLACE>
__device__ __forceinline__ Num slice(const unsigned* in, const Place& at) {
  constexpr bool FOURS = STRIDE % 4 == 0 && (FROM - PLACE) % 4 == 0 && COUNT >= 4;
  // No vector of four words crosses an end of the slice. The compiler cannot know this; a kernel is up to a
  // third shorter.
  constexpr bool WHOLE = FOURS && PLACE % 4 == 0 && COUNT % 4 == 0;
  const unsigned* const words = in + at.instance * STRIDE + FROM;
  Num x;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v += 4) {
      // A word below PLACE wraps to a large number.
      const unsigned k = at.word(c) + v - PLACE;
      if (FOURS && k <= COUNT - 4) {
        const uint4 four = *(const uint4*)(words + k);
        x.w[c][v] = four.x;
        x.w[c][v + 1] = four.y;
        x.w[c][v + 2] = four.z;
        x.w[c][v + 3] = four.w;
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; i++) x.w[c][v + i] = !WHOLE && k + i < COUNT ? words[k + i] : 0;
      }
    }
  return x;
}

// The same, times `factor`.
template <unsigned STRIDE, unsigned FROM, unsigned COUNT, unsigned PLACE>
__device__ __forceinline__ Sum multiple_of_slice(const unsigned* in, const Place& at, unsigned factor) {
  const Num x = slice<STRIDE, FROM, COUNT, PLACE>(in, at);
  Num low, high;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    const unsigned k = at.word(c) - PLACE - 1;
    unsigned below = k < COUNT ? in[at.instance * STRIDE + FROM + k] : 0;
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      low.w[c][v] = x.w[c][v] * factor;
      high.w[c][v] = __umulhi(below, factor);
      below = x.w[c][v];
    }
  }
  return add(low, high);
}

// The words of x from DROP on, WORDS of them, as an instance of a plane.
template <unsigned WORDS, unsigned DROP>
__device__ __forceinline__ void store_plane(unsigned* plane, const Num& x, const Place& at) {
  unsigned* const to = plane + at.instance * WORDS;
  if (WORDS % 4 == 0 && DROP % 4 == 0) {
    each_vector(x, at, [&](unsigned word, uint4 four) {
      if (word - DROP < WORDS) *(uint4*)(to + (word - DROP)) = four;
    });
  } else {
    each_word(x, at, [&](unsigned word, unsigned value) {
      if (word - DROP < WORDS) to[word - DROP] = value;
    });
  }
}

// The facts about an instance that kernels share.
struct Info {
  unsigned bits;                         // of the divisor, at least 1
  bool u_negative, v_negative, by_zero;
  bool short_divisor;                    // of HALF words at most: the quotient has two blocks
  bool short_block;                      // then, the upper one is one word
  bool two_words;                        // the divisor has one or two words, and its division is done
  bool short_quotient;                   // else, the quotient has one word

  __device__ __forceinline__ Info(const unsigned* info, const Place& at) {
    const unsigned* const words = info + at.instance * INFO_WORDS;
    bits = words[0];
    u_negative = words[1] & 1;
    v_negative = words[1] & 2;
    by_zero = words[1] & 4;
    short_block = words[1] & 8;
    two_words = bits <= 64;
    short_quotient = !two_words && (words[1] & 64);
    short_divisor = bits <= 32 * HALF && !short_quotient;
  }
};

__device__ __forceinline__ Num of_two_words(const unsigned* words, const Place& at) {
  return number_of(at, [&](unsigned word) { return word < 2 ? words[word] : 0; });
}

// x with zeros from word `end` on.
__device__ __forceinline__ Num below(const Num& x, unsigned end, const Place& at) {
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) z.w[c][v] = at.word(c) + v < end ? x.w[c][v] : 0;
  return z;
}

// x mod 2^TYPE_BITS.
__device__ __forceinline__ Num number_of_type(const Num& x, const Place& at) {
  constexpr unsigned FULL = TYPE_BITS / 32, MASK = (1u << (TYPE_BITS % 32)) - 1;
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      const unsigned word = at.word(c) + v;
      z.w[c][v] = word < FULL ? x.w[c][v] : word == FULL ? x.w[c][v] & MASK : 0;
    }
  return z;
}

// s - B^PLACE (q v) for a product that is known up to multiples of B^WORDS - 1, where what is left is small:
// the instance's `product` has WORDS words and up to three above them, and j (B^WORDS - 1) B^PLACE is added.
// The owed carries decrease by 2. docs/div_newton.md proves that the lowest words determine j.
template <unsigned PLACE, unsigned WORDS>
__device__ __forceinline__ Sum less_cyclic(const Sum& s, const unsigned* product, int j, const Place& at) {
  constexpr unsigned STRIDE = (WORDS + 1 + 3) / 4 * 4;
  // j B^WORDS - j, mod the words that threads hold.
  const Num turns = number_of(at, [&](unsigned word) {
    const int k = (int)word - (int)PLACE, above = j > 0;
    return (unsigned)(k < 0 ? 0 : k == 0 ? -j : k < (int)WORDS ? -above : k == (int)WORDS ? j - above : -(j < 0));
  });
  const Sum folded = sub(s, slice<STRIDE, WORDS, STRIDE - WORDS, PLACE>(product, at));
  return add(sub(folded, slice<STRIDE, 0, WORDS, PLACE>(product, at)), turns);
}

// low + B^PLACE (upper B^H - q v) for a block or part q of the quotient, with the divisor's top v and the
// COUNT words of `upper`.
template <unsigned PLACE, unsigned STRIDE, unsigned FROM, unsigned COUNT, class X>
__device__ __forceinline__ Sum less_multiple(const X& low, const unsigned* upper, const unsigned* multiple, const unsigned* q, const unsigned* v, const Place& at) {
  const unsigned* const product = multiple + at.instance * OPERAND;
  const unsigned lowest = q[at.instance * FACTOR] * v[(ONE_DIVISOR ? 0 : at.instance) * FACTOR];
  const int j = (int)(upper[at.instance * STRIDE + FROM] - product[0] - product[HALF] + lowest);
  return less_cyclic<PLACE, HALF>(add(low, slice<STRIDE, FROM, COUNT, PLACE>(upper, at)), multiple, j, at);
}

// x, or 0 if its word SIGN has the highest bit.
template <unsigned SIGN>
__device__ __forceinline__ Num not_below_0(const Num& x, unsigned* exchange, const Place& at) {
  const Num sign = number_of(at, [](unsigned word) { return word == SIGN ? 1u << 31 : 0; });
  return order<false>(x, sign, exchange, at) < 0 ? x : Num{};
}

// r mod v for r < 2 v; returns whether v was subtracted.
__device__ __forceinline__ bool reduce_once(Num& r, const Num& v, unsigned* exchange, const Place& at) {
  const bool reduces = order<false>(r, v, exchange, at) >= 0;
  r = select(reduces, resolve<-1>(sub(r, v), exchange, at), r);
  return reduces;
}

// The upper block of a quotient that is one word, exact or one too small: from two words of the dividend, the
// upper one below 2^31, and two words of the inverse, as other blocks from all of theirs.
__device__ __forceinline__ unsigned short_digit(const unsigned* dividend, const unsigned* inverse) {
  const unsigned long long r = (unsigned long long)dividend[2 * HALF] << 32 | dividend[2 * HALF - 1];
  const unsigned long long f = (unsigned long long)inverse[PART] << 32 | inverse[PART - 1];
  return (unsigned)((r + __umul64hi(r, f)) >> 32);
}

__device__ __forceinline__ void store_shared(unsigned* shared, const Num& x, const Place& at) {
  each_vector(x, at, [&](unsigned word, uint4 four) { *(uint4*)(shared + word) = four; });
}

// The number of PADDED words in shared memory without its lowest `shift` bits.
__device__ __forceinline__ Num shifted_down(const unsigned* shared, unsigned shift, const Place& at) {
  const unsigned bits = shift % 32;
  const auto word_at = [&](unsigned word) { return word < PADDED ? shared[word] : 0; };
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    const unsigned from = at.word(c) + shift / 32;
    unsigned low = word_at(from);
#pragma unroll
    for (unsigned v = 0; v < V; v++) {
      const unsigned high = word_at(from + v + 1);
      z.w[c][v] = __funnelshift_r(low, high, bits);
      low = high;
    }
  }
  return z;
}
