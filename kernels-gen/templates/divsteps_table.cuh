// divsteps_table.cuh: division steps on the low words of two numbers, six at a time from a table. docs/gcd.md.
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
