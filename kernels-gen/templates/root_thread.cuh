// root_thread.cuh: square roots by one thread, bit by bit. docs/isqrt.md.

struct Rooted {
  Num root, rest;
};

// floor(sqrt(x)) and x - floor(sqrt(x))^2 of a number without a sign.
__device__ __noinline__ Rooted square_root(Num x) {
  // `root` is the root so far times the power of two that is tried next, times 2; `x` is what is left.
  Num root = {}, bit = {};
  const unsigned length = bit_length(x);
  if (length > 0) bit = shifted_left(number_of_scalar(1, false), (length - 1) & ~1u);
#pragma unroll 1
  for (unsigned i = 0; i < length; i += 2) {
    Num less;
    const bool below = sub_words(less, x, integer_or(root, bit)) != 0;
    x = select(below, x, less);
    root = shifted_right(root, 1, 0);
    if (!below) root = integer_or(root, bit);
    bit = shifted_right(bit, 2, 0);
  }
  return {root, x};
}
