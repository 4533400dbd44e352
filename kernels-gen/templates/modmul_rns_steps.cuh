// modmul_rns_steps.cuh: the products of a power by fixed windows. docs/modmul_rns.md.
//
// Entry e of the table is the power e of the base, in Montgomery's form. Beyond the powers are the residues of 1
// and of P^2 mod N, which bring numbers out of that form and into it, and those of the base.

constexpr unsigned ONE = POWERS, SQUARE_OF_P = POWERS + 1, BASE = POWERS + 2, ENTRIES = POWERS + 3;

// One product, of the last one or an entry by itself or another entry, in one word: four flags, `from` in 7 bits,
// `store` in 6 and `entry` above.
struct Step {
  unsigned word;

  // Of the last product.
  __device__ __forceinline__ bool is_square() const { return word & 1; }
  // The factor is the entry of the exponent's digit of number entry(), else entry().
  __device__ __forceinline__ bool has_digit() const { return word & 2; }
  // Entry from() takes the place of the last product.
  __device__ __forceinline__ bool is_from_table() const { return word & 4; }
  // The product by 1 brings the power out of Montgomery's form.
  __device__ __forceinline__ bool is_last() const { return word == ONE << 17; }
  // A product of the last one by an entry, which is not stored.
  __device__ __forceinline__ bool is_plain() const { return (word & (1 | 4 | 8)) == 0; }
  // As entry store().
  __device__ __forceinline__ bool is_stored() const { return word & 8; }
  __device__ __forceinline__ unsigned from() const { return word >> 4 & 127; }
  __device__ __forceinline__ unsigned store() const { return word >> 11 & 63; }
  __device__ __forceinline__ unsigned entry() const { return word >> 17; }
};

// Which loop over units a step takes: a square of the last product; a product of it by an entry, which is not stored; or
// any other.
enum Kind { SQUARE, PRODUCT, ANY };

__device__ __forceinline__ Step square_step() { return {1}; }
__device__ __forceinline__ Step entry_step(unsigned entry) { return {entry << 17}; }
__device__ __forceinline__ Step digit_step(unsigned digit) { return {2 | digit << 17}; }
__device__ __forceinline__ Step from_table(unsigned from, Step step) { return {step.word | 4 | from << 4}; }
__device__ __forceinline__ Step stored(unsigned store, Step step) { return {step.word | 8 | store << 11}; }

// Where a block is: the number of the digit that comes next, and in the lowest 8 bits the squares before it; with digit 0
// the products so far. A product is found again where it is needed: words of it would take registers all the time.
typedef unsigned Position;

// Whether columns and sums leave no register for what changes with products only: it is then found again where it is
// needed, and the position of a thread lies in shared memory. Spilled words took 12 % of the time at 2048 bits; where
// there is room for them, finding them again takes 2 to 9 %.
constexpr bool TIGHT = STAGES == 0 && NT * KR > 200;

struct Current {
  Position own;
  volatile Position* shared;

  __device__ __forceinline__ explicit Current(unsigned* shared) : own(0), shared(shared) { set(0); }
  __device__ __forceinline__ Position get() const { return TIGHT ? *shared : own; }
  __device__ __forceinline__ void set(Position to) {
    if (TIGHT) *shared = to;
    else own = to;
  }
};

// The products of a block, of which all instances take the same: those of its longest exponent.
struct Steps {
  volatile unsigned* same;  // bits of a digit; digits of an exponent
  unsigned own[2];

  __device__ __forceinline__ explicit Steps(unsigned* exchange) : same(exchange + 1), own{same[0], same[1]} {}

  __device__ __forceinline__ unsigned window() const { return TIGHT ? same[0] : own[0]; }
  __device__ __forceinline__ unsigned digits() const { return TIGHT ? same[1] : own[1]; }

  // One after the other: Montgomery's form of 1 and of the base, the table, the digits, and the way out.
  __device__ __forceinline__ Step step(Position at) const {
    const unsigned number = at >> 8, count = at & 255;
    if (number == 0) {
      if (count == 0) return stored(0, entry_step(SQUARE_OF_P));
      if (count == 1) return stored(1, from_table(BASE, entry_step(SQUARE_OF_P)));
      return count < 1u << window() ? stored(count, entry_step(1)) : from_table(0, digit_step(0));
    }
    if (number == digits()) return entry_step(ONE);
    return count ? square_step() : digit_step(number);
  }

  __device__ __forceinline__ Position after(Position at) const {
    if (at < 1u << window()) return at + 1;
    return at > 255 && (at & 255) ? at - 1 : (at & ~255u) + 256 + window();
  }

  // The lowest bit of a digit, counted from the top one.
  __device__ __forceinline__ unsigned first_bit(unsigned number) const { return window() * (digits() - 1 - number); }
};

// Finds the bits and the number of digits for exponents of so many bits: those of the fewest products. By one thread.
__device__ __forceinline__ void choose_window(unsigned* exchange, unsigned bits) {
  unsigned fewest = ~0u;
  for (unsigned w = 1; w <= WINDOW; w++) {
    const unsigned all = max((bits + w - 1) / w, 1u), products = (1u << w) - 2 + (all - 1) * (w + 1);
    if (products < fewest) fewest = products, exchange[1] = w, exchange[2] = all;
  }
}

// The bits of a digit and the number of digits of the longest exponent of a block of `count` instances, in words 1 and 2
// of `exchange`, of which word 0 is 0.
__device__ __forceinline__ void find_window(const unsigned* exponents, unsigned count, unsigned* exchange) {
  const unsigned bits = longest(exponents, count, exchange);
  if (threadIdx.x == 0) choose_window(exchange, bits);
  __syncthreads();
}
