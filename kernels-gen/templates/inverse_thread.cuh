// inverse_thread.cuh: inverses modulo odd numbers, and greatest common divisors, by one thread: division steps, 30
// at a time from a table in shared memory (divsteps_table.cuh), and what becomes of the cofactors (cofactor.cuh).
// docs/modinv.md.
//
// Signed numbers have L limbs of 30 bits, of which the highest one has the sign. A thread stops when its own number
// is 0: the threads of a warp need about as many rounds.

constexpr unsigned L = ({{ bits }} + 8 + 29) / 30;
constexpr int LIMB30_MASK = (1 << 30) - 1;
constexpr unsigned JUMP_COUNT = (THETA_MOST - THETA_LEAST + 1) << JUMP;

// Thirty steps on the lowest 30 bits of f and g; `theta` is delta - 1/2.
__device__ __forceinline__ Steps thirty_steps(unsigned f, unsigned g, int& theta, const Jump* jumps) {
  Steps t = {1, 0, 0, 1};
#pragma unroll
  for (int done = 0; done < 30; done += JUMP) {
    const unsigned ratio = f * g * (2 - f * f) % (1u << JUMP);
    const int like = theta < THETA_LEAST ? THETA_LEAST : theta > THETA_MOST ? THETA_MOST : theta;
    const Jump jump = jumps[(unsigned)((like - THETA_LEAST) << JUMP) + ratio];
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

// A number below 2^{{ bits }} as limbs.
__device__ __forceinline__ void limbs_of(int (&z)[L], const Num& x) {
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    const unsigned word = 30 * i / 32, low = word < W ? x.w[word < W ? word : 0] : 0, high = word + 1 < W ? x.w[word + 1 < W ? word + 1 : 0] : 0;
    z[i] = (int)__funnelshift_r(low, high, 30 * i % 32) & LIMB30_MASK;
  }
}

// The number of limbs that have been carried.
__device__ __forceinline__ Num number_of_limbs(const int (&x)[L]) {
  const auto limb = [&](unsigned i) { return i < L ? (unsigned)x[i < L ? i : 0] : 0; };
  Num z;
#pragma unroll
  for (unsigned i = 0; i < W; i++) {
    // The bits of two limbs up to word 14.
    const unsigned from = 32 * i / 30, shift = 32 * i % 30;
    z.w[i] = limb(from) >> shift | limb(from + 1) << (30 - shift);
  }
  return z;
}

// x += times n, carried.
__device__ __forceinline__ void add_limbs(int (&x)[L], const int (&n)[L], int times) {
  long long sum = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    sum += mul_signed(times, n[i]) + x[i];
    x[i] = i + 1 < L ? (int)sum & LIMB30_MASK : (int)sum;
    sum >>= 30;
  }
}

__device__ __forceinline__ bool any_limb(const int (&x)[L]) {
  int bits = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) bits |= x[i];
  return bits != 0;
}

// (f, g) after thirty steps, or cofactors, with multiples of n that make their lowest limbs 0.
template <bool COFACTORS>
__device__ __forceinline__ void apply_steps(int (&f)[L], int (&g)[L], const Steps& t, const int (&n)[L], int f_times, int g_times) {
  long long x = 0, y = 0;
#pragma unroll
  for (unsigned i = 0; i < L; i++) {
    x += mul_signed(t.u, f[i]) + mul_signed(t.v, g[i]);
    y += mul_signed(t.q, f[i]) + mul_signed(t.r, g[i]);
    if (COFACTORS) {
      x += mul_signed(f_times, n[i]);
      y += mul_signed(g_times, n[i]);
    }
    if (i > 0) {
      f[i - (i > 0)] = (int)x & LIMB30_MASK;
      g[i - (i > 0)] = (int)y & LIMB30_MASK;
    }
    x >>= 30;
    y >>= 30;
  }
  f[L - 1] = (int)x;
  g[L - 1] = (int)y;
}

__device__ __forceinline__ void negate_limbs(int (&x)[L], bool negative) {
#pragma unroll
  for (unsigned i = 0; i < L; i++) x[i] = negative ? -x[i] : x[i];
}
