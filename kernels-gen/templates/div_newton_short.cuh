// div_newton_short.cuh: division by divisors of one or two words, an instance in a block of threads. docs/div.md.
//
// As within a warp (div_short.cuh): each thread takes its words of the shifted dividend mod d, remainders go down from 1, 2, 4 ... threads
// above, and all threads divide at once under theirs. The quotient takes the dividend's place in shared memory.

constexpr unsigned SHORT_THREADS = (W + SHORT_WORDS - 1) / SHORT_WORDS;  // threads that divide
constexpr unsigned SHORT_PADDED = SHORT_THREADS * SHORT_WORDS;
static_assert(SHORT_THREADS <= THREADS && (SHORT_WORDS & (SHORT_WORDS - 1)) == 0, "each thread has its words, a power of two");
static_assert(LOW == 2 * HALF + 4 && W <= 2 * HALF, "the remainder fits above the quotient");

// A word's place in shared memory: threads that take their first words meet in no bank.
__device__ __forceinline__ unsigned short_place(unsigned word) { return word + word / SHORT_WORDS; }

// B^SHORT_WORDS mod d; the highest bit of d is set, so that B^2 mod d is B^2 - d, or 0.
__device__ __forceinline__ unsigned long long power_of_thread(unsigned long long d, unsigned inverse) {
  unsigned long long power = 0 - d < d ? 0 - d : 0;
#pragma unroll 1
  for (unsigned words = 2; words < SHORT_WORDS; words *= 2) power = mulmod_add(power, power, 0, d, inverse);
  return power;
}

// What is left above the words of a thread, mod d: of `mine`, which is what the next one's words leave. `remainders` are two for each thread.
__device__ __forceinline__ unsigned long long of_threads_above(unsigned long long mine, unsigned long long d, unsigned inverse, unsigned long long* remainders) {
  unsigned long long power = power_of_thread(d, inverse);
  unsigned long long* now = remainders;
#pragma unroll 1
  for (unsigned distance = 1; distance < SHORT_THREADS; distance *= 2) {
    if (threadIdx.x < SHORT_THREADS) now[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x + distance < SHORT_THREADS) mine = mulmod_add(now[threadIdx.x + distance], power, mine, d, inverse);
    if (threadIdx.x < SHORT_THREADS) power = mulmod_add(power, power, 0, d, inverse);
    now = now == remainders ? remainders + SHORT_THREADS : remainders;
  }
  return mine;
}

// |u| / d for d of so many bits: the quotient, and the remainder as the last two words, as an instance of a plane of LOW words.
// `shared` has room for two remainders of each thread and for the dividend's words.
template <class X>
__device__ __forceinline__ void divide_by_two_words(unsigned* plane, const X& u, unsigned long long d, unsigned bits, unsigned* shared, const Place& at) {
  const unsigned shift = 64 - bits;
  d <<= shift;
  const unsigned inverse = reciprocal((unsigned)(d >> 32), (unsigned)d);
  unsigned long long* const remainders = (unsigned long long*)shared;
  unsigned* const words = shared + 4 * SHORT_THREADS;
  const Shifted<X> shifted = {u, shift, false};
  for (unsigned j = 4 * threadIdx.x; j < SHORT_PADDED + 2; j += 4 * THREADS) {
    const uint4 four = shifted.four(j);
    unsigned* const to = words + short_place(j);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  }
  __syncthreads();
  const bool divides = threadIdx.x < SHORT_THREADS;
  unsigned* const own = words + threadIdx.x * (SHORT_WORDS + 1);
  unsigned long long rest = 0;
  if (divides) {
#pragma unroll 4
    for (unsigned i = SHORT_WORDS; i-- > 0;) three_by_two(rest, own[i], d, inverse);
    remainders[threadIdx.x] = rest;
  }
  __syncthreads();
  // Above all threads are two words, less than d.
  if (threadIdx.x + 1 < SHORT_THREADS) rest = remainders[threadIdx.x + 1];
  else if (divides) rest = (unsigned long long)own[SHORT_WORDS + 2] << 32 | own[SHORT_WORDS + 1];
  __syncthreads();
  rest = of_threads_above(rest, d, inverse, remainders);
  if (divides) {
#pragma unroll 4
    for (unsigned i = SHORT_WORDS; i-- > 0;) own[i] = three_by_two(rest, own[i], d, inverse);
  }
  __syncthreads();
  if (threadIdx.x == 0) remainders[0] = rest >> shift;
  __syncthreads();
  const auto word_at = [&](unsigned j) { return j < 2 * HALF ? j < SHORT_PADDED ? words[short_place(j)] : 0 : j < LOW - 2 ? 0 : shared[j - (LOW - 2)]; };
  for (unsigned j = 4 * threadIdx.x; j < LOW; j += 4 * THREADS)
    *(uint4*)(plane + at.instance * LOW + j) = make_uint4(word_at(j), word_at(j + 1), word_at(j + 2), word_at(j + 3));
}
