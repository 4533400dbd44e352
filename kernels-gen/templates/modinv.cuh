// modinv.cuh: inverses modulo any number within a warp, by division steps. docs/modinv.md.
//
// Modulo an odd number the cofactor of cofactor.cuh. The inverse modulo an even m is (1 - m y) / a + m for
// the inverse y of m modulo a, which is odd.
//
// Shared memory: a slot of 4 PADDED words, of which the lower half holds LANES * L limbs. Barriers: of the
// warp.

// The modular inverse 1 / a mod n in 0 .. n - 1 for odd n; `coprime` is whether it exists.
__device__ __forceinline__ Num inverse_modulo_odd(const Num& a, const Num& n, bool& coprime, unsigned* slot, const Place& at) {
  int modulus[L], f[L], g[L], d[L];
  stage_alone(slot, a, at);
  load_limbs(g, slot, PADDED, 0, at);
  stage_alone(slot, n, at);
  // The same position, hidden from the compiler, which would otherwise keep the addresses of all loads.
  load_limbs(modulus, slot, PADDED, __shfl_sync(~0u, 0u, at.lane), at);
  cofactor(f, d, g, modulus, 0, at);
  coprime = is_one(f, at);
  return words_of_limbs(d, slot, at);
}

// 1 / a mod m for even m >= 2 and odd a: from y = 1 / m mod a.
__device__ __forceinline__ Num inverse_modulo_even(const Num& y, const Num& a, const Num& m, unsigned* slot, unsigned* exchange, const Place& at) {
  const Num inverse = inverse_of_odd(a, slot, exchange, at), one = truth(true, at);
  const Num product = low_product(m, y, slot, at);
  const Num difference = resolve<-1>(sub(one, product), exchange, at);
  return resolve<0>(add(low_product(difference, inverse, slot, at), m), exchange, at);
}

// The place of |a| and |m| in the slot during the steps.
constexpr unsigned NUMBER_AT = 2 * PADDED, MODULUS_AT = 3 * PADDED;

// The odd one of both: the modulus if it is odd, else the number; 1 if there is none.
__device__ __forceinline__ Num odd_of(const Num& number, const Num& modulus, const Place& at) {
  const bool even = !(of_rank(modulus.w[0][0], 0, at) & 1), even_number = !(of_rank(number.w[0][0], 0, at) & 1);
  return select(!even, modulus, select(even_number, truth(true, at), number));
}

// 1 / a mod |m| in 0 .. |m| - 1; `fails` if m is 0 or not coprime to a.
template <bool SIGNED>
__device__ __forceinline__ Num modinv(const Num& a, const Num& m, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool even = !(of_rank(m.w[0][0], 0, at) & 1), even_number = !(of_rank(a.w[0][0], 0, at) & 1), zero = is_zero(m, at);
  const bool negative = is_negative<SIGNED>(a, at);
  Num number = absolute<SIGNED>(a, exchange, at), modulus = absolute<SIGNED>(m, exchange, at);
  stage_alone(slot + NUMBER_AT, number, at);
  stage_alone(slot + MODULUS_AT, modulus, at);
  bool coprime;
  Num inverse = inverse_modulo_odd(select(even, modulus, number), odd_of(number, modulus, at), coprime, slot, at);
  fails = zero || !coprime || (even && even_number);
  modulus = staged_words(slot + MODULUS_AT, at);
  if (__any_sync(~0u, even)) {
    number = staged_words(slot + NUMBER_AT, at);
    const Num one = truth(true, at), odd = odd_of(number, modulus, at);
    // Modulo 1 it is 1 here.
    const bool trivial = is_zero(resolve<-1>(sub(odd, one), exchange, at), at);
    const Num y = select(trivial, one, inverse);
    inverse = select(even, inverse_modulo_even(y, odd, modulus, slot, exchange, at), inverse);
  }
  if (!SIGNED) return inverse;
  const bool none = is_zero(inverse, at);
  return select(negative && !none, resolve<-1>(sub(modulus, inverse), exchange, at), inverse);
}
