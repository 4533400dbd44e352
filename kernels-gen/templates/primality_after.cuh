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
