// powmod.cuh: powers modulo any number within a warp, by a fixed window over the exponent. docs/powmod.md.
//
// Products modulo the odd part of the modulus use Montgomery's method. If a modulus of the warp is even, its
// power of two is a separate modulus: low products, bit by bit, and the Chinese remainder theorem. That is
// slower.
//
// The table of powers lies in local memory. Shared memory: a slot of 4 PADDED words, of which the upper half
// holds the exponent and the base. Barriers: of the warp.

// Bits of a digit of an exponent of `bits` bits, for the fewest products: one more bit saves some products by
// powers of the table, but doubles the table.
constexpr unsigned window_for(unsigned bits) {
  unsigned window = 1;
  while (window < 6 && bits > window * (window + 1) << window) window++;
  return window;
}
constexpr unsigned POWERS = 1 << window_for(BITS);
constexpr unsigned EXPONENT_AT = 2 * PADDED, BASE_AT = 3 * PADDED;

// A power of the table, with the exponent's digit of this number.
__device__ __forceinline__ Num table_entry(const unsigned (&table)[POWERS][V], unsigned digit, unsigned window, const unsigned* slot) {
  const unsigned index = bits_from(slot + EXPONENT_AT, PADDED, (int)(window * digit)) & ((1u << window) - 1);
  Num z;
#pragma unroll
  for (unsigned v = 0; v < V; v++) z.w[0][v] = table[index][v];
  return z;
}

// For products of a modulo odd n.
__device__ __forceinline__ Montgomery montgomery_with(const Num& a, const Num& n, const Place& at) {
  const unsigned a_bits = bit_length(a, at), n_bits = bit_length(n, at);
  return montgomery(n, steps_for(a_bits > n_bits ? a_bits : n_bits), at);
}

// a^e of the staged a and e, the latter of at most `bits` bits in the warp; `one` is R mod n. The result
// leaves Montgomery form, or keeps it: then a is also stored in that form.
//
// One loop has all products: squares and doublings that compute R^2 from 2 R; the powers of a for the table,
// the first of which converts a to Montgomery form; squares and powers of the table; and a product by 1,
// which leaves the form.
template <bool LEAVES>
__device__ __forceinline__ Num power_odd(const Montgomery& m, const Num& one, unsigned e_bits, unsigned* slot, const Place& at) {
  const unsigned exponent = 32 * m.steps, window = window_for(e_bits), start = 31 - __clz((int)exponent);
  // Remaining digits, and squares before the power of the next one.
  unsigned digit = (e_bits + window - 1) / window, squares = window;
  const unsigned powers = start + (1 << window) - 1, end = powers + digit * (window + 1) + LEAVES;
  unsigned table[POWERS][V];
#pragma unroll
  for (unsigned v = 0; v < V; v++) table[0][v] = one.w[0][v];
  Num power = montgomery_double(one, m, at);
#pragma unroll 1
  for (unsigned i = 0; i < end; i++) {
    if (i == powers) {
#pragma unroll
      for (unsigned v = 0; v < V; v++) power.w[0][v] = table[0][v];
    }
    Num factor = power;
    if (LEAVES && i == end - 1) factor = truth(true, at);
    else if (i >= powers && squares-- == 0) {
      factor = table_entry(table, --digit, window, slot);
      squares = window;
    }
    if (i <= start + 1 || i >= powers) stage_alone(slot, factor, at);
    if (i == start) power = staged_words(slot + BASE_AT, at);
    power = montgomery_mul(power, slot, m, at);
    if (i < start) {
      if (exponent >> (start - 1 - i) & 1) power = montgomery_double(power, m, at);
    } else if (i < powers) {
#pragma unroll
      for (unsigned v = 0; v < V; v++) table[i - start + 1][v] = power.w[0][v];
      if (!LEAVES && i == start) stage_words(slot + BASE_AT, power, at);
    }
  }
  return power;
}

// a^e mod 2^BITS of the staged a and e.
__device__ __forceinline__ Num power_low(unsigned e_bits, unsigned* slot, const Place& at) {
  const Num a = staged_words(slot + BASE_AT, at);
  Num power = truth(true, at);
#pragma unroll 1
  for (unsigned i = 2 * e_bits; i-- > 0;) {
    // The square and then, if the bit is 1, the product.
    const bool times = bits_from(slot + EXPONENT_AT, PADDED, (int)(i / 2)) & 1;
    const Num product = low_product(power, select(i % 2, power, a), slot, at);
    power = select(i % 2 || times, product, power);
  }
  return power;
}

// The number that is x mod n for odd n, and y mod 2^twos.
__device__ __forceinline__ Num join(const Num& x, const Num& y, const Num& n, unsigned twos, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num inverse = inverse_of_odd(n, slot, exchange, at);
  Num multiple = resolve<-1>(sub(y, x), exchange, at);
#pragma unroll 1
  for (unsigned i = 0; i < 2; i++) {
    multiple = low_product(multiple, select(i == 0, inverse, n), slot, at);
    if (i == 0) {
#pragma unroll
      for (unsigned v = 0; v < V; v++) {
        const unsigned word = at.word(0) + v;
        multiple.w[0][v] &= word < twos / 32 ? ~0u : word == twos / 32 ? (1u << twos % 32) - 1 : 0;
      }
    }
  }
  return resolve<0>(add(x, multiple), exchange, at);
}

// a^e mod |c|; `fails` if c is 0 or e negative.
template <bool SIGNED>
__device__ __forceinline__ Num powmod(const Num& a, const Num& e, const Num& c, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned odd_power = of_rank(e.w[0][0], 0, at) & 1;
  const bool negative = is_negative<SIGNED>(a, at) && odd_power;
  const Num base = absolute<SIGNED>(a, exchange, at);
  const bool zero = is_zero(c, at);
  fails = is_negative<SIGNED>(e, at) || zero;
  const Num n = select(zero, truth(true, at), absolute<SIGNED>(c, exchange, at));
  const unsigned twos = trailing_zeros(n, at), e_bits = warp_max(bit_length(e, at));
  stage_alone(slot + EXPONENT_AT, e, at);
  stage_alone(slot + BASE_AT, base, at);
  stage_alone(slot, n, at);
  const Num odd = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word + twos)); });
  const Montgomery m = montgomery_with(base, odd, at);
  Num power = power_odd<true>(m, montgomery_one(m, at), e_bits, slot, at);
  if (__any_sync(~0u, twos != 0)) {
    const Num low = power_low(e_bits, slot, at);
    power = select(twos == 0, power, join(power, low, odd, twos, slot, exchange, at));
  }
  if (!SIGNED) return power;
  stage_alone(slot, odd, at);
  const Num modulus = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) - (int)twos); });
  return select(!is_zero(power, at) && negative, resolve<-1>(sub(modulus, power), exchange, at), power);
}
