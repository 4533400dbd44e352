// modmul_rns_chain.cuh: Montgomery's products of tests of primality in residue number systems, along the bits of an
// exponent of each instance, in teams of TW warps. docs/modmul_rns.md, docs/primality.md.
//
// An instance with one column has a power of 2: a square for each bit, which is doubled if the bit is 1. With two
// neighbours, which one lane has, it is a Lucas sequence: the first column has the last W_k W_k+1 - p, the second one
// the last square less 2. Where k is even, that square is W_k, else W_k+1. So the next square is that of the first
// column if bits of k follow each other that differ: `flags` are the bits of k ^ k >> 1.
//
// Shared memory of a team, for each column: x1, the factors of the next extension in base 1, and x2, the residues in
// base 2. Global memory, for each instance: `state` has residues of the numbers to begin with, and of a Lucas sequence
// `less` has what products have subtracted in base 2, as lanes read it: it is written once, by the lanes that read it. Barriers:
// of a team, one after each base.

constexpr unsigned STATE_WORDS = 4 * KR;               // of an instance
constexpr unsigned CONSTANT_WORDS = 9 * PADDED;        // four of each prime of base 2, of base 1; residues of 1
constexpr bool LUCAS = COLUMNS == 2;

struct Chain {
  unsigned lane, g, t, member;
  unsigned first, last;        // its first instance in the block; the block's last one
  const unsigned* lane_moduli;
  const unsigned* state;       // of the block's first instance, and so the next ones
  const unsigned* exponents;
  unsigned* lane_less;
  const unsigned* ones;        // residues of 1 in base 2
  unsigned *x1, *x2;           // the lane's first residue
  unsigned constants;          // place of the primes' constants of the lane's residue of unit 0 of base 2
  unsigned number;             // of its barrier
  unsigned word, flags;        // of an exponent, one instance to a lane; of this product, a bit of each instance
  Columns b;
  unsigned alpha[V];

  // The number in the team of the lane's instance j.
  __device__ __forceinline__ unsigned column(unsigned j) const { return LUCAS ? 4 * j + t : j / 2 * 8 + j % 2 + 2 * t; }
  // In the block. Instances that do not exist repeat the last one.
  __device__ __forceinline__ unsigned instance(unsigned j) const { return min(first + column(j), last); }
  __device__ __forceinline__ bool flag(unsigned j) const { return flags >> column(j) & 1; }
  // The place of the lane's column i in the numbers of the team, from the lane's first one on.
  __device__ __forceinline__ static int place(unsigned unit, unsigned i) { return (int)((i / 2 * 8 + i % 2) * PITCH) + (int)(8 * unit); }
  __device__ __forceinline__ bool exists(unsigned unit) const { return 8 * unit + g < KR; }
  // Its residue in base 2. A lane that has none reads its last one again where other warps write what lies there.
  __device__ __forceinline__ unsigned own_residue(unsigned unit, unsigned i) const {
    if (TW == 1) return exists(unit) ? x2[place(unit, i)] : 0;
    return x2[place(exists(unit) ? unit : unit - TW, i)];
  }

  __device__ __forceinline__ void wait() const {
    if (TW == 1) __syncwarp();
    else group_barrier<32 * TW>(number);
  }

  // The constants of the moduli: 1 for base 2, 0 for base 1.
  __device__ __forceinline__ void moduli(unsigned (&z)[OWN], unsigned second, unsigned unit) const {
    load_words<OWN>(z, lane_moduli + (second * PADDED / 8 + unit) * UNIT_MODULI);
  }

  // What is subtracted from the lane's columns, in base 2.
  __device__ __forceinline__ unsigned* less(unsigned unit) const { return lane_less + unit * (32 * V); }

  // The flags of the product of this number, of `bits`.
  __device__ __forceinline__ void find_flags(unsigned product, unsigned bits) {
    const unsigned at = bits - 1 - product;
    if (product == 0 || at % 32 == 31) {
      const unsigned* const from = exponents + min(first + lane % TEAM_INSTANCES, last) * EXPONENT_WORDS + at / 32;
      word = *from;
      if (LUCAS) word ^= __funnelshift_r(word, at / 32 + 1 < EXPONENT_WORDS ? from[1] : 0, 1);
    }
    flags = __ballot_sync(~0u, word >> at % 32 & 1);
  }

  // The factors of the next extension; LAST: of the product by 1.
  template <bool LAST>
  __device__ __forceinline__ void put_factors(const unsigned (&r)[V], unsigned unit, const unsigned (&k)[4]) const {
    unsigned nu[OWN], w[V];
    moduli(nu, 0, unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned j = i / COLUMNS;
      const bool is_cross = LUCAS && i % 2 == 0, has_flag = flag(j);
      const unsigned a = LUCAS && !is_cross && !LAST && has_flag ? r[i - 1] : r[i];
      const unsigned y = LAST ? 1 : is_cross ? r[i + 1] : a;
      const unsigned factor = !LUCAS && !LAST && has_flag ? less_once(2 * nu[j], k[0]) : nu[j];
      w[i] = redc(mul_wide_word(redc(mul_wide_word(a, y), k[0], k[1]), factor), k[0], k[1]);
    }
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x1[place(unit, i)] = w[i];
  }

  // A unit of base 2: residues of the product.
  template <bool LAST>
  __device__ __forceinline__ void second(unsigned unit, Rows& rows) {
    Sums c;
    unsigned k[4], n[OWN], x[V], z[V], minus[V] = {};
    moduli(n, 1, unit);
    if (LUCAS && !LAST) load_words<V>(minus, less(unit));
    load_four<false>(k, constants + 128 * unit);
    rows.products(c, b, 0, unit, member);
#pragma unroll
    for (unsigned i = 0; i < V; i++) x[i] = own_residue(unit, i);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned j = i / COLUMNS;
      const bool is_cross = LUCAS && i % 2 == 0, has_flag = flag(j);
      const unsigned a = LUCAS && !is_cross && !LAST && has_flag ? x[i - 1] : x[i];
      const unsigned y = LAST ? ones[8 * unit] : is_cross ? x[i + 1] : a;
      unsigned product = less_once(redc(mul_wide_word(a, y), k[0], k[1]), k[0]);
      if (!LUCAS && !LAST && has_flag) product = less_once(2 * product, k[0]);
      const unsigned extended = redc(joined(c[i / 2], i % 2, k[3]), k[0], k[1]);
      const unsigned long long sum = mad_wide_word(product, k[2], mul_wide_word(extended, n[j])) + minus[i];
      z[i] = less_once(redc(sum, k[0], k[1]), k[0]);
    }
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x2[place(unit, i)] = z[i];
  }

  __device__ __forceinline__ void estimate() { find_alpha(alpha, b, t); }

  // A unit of base 1: residues of the product, and factors of the next one. LAST: that is by 1.
  template <bool LAST>
  __device__ __forceinline__ void back(unsigned unit, Rows& rows) {
    Sums c;
    unsigned k[4], r[V];
    load_four<false>(k, constants + 16 * PADDED + 128 * unit);
    rows.products(c, b, 1, unit, member);
#pragma unroll
    for (unsigned i = 0; i < V; i++) r[i] = redc(mad_wide_word(alpha[i], k[2], joined(c[i / 2], i % 2, k[3])), k[0], k[1]);
    put_factors<LAST>(r, unit, k);
  }

  // The numbers to begin with, what is subtracted, and the factors of the first product.
  __device__ __forceinline__ void begin() {
#pragma unroll 1
    for (unsigned unit = member; unit < UNITS; unit += TW) {
      unsigned k[4], r[V];
#pragma unroll
      for (unsigned base = 2; base-- > 0;) {
        load_four<false>(k, constants + (base ? 0 : 16 * PADDED) + 128 * unit);
#pragma unroll
        for (unsigned i = 0; i < V; i++) {
          // W_1 = p, the second number, is the first column.
          const unsigned which = LUCAS && i % 2 == 0, at = (2 * which + base) * KR + 8 * unit + g;
          r[i] = exists(unit) ? state[instance(i / COLUMNS) * STATE_WORDS + at] : 0;
          if (LUCAS && base) less(unit)[i] = exists(unit) ? less_once(k[0] - (unsigned)(((unsigned long long)r[i] << 32) % k[0]), k[0]) : 0;
          if (base && exists(unit)) x2[place(unit, i)] = r[i];
        }
      }
      put_factors<false>(r, unit, k);
    }
  }
};
