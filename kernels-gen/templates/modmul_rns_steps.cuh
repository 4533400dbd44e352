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
  // As entry store().
  __device__ __forceinline__ bool is_stored() const { return word & 8; }
  __device__ __forceinline__ unsigned from() const { return word >> 4 & 127; }
  __device__ __forceinline__ unsigned store() const { return word >> 11 & 63; }
  __device__ __forceinline__ unsigned entry() const { return word >> 17; }
};

__device__ __forceinline__ Step square_step() { return {1}; }
__device__ __forceinline__ Step entry_step(unsigned entry) { return {entry << 17}; }
__device__ __forceinline__ Step digit_step(unsigned digit) { return {2 | digit << 17}; }
__device__ __forceinline__ Step from_table(unsigned from, Step step) { return {step.word | 4 | from << 4}; }
__device__ __forceinline__ Step stored(unsigned store, Step step) { return {step.word | 8 | store << 11}; }

// The products of a block, of which all instances take the same: those of its longest exponent.
struct Steps {
  unsigned window, digits;           // bits of a digit; digits of an exponent
  unsigned number, squares, digit;   // of the next one; squares before it; digits that were used

  // With the window of the fewest products.
  __device__ __forceinline__ explicit Steps(unsigned bits) : window(1), digits(0), number(0), squares(0), digit(1) {
    unsigned fewest = ~0u;
    for (unsigned w = 1; w <= WINDOW; w++) {
      const unsigned all = max((bits + w - 1) / w, 1u), products = (1u << w) - 2 + (all - 1) * (w + 1);
      if (products < fewest) fewest = products, window = w, digits = all;
    }
    squares = window;
  }

  // Montgomery's form of 1 and the base, the table, the digits, and the way out.
  __device__ __forceinline__ unsigned products() const { return (1u << window) + 1 + (digits - 1) * (window + 1) + 1; }

  __device__ __forceinline__ Step next() {
    const unsigned powers = 1u << window, s = number++;
    if (s == 0) return stored(0, entry_step(SQUARE_OF_P));
    if (s == 1) return stored(1, from_table(BASE, entry_step(SQUARE_OF_P)));
    if (s < powers) return stored(s, entry_step(1));
    if (s == powers) return from_table(0, digit_step(0));
    if (digit == digits) return entry_step(ONE);
    if (squares-- > 0) return square_step();
    squares = window;
    return digit_step(digit++);
  }

  // The lowest bit of a digit, counted from the top one.
  __device__ __forceinline__ unsigned first_bit(unsigned number) const { return window * (digits - 1 - number); }
};
