// divsteps.cuh: thirty division steps on the low words of two numbers at once. docs/gcd.md.
//
// Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (2019), with the start delta = 1/2 of libsecp256k1.
// A step of (delta, f, g), f odd: if delta > 0 and g is odd, (1 - delta, g, (g - f) / 2), else (1 + delta, f, (g + (g mod 2) f) / 2).
// It depends on the lowest bit of g, so that n steps depend on n bits of f and g. They end with g = 0 and f = gcd or -gcd: numbers
// below 2^n in at most floor((45907 n + 26313) / 19929) steps.

// 2^30 f' = u f + v g, 2^30 g' = q f + r g; |u| + |v| and |q| + |r| are at most 2^30.
struct Steps {
  int u, v, q, r;
};

// A signed half of a pair x + y 2^16, as one number. Of 15 steps, -2^15 < x, y <= 2^15.
__device__ __forceinline__ int half_of(unsigned bits) { return (int)(((bits + 0x7fff) & 0xffff) - 0x7fff); }

// What looks at steps and keeps nothing.
struct Unwatched {
  __device__ __forceinline__ void step(unsigned, unsigned, unsigned, unsigned) {}
};

// Fifteen steps. `lead` is delta - 1/2 less the number of steps done before: a step that does not swap leaves it as it is.
// Factors are computed in pairs; 15 steps keep them apart. `watch` is told f and the pair of its factors before and after each step, the
// latter for twice the new f.
template <int DONE, class Watch>
__device__ __forceinline__ Steps half_steps(unsigned& f, unsigned& g, int& lead, Watch& watch) {
  unsigned uv = 1, qr = 1u << 16;
#pragma unroll
  for (int i = DONE; i < DONE + 15; i++) {
    const unsigned odd = g & 1;
    const bool swaps = odd != 0 && lead >= -i;
    // Multiples: fewer instructions than choices between sums.
    const unsigned times = swaps ? ~0u : odd, next = swaps ? g : f, next_uv = swaps ? qr : uv;
    g = (g + times * f) >> 1;
    qr += times * uv;
    watch.step(f, next, uv, next_uv);
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

// Thirty steps on the lowest 30 bits of f and g; `theta` is delta - 1/2.
__device__ __forceinline__ Steps divsteps(unsigned f, unsigned g, int& theta) {
  Unwatched watch;
  const Steps a = half_steps<0>(f, g, theta, watch), b = half_steps<15>(f, g, theta, watch);
  theta += 30;
  return joined(a, b);
}

// (f, g) after the steps.
template <unsigned I = 0>
__device__ __forceinline__ void step_limbs(int (&f)[L], int (&g)[L], const Steps& t, LimbSum& x, LimbSum& y) {
  if constexpr (I < L) {
    const long long a = opaque(f[I]), b = opaque(g[I]);
    x.sum += t.u * a;
    x.sum += t.v * b;
    y.sum += t.q * a;
    y.sum += t.r * b;
    x.pass<I>(f);
    y.pass<I>(g);
    step_limbs<I + 1>(f, g, t, x, y);
  }
}

__device__ __forceinline__ void apply_steps(int (&f)[L], int (&g)[L], const Steps& t, const Place& at) {
  LimbSum x = {}, y = {};
  step_limbs(f, g, t, x, y);
  x.close(f, at);
  y.close(g, at);
}
