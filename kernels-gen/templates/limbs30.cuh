// limbs30.cuh: signed numbers in limbs of 30 bits over the lanes of a warp, for steps that remove 30 bits at
// a time. docs/gcd.md.
//
// Lane `rank` holds limbs rank * L to rank * L + L - 1. All but the last one of an instance are in 0 .. 2^30,
// the first one of a lane a little below or above; the last one has the sign. Products of a limb and a factor
// of 31 bits are signed products of words; three of them and a carry stay below 2^63.
//
// No barriers but those of the warp; all its lanes take part in every call.

constexpr unsigned LIMB30_MASK = (1u << 30) - 1;
// More bits than the numbers have: a sign, and multiples, of cofactors below 2^13 (cofactor.cuh).
constexpr unsigned L = (BITS + 14 + 30 * LANES - 1) / (30 * LANES);

// The value of the lane above; 0 in the last lane.
__device__ __forceinline__ int of_lane_above(int value, const Place& at) {
  const int above = __shfl_sync(~0u, value, (at.lane + 1) % 32);
  return at.rank == LAST_RANK ? 0 : above;
}

// The number from bit `position` on in the `words` words at `slot`.
__device__ __forceinline__ void load_limbs(int (&f)[L], const unsigned* slot, unsigned words, unsigned position, const Place& at) {
  // The lane's bits, without those above them, and then its limbs.
  constexpr unsigned COUNT = (30 * L + 31) / 32;
  const unsigned from = position + 30 * L * at.rank, first = from / 32;
  unsigned bits[COUNT + 1], lower = first < words ? slot[first] : 0;
#pragma unroll
  for (unsigned i = 0; i < COUNT; i++) {
    const unsigned upper = first + i + 1 < words ? slot[first + i + 1] : 0;
    bits[i] = funnel(lower, upper, from % 32);
    lower = upper;
    // Otherwise the compiler starts all loads at once, in more registers than the steps need.
    if (i % 8 == 7) instance_barrier();
  }
  bits[COUNT] = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) f[i] = (int)(funnel(bits[30 * i / 32], bits[30 * i / 32 + 1], 30 * i % 32) & LIMB30_MASK);
}

// Whether f, which has been carried, is below 0.
__device__ __forceinline__ bool is_below_zero(const int (&f)[L], const Place& at) {
  return any_of_instance(at.rank == LAST_RANK && f[L - 1] < 0, at);
}

// Whether a limb of the warp is not 0.
__device__ __forceinline__ bool any_limb(const int (&f)[L]) {
  int bits = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) bits |= f[i];
  return __any_sync(~0u, bits != 0);
}

__device__ __forceinline__ void negate_limbs(int (&f)[L], bool negative) {
#pragma unroll
  for (unsigned i = 0; i < L; i++) f[i] = negative ? -f[i] : f[i];
}

// Reduces all limbs except the last one to 0 .. 2^30 - 1. In every round the carries of lanes move up by one
// lane.
__device__ __forceinline__ void carry_limbs(int (&f)[L], const Place& at) {
  for (;;) {
    int carry = 0;
#pragma unroll
    for (unsigned i = 0; i < L; i++) {
      f[i] += carry;
      carry = 0;
      if (i + 1 < L || at.rank != LAST_RANK) {
        carry = f[i] >> 30;
        f[i] &= (int)LIMB30_MASK;
      }
    }
    if (!__any_sync(~0u, carry != 0)) return;
    f[0] += (int)of_lane_below((unsigned)carry, 0, at);
  }
}

// -1 if f is negative, else 0, for limbs after a sum: the lowest limb of a lane may be negative or above
// 2^30 - 1, so a lane may be negative or overflow. If none overflows, the carry of each lane is 0 or -1: the
// highest lane with nonzero limbs decides. Otherwise, which is rare, the limbs are carried.
__device__ __forceinline__ int sign_of(int (&f)[L], const Place& at) {
  // One lane: its limbs are below 2^30, and the last one has the sign.
  if (LANES == 1) return f[L - 1] < 0 ? -1 : 0;
  constexpr int MOST = (int)LIMB30_MASK;
  int some = 0, all = MOST;
#pragma unroll
  for (unsigned i = 1; i + 1 < L; i++) {
    some |= f[i];
    all &= f[i];
  }
  const int carry = f[0] >> 30;
  const int upper = f[L - 1] + (carry > 0 && all == MOST ? 1 : carry < 0 && some == 0 ? -1 : 0);
  if (__ballot_sync(~0u, upper > MOST) & PASSING_LANES) {
    carry_limbs(f, at);
    return is_below_zero(f, at) ? -1 : 0;
  }
  const bool zero = upper == 0 && (carry == 0 ? (some | f[0]) == 0 : carry > 0 && all == MOST && f[0] == MOST + 1);
  const unsigned lanes = votes(!zero, at), negative = votes(upper < 0, at);
  return negative > (lanes ^ negative) ? -1 : 0;
}

// f is made positive and carried; returns whether it was below 0.
__device__ __forceinline__ bool absolute_limbs(int (&f)[L], const Place& at) {
  carry_limbs(f, at);
  const bool negative = is_below_zero(f, at);
  negate_limbs(f, negative);
  carry_limbs(f, at);
  return negative;
}

// Whether f, which has been carried, is 1.
__device__ __forceinline__ bool is_one(const int (&f)[L], const Place& at) {
  int other = at.rank == 0 ? f[0] ^ 1 : f[0];
#pragma unroll
  for (unsigned i = 1; i < L; i++) other |= f[i];
  return !any_of_instance(other != 0, at);
}

// x += factor * f, with a carry over all limbs.
__device__ __forceinline__ void add_limbs(int (&x)[L], const int (&f)[L], int factor, const Place& at) {
  long long sum = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    sum += mul_signed(factor, f[i]) + x[i];
    const bool last = i + 1 == L && at.rank == LAST_RANK;
    x[i] = last ? (int)sum : (int)((unsigned)sum & LIMB30_MASK);
    sum >>= 30;
  }
  x[0] += (int)of_lane_below((unsigned)sum, 0, at);
  carry_limbs(x, at);
}

// The words of the limbs in a slot; if the highest one is below 0, those of two's complement up to the limbs'
// end.
__device__ __forceinline__ Num words_of_slot(const unsigned* slot, const Place& at) {
  // The words that begin with a limb, and then those of the lane. A word has bits of at most two limbs.
  constexpr unsigned COUNT = 32 * (V + 1) / 30 + 2;
  const unsigned from = 32 * at.word(0), first = from / 30;
  unsigned limbs[COUNT];
#pragma unroll
  for (unsigned i = 0; i < COUNT; i++) {
    limbs[i] = first + i < LANES * L ? slot[first + i] : 0;
    if (i % 8 == 7) instance_barrier();
  }
  const auto word = [&](unsigned i) { return limbs[32 * i / 30] >> 32 * i % 30 | limbs[32 * i / 30 + 1] << (30 - 32 * i % 30); };
  Num x;
#pragma unroll
  for (unsigned v = 0; v < V; v++) x.w[0][v] = funnel(word(v), word(v + 1), from % 30);
  return x;
}

// The same of f, which has been carried.
__device__ __forceinline__ Num words_of_limbs(const int (&f)[L], unsigned* slot, const Place& at) {
  instance_barrier();
#pragma unroll
  for (unsigned i = 0; i < L; i++) slot[at.rank * L + i] = (unsigned)f[i];
  instance_barrier();
  return words_of_slot(slot, at);
}

// A sum of multiples that is put together limb by limb, from the lowest, and divided by 2^30: the lowest
// limb, which is 0 in the first lane, goes to the lane below. The carry of a lane is added to the limb that
// it receives.
struct LimbSum {
  long long sum;
  int first;

  // The next limb is `sum` mod 2^30.
  template <unsigned I>
  __device__ __forceinline__ void pass(int (&f)[L]) {
    const int limb = (int)((unsigned)sum & LIMB30_MASK);
    if (I == 0) first = limb;
    else f[I - (I > 0)] = limb;
    sum >>= 30;
  }

  __device__ __forceinline__ void close(int (&f)[L], const Place& at) {
    if (LANES == 1) {
      f[L - 1] = (int)sum;
      return;
    }
    sum += of_lane_above(first, at);
    const bool last = at.rank == LAST_RANK;
    f[L - 1] = last ? (int)sum : (int)((unsigned)sum & LIMB30_MASK);
    f[0] += (int)of_lane_below((unsigned)(sum >> 30), 0, at);
  }
};
