// div_newton_short.cuh: division by divisors of one or two words, an instance in a block of threads.
// docs/div.md.
//
// As within a warp (div_short.cuh): each thread reduces its words of the shifted dividend mod d, receives the
// remainders of 1, 2, 4 ... threads above, and divides at the same time as all others. The quotient replaces
// the dividend in shared memory. Wide dividends take several rounds, from the top down.

constexpr unsigned ROUND_WORDS = SHORT_THREADS * SHORT_WORDS;
static_assert(SHORT_THREADS <= THREADS && (SHORT_WORDS & (SHORT_WORDS - 1)) == 0, "each thread has its words, a power of two");
static_assert(LOW == 2 * HALF + 4 && ROUNDS * ROUND_WORDS >= 2 * HALF, "rounds reach the remainder, which is above the quotient");

// The place of a word in shared memory: threads read their first words without bank conflicts.
__device__ __forceinline__ unsigned short_place(unsigned word) { return word + word / SHORT_WORDS; }

struct ShortDivisor {
  unsigned long long d;  // the highest bit is set
  unsigned inverse;

  __device__ __forceinline__ explicit ShortDivisor(unsigned long long d) : d(d), inverse(reciprocal((unsigned)(d >> 32), (unsigned)d)) {}

  __device__ __forceinline__ unsigned long long multiply_add(unsigned long long r, unsigned long long f, unsigned long long c) const {
    return mulmod_add(r, f, c, d, inverse);
  }

  // B^SHORT_WORDS mod d: B^2 mod d is B^2 - d, or 0.
  __device__ __forceinline__ unsigned long long power_of_thread() const {
    unsigned long long power = 0 - d < d ? 0 - d : 0;
#pragma unroll 1
    for (unsigned words = 2; words < SHORT_WORDS; words *= 2) power = multiply_add(power, power, 0);
    return power;
  }
};

// The remainder mod d of all words above a thread's own, from the remainders of each thread's words and that
// of the words `above` all threads. Each iteration writes one value per thread to one half of `remainders`
// and has a barrier.
__device__ __forceinline__ unsigned long long of_threads_above(unsigned long long own, unsigned long long above, const ShortDivisor& by, unsigned long long* remainders) {
  const unsigned thread = threadIdx.x;
  const bool divides = thread < SHORT_THREADS;
  unsigned long long power = by.power_of_thread();
  if (divides) remainders[thread] = own;
  __syncthreads();
  unsigned long long mine = thread + 1 < SHORT_THREADS ? remainders[thread + 1] : above;
  unsigned half = SHORT_THREADS;
#pragma unroll 1
  for (unsigned distance = 1; distance < SHORT_THREADS; distance *= 2) {
    if (divides) remainders[half + thread] = mine;
    __syncthreads();
    if (thread + distance < SHORT_THREADS) mine = by.multiply_add(remainders[half + thread + distance], power, mine);
    if (divides) power = by.multiply_add(power, power, 0);
    half = SHORT_THREADS - half;
  }
  return mine;
}

// |u| / d for d of `bits` bits, stored as an instance of a plane of LOW words: the quotient, and the
// remainder in the last two words. `shared` holds two remainders of each thread, one more, and a round's
// words.
template <class X>
__device__ __forceinline__ void divide_by_two_words(unsigned* plane, const X& u, unsigned long long d, unsigned bits, unsigned* shared, const Place& at) {
  const Shifted<X> shifted = {u, 64 - bits, false};
  const ShortDivisor by(d << (64 - bits));
  unsigned long long* const remainders = (unsigned long long*)shared;
  unsigned long long* const last = remainders + 2 * SHORT_THREADS;
  unsigned* const words = shared + 4 * SHORT_THREADS + 4;
  unsigned* const own = words + threadIdx.x * (SHORT_WORDS + 1);
  unsigned* const to = plane + at.instance * LOW;
  // After the shift, the number above all words is less than d.
  const uint4 highest = shifted.four(ROUNDS * ROUND_WORDS);
  unsigned long long rest = (unsigned long long)highest.y << 32 | highest.x;
#pragma unroll 1
  for (unsigned round = ROUNDS; round-- > 0;) {
    const unsigned first = round * ROUND_WORDS;
    for (unsigned j = 4 * threadIdx.x; j < ROUND_WORDS; j += 4 * THREADS) {
      const uint4 four = shifted.four(first + j);
      unsigned* const staged = words + short_place(j);
      staged[0] = four.x;
      staged[1] = four.y;
      staged[2] = four.z;
      staged[3] = four.w;
    }
    __syncthreads();
    unsigned long long mine = 0;
    if (threadIdx.x < SHORT_THREADS)
#pragma unroll 4
      for (unsigned i = SHORT_WORDS; i-- > 0;) three_by_two(mine, own[i], by.d, by.inverse);
    mine = of_threads_above(mine, rest, by, remainders);
    if (threadIdx.x < SHORT_THREADS)
#pragma unroll 4
      for (unsigned i = SHORT_WORDS; i-- > 0;) own[i] = three_by_two(mine, own[i], by.d, by.inverse);
    if (threadIdx.x == 0) *last = mine;
    __syncthreads();
    rest = *last;
    // The thread that reads these words now stores the next round's here.
    for (unsigned j = 4 * threadIdx.x; j < ROUND_WORDS && first + j < 2 * HALF; j += 4 * THREADS) {
      const unsigned* const staged = words + short_place(j);
      *(uint4*)(to + first + j) = make_uint4(staged[0], staged[1], staged[2], staged[3]);
    }
  }
  rest >>= 64 - bits;
  if (threadIdx.x == 0) *(uint4*)(to + 2 * HALF) = make_uint4(0, 0, (unsigned)rest, (unsigned)(rest >> 32));
}
