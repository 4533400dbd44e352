// tape.cuh: programs as tapes of operations, which one loop of the kernel runs. docs/programs.md.
//
// Each instance has numbers of PADDED words in shared memory, SCALARS integers of 64 bits and COLD
// numbers in the local memory of its lanes. Numbers of a signed type have copies of their sign up to PADDED
// words, and so have scalars up to 64 bits. Residues are in Montgomery form, R = B^PADDED, below the modulus.
//
// All lanes of a warp run the same operations. An instance that is not active, because its loop has ended, its
// condition does not hold or it has failed, takes part in every call and writes nothing.
//
// Barriers: of the warp.

// What an operation does; codes from INTEGER on are operations on integers that the program has.
enum What : unsigned short {
  MUL, REDUCE, ADD, SUB, WORD, NEG, ONE, COPY, SELECT, NUMBER, WIDEN, LOAD, WRAP, COLD_READ, STATE_READ,
  INTEGER = 64,
  // Results are scalars from here on, or there is none.
  SCALAR = 512,
  S_CONSTANT = SCALAR, S_COPY, S_SELECT, S_ADD, S_SUB, S_MUL, S_DIV, S_REM, S_AND, S_OR, S_XOR, S_SHL, S_SHR, S_EQ,
  S_LESS, S_LESS_SIGNED, S_LENGTH, S_BIT, S_DIGIT, S_LOW, S_LOAD, S_INPUT_LENGTH, S_INPUT_DIGIT, S_NUMBER_LENGTH, S_NUMBER_DIGIT,
  S_STATE_READ, S_CONTROL,
  EFFECT = 768,
  MODULUS = EFFECT, CHECK_MODULUS, FAIL, PUSH, POP, HEAD, NEXT, TEST, OTHERWISE, BRANCH, GO_TO, STORE, S_STORE, COLD_WRITE,
  STATE_WRITE, S_STATE_WRITE, STATE_STATUS_READ, STATE_STATUS_WRITE, UNFINISHED, STATUS, HALT
};

// `z` is the place of the result, x and y those of operands; `low` and `high` are numbers or further places.
struct Operation {
  unsigned short what, z, x, y;
  unsigned low, high;
};

// No operand.
constexpr unsigned short NONE = 0xffff;

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

// The lowest 64 bits.
__device__ __forceinline__ unsigned long long low_words(const Num& x, const Place& at) {
  return (unsigned long long)of_rank(x.w[0][1], 0, at) << 32 | of_rank(x.w[0][0], 0, at);
}

// a - b mod n for a, b < n.
__device__ __forceinline__ Num montgomery_sub(const Num& a, const Num& b, const Montgomery& m, const Place& at) {
  // ~(~a + b) = a - b
  Num x;
#pragma unroll
  for (unsigned i = 0; i < V; i++) x.w[0][i] = ~a.w[0][i];
  const unsigned less = add_across(x.w[0], b.w[0], at);
#pragma unroll
  for (unsigned i = 0; i < V; i++) x.w[0][i] = ~x.w[0][i];
  const bool below = any_of_instance(at.rank == LAST_RANK && less != 0, at);
  unsigned n[V];
#pragma unroll
  for (unsigned i = 0; i < V; i++) n[i] = below ? m.n.w[0][i] : 0;
  add_across(x.w[0], n, at);
  return x;
}

// a * word / B mod n: one step of a product.
__device__ __forceinline__ Num montgomery_word(const Num& a, unsigned word, const Montgomery& m, const Place& at) {
  Partial sum = {};
  montgomery_step(sum, a, word, m, at);
  return montgomery_reduced(sum, m, at);
}
