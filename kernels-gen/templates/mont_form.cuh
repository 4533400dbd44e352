// mont_form.cuh: Montgomery's form modulo odd numbers, with R = 2^BITS, within a warp. docs/montgomery.md.
//
// montgomery.cuh divides by B^MONT_STEPS, which is 2^MONT_SHIFT R: one factor is shifted up by as much. An
// even modulus fails; the computation then uses m + 1.
//
// Shared memory: that of div_wide.cuh. Barriers: of the warp.

constexpr unsigned MONT_STEPS = ((BITS + 31) / 32 + ROUND - 1) / ROUND * ROUND;
constexpr unsigned MONT_SHIFT = 32 * MONT_STEPS - BITS;

// The modulus m, or m + 1 if it is even, which `fails`.
__device__ __forceinline__ Num odd_modulus(const Num& m, bool& fails, const Place& at) {
  fails = !(of_rank(m.w[0][0], 0, at) & 1);
  return bit_or(m, truth(true, at));
}

// x mod n. Numbers that are all below their moduli are unchanged.
__device__ __forceinline__ Num below_modulus(const Num& x, const Num& n, unsigned* slot, unsigned* exchange, const Place& at) {
  if (!__any_sync(~0u, order<false>(x, n, exchange, at) >= 0)) return x;
  bool by_zero;
  // Seldom: a division without code for short moduli.
  return div_rem<V>(x, n, by_zero, slot, at).remainder;
}

// x y / R mod n for y up to n.
__device__ __forceinline__ Num product_over_radix(const Num& x, const Num& y, const Num& n, unsigned* slot, const Place& at) {
  const Montgomery m = montgomery(n, MONT_STEPS, at);
  Num shifted = x;
  if constexpr (MONT_SHIFT > 0) {
    stage_alone(slot, x, at);
    shifted = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) - (int)MONT_SHIFT); });
  }
  stage_alone(slot, y, at);
  return montgomery_mul(shifted, slot, m, at);
}

__device__ __forceinline__ Num to_mont(const Num& a, const Num& m, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  return divide_wide(a, Num{}, odd_modulus(m, fails, at), slot, exchange, at).remainder;
}

__device__ __forceinline__ Num from_mont(const Num& a, const Num& m, bool& fails, unsigned* slot, unsigned*, const Place& at) {
  return product_over_radix(a, truth(true, at), odd_modulus(m, fails, at), slot, at);
}

__device__ __forceinline__ Num mont_mul(const Num& a, const Num& b, const Num& m, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num n = odd_modulus(m, fails, at);
  return product_over_radix(a, below_modulus(b, n, slot, exchange, at), n, slot, at);
}

// high + low / R mod m.
__device__ __forceinline__ Num mont_reduce(const Num& high, const Num& low, const Num& m, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num n = odd_modulus(m, fails, at), residue = below_modulus(high, n, slot, exchange, at);
  return addmod(Residues{residue, product_over_radix(low, truth(true, at), n, slot, at), n, false}, exchange, at);
}
