// ntt_three.cuh: the stages of the outer pass on R = 3 2^j points, the first of which splits in three.
// docs/ntt.md.
//
// With u = d x_1 and v = d^2 x_2, x^n - d^3 splits into x^(n/3) - d w^a for a < 3, w of order 3, by
//   y_0 = x_0 + (u + v),   y_1, y_2 = x_0 - (u + v) / 2 +- (u - v) (w - w^2) / 2,
// as 1 + w + w^2 = 0. Two products, and two more unless d = 1. Then the stages of ntt_radix.cuh for each
// third.

struct Three {
  Twiddle one, minus_half, turn;  // 1, -1/2, (w - w^2) / 2
  Twiddle d, d2;                  // d and d^2, if PLUS
};

// Of REDUCE and BY_ONE, the first three stages are the butterflies of x_1 and x_2, of x_0 and their sum, and
// of y_1 and y_2. BY_ONE: the stages below this one skip factors of 1.
template <unsigned REDUCE, int BY_ONE, bool PLUS, int R>
__device__ __forceinline__ void forward_three(Residue (&x)[1][R], const Twiddle (&w)[R], const Three& three, const Prime& prime) {
  constexpr int THIRD = R / 3;
#pragma unroll
  for (int i = 0; i < THIRD; i++) {
    Residue a = x[0][i], b = x[0][i + THIRD], c = x[0][i + 2 * THIRD];
    if (PLUS) b = times(b, three.d, prime);
    if (REDUCE & 1) b = reduce(b, prime);
    if (PLUS) butterfly(b, c, three.d2, prime);
    else if (BY_ONE > 0) butterfly_by_one(b, c, prime);
    else butterfly(b, c, three.one, prime);
    if (REDUCE & 2) a = reduce(a, prime);
    Residue middle = a, sum = b;
    butterfly(middle, sum, three.minus_half, prime);
    if (BY_ONE > 1) butterfly_by_one(a, b, prime);
    else butterfly(a, b, three.one, prime);
    if (REDUCE & 4) middle = reduce(middle, prime);
    butterfly(middle, c, three.turn, prime);
    x[0][i] = a;
    x[0][i + THIRD] = middle;
    x[0][i + 2 * THIRD] = c;
  }
#pragma unroll
  for (int s = 0; s < log2_of(THIRD); s++)
#pragma unroll
    for (int t = 0; t < R / 2; t++) {
      const int half = THIRD >> (s + 1), node = t / half, i = node * 2 * half + t % half;
      if (REDUCE >> (s + 3) & 1) x[0][i] = reduce(x[0][i], prime);
      if (node == 0 && s + 3 < BY_ONE) butterfly_by_one(x[0][i], x[0][i + half], prime);
      else butterfly(x[0][i], x[0][i + half], w[(3 << s) + node], prime);
    }
}
