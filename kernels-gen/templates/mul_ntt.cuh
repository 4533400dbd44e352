// mul_ntt.cuh: products of integers modulo one prime by transforms: operands in, residues of coefficients
// out. docs/mul_ntt.md.
//
// Digits are whole words of 64 bits, so operands need no repacking. A block works modulo one prime; crt.cuh
// recombines the residues of all primes. The order of blocks keeps one prime's tables in the first-level
// cache and the operands of CHUNK groups in the second-level cache until all primes have used them.
//
// out holds, for each result, planes [prime][instance][PLANE], OUT_DIGITS of them written; then, if a sum of
// products stays transformed, its spectrum as [prime][instance][POINTS] in the order of the inner pass.

// The coordinates of a block and a thread.
struct Place {
  unsigned thread;  // of the transform
  unsigned slot;    // transform of the block
  unsigned prime;
  unsigned long long instance;
  bool active;

  __device__ __forceinline__ explicit Place(unsigned long long instances) {
    const unsigned long long groups = (instances + IPB - 1) / IPB;
    const unsigned long long chunk = blockIdx.x / (CHUNK * PRIMES), first = chunk * CHUNK;
    const unsigned within = (unsigned)(blockIdx.x - first * PRIMES);
    const unsigned size = groups - first < CHUNK ? (unsigned)(groups - first) : CHUNK;
    prime = within / size;
    thread = threadIdx.x % THREADS;
    slot = threadIdx.x / THREADS;
    instance = (first + within % size) * IPB + slot;
    active = instance < instances;
  }
};

// Digit `digit` of an instance of W words.
__device__ __forceinline__ uint2 digit_major(const unsigned* in, unsigned long long instance, unsigned digit) {
  const unsigned* at = in + instance * W + 2 * digit;
  if (W % 2 == 0) return __ldg((const uint2*)at);
  return make_uint2(__ldg(at), 2 * digit + 1 < W ? __ldg(at + 1) : 0);
}

__device__ __forceinline__ uint2 digit_interleaved(const unsigned* in, unsigned long long instance, unsigned digit, unsigned long long instances) {
  const auto word = [&](unsigned i) { return __ldg(in + (i / LIMB_WORDS * instances + instance) * LIMB_WORDS + i % LIMB_WORDS); };
  return make_uint2(word(2 * digit), 2 * digit + 1 < W ? word(2 * digit + 1) : 0);
}

// Outer pass of an operand. Its first stage has factor 1. If not CYCLIC, the upper half of the points is
// zero, so the first stage only copies, and the second one has one product for two points.
template <class DigitAt>
__device__ __forceinline__ void transform_operand(DigitAt digit_at, Residue* array, const Transform& transform, const Prime& prime, const Place& at) {
  constexpr unsigned HALF = R1 / 2, QUARTER = R1 / 4;
#pragma unroll 1
  for (unsigned round = 0; round < T / THREADS; round++) {
    const unsigned j = at.thread + round * THREADS;
    const auto words_of = [&](unsigned k) {
      const unsigned digit = j + T * k;
      const bool there = T * k < DIGITS && (T * (k + 1) <= DIGITS || digit < DIGITS) && (IPB == 1 || at.active);
      return there ? digit_at(digit) : make_uint2(0, 0);
    };
    Residue x[1][R1];
#pragma unroll
    for (unsigned k = 0; k < HALF; k++) {
      const uint2 low = words_of(k), high = CYCLIC ? words_of(k + HALF) : make_uint2(0, 0);
      // Both digits are loaded before the butterfly: one after the other spills more registers.
      const Residue first = residue_of_digit(low.x, low.y, prime), second = residue_of_digit(high.x, high.y, prime);
      x[0][k] = CYCLIC ? first + second : first;
      if (CYCLIC) x[0][k + HALF] = first - second;
    }
    if (!CYCLIC) {
#pragma unroll
      for (unsigned i = 0; i < QUARTER; i++) {
        const Residue low = x[0][i], high = x[0][i + QUARTER], product = times(high, transform.outer[3], prime);
        x[0][i] = low + high;
        x[0][i + QUARTER] = low - high;
        x[0][i + HALF] = low + product;
        x[0][i + HALF + QUARTER] = low - product;
      }
    }
    forward<OUTER_FORWARD, CYCLIC ? 1 : 2, OUTER_BY_ONE>(x, transform.outer, prime);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) array[k * ROW + j] = x[0][k];
  }
}

// Where a spectrum holds point i of task t of the inner pass.
__device__ __forceinline__ unsigned long long spectrum_at(const Place& at, unsigned long long instance, unsigned long long instances, unsigned t, unsigned i) {
  return ((at.prime * instances + instance) * R3 + i) * (ROWS * R2) + t;
}

// The last inverse stages of a result, and the residues of its coefficients in [0, p): OUT_DIGITS of the
// instance.
__device__ __forceinline__ void store_residues(const Residue* array, unsigned* plane, const uint4* table, const Transform& transform, const Prime& prime, const Place& at) {
#pragma unroll 1
  for (unsigned round = 0; round < T / THREADS; round++) {
    const unsigned j = at.thread + round * THREADS;
    Residue x[R1];
    outer_backward(x, array, table, transform, prime, j);
#pragma unroll
    for (unsigned k = 0; k < (OUT_DIGITS + T - 1) / T; k++) {
      const unsigned digit = j + T * k;
      const bool there = (T * (k + 1) <= OUT_DIGITS || digit < OUT_DIGITS) && (IPB == 1 || at.active);
      if (there) plane[digit] = canonical(x[k], prime);
    }
  }
}
