// primality_after.cuh: the ends of tests of primality whose powers come from residue number systems.
// docs/primality.md.
//
// Numbers are not in Montgomery's form: a product takes a factor R away. So each number z comes with a scale c,
// and z / c is what the test compares; both are squared together, and z' = z^2 / R has the scale c' = c^2 / R.
//
// Shared memory: a slot of 4 PADDED words. Barriers: of the warp.

// a^2 / R mod n.
__device__ __forceinline__ Num montgomery_square(const Num& a, const Montgomery& m, unsigned* slot, const Place& at) {
  stage_alone(slot, a, at);
  return montgomery_mul(a, slot, m, at);
}

// Whether n is 2, or odd and power = 1 or power^(2^r) = -1 for an r below s, where n - 1 = d 2^s for odd d. The
// power is below n.
__device__ __forceinline__ bool is_strong_after_power(const Num& n, const Num& power, unsigned* slot, const Place& at) {
  const unsigned lowest = of_rank(n.w[0][0], 0, at), bits = bit_length(n, at);
  const bool open = lowest % 2 == 1 && bits > 1, is_two = bits == 2 && lowest == 2;
  const unsigned longest = warp_max(open ? bits : 0);
  if (longest == 0) return is_two;
  // Another odd number, so that all lanes continue.
  const Montgomery m = montgomery(select(open, n, mask((int)longest, at)), steps_for(longest), at);
  Num z = select(open, power, Num{}), scale = truth(true, at), less = m.n;
  if (at.rank == 0) less.w[0][0]--;
  bool passes = is_zero(bit_xor(z, scale), at);
  const unsigned s = trailing_zeros(less, at), most = warp_max(open && !passes ? s : 0);
#pragma unroll 1
  for (unsigned r = 0; r < most; r++) {
    if (r > 0) {
      z = montgomery_square(z, m, slot, at);
      scale = montgomery_square(scale, m, slot, at);
    }
    const bool minus_one = is_zero(montgomery_add(z, scale, m, at), at);
    passes |= r < s && minus_one;
  }
  return is_two || (open && passes);
}

// Whether an odd n passes the strong Lucas test for w = W_d, where (n + 1) / 2 = d 2^s for odd d: one of W_d, W_2d up
// to W_(d 2^(s-1)) is 0, with W_2k = W_k^2 - 2. Or w is n, of numbers that have passed before.
__device__ __forceinline__ bool is_lucas_after_ladder(const Num& n, const Num& w, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned longest = warp_max(bit_length(n, at));
  const bool open = of_rank(n.w[0][0], 0, at) % 2 == 1 && longest > 0;
  const Montgomery m = montgomery(select(open, n, mask((int)max(longest, 1u), at)), steps_for(max(longest, 1u)), at);
  stage_alone(slot, n, at);
  Num half = number_of(at, [&](unsigned word) { return bits_from(slot, PADDED, (int)(32 * word) + 1); });
  half = resolve<0>(add(half, truth(true, at)), exchange, at);
  bool passes = is_zero(bit_xor(n, w), at);
  const unsigned s = trailing_zeros(half, at), most = warp_max(open && !passes ? s : 0);
  Num z = select(open && !passes, w, Num{}), scale = truth(true, at);
#pragma unroll 1
  for (unsigned r = 0; r < most; r++) {
    const bool zero = is_zero(z, at);
    passes |= r < s && zero;
    z = montgomery_square(z, m, slot, at);
    scale = montgomery_square(scale, m, slot, at);
    z = montgomery_add(z, resolve<-1>(sub(m.n, montgomery_double(scale, m, at)), exchange, at), m, at);
  }
  return open && passes;
}
