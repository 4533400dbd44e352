// primality_parts.cuh: parts of a test of primality before those by residue number systems. docs/primality.md.
//
// Shared memory: a slot of 4 PADDED words. Barriers: of the warp.

// 0 of composite numbers, 1 of primes, 2 of those without a small factor.
__device__ __forceinline__ Num small_verdict(const Num& n, unsigned* slot, const Place& at) {
  const unsigned bits = bit_length(n, at);
  stage_alone(slot, n, at);
  const Verdict verdict = small_factors(slot, bits, at);
  return number_of(at, [&](unsigned word) { return word == 0 ? (unsigned)verdict : 0; });
}

// p = 1 / Q - 2 mod n of Selfridge's Q for an odd n above 2^16, or n if it is composite.
__device__ __forceinline__ Num lucas_first(const Num& n, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned bits = bit_length(n, at);
  const bool fits = of_rank(n.w[0][0], 0, at) % 2 == 1 && bits > 16;
  const unsigned longest = warp_max(fits ? bits : 0);
  if (longest == 0) return n;
  // Another odd number, so that all lanes continue.
  const Montgomery m = montgomery(select(fits, n, mask((int)longest, at)), steps_for(longest), at);
  bool open = fits;
  const Selfridge d(first_candidate(m.n, open, m.steps, slot, at));
  const Num one = truth(true, at), less_two = resolve<-1>(sub(m.n, montgomery_double(one, m, at)), exchange, at);
  const Num quotient = over_word(one, m.n, open ? d.magnitude_of_q() : 1, m.steps, open, slot, at);
  const Num inverse = select(d.negative, quotient, resolve<-1>(sub(m.n, quotient), exchange, at));
  return select(open, montgomery_add(inverse, less_two, m, at), n);
}
