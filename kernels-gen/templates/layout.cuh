// layout.cuh: the words and instances of each thread, and their loads and stores.
//
// An operand's instance has W words of 32 bits and BITS bits; the result's has RESULT_W words. It belongs to
// LANES lanes of a warp (a power of two), or to WARPS whole warps. A thread holds RUNS runs of V consecutive
// words; run c of a warp follows run c - 1 of all its lanes:
//
//     first word of run c = ((warp of instance * RUNS + c) * LANES + lane of instance) * V
//
// Words from W on are padding: zero wherever a number is resolved. Threads without an instance load zeros,
// take part in every exchange and store nothing.

constexpr unsigned PADDED = WARPS * RUNS * LANES * V;          // words of an instance with its padding
constexpr unsigned FULL_WORDS = BITS / 32;                     // words all of whose bits belong to the number
constexpr unsigned TOP_MASK = (1u << (BITS % 32)) - 1;         // the bits of the word after them

struct Num {
  unsigned w[RUNS][V];
};

// A sum with the count that each run owes the next one in the order of words: carries, or borrows if
// negative.
struct Sum {
  Num num;
  int owed[RUNS];
};

// The coordinates of a thread.
struct Place {
  unsigned lane;       // within the warp
  unsigned rank;       // lane of the instance
  unsigned warp;       // warp of the instance
  unsigned slot;       // instance of the block
  unsigned long long instance;
  bool active;

  __device__ __forceinline__ explicit Place(unsigned long long instances) {
    lane = threadIdx.x % 32;
    rank = threadIdx.x % LANES;
    warp = WARPS == 1 ? 0 : threadIdx.x / 32 % WARPS;
    slot = threadIdx.x / (LANES * WARPS);
    instance = (unsigned long long)blockIdx.x * IPB + slot;
    active = slot < IPB && instance < instances;
  }

  __device__ __forceinline__ unsigned word(unsigned run) const { return ((warp * RUNS + run) * LANES + rank) * V; }
};

// Marks an instance without a result.
__device__ __forceinline__ void mark(unsigned* marks, bool fails, const Place& at) {
  if (fails && at.active && at.rank == 0 && at.warp == 0) marks[at.instance] = 1;
}

// All threads of an instance see what they wrote to shared memory before. Instances of a warp wait for their
// warp only.
__device__ __forceinline__ void instance_barrier() {
  if (WARPS > 1) __syncthreads();
  else __syncwarp();
}

// The number whose words are f(word).
template <class F>
__device__ __forceinline__ Num number_of(const Place& at, F f) {
  Num x;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) x.w[c][v] = f(at.word(c) + v);
  return x;
}

// Words i to i + 3 of some as a vector.
template <unsigned N>
__device__ __forceinline__ uint4 four_of(const unsigned (&x)[N], unsigned i) {
  return make_uint4(x[i], x[i + 1], x[i + 2], x[i + 3]);
}

// The vector as words i to i + 3.
template <unsigned N>
__device__ __forceinline__ void put_four(unsigned (&x)[N], unsigned i, const uint4& four) {
  x[i] = four.x;
  x[i + 1] = four.y;
  x[i + 2] = four.z;
  x[i + 3] = four.w;
}

// The number of which f(word) are the four words from that one on; V is a multiple of 4.
template <class F>
__device__ __forceinline__ Num number_of_fours(const Place& at, F f) {
  Num x;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v += 4) put_four(x.w[c], v, f(at.word(c) + v));
  return x;
}

// Calls f(word, value) for the words that the thread holds.
template <class F>
__device__ __forceinline__ void each_word(const Num& x, const Place& at, F f) {
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v++) f(at.word(c) + v, x.w[c][v]);
}

// Calls f(word, four) for the vectors of four words that the thread holds; V is a multiple of 4.
template <class F>
__device__ __forceinline__ void each_vector(const Num& x, const Place& at, F f) {
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++)
#pragma unroll
    for (unsigned v = 0; v < V; v += 4) f(at.word(c) + v, four_of(x.w[c], v));
}

// Limb LIMB_WORDS * j of the interleaved batch lies at (j * N + i) * LIMB_WORDS.
__device__ __forceinline__ unsigned long long interleaved(unsigned long long instances, unsigned long long instance, unsigned word) {
  return (word / LIMB_WORDS * instances + instance) * LIMB_WORDS + word % LIMB_WORDS;
}

// One integer for all instances.
template <unsigned WORDS = W>
__device__ __forceinline__ Num load_broadcast(const unsigned* in, const Place& at) {
  return number_of(at, [&](unsigned word) { return word < WORDS ? in[word] : 0; });
}

// Neighbouring threads own neighbouring instances and read neighbouring limbs.
template <unsigned WORDS = W>
__device__ __forceinline__ Num load_interleaved(const unsigned* in, const Place& at, unsigned long long instances) {
  return number_of(at, [&](unsigned word) {
    return at.active && word < WORDS ? in[interleaved(instances, at.instance, word)] : 0;
  });
}

// A result is a Num, or any other number with its each_word and each_vector.
template <class X>
__device__ __forceinline__ void store_interleaved(unsigned* out, const X& x, const Place& at, unsigned long long instances) {
  each_word(x, at, [&](unsigned word, unsigned value) {
    if (at.active && word < RESULT_W) out[interleaved(instances, at.instance, word)] = value;
  });
}

// Runs of whole 16-byte vectors, where instances and runs are aligned to them (V and W, or RESULT_W,
// multiples of 4): coalesced as they lie.
template <unsigned WORDS = W>
__device__ __forceinline__ Num load_vectors(const unsigned* in, const Place& at) {
  return number_of_fours(at, [&](unsigned word) {
    return at.active && word < WORDS ? *(const uint4*)(in + at.instance * WORDS + word) : make_uint4(0, 0, 0, 0);
  });
}

template <class X>
__device__ __forceinline__ void store_vectors(unsigned* out, const X& x, const Place& at) {
  each_vector(x, at, [&](unsigned word, uint4 four) {
    if (at.active && word < RESULT_W) *(uint4*)(out + at.instance * RESULT_W + word) = four;
  });
}

// Otherwise word by word. A warp's loads of its runs' first words, second words and so on touch the same
// lines of the first-level cache, which serves all but the first.
template <unsigned WORDS = W>
__device__ __forceinline__ Num load_words(const unsigned* in, const Place& at) {
  return number_of(at, [&](unsigned word) { return at.active && word < WORDS ? in[at.instance * WORDS + word] : 0; });
}

// Stores have no such cache: they go through shared memory. The block's instances are one stretch of words in
// global memory, written as 16-byte vectors but for its ends. V is odd in such kernels: then the lanes of a
// warp write different banks.

// Where the block's stretch lies.
struct Stretch {
  unsigned long long first;  // of the vectors, in words
  unsigned head;             // words of the first vector that belong to the block before
  unsigned end;              // words from `first` to the end of the stretch

  __device__ __forceinline__ explicit Stretch(unsigned long long instances) {
    const unsigned long long start = (unsigned long long)blockIdx.x * IPB * RESULT_W;
    const unsigned long long left = instances - (unsigned long long)blockIdx.x * IPB;
    head = (unsigned)(start % 4);
    first = start - head;
    end = head + (left < IPB ? (unsigned)left : IPB) * RESULT_W;
  }
};

template <class X>
__device__ __forceinline__ void store_staged(unsigned* out, const X& x, unsigned* region, const Place& at, const Stretch& stretch) {
  __syncthreads();
  each_word(x, at, [&](unsigned word, unsigned value) {
    if (at.active && word < RESULT_W) region[stretch.head + at.slot * RESULT_W + word] = value;
  });
  __syncthreads();
  // Only whole vectors of the stretch: its first and last one may belong to other blocks too.
  const unsigned begin = (stretch.head + 3) / 4, whole = stretch.end / 4;
  unsigned* to = out + stretch.first;
  for (unsigned i = begin + threadIdx.x; i < whole; i += blockDim.x) ((uint4*)to)[i] = ((const uint4*)region)[i];
  const unsigned head = stretch.head + threadIdx.x, tail = whole * 4 + threadIdx.x;
  if (head < begin * 4 && head < stretch.end) to[head] = region[head];
  if (tail >= begin * 4 && tail < stretch.end) to[tail] = region[tail];
}
