// modmul_rns_group.cuh: Montgomery's products of the instances of a warpgroup in residue number systems. docs/modmul_rns.md.
//
// As modmul_rns_power.cuh, with units of 16 residues: shared memory of a team has, for each instance, x1, the factors of
// the next extension in base 1, and x2, the residues in base 2. The upper halves of the latter are added up while they are
// computed, for the estimate of how often Q is subtracted. Barriers: of the team, one after each base.

// Of an instance: sums of the upper halves of residues, for this product and the next one.
constexpr unsigned ALPHA_WORDS = 2;

struct Group {
  unsigned lane, warp, g, t;     // of the warpgroup
  unsigned own;                  // its residue in a unit
  bool is_odd;
  unsigned first, last;          // its first instance in the block; the block's last one
  const unsigned* block_moduli;  // constants of the moduli
  const unsigned* state;         // of the block's first instance, and so the next ones
  const unsigned* exponents;
  unsigned* table;
  unsigned *x1, *x2;             // the thread's first residue
  unsigned* alphas;              // sums of the team's instances
  unsigned constants;            // place of the primes' constants of the thread's residue of unit 0 of base 2
  unsigned number;               // of its barrier
  unsigned factor[V];            // places of the next factor's entries in the table
  unsigned alpha[V], uppers[V];

  // The instance of residue i of the thread. Instances that do not exist repeat the last one.
  __device__ __forceinline__ unsigned instance(unsigned i) const { return min(first + column(i), last); }
  __device__ __forceinline__ unsigned column(unsigned i) const { return 8 * i + 2 * t + is_odd; }
  // Its word in the numbers of the team, from the thread's first one on.
  __device__ __forceinline__ static unsigned place(unsigned unit, unsigned i) { return 128 * unit + TILE_WORDS * i; }
  __device__ __forceinline__ bool exists(unsigned unit) const { return 16 * unit + own < KR; }

  // All threads of the team have stored what the next products read.
  __device__ __forceinline__ void wait() const {
    publish();
    group_barrier<128>(number);
  }

  // The constants of the moduli: 1 for base 2, 0 for base 1.
  __device__ __forceinline__ void moduli(unsigned (&z)[V], unsigned second, unsigned unit) const {
    load_words<V>(z, block_moduli + (first * MODULUS_WORDS + V * (32 * warp + lane) + (second * UNITS + unit) * UNIT_MODULI));
  }

  __device__ __forceinline__ unsigned* entry(unsigned i, unsigned index, unsigned second, unsigned unit) const {
    return table + (instance(i) * TABLE_WORDS + index * ENTRY_WORDS + second * KR + 16 * unit + own);
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

  // The entry of the digit of an instance.
  __device__ __forceinline__ unsigned index_of(const Steps& steps, unsigned digit, unsigned instance) const {
    const unsigned bit = steps.first_bit(digit), word = bit / 32;
    const unsigned* const at = exponents + instance * EXPONENT_STRIDE;
    const unsigned high = word + 1 < EXPONENT_WORDS ? at[word + 1] : 0;
    return __funnelshift_r(at[word], high, bit % 32) & ((1u << steps.window()) - 1);
  }

  // Finds the entries of the next factor.
  __device__ __forceinline__ void find(const Steps& steps, const Step& next) {
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      const unsigned index = next.has_digit() ? index_of(steps, next.entry(), instance(i)) : next.entry();
      factor[i] = instance(i) * TABLE_WORDS + index * ENTRY_WORDS + own;
    }
  }

  __device__ __forceinline__ void factors(unsigned (&z)[V], unsigned second, unsigned unit) const {
#pragma unroll
    for (unsigned i = 0; i < V; i++) z[i] = exists(unit) ? table[factor[i] + second * KR + 16 * unit] : 0;
  }

  // The factors of the next extension.
  __device__ __forceinline__ void put_factors(const unsigned (&r)[V], const unsigned (&y)[V], const unsigned (&nu)[V], unsigned unit, const unsigned (&k)[4]) const {
    unsigned w[V];
    make_factors(w, r, y, nu, k);
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x1[place(unit, i)] = w[i];
  }

  // A unit of base 2: residues of the product, from the numbers of x1.
  template <Kind KIND>
  __device__ __forceinline__ void second(const Step& step, unsigned unit, GroupRows& rows, unsigned long long numbers) {
    GroupSums c;
    unsigned k[4], n[V], x[V], y[V];
    rows.begin(c, numbers);
    if (!ONE_MODULUS) moduli(n, 1, unit);
    if (KIND != SQUARE) factors(y, 1, unit);
    load_four<false>(k, constants + 256 * unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) x[i] = x2[place(unit, i)];
    if (KIND == ANY && step.is_from_table()) load_entry(x, step.from(), 1, unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      x[i] = redc(mul_wide_word(x[i], KIND == SQUARE ? x[i] : y[i]), k[0], k[1]);
      if (!ONE_MODULUS) x[i] = less_once(x[i], k[0]);
    }
    rows.finish(c);
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      unsigned long long sum = joined(c, i, is_odd, k[3]);
      if (!ONE_MODULUS) sum = mul_wide_word(redc(sum, k[0], k[1]), n[i]);
      x[i] = less_once(redc(mad_wide_word(x[i], k[2], sum), k[0], k[1]), k[0]);
    }
    if (!exists(unit)) return;
#pragma unroll
    for (unsigned i = 0; i < V; i++) x2[place(unit, i)] = x[i], uppers[i] += x[i] >> 16;
    if (KIND == ANY && step.is_stored()) store_entry(x, step.store(), 1, unit);
  }

  // Adds the upper halves of this thread's residues to those of the team, of a product of this parity.
  __device__ __forceinline__ void add_uppers(unsigned parity) {
#pragma unroll
    for (unsigned i = 0; i < V; i++) {
      uppers[i] += __shfl_xor_sync(~0u, uppers[i], 8);
      uppers[i] += __shfl_xor_sync(~0u, uppers[i], 16);
      if (g < 2) atomicAdd(alphas + parity * TEAM_INSTANCES + column(i), uppers[i]);
      uppers[i] = 0;
    }
  }

  // How often Q is to be subtracted; the sums of the other parity begin again.
  __device__ __forceinline__ void estimate(unsigned parity) {
#pragma unroll
    for (unsigned i = 0; i < V; i++) alpha[i] = (alphas[parity * TEAM_INSTANCES + column(i)] + (1 << 14)) >> 15;
    for (unsigned i = 32 * warp + lane; i < TEAM_INSTANCES; i += 128) alphas[(1 - parity) * TEAM_INSTANCES + i] = 0;
  }

  // A unit of base 1: residues of the product from the numbers of x2, and factors of the next one, whose kind this is; ANY,
  // too, if this one is stored.
  template <Kind KIND>
  __device__ __forceinline__ void back(const Step& step, const Step& next, unsigned unit, GroupRows& rows, unsigned long long numbers) {
    GroupSums c;
    unsigned k[4], nu[V], r[V], y[V];
    rows.begin(c, numbers);
    if (!ONE_MODULUS) moduli(nu, 0, unit);
    if (KIND == PRODUCT || (KIND == ANY && !next.is_square() && !step.is_stored())) factors(y, 0, unit);
    load_four<false>(k, constants + 16 * PADDED + 256 * unit);
    rows.finish(c);
#pragma unroll
    for (unsigned i = 0; i < V; i++) r[i] = redc(mad_wide_word(alpha[i], k[2], joined(c, i, is_odd, k[3])), k[0], k[1]);
    if (KIND == SQUARE) return put_factors(r, r, nu, unit, k);
    if (KIND == PRODUCT) return put_factors(r, y, nu, unit, k);
    if (step.is_stored()) {
      // The next one is a product, perhaps by this entry.
      store_entry(r, step.store(), 0, unit);
      factors(y, 0, unit);
    }
    if (next.is_from_table()) load_entry(r, next.from(), 0, unit);
#pragma unroll
    for (unsigned i = 0; i < V; i++) y[i] = next.is_square() ? r[i] : y[i];
    put_factors(r, y, nu, unit, k);
  }
};
