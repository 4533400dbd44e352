// div_newton.cuh: planes of instances between the kernels of a division by an inverse. docs/div.md.
//
// An instance belongs to one block. What a kernel leaves for others are planes of a buffer, one after the other, each with all
// instances of the batch.

// Words FROM to FROM + COUNT of the instance, times B^PLACE.
template <unsigned STRIDE, unsigned FROM, unsigned COUNT, unsigned PLACE>
__device__ __forceinline__ Num slice(const unsigned* in, const Place& at) {
  const unsigned* const words = in + at.instance * STRIDE + FROM;
  Num x;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v += 4) {
      // A word below PLACE wraps to a large number.
      const unsigned k = at.word(c) + v - PLACE;
      if (STRIDE % 4 == 0 && (FROM - PLACE) % 4 == 0 && COUNT >= 4 && k <= COUNT - 4) {
        const uint4 four = *(const uint4*)(words + k);
        x.w[c][v] = four.x;
        x.w[c][v + 1] = four.y;
        x.w[c][v + 2] = four.z;
        x.w[c][v + 3] = four.w;
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; i++) x.w[c][v + i] = k + i < COUNT ? words[k + i] : 0;
      }
    }
  return x;
}

// The lower or the upper words of the products of x's words and one word.
template <bool UPPER>
__device__ __forceinline__ Num times(const Num& x, unsigned factor) {
  Num z;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) z.w[c][v] = (unsigned)((unsigned long long)x.w[c][v] * factor >> (UPPER ? 32 : 0));
  return z;
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

// What the kernels know of an instance.
struct Info {
  unsigned bits;                         // of the divisor, at least 1
  bool u_negative, v_negative, by_zero;
  bool short_divisor;                    // of HALF words at most: the quotient has two blocks

  __device__ __forceinline__ Info(const unsigned* info, const Place& at) {
    const unsigned* const words = info + at.instance * INFO_WORDS;
    bits = words[0];
    u_negative = words[1] & 1;
    v_negative = words[1] & 2;
    by_zero = words[1] & 4;
    short_divisor = bits <= 32 * HALF;
  }
};

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

// r mod v for r < 2 v; returns whether v was subtracted.
__device__ __forceinline__ bool reduce_once(Num& r, const Num& v, unsigned* exchange, const Place& at) {
  const bool reduces = order<false>(r, v, exchange, at) >= 0;
  r = select(reduces, resolve<-1>(sub(r, v), exchange, at), r);
  return reduces;
}
