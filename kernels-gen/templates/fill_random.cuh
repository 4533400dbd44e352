// fill_random.cuh: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).
//
// Word w of instance i is random word first + i * WIDTH_WORDS + w; random words 4 b to 4 b + 3 are those of
// block b, whose counter is b and the stream. The operand: the two words of the key, the stream, the three
// words of first / 4, and first % 4.

struct Values {
  unsigned key[2], stream, base_high, offset;
  unsigned long long base;

  __device__ __forceinline__ explicit Values(const unsigned* in) {
    key[0] = in[0];
    key[1] = in[1];
    stream = in[2];
    base = (unsigned long long)in[4] << 32 | in[3];
    base_high = in[5];
    offset = in[6];
  }

  // Four words of a block, counted from `base`.
  __device__ __forceinline__ void block(unsigned* x, unsigned long long number) const {
    const unsigned long long low = base + number;
    unsigned c0 = (unsigned)low, c1 = (unsigned)(low >> 32), c2 = base_high + (low < base), c3 = stream;
#pragma unroll
    for (unsigned round = 0; round < 10; round++) {
      const unsigned long long p0 = 0xd2511f53ull * c0, p1 = 0xcd9e8d57ull * c2;
      c0 = (unsigned)(p1 >> 32) ^ c1 ^ (key[0] + round * 0x9e3779b9u);
      c1 = (unsigned)p1;
      c2 = (unsigned)(p0 >> 32) ^ c3 ^ (key[1] + round * 0xbb67ae85u);
      c3 = (unsigned)p0;
    }
    x[0] = c0;
    x[1] = c1;
    x[2] = c2;
    x[3] = c3;
  }

  __device__ __forceinline__ void four(unsigned (&x)[4], Position at) const {
    const unsigned skipped = at.word < WIDTH_WORDS ? at.word : WIDTH_WORDS;
    const unsigned long long from = offset + at.instance * WIDTH_WORDS + skipped;
    unsigned y[8];
    block(y, from / 4);
    // Where instances are whole blocks, so is every vector.
    if (WIDTH_WORDS % 4 != 0 && from % 4 != 0) {
      block(y + 4, from / 4 + 1);
      const bool one = from & 1, two = from & 2;
#pragma unroll
      for (unsigned k = 0; k < 6; k++) y[k] = one ? y[k + 1] : y[k];
#pragma unroll
      for (unsigned k = 0; k < 4; k++) y[k] = two ? y[k + 2] : y[k];
    }
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
      x[k] = below_width(y[0], at.word);
      // A word above the width takes none of them.
      const bool taken = WIDTH_WORDS == W || at.word < WIDTH_WORDS;
#pragma unroll
      for (unsigned j = 0; j < 3; j++) y[j] = taken ? y[j + 1] : y[j];
      at.next();
    }
  }
};
