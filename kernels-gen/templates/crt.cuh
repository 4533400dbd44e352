// crt.cuh: the words of a product by transforms, from the residues of its coefficients. docs/mul_ntt.md.
//
// Each prime p_i comes with y_i = sum * (p_i / M) mod p_i in [0, p_i), where M is the product of all primes.
// Then sum = y_0 M/p_0 + y_1 M/p_1 + ... - k M with k = floor(y_0/p_0 + y_1/p_1 + ...): no Garner steps, all
// columns at once. k is taken in fixed point: its error is below 2^-28, and sum / M stays that far below 1
// (src/ntt/primes.rs). The columns of 32 bits add up to less than 2^63 before carries are propagated.
//
// A coefficient has up to 160 bits and lies 64 bits from its neighbours. The three words that overlap the
// next run go there by a shuffle, or through shared memory (SPILL words of each warp after `exchange`) and
// one barrier if instances have several warps. V is a multiple of 4.

constexpr unsigned SUM_WORDS = 5;
constexpr unsigned SPILL = 3;

// The coefficient with residues y.
template <class C>
__device__ __forceinline__ void digit_sum(unsigned (&sum)[SUM_WORDS], const unsigned (&y)[C::PRIMES]) {
  unsigned long long quotient = 1ull << 31, column[SUM_WORDS] = {};
#pragma unroll
  for (unsigned i = 0; i < C::PRIMES; i++) {
    quotient += (unsigned long long)y[i] * C::reciprocal(i);
#pragma unroll
    for (unsigned w = 0; w < SUM_WORDS; w++) column[w] += (unsigned long long)y[i] * C::cofactor(i, w);
  }
  const unsigned k = (unsigned)(quotient >> 59);
  unsigned long long carry = 0;
#pragma unroll
  for (unsigned w = 0; w < SUM_WORDS; w++) {
    carry += column[w] + (unsigned long long)k * C::minus_product(w);
    sum[w] = (unsigned)carry;
    carry >>= 32;
  }
}

// The residues of V / 2 neighbouring coefficients, as one vector if these are four.
template <class C>
__device__ __forceinline__ void load_run(unsigned (&y)[V / 2], const unsigned* plane, unsigned digit, bool active) {
  if (V == 8) {
    uint4 four = make_uint4(0, 0, 0, 0);
    if (active && digit < C::DIGITS) four = __ldg((const uint4*)(plane + digit));
    const unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (unsigned e = 0; e < V / 2; e++) y[e] = C::DIGITS % 4 == 0 || digit + e < C::DIGITS ? words[e % 4] : 0;
  } else {
#pragma unroll
    for (unsigned e = 0; e < V / 2; e++) y[e] = active && digit + e < C::DIGITS ? __ldg(plane + digit + e) : 0;
  }
}

// The words of a run's coefficients: V of its own and SPILL for the run after it.
template <class C>
__device__ __forceinline__ void run_of_sums(unsigned (&words)[V + SPILL], const unsigned* in, unsigned first, const Place& at, unsigned long long instances) {
  unsigned y[C::PRIMES][V / 2];
#pragma unroll
  for (unsigned i = 0; i < C::PRIMES; i++)
    load_run<C>(y[i], in + (i * instances + at.instance) * C::PLANE, first / 2, at.active);
#pragma unroll
  for (unsigned v = 0; v < V + SPILL; v++) words[v] = 0;
#pragma unroll
  for (unsigned e = 0; e < V / 2; e++) {
    unsigned residues[C::PRIMES], sum[SUM_WORDS];
#pragma unroll
    for (unsigned i = 0; i < C::PRIMES; i++) residues[i] = y[i][e];
    digit_sum<C>(sum, residues);
    unsigned long long carry = 0;
#pragma unroll
    for (unsigned w = 0; w + 2 * e < V + SPILL; w++) {
      carry += words[2 * e + w];
      if (w < SUM_WORDS) carry += sum[w];
      words[2 * e + w] = (unsigned)carry;
      carry >>= 32;
    }
  }
}

// The product with the residues `in`. Each of its runs owes 0 or 1.
template <class C>
__device__ __forceinline__ Sum load_residues(const unsigned* in, unsigned* exchange, const Place& at, unsigned long long instances) {
  unsigned words[RUNS][V + SPILL];
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) run_of_sums<C>(words[c], in, at.word(c), at, instances);
  unsigned before[SPILL] = {};
  if (WARPS > 1) {
    unsigned* const spill = exchange + 2 * EXCHANGE_WORDS;
    __syncthreads();
#pragma unroll
    for (unsigned s = 0; s < SPILL; s++)
      if (at.lane == 31) spill[threadIdx.x / 32 * SPILL + s] = words[RUNS - 1][V + s];
    __syncthreads();
#pragma unroll
    for (unsigned s = 0; s < SPILL; s++)
      if (at.warp > 0) before[s] = spill[(threadIdx.x / 32 - 1) * SPILL + s];
  }
  Sum sum;
#pragma unroll
  for (unsigned c = 0; c < RUNS; c++) {
    unsigned received[V] = {}, own[V];
#pragma unroll
    for (unsigned s = 0; s < SPILL; s++) {
      const unsigned below = LANES == 1 ? 0 : __shfl_sync(~0u, words[c][V + s], (at.lane + 31) % 32);
      received[s] = at.rank == 0 ? before[s] : below;
      before[s] = below;
    }
#pragma unroll
    for (unsigned v = 0; v < V; v++) own[v] = words[c][v];
    sum.owed[c] = (int)add_run(sum.num.w[c], own, received);
  }
  return sum;
}
