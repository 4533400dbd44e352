// jacobi.cuh: Jacobi symbols by division steps, within a warp. docs/jacobi.md.
//
// The steps of gcd.cuh on f = n and g = a keep the symbol (g / |f|) but for its sign, which changes
//   with every halving of g if f = 3 or 5 mod 8, where g takes the place of f, and -f that of g, if f = 1 and
//   g = 3 mod 4, and once more if f > 0 and g < 0.
// The first two follow from the lowest three bits, which 32 bits of f and g give in all of thirty steps. The
// third is the number of times that f changes from positive to negative. It is counted for a reference, the
// linear form of f and g in which the signs of f's factors are those of 0 < f << g at the start. The
// reference turns along with (f, g), so the signs at the start and at the end determine the difference of
// both counts.
//
// Shared memory: a slot of PADDED words. Barriers: of the warp.

// The effect of steps on the sign, in single bits of words.
struct SymbolSign {
  unsigned both = 0;    // bit 1: f = 3 mod 4 after a step and before it
  unsigned after = 0;   // bit 2: of f after a step
  unsigned turns = 0;   // bit 31: the reference's f went below 0
  unsigned reference;   // bit 31: it is below 0

  // Pairs of factors have the sign of the upper one, or of the lower one if that is 0.
  __device__ __forceinline__ void step(unsigned f, unsigned next, unsigned uv, unsigned next_uv) {
    both ^= f & next;
    after ^= next;
    turns ^= ~uv & next_uv;
    reference = next_uv;
  }

  // After steps in which the sign of f has gone from `start` to `end` while the reference, above 0 at the
  // start, ends as `other`.
  __device__ __forceinline__ void compare(unsigned start, unsigned end, unsigned other) { turns ^= (other ^ end) & (end ^ start); }

  __device__ __forceinline__ bool negative() const { return (both << 30 ^ after << 29 ^ turns) >> 31; }
};

// A signed half of a pair x + y 2^16, as one number. Of 15 steps, -2^15 < x, y <= 2^15.
__device__ __forceinline__ int half_of(unsigned bits) { return (int)(((bits + 0x7fff) & 0xffff) - 0x7fff); }

// Fifteen steps. `lead` is delta - 1/2 less the number of steps done before: a step that does not swap leaves
// it as it is. Factors are computed in pairs; 15 steps keep them apart.
template <int DONE>
__device__ __forceinline__ Steps half_steps(unsigned& f, unsigned& g, int& lead, SymbolSign& sign) {
  unsigned uv = 1, qr = 1u << 16;
#pragma unroll
  for (int i = DONE; i < DONE + 15; i++) {
    const unsigned odd = g & 1;
    const bool swaps = odd != 0 && lead >= -i;
    // Multiples take fewer instructions than choices between sums.
    const unsigned times = swaps ? ~0u : odd, next = swaps ? g : f, next_uv = swaps ? qr : uv;
    g = (g + times * f) >> 1;
    qr += times * uv;
    sign.step(f, next, uv, next_uv);
    f = next;
    uv = next_uv << 1;
    lead = swaps ? -2 * i - 1 - lead : lead;
  }
  const int u = half_of(uv), q = half_of(qr);
  return {u, half_of((uv - (unsigned)u) >> 16), q, half_of((qr - (unsigned)q) >> 16)};
}

// The steps a, then b.
__device__ __forceinline__ Steps joined(const Steps& a, const Steps& b) {
  return {b.u * a.u + b.v * a.q, b.u * a.v + b.v * a.r, b.q * a.u + b.r * a.q, b.q * a.v + b.r * a.r};
}

// Thirty steps on the lowest 32 bits of f and g. The second half has its own reference, next to that of the
// first half, which remains.
__device__ __forceinline__ Steps symbol_steps(unsigned f, unsigned g, int& theta, SymbolSign& sign) {
  const Steps a = half_steps<0>(f, g, theta, sign);
  const unsigned middle = sign.reference;
  const Steps b = half_steps<15>(f, g, theta, sign), steps = joined(a, b);
  theta += 30;
  const unsigned end = (unsigned)(steps.v != 0 ? steps.v : steps.u);
  sign.compare(middle, end, sign.reference);
  sign.reference = end;
  return steps;
}

// The lowest 32 bits.
__device__ __forceinline__ unsigned lowest_word(const int (&f)[L], const Place& at) {
  return of_rank((unsigned)f[0] + (L > 1 ? (unsigned)f[L > 1] << 30 : 0), 0, at);
}

// (a / |n|): 0, 1, or -1 mod 2^BITS; `fails` if n is even.
template <bool SIGNED>
__device__ __forceinline__ Num jacobi(const Num& a, const Num& n, bool& fails, unsigned* slot, unsigned* exchange, const Place& at) {
  int f[L], g[L];
  const bool negative = is_negative<SIGNED>(a, at);
  stage_alone(slot, absolute<SIGNED>(a, exchange, at), at);
  load_limbs(g, slot, PADDED, 0, at);
  stage_alone(slot, absolute<SIGNED>(n, exchange, at), at);
  // The same position, hidden from the compiler, which would otherwise keep the addresses of all loads.
  load_limbs(f, slot, PADDED, __shfl_sync(~0u, 0u, at.lane), at);
  const unsigned lowest = of_rank((unsigned)f[0], 0, at);
  fails = !(lowest & 1);
  // Steps of an even n might not end.
  f[0] |= at.rank == 0;
  // (-1 / n) = -1 for n = 3 mod 4.
  bool flips = negative && (lowest & 2);
  SymbolSign sign;
  int theta = 0;
  unsigned start = 0;
  while (any_limb(g)) {
    const Steps steps = symbol_steps(lowest_word(f, at), lowest_word(g, at), theta, sign);
    apply_steps(f, g, steps, at);
    const unsigned end = (unsigned)sign_of(f, at);
    sign.compare(start, end, sign.reference);
    start = end;
  }
  absolute_limbs(f, at);
  flips ^= sign.negative();
  const bool coprime = is_one(f, at);
  const Num one = truth(coprime, at);
  return coprime && flips ? bit_not(Num{}, at) : one;
}
