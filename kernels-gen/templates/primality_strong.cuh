// primality_strong.cuh: strong probable primes to any base (Miller 1976, Rabin 1980). docs/primality.md.
//
// Shared memory and barriers: those of powmod.cuh.

// Whether base^d = 1 or base^(d 2^r) = -1 for an r below s, where n - 1 = d 2^s for odd n. The only even
// number that passes is 2.
template <bool SIGNED>
__device__ __forceinline__ bool is_strong_probable_prime(const Num& n, const Num& base, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned lowest = of_rank(n.w[0][0], 0, at), bits = bit_length(n, at);
  const bool positive = !is_negative<SIGNED>(n, at), open = positive && lowest % 2 == 1 && bits > 1;
  const bool is_two = positive && bits == 2 && lowest == 2;
  const unsigned longest = warp_max(open ? bits : 0);
  if (longest == 0) return is_two;
  // Another odd number, so that all lanes continue. Another odd number, so that all lanes continue.
  const Num modulus = select(open, n, mask((int)longest, at)), a = absolute<SIGNED>(base, exchange, at);
  Num less = modulus;
  if (at.rank == 0) less.w[0][0]--;
  const unsigned s = trailing_zeros(less, at);
  stage_alone(slot, less, at);
  const Num d = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word + s)); });
  stage_alone(slot + EXPONENT_AT, d, at);
  stage_alone(slot + BASE_AT, a, at);
  const Montgomery m = montgomery_with(a, modulus, at);
  const Num one = montgomery_one(m, at);
  Num power = power_odd<false>(m, one, warp_max(bit_length(d, at)), slot, at);
  // A base that is a multiple of n proves nothing.
  bool passes = is_zero(staged_words(slot + BASE_AT, at), at);
  passes |= is_zero(bit_xor(power, one), at);
  const unsigned most = warp_max(s);
#pragma unroll 1
  for (unsigned r = 0; r < most; r++) {
    if (r > 0) {
      stage_alone(slot, power, at);
      power = montgomery_mul(power, slot, m, at);
    }
    const bool minus_one = is_zero(montgomery_add(power, one, m, at), at);
    passes |= r < s && minus_one;
  }
  return is_two || (open && passes);
}
