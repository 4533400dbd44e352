// div_newton_normalise.cuh: absolute values of operands, and their words after a shift. docs/div_newton.md.

struct Larger { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x > y ? x : y; } };
struct Smaller { __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x < y ? x : y; } };

// f over the values of all threads of the block. Three barriers, with WARPS words.
template <class F>
__device__ __forceinline__ unsigned of_block(unsigned value, F f, unsigned* exchange) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2) value = f(value, __shfl_xor_sync(~0u, value, distance));
  __syncthreads();
  if (threadIdx.x % 32 == 0) exchange[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned i = 0; i < WARPS; i++) value = f(value, exchange[i]);
  return value;
}

// The absolute value of an operand, word by word: -x is 0 below the lowest word that is not 0, -x in it and
// ~x above.
template <bool BROADCAST, bool INTERLEAVED>
struct Magnitude {
  const unsigned* in;
  unsigned long long instances, instance;
  bool negative;
  unsigned lowest;

  __device__ __forceinline__ Magnitude(const unsigned* in, const Place& at, unsigned long long instances, unsigned* exchange)
      : in(in), instances(instances), instance(at.instance), negative(false), lowest(W) {
    if (!SIGNED) return;
    negative = raw((BITS - 1) / 32) >> (BITS - 1) % 32 & 1;
    if (!negative) return;
    for (unsigned j = threadIdx.x; j < W; j += THREADS)
      if (raw(j) != 0 && j < lowest) lowest = j;
    lowest = of_block(lowest, Smaller(), exchange);
  }

  __device__ __forceinline__ unsigned raw(unsigned j) const {
    return in[BROADCAST ? j : INTERLEAVED ? interleaved(instances, instance, j) : instance * W + j];
  }

  // Word j; 0 below the first one and above the last.
  __device__ __forceinline__ unsigned word(int index) const {
    const unsigned j = (unsigned)index;
    if (j >= W) return 0;
    const unsigned x = raw(j);
    if (!SIGNED || !negative) return x;
    const unsigned z = j < lowest ? 0 : j == lowest ? 0 - x : ~x;
    return j < FULL_WORDS ? z : j == FULL_WORDS ? z & TOP_MASK : 0;
  }

  __device__ __forceinline__ unsigned bits(unsigned* exchange) const {
    unsigned bits = 0;
    for (unsigned j = threadIdx.x; j < W; j += THREADS) {
      const unsigned x = word((int)j);
      if (x != 0) bits = 32 * j + 32 - __clz((int)x);
    }
    return of_block(bits, Larger(), exchange);
  }

  // |x| < 2^bits.
  __device__ __forceinline__ bool is_below(unsigned bits, unsigned* exchange) const {
    unsigned above = 0;
    for (unsigned j = bits / 32 + threadIdx.x; j < W; j += THREADS) above |= (j == bits / 32 ? word((int)j) >> bits % 32 : word((int)j)) != 0;
    return of_block(above, Larger(), exchange) == 0;
  }
};

// Words of |x| 2^shift, or of 2^shift if `one`.
template <class X>
struct Shifted {
  const X& x;
  unsigned shift;
  bool one;

  __device__ __forceinline__ unsigned of(int index) const { return one ? index == 0 : x.word(index); }

  // Words j to j + 3.
  __device__ __forceinline__ uint4 four(unsigned j) const {
    const int position = 32 * (int)j - (int)shift, first = position >> 5;
    const unsigned bits = (unsigned)position % 32;
    unsigned words[5];
#pragma unroll
    for (int i = 0; i < 5; i++) words[i] = of(first + i);
    return make_uint4(__funnelshift_r(words[0], words[1], bits), __funnelshift_r(words[1], words[2], bits),
                      __funnelshift_r(words[2], words[3], bits), __funnelshift_r(words[3], words[4], bits));
  }
};

// Words FROM to FROM + COUNT as a plane of WORDS words, whole vectors.
template <unsigned WORDS, unsigned FROM, unsigned COUNT, class X>
__device__ __forceinline__ void store_shifted(unsigned* plane, const Shifted<X>& x, const Place& at) {
  static_assert(WORDS % 4 == 0, "vectors are aligned");
  for (unsigned j = 4 * threadIdx.x; j < WORDS; j += 4 * THREADS) {
    uint4 four = j < COUNT ? x.four(FROM + j) : make_uint4(0, 0, 0, 0);
    if (COUNT % 4 != 0 && j + 4 > COUNT) {
      if (j + 1 >= COUNT) four.y = 0;
      if (j + 2 >= COUNT) four.z = 0;
      four.w = 0;
    }
    *(uint4*)(plane + at.instance * WORDS + j) = four;
  }
}
