// fill_counter.cuh: start + i * step of instance i, modulo 2^BITS, or start - i * step as the complement of
// complement(start) + i * step.
//
// The operand: the word that complements results, LAST and ZONE as below, 0, the W words of the start or of
// its complement, two words 0, the W words of the step.
//
// The columns of the sum are
//
//     c_k = start_k + low(step_k i_0) + high(step_(k-1) i_0) + low(step_(k-1) i_1) + high(step_(k-2) i_1)
//
// with i = i_0 + i_1 2^32. As c_k <= 5 (2^32 - 1), the carry into a word is at most 4. So carry(k + 1) is
// high(c_k), or one more if carry(k) >= 2^32 - low(c_k): unless low(c_k) is one of the four largest words,
// this column says it, else the one below it is asked.
//
// From word ZONE on, two words above the step, columns are words of the start, and the carry into ZONE is 0 or
// 1. It ends at LAST, the first of these words that is not all ones.

struct Values {
  const unsigned* start;
  const unsigned* step;
  unsigned flip, last, zone;

  __device__ __forceinline__ explicit Values(const unsigned* in) : start(in + 4), step(in + 4 + W + 2) {
    flip = in[0];
    last = in[1];
    zone = in[2];
  }

  __device__ __forceinline__ unsigned long long column(unsigned long long instance, unsigned word) const {
    unsigned long long sum = start[word];
    if (word >= zone) return sum;
    const unsigned* const at = step + word;
    const unsigned low = (unsigned)instance, high = (unsigned)(instance >> 32);
    sum += (unsigned)(at[0] * low);
    sum += (unsigned long long)at[-1] * low >> 32;
    if (high != 0) {
      sum += (unsigned)(at[-1] * high);
      sum += (unsigned long long)at[-2] * high >> 32;
    }
    return sum;
  }

  __device__ __forceinline__ unsigned carry_into(unsigned long long instance, unsigned word) const {
    if (word > last) return 0;
    if (word > zone) word = zone;
    if (word == 0) return 0;
    unsigned long long sum = column(instance, --word);
    const unsigned carry = (unsigned)(sum >> 32);
    unsigned needed = 0u - (unsigned)sum;  // the carry into this column that makes it one more; 0: none does
    while (needed - 1 < 4 && word > 0) {
      sum = column(instance, --word);
      const unsigned least = (unsigned)(sum >> 32);
      if (least >= needed) return carry + 1;
      if (least + 1 < needed) return carry;
      needed = 0u - (unsigned)sum;
    }
    return carry;
  }

  __device__ __forceinline__ void four(unsigned (&x)[4], Position at) const {
    unsigned long long sum = carry_into(at.instance, at.word);
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
      sum += column(at.instance, at.word);
      x[k] = below_width((unsigned)sum ^ flip, at.word);
      sum >>= 32;
      at.next();
      if (at.word == 0) sum = 0;
    }
  }
};
