// is_square.cuh: whether a number is a square. docs/perfect_power.md.
//
// A square is a square modulo 64 and modulo the five factors of 2^32 - 1, the Fermat primes: one non-square
// in 100 passes. A warp without any such number is done; otherwise the root decides.
//
// Shared memory and barriers: those of isqrt.cuh and isqrt_rem.cuh.

// Squares modulo 64, by bits.
constexpr unsigned long long SQUARES_MOD_64 = 0x0202021202030213;

// x mod 2^32 - 1, or that number for 0: the sum of the words, whose carries count 1.
__device__ __forceinline__ unsigned sum_of_words(const Num& x) {
  unsigned long long sum = 0;
#pragma unroll
  for (unsigned v = 0; v < V; v++) sum += x.w[0][v];
#pragma unroll
  for (unsigned distance = 1; distance < 2 * LANES; distance *= 2) {
    sum = (sum & ~0u) + (sum >> 32);
    sum = (sum & ~0u) + (sum >> 32);
    if (distance < LANES) sum += __shfl_xor_sync(~0u, (unsigned)sum, distance);
  }
  return (unsigned)sum;
}

// Whether x is a square modulo a Fermat prime: its power with exponent (P - 1) / 2, a power of two, is 0
// or 1.
template <unsigned P>
__device__ __forceinline__ bool is_square_mod(unsigned x) {
  x %= P;
#pragma unroll
  for (unsigned exponent = 1; exponent < (P - 1) / 2; exponent *= 2) x = (unsigned)((unsigned long long)x * x % P);
  return x <= 1;
}

template <bool SIGNED>
__device__ __forceinline__ bool is_square(const Num& a, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned lowest = of_rank(a.w[0][0], 0, at), sum = sum_of_words(a);
  const bool may_be = !is_negative<SIGNED>(a, at) && SQUARES_MOD_64 >> lowest % 64 & 1 && is_square_mod<3>(sum) && is_square_mod<5>(sum) &&
                      is_square_mod<17>(sum) && is_square_mod<257>(sum) && is_square_mod<65537>(sum);
  if (!__any_sync(~0u, may_be)) return false;
  const bool exact = is_zero(isqrt_rem(a, isqrt_of(a, slot, at), slot, exchange, at), at);
  return may_be && exact;
}
