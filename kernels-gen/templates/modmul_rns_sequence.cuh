// modmul_rns_sequence.cuh: products of sums of variables in residue number systems, in teams of TW warps.
// docs/modmul_rns.md.
//
// Global memory of a team, `slots`: of each variable and base, unit by unit V words of each lane, below their
// primes. A thread reads the words only that it has written itself. Shared memory of a team, for each
// instance: x1, the factors of the next extension in base 1, and x2, the residues of the last product in base
// 2. Barriers: of a team, one after each base.

constexpr unsigned STATE_WORDS = 4 * KR;         // of a number of an instance: its residues, and those of P^2 mod N
constexpr unsigned CONSTANT_WORDS = 9 * PADDED;  // four of each prime of base 2, of base 1; residues of 1
constexpr unsigned SQUARE_OF_P = VARIABLES, PLAIN_ONE = VARIABLES + 1, RESULT = VARIABLES + 2, ALL = RESULT + RESULTS;
constexpr unsigned LANE_WORDS = 32 * V;          // of a unit of a variable
constexpr unsigned TEAM_SLOTS = ALL * 2 * UNITS * LANE_WORDS;

__device__ __forceinline__ void store_lane(unsigned* at, const unsigned (&z)[V]) {
  if constexpr (V % 4 == 0) {
#pragma unroll
    for (unsigned i = 0; i < V; i += 4) *(uint4*)(at + i) = make_uint4(z[i], z[i + 1], z[i + 2], z[i + 3]);
  } else {
#pragma unroll
    for (unsigned i = 0; i < V; i += 2) *(uint2*)(at + i) = make_uint2(z[i], z[i + 1]);
  }
}

// `times` w mod p, from 0 to p, for w below p: 2^31 is 2^31 - p mod p, which has 21 bits.
__device__ __forceinline__ unsigned multiple(unsigned w, unsigned times, bool is_negative, unsigned p) {
  if (times != 1) {
    const unsigned long long v = mul_wide_word(w, times);
    w = less_once(((unsigned)v & 0x7fffffffu) + (unsigned)(v >> 31) * (0x80000000u - p), p);
  }
  return is_negative ? p - w : w;
}

struct Sequence {
  unsigned lane, g, t, member;
  unsigned first, last;        // its first instance in the block; the block's last one
  const unsigned* lane_moduli;
  unsigned* slots;             // the lane's words of unit 0 of the first variable in base 1
  const unsigned* ones;        // residues of 1 in base 2
  unsigned *x1, *x2;           // the lane's first residue
  unsigned constants;          // place of the primes' constants of the lane's residue of unit 0 of base 2
  unsigned number;             // of its barrier
  Columns b;
  unsigned alpha[V];

  __device__ __forceinline__ unsigned column(unsigned i) const { return i / 2 * 8 + i % 2 + 2 * t; }
  // In the block. Instances that do not exist repeat the last one.
  __device__ __forceinline__ unsigned instance(unsigned i) const { return min(first + column(i), last); }
  // The place of the lane's column i in the numbers of the team, from the lane's first one on.
  __device__ __forceinline__ static int place(unsigned unit, unsigned i) { return (int)((i / 2 * 8 + i % 2) * PITCH) + (int)(8 * unit); }
  __device__ __forceinline__ bool exists(unsigned unit) const { return 8 * unit + g < KR; }

  __device__ __forceinline__ void wait() const {
    if (TW == 1) __syncwarp();
    else group_barrier<32 * TW>(number);
  }

  __device__ __forceinline__ unsigned* slot(unsigned variable, unsigned second, unsigned unit) const {
    return slots + ((2 * variable + second) * UNITS + unit) * LANE_WORDS;
  }

  // The constants of the moduli: 1 for base 2, 0 for base 1.
  __device__ __forceinline__ void moduli(unsigned (&z)[V], unsigned second, unsigned unit) const {
    load_words<V>(z, lane_moduli + (second * PADDED / 8 + unit) * UNIT_MODULI);
  }

  // The sum of so many terms.
  __device__ __forceinline__ void sum(unsigned (&z)[V], const unsigned* terms, unsigned count, unsigned bit, unsigned second, unsigned unit, unsigned p) const {
#pragma unroll
    for (unsigned i = 0; i < V; i++) z[i] = 0;
#pragma unroll 1
    for (unsigned j = 0; j < count; j++) {
      const unsigned term = terms[j];
      const bool is_negative = term >> 7 & 1;
      const unsigned times = is_negative ? 256 - (term & 255) : term & 255;
      unsigned w[V];
      load_words<V>(w, slot(bit ? term >> 20 : term >> 8 & 0xfff, second, unit));
#pragma unroll
      for (unsigned i = 0; i < V; i++) z[i] = less_once(z[i] + multiple(w[i], times, is_negative, p), p);
    }
  }

  // The products of the factors of a step over 2^32, not reduced.
  __device__ __forceinline__ void factors(unsigned (&z)[V], const Walk& walk, Cursor at, unsigned second, unsigned unit, const unsigned (&k)[4]) const {
    const unsigned head = walk.head(at), bit = walk.bit(at);
    const unsigned* const terms = walk.steps + at.at + 1;
    unsigned y[V];
    sum(z, terms, walk.terms(head), bit, second, unit, k[0]);
    if (head & 2) {
#pragma unroll
      for (unsigned i = 0; i < V; i++) y[i] = z[i];
    } else {
      sum(y, terms + walk.terms(head), walk.others(head), bit, second, unit, k[0]);
    }
#pragma unroll
    for (unsigned i = 0; i < V; i++) z[i] = redc(mul_wide_word(z[i], y[i]), k[0], k[1]);
  }

  // The sums between a product and the next one.
  __device__ __forceinline__ void sums(const Walk& walk, Cursor at, unsigned second, unsigned unit, unsigned p) const {
#pragma unroll 1
    for (at = walk.after(at); walk.is_sum(at); at = walk.after(at)) {
      const unsigned head = walk.head(at);
      unsigned z[V];
      sum(z, walk.steps + at.at + 1, walk.terms(head), walk.bit(at), second, unit, p);
      store_lane(slot(walk.to(head), second, unit), z);
    }
  }

  // The factors of the next extension.
  __device__ __forceinline__ void put_factors(const Walk& walk, Cursor at, unsigned unit, const unsigned (&k)[4]) const {
    unsigned nu[V], w[V];
    moduli(nu, 0, unit);
    factors(w, walk, at, 0, unit, k);
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x1[place(unit, i)] = redc(mul_wide_word(w[i], nu[i]), k[0], k[1]);
  }

  // A unit of base 2: residues of the product, and of the sums behind it.
  __device__ __forceinline__ void second(const Walk& walk, Cursor at, unsigned unit, Rows& rows) const {
    Sums c;
    unsigned k[4], n[V], x[V];
    load_four<false>(k, constants + 128 * unit);
    factors(x, walk, at, 1, unit, k);
    moduli(n, 1, unit);
    rows.products(c, b, 0, unit, member);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned product = less_once(x[i], k[0]), extended = redc(joined(c[i / 2], i % 2, k[3]), k[0], k[1]);
      const unsigned residue = redc(mad_wide_word(product, k[2], mul_wide_word(extended, n[i])), k[0], k[1]);
      x[i] = less_once(less_once(residue, k[0]), k[0]);
    }
    store_lane(slot(walk.to(walk.head(at)), 1, unit), x);
    sums(walk, at, 1, unit, k[0]);
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x2[place(unit, i)] = x[i];
  }

  __device__ __forceinline__ void estimate() { find_alpha(alpha, b, t); }

  // A unit of base 1: residues of the product and of the sums behind it, and factors of the next product if
  // there is one.
  __device__ __forceinline__ void back(const Walk& walk, Cursor at, Cursor next, unsigned unit, Rows& rows) const {
    Sums c;
    unsigned k[4], r[V];
    load_four<false>(k, constants + 16 * PADDED + 128 * unit);
    rows.products(c, b, 1, unit, member);
#pragma unroll
    for (unsigned i = 0; i < V; i++) r[i] = less_once(redc(mad_wide_word(alpha[i], k[2], joined(c[i / 2], i % 2, k[3])), k[0], k[1]), k[0]);
    store_lane(slot(walk.to(walk.head(at)), 0, unit), r);
    sums(walk, at, 0, unit, k[0]);
    if (!walk.is_end(next)) put_factors(walk, next, unit, k);
  }

  // A number's residues, from the first of those of the block, as a variable.
  __device__ __forceinline__ void enter(unsigned variable, const unsigned* state) const {
#pragma unroll 1
    for (unsigned unit = member; unit < UNITS; unit += TW)
#pragma unroll
      for (unsigned second = 0; second < 2; second++) {
        unsigned z[V];
#pragma unroll
        for (unsigned i = 0; i < V; i++) z[i] = exists(unit) ? state[instance(i) * STATE_WORDS + second * KR + 8 * unit + g] : 0;
        store_lane(slot(variable, second, unit), z);
      }
  }

  // The number 1, and the factors of the first product.
  __device__ __forceinline__ void begin(const Walk& walk) const {
#pragma unroll 1
    for (unsigned unit = member; unit < UNITS; unit += TW) {
      unsigned k[4], z[V];
#pragma unroll
      for (unsigned second = 0; second < 2; second++) {
#pragma unroll
        for (unsigned i = 0; i < V; i++) z[i] = second ? ones[8 * unit] : 1;
        store_lane(slot(PLAIN_ONE, second, unit), z);
      }
      load_four<false>(k, constants + 16 * PADDED + 128 * unit);
      put_factors(walk, walk.first(), unit, k);
    }
  }
};
