// root.cuh: k-th roots by Newton's iteration from above, within a warp. docs/root.md.
//
// For any x above the root, x - ceil((x - floor(a / x^(k-1))) / k) is at least the root rounded down, and
// below x unless x is that root (Brent and Zimmermann, Modern Computer Arithmetic, 1.5.2). A power that
// exceeds the words counts as larger than a. A warp continues until its last instance is done.
//
// Shared memory: a slot of 5 PADDED words. Barriers: of the warp.

struct Root {
  Num value;
  bool exact;
};

// x^e in PADDED words; `leaves` if it has more.
__device__ __forceinline__ Num power_or_more(const Num& x, unsigned e, bool& leaves, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned bits = e == 0 ? 0 : 32 - __clz((int)e), longest = warp_max(bits);
  Num power = select(bits == longest && e != 0, x, truth(true, at));
  leaves = false;
  // The square for each bit but the highest and then, where the bit is 1, the product. A highest bit below
  // others starts from 1.
#pragma unroll 1
  for (unsigned i = longest == 0 ? 0 : 2 * (longest - 1); i-- > 0;) {
    const bool one = e >> i / 2 & 1, begins = i / 2 + 1 == bits;
    const bool multiplies = i / 2 + 1 < bits && (i % 2 || one);
    if (i % 2 == 0) power = select(begins, x, power);
    if (!__any_sync(~0u, multiplies)) continue;
    const Wide product = mul_wide<false>(power, select(i % 2, power, x), slot, exchange, at);
    const bool more = !is_zero(product.high, at);
    leaves |= multiplies && more;
    power = select(multiplies, product.low, power);
  }
  return power;
}

// The place of the number in the slot, after the words that products use.
constexpr unsigned RADICAND_AT = 4 * PADDED;

// floor(a^(1/k)) of the unsigned number of `bits` bits at its place, for k >= 1; meaningless unless `wanted`.
__device__ __forceinline__ Root root_of(unsigned bits, unsigned k, bool wanted, unsigned* slot, unsigned* exchange, const Place& at) {
  const auto number = [&] { return staged_words(slot + RADICAND_AT, at); };
  bool seeks = wanted && k > 1 && k < bits;
  const int below_top = (int)bits - 64;
  const unsigned* const from = slot + RADICAND_AT;
  const unsigned long long top = (unsigned long long)bits_from(from, PADDED, below_top + 32) << 32 | bits_from(from, PADDED, below_top);
  const RootStart start(seeks ? top : 1ull << 63, seeks ? bits : 3, seeks ? k : 2);
  // From k = bits on the root is 1.
  Root z = {select(seeks, start.number(at), select(k == 1, number(), truth(bits != 0, at))), k == 1 || bits <= 1};
  const unsigned degree[1] = {k};
  Num excess = {};
  bool leaves = false;
  // A quotient by the power, and one by k: one copy of the division's code.
#pragma unroll 1
  for (unsigned i = 0;; i ^= 1) {
    Num divisor = constant(degree, at), dividend = excess;
    if (i == 0) {
      divisor = power_or_more(z.value, seeks ? k - 1 : 0, leaves, slot, exchange, at);
      dividend = number();
      divisor = select(leaves, dividend, divisor);
    }
    dividend = select(seeks, dividend, Num{});
    const auto stage = [&] { stage_lanes(slot, dividend, at); };
    // Of one width, as k has few digits to divide.
    const Division division = divide_in_steps<PADDED, V>(divisor, bit_length(dividend, at), bit_length(divisor, at), slot, at, stage);
    const bool whole = is_zero(division.remainder, at);
    if (i == 0) {
      const Num quotient = select(leaves, Num{}, division.quotient);
      const int order_of = order<false>(quotient, z.value, exchange, at);
      z.exact |= seeks && order_of == 0 && whole;
      seeks &= order_of < 0;
      if (!__any_sync(~0u, seeks)) return z;
      excess = resolve<-1>(sub(z.value, quotient), exchange, at);
    } else {
      const Num step = resolve<0>(add(division.quotient, truth(!whole, at)), exchange, at);
      z.value = select(seeks, resolve<-1>(sub(z.value, step), exchange, at), z.value);
    }
  }
}

// The root of a number of either sign, rounded down; `fails` for k <= 0, and for an even k and a negative
// number.
template <bool SIGNED>
__device__ __forceinline__ Num root(const Num& a, const Num& k, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool negative = is_negative<SIGNED>(a, at), k_negative = is_negative<SIGNED>(k, at);
  const unsigned k_bits = bit_length(k, at), lowest = of_rank(k.w[0][0], 0, at);
  fails = k_bits == 0 || k_negative || (negative && lowest % 2 == 0);
  const Num magnitude = absolute<SIGNED>(a, exchange, at);
  const unsigned bits = bit_length(magnitude, at);
  stage_alone(slot + RADICAND_AT, magnitude, at);
  // From the bits of a on, all degrees give the same.
  const Root z = root_of(bits, k_bits == 0 ? 1 : k_bits < 32 ? lowest : ~0u, !fails, slot, exchange, at);
  if (!SIGNED) return z.value;
  const Num rounded = resolve<0>(add(z.value, truth(negative && !z.exact, at)), exchange, at);
  return with_sign<SIGNED>(negative, rounded, exchange, at);
}
