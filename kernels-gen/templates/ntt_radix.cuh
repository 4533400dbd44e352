// ntt_radix.cuh: log2(R) stages of a transform on the R points that a thread holds in registers.
//
// Forward: x^n - c splits into x^(n/2) - d and x^(n/2) + d with d^2 = c, again and again; the factor of a
// butterfly is the d of its node, so a stage multiplies first and adds afterwards. Natural order in,
// bit-reversed order out. Backward: decimation in time, bit-reversed in, natural out, also multiplying first.
// No bit reversal anywhere (design of Harvey, "Faster arithmetic for number-theoretic transforms", 2014, for
// signed residues).
//
// Bit s of REDUCE: the points of stage s that are not multiplied are reduced before it. All loops have
// constant trip counts: arrays stay in registers.

constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

// Node b of stage s has the factor w[2^s + b]. BY_ONE: in the stages below this one the factor of
// the first node is 1.
template <unsigned REDUCE, int FIRST, int BY_ONE, int S, int R>
__device__ __forceinline__ void forward(Residue (&x)[S][R], const Twiddle (&w)[R], const Prime& prime) {
#pragma unroll
  for (int s = FIRST; s < log2_of(R); s++)
#pragma unroll
    for (int t = 0; t < R / 2; t++) {
      const int half = R >> (s + 1), node = t / half, i = node * 2 * half + t % half;
#pragma unroll
      for (int k = 0; k < S; k++) {
        if (REDUCE >> s & 1) x[k][i] = reduce(x[k][i], prime);
        if (node == 0 && s < BY_ONE) butterfly_by_one(x[k][i], x[k][i + half], prime);
        else butterfly(x[k][i], x[k][i + half], w[(1 << s) + node], prime);
      }
    }
}

// Point i of each block of 2d points is joined with point i + d by the factor w[d + i]. BY_ONE: in the stages
// below this one the factor of i = 0 is 1.
template <unsigned REDUCE, int BY_ONE, int S, int R>
__device__ __forceinline__ void backward(Residue (&x)[S][R], const Twiddle (&w)[R], const Prime& prime) {
#pragma unroll
  for (int s = 0; s < log2_of(R); s++)
#pragma unroll
    for (int t = 0; t < R / 2; t++) {
      const int d = 1 << s, i = t % d, at = t / d * 2 * d + i;
#pragma unroll
      for (int k = 0; k < S; k++) {
        if (REDUCE >> s & 1) x[k][at] = reduce(x[k][at], prime);
        if (i == 0 && s < BY_ONE) butterfly_by_one(x[k][at], x[k][at + d], prime);
        else butterfly(x[k][at], x[k][at + d], w[d + i], prime);
      }
    }
}

// R factors of a table of 16-byte vectors, `stride` vectors apart.
template <int R>
__device__ __forceinline__ void load_twiddles(Twiddle (&w)[R], const uint4* __restrict__ table, unsigned stride) {
  constexpr int PER_VECTOR = 16 / sizeof(Twiddle);
#pragma unroll
  for (int v = 0; v < R / PER_VECTOR; v++) unpack(&w[v * PER_VECTOR], __ldg(table + v * stride));
}
