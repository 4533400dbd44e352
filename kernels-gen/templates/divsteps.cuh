// divsteps.cuh: thirty division steps on the low words of two numbers at once. docs/gcd.md.

// Thirty steps on the lowest 30 bits of f and g; `theta` is delta - 1/2.
__device__ __forceinline__ Steps divsteps(unsigned f, unsigned g, int& theta) {
  Steps t = {1, 0, 0, 1};
#pragma unroll
  for (int done = 0; done < 30; done += JUMP) {
    // f is its own inverse mod 2^3, and this one that mod 2^6.
    const unsigned ratio = f * g * (2 - f * f) % (1u << JUMP);
    const int like = theta < THETA_LEAST ? THETA_LEAST : theta > THETA_MOST ? THETA_MOST : theta;
    const Jump jump = JUMPS.of[(unsigned)((like - THETA_LEAST) << JUMP) + ratio];
    const int u = (signed char)jump.matrix, v = (signed char)(jump.matrix >> 8), q = (signed char)(jump.matrix >> 16);
    const int r = (int)jump.matrix >> 24;
    theta = (short)jump.theta * theta + (jump.theta >> 16);
    const unsigned sum = (unsigned)u * f + (unsigned)v * g;
    g = ((unsigned)q * f + (unsigned)r * g) >> JUMP;
    f = sum >> JUMP;
    t = {u * t.u + v * t.q, u * t.v + v * t.r, q * t.u + r * t.q, q * t.v + r * t.r};
  }
  return t;
}

// (f, g) after the steps.
template <unsigned I = 0>
__device__ __forceinline__ void step_limbs(int (&f)[L], int (&g)[L], const Steps& t, LimbSum& x, LimbSum& y) {
  if constexpr (I < L) {
    x.sum = x.sum + mul_signed(t.u, f[I]) + mul_signed(t.v, g[I]);
    y.sum = y.sum + mul_signed(t.q, f[I]) + mul_signed(t.r, g[I]);
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
