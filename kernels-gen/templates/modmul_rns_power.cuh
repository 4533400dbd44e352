// modmul_rns_power.cuh: Montgomery's products of the instances of a team of TW warps in residue number systems.
// docs/modmul_rns.md.
//
// With a modulus of each instance the factors of an extension are multiplied by nu, and its result by n, the
// constants of the modulus. One modulus for all is part of the scales of base 1 and of the rows.
//
// Shared memory of a team, for each instance: x1, the factors of the next extension in base 1, and x2, the
// residues in base 2. Residues in base 1 are used at once, for those factors. Global memory, for each instance:
// `state` has residues of the base and of P^2 mod N, the table residues of each entry in base 1, then in base 2. An entry is written once: threads without an
// instance repeat the last one, and may write the same words later. Barriers: of a team, one after each base.

struct Team {
  unsigned lane, g, t;
  unsigned first, last;       // its first instance in the block; the block's last one
  const unsigned* block_moduli;  // constants of the moduli
  const unsigned* state;      // of the block's first instance, and so the next ones
  const unsigned* exponents;
  unsigned* table;
  unsigned *x1, *x2;          // the lane's first residue
  unsigned constants;         // place of the primes' constants of the lane's residue of unit 0 of base 2
  unsigned number;            // of its barrier
  Columns b;
  unsigned alpha[V];

  // The instance of residue i of the lane. Instances that do not exist repeat the last one.
  __device__ __forceinline__ unsigned instance(unsigned i) const { return min(first + column(i), last); }
  __device__ __forceinline__ unsigned column(unsigned i) const { return beyond_first(i) + 2 * t; }
  __device__ __forceinline__ static constexpr unsigned beyond_first(unsigned i) { return i / 2 * 8 + i % 2; }
  // Its place in the numbers of the team, from the lane's first one on.
  __device__ __forceinline__ static int place(unsigned unit, unsigned i) { return (int)(beyond_first(i) * PITCH) + (int)(8 * unit); }
  __device__ __forceinline__ bool exists(unsigned unit) const { return 8 * unit + g < KR; }
  // Its residue in base 2. A lane that has none reads its last one again where other warps write what lies there.
  __device__ __forceinline__ unsigned own_residue(unsigned unit, unsigned i) const {
    if (TW == 1) return exists(unit) ? x2[place(unit, i)] : 0;
    return x2[place(exists(unit) ? unit : unit - TW, i)];
  }

  // The number of its warp in the team.
  __device__ __forceinline__ static unsigned member() { return TW == 1 ? 0 : (TIGHT ? settled(threadIdx.x) : threadIdx.x) / 32 % TW; }

  __device__ __forceinline__ void wait() const {
    if (TW == 1) __syncwarp();
    else group_barrier<32 * TW>(number);
  }

  // The constants of the moduli: 1 for base 2, 0 for base 1.
  __device__ __forceinline__ void moduli(unsigned (&z)[V], unsigned second, unsigned unit) const {
    load_words<V>(z, block_moduli + (first * MODULUS_WORDS + 2 * NT * lane + (second * PADDED / 8 + unit) * UNIT_MODULI));
  }

  __device__ __forceinline__ unsigned* entry(unsigned i, unsigned index, unsigned second, unsigned unit) const {
    return table + (instance(i) * TABLE_WORDS + index * ENTRY_WORDS + second * KR + 8 * unit + g);
  }

  __device__ __forceinline__ void load_entry(unsigned (&z)[V], unsigned index, unsigned second, unsigned unit) const {
#pragma unroll
    for (unsigned i = 0; i < V; i++) z[i] = exists(unit) ? *entry(i, index, second, unit) : 0;
  }

  __device__ __forceinline__ void store_entry(const unsigned (&z)[V], unsigned index, unsigned second, unsigned unit) const {
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) *entry(i, index, second, unit) = z[i];
  }

  // The words of digit `number`, of one instance to a lane; behind the last digit any.
  __device__ __forceinline__ Digit digit(const Steps& steps, unsigned number) const {
    const unsigned word = number < steps.digits() ? steps.first_bit(number) / 32 : 0;
    const unsigned* const at = exponents + min(first + lane % GROUP, last) * EXPONENT_STRIDE;
    return {at[word], word + 1 < EXPONENT_WORDS ? at[word + 1] : 0};
  }

  // The entry of that digit.
  __device__ __forceinline__ static unsigned index_of(const Steps& steps, unsigned number, const Digit& digit) {
    return __funnelshift_r(digit.low, digit.high, steps.first_bit(number) % 32) & ((1u << steps.window()) - 1);
  }

  // The residues of entry `index` of this lane, of the instance column(i) of it.
  __device__ __forceinline__ void factors(unsigned (&z)[V], unsigned index, unsigned second, unsigned unit) const {
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned* const at = entry(i, __shfl_sync(~0u, index, column(i)), second, unit);
      z[i] = exists(unit) ? *at : 0;
    }
  }

  // Brings entries near, one line to a lane at a time.
  __device__ __forceinline__ void fetch(unsigned index) const {
#pragma unroll 1
    for (unsigned column = member(); column < GROUP; column += TW) {
      const unsigned entry = __shfl_sync(~0u, index, column);
      const unsigned* const at = table + (min(first + column, last) * TABLE_WORDS + entry * ENTRY_WORDS);
      if (32 * lane < ENTRY_WORDS) prefetch(at + 32 * lane);
    }
  }

  // The factors of the next extension.
  __device__ __forceinline__ void put_factors(const unsigned (&r)[V], const unsigned (&y)[V], const unsigned (&nu)[V], unsigned unit, const unsigned (&k)[4]) const {
    unsigned w[V];
    make_factors(w, r, y, nu, k);
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x1[place(unit, i)] = w[i];
  }

  // A unit of base 2: residues of the product.
  template <Kind KIND>
  __device__ __forceinline__ void second(const Step& step, unsigned index, unsigned unit, Rows& rows) {
    Sums c;
    unsigned k[4], n[V], x[V], y[V];
    if (!ONE_MODULUS) moduli(n, 1, unit);
    if (KIND != SQUARE) factors(y, index, 1, unit);
    load_four<false>(k, constants + 128 * unit);
    rows.products(c, b, 0, unit, unit % TW);
#pragma unroll
    for (unsigned i = 0; i < V; i++) x[i] = own_residue(unit, i);
    if (KIND == ANY && step.is_from_table()) load_entry(x, step.from(), 1, unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned product = redc(mul_wide_word(x[i], KIND == SQUARE ? x[i] : y[i]), k[0], k[1]);
      const unsigned long long sum = joined(c[i / 2], i % 2, k[3]);
      const unsigned long long z = ONE_MODULUS ? mad_wide_word(product, k[2], sum) : mad_wide_word(less_once(product, k[0]), k[2], mul_wide_word(redc(sum, k[0], k[1]), n[i]));
      x[i] = less_once(redc(z, k[0], k[1]), k[0]);
    }
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x2[place(unit, i)] = x[i];
    if (KIND == ANY && step.is_stored()) store_entry(x, step.store(), 1, unit);
  }

  __device__ __forceinline__ void estimate() { find_alpha(alpha, b, t); }

  // A unit of base 1: residues of the product, and factors of the next one, whose kind this is; ANY, too, if this one is
  // stored. The next factor is entry `index`.
  template <Kind KIND>
  __device__ __forceinline__ void back(const Step& step, const Step& next, unsigned index, unsigned unit, Rows& rows) {
    Sums c;
    unsigned k[4], nu[V], r[V], y[V];
    if (!ONE_MODULUS) moduli(nu, 0, unit);
    if (KIND == PRODUCT || (KIND == ANY && !next.is_square() && !step.is_stored())) factors(y, index, 0, unit);
    load_four<false>(k, constants + 16 * PADDED + 128 * unit);
    rows.products(c, b, 1, unit, unit % TW);
#pragma unroll
    for (unsigned i = 0; i < V; i++) r[i] = redc(mad_wide_word(alpha[i], k[2], joined(c[i / 2], i % 2, k[3])), k[0], k[1]);
    if (KIND == SQUARE) return put_factors(r, r, nu, unit, k);
    if (KIND == PRODUCT) return put_factors(r, y, nu, unit, k);
    if (step.is_stored()) {
      // The next one is a product, perhaps by this entry.
      store_entry(r, step.store(), 0, unit);
      factors(y, index, 0, unit);
    }
    if (next.is_from_table()) load_entry(r, next.from(), 0, unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) y[i] = next.is_square() ? r[i] : y[i];
    put_factors(r, y, nu, unit, k);
  }
};
