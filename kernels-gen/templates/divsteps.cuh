// divsteps.cuh: thirty division steps on the low words of two numbers at once. docs/gcd.md.
//
// Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (2019), with the start
// delta = 1/2 of libsecp256k1. A step of (delta, f, g), f odd: if delta > 0 and g is odd, (1 - delta, g, (g -
// f) / 2), else (1 + delta, f, (g + (g mod 2) f) / 2). It depends on the lowest bit of g, so that n steps
// depend on n bits of f and g. They end with g = 0 and f = gcd or -gcd: numbers below 2^n in at most
// floor((45907 n + 26313) / 19929) steps.

// 2^30 f' = u f + v g, 2^30 g' = q f + r g; |u| + |v| and |q| + |r| are at most 2^30.
struct Steps {
  int u, v, q, r;
};

// Six steps, indexed by g / f mod 2^6, and by delta if it is small. Their factors are the bytes of `matrix`,
// from the lowest u, v, q, r; `theta` after them is the product of its own old value and the lower half of
// `theta`, and the upper half.
struct alignas(8) Jump {
  unsigned matrix;
  int theta;
};

constexpr int JUMP = 6;
// Values of theta = delta - 1/2 below and above have the swaps of these.
constexpr int THETA_LEAST = -JUMP, THETA_MOST = JUMP - 1;

constexpr Jump jump_of(int theta, int g) {
  int f = 1, u = 1, v = 0, q = 0, r = 1, times = 1, more = 0;
  for (int i = 0; i < JUMP; i++) {
    const int odd = g & 1;
    if (odd && times * theta + more >= 0) {
      const int old_f = f, old_u = u, old_v = v;
      f = g, u = q, v = r;
      g -= old_f, q -= old_u, r -= old_v;
      times = -times, more = -more;
    } else {
      g += odd * f, q += odd * u, r += odd * v;
      more++;
    }
    g /= 2, u *= 2, v *= 2;
  }
  const auto byte = [](int x, int at) { return ((unsigned)x & 0xff) << 8 * at; };
  return {byte(u, 0) | byte(v, 1) | byte(q, 2) | byte(r, 3), (int)(((unsigned)more << 16) | ((unsigned)times & 0xffff))};
}

struct Jumps {
  Jump of[(THETA_MOST - THETA_LEAST + 1) << JUMP];
};

constexpr Jumps all_jumps() {
  Jumps jumps = {};
  for (int theta = THETA_LEAST; theta <= THETA_MOST; theta++)
    for (int g = 0; g < 1 << JUMP; g++) jumps.of[((theta - THETA_LEAST) << JUMP) + g] = jump_of(theta, g);
  return jumps;
}

__device__ constexpr Jumps JUMPS = all_jumps();

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
