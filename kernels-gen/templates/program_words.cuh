// program_words.cuh: batches and integers of up to 64 bits of programs. docs/programs.md.

// An input or a result: a batch of integers, `elements` for each instance. A limb has 2^limb_shift words.
struct Shape {
  unsigned words, limb_shift, bits, elements;
  bool is_signed, one_for_all, interleaved;
};

// The place of an integer in its batch: limb i lies i * step words behind the first one.
struct InBatch {
  unsigned long long first, step;
  unsigned shift;

  __device__ __forceinline__ InBatch(const Shape& shape, unsigned element, unsigned long long instance, unsigned long long instances) {
    const unsigned long long integer = (shape.one_for_all ? 0 : instance * shape.elements) + element;
    shift = shape.limb_shift;
    first = shape.interleaved ? integer << shift : integer * shape.words;
    step = (shape.interleaved ? (shape.one_for_all ? 1 : instances) * shape.elements : 1) << shift;
  }

  __device__ __forceinline__ unsigned long long word(unsigned word) const {
    return first + (word >> shift) * step + (word & ((1u << shift) - 1));
  }
};

// A value of `bits` bits, up to 64, as 64 bits with its sign.
__device__ __forceinline__ unsigned long long wrapped(unsigned long long x, unsigned bits, bool is_signed) {
  if (bits >= 64) return x;
  const unsigned long long low = x & ((1ull << bits) - 1);
  return is_signed && low >> (bits - 1) & 1 ? low | ~0ull << bits : low;
}

__device__ __forceinline__ unsigned long long shifted(unsigned long long x, long long n, bool is_signed) {
  if (n >= 64) return 0;
  if (n >= 0) return x << n;
  if (is_signed) return (unsigned long long)((long long)x >> (n <= -64 ? 63 : -n));
  return n <= -64 ? 0 : x >> -n;
}

// Quotient or remainder rounded towards 0; a divisor of 0 is replaced by 1.
__device__ __forceinline__ unsigned long long divided(unsigned long long x, unsigned long long y, bool is_signed, bool remainder) {
  const bool x_negative = is_signed && (long long)x < 0, y_negative = is_signed && (long long)y < 0;
  const unsigned long long u = x_negative ? 0 - x : x, v = y == 0 ? 1 : y_negative ? 0 - y : y;
  const unsigned long long z = remainder ? u % v : u / v;
  return (remainder ? x_negative : x_negative != y_negative) ? 0 - z : z;
}

// The number of bits of the absolute value.
__device__ __forceinline__ unsigned length_of(unsigned long long x, bool is_signed) {
  return 64 - (unsigned)__clzll((long long)(is_signed && (long long)x < 0 ? 0 - x : x));
}

// A word of a number of `bits` bits, as what is above them is copies of its sign, or zeros.
__device__ __forceinline__ unsigned extended(unsigned value, unsigned word, unsigned bits, bool negative) {
  const unsigned above = negative ? ~0u : 0, top = ~0u << bits % 32;
  return word < bits / 32 ? value : word == bits / 32 ? (value & ~top) | (above & top) : above;
}

