// lcm_thread.cuh: least common multiples by one thread, mod B^W. docs/gcd.md.

__device__ __forceinline__ Num common_multiple(const Num& a, const Num& b, const Jump* jumps) {
  const Num divisor = common_divisor(a, b, jumps);
  return is_zero(divisor) ? divisor : integer_mul(divided(Num{}, a, divisor).quotient, b);
}
