// root_start.cuh: an initial value above a k-th root, in one word and a power of two. docs/root.md.
//
// All lanes of an instance compute it from the highest bits, with 64-bit numbers rounded down: a power above
// the number then proves a value above the root. No barriers, no shared memory.

// f 2^exponent, where f has its highest bit set.
struct Approximation {
  unsigned long long f;
  int exponent;
};

// Not above x y, and below it by less than two units of f.
__device__ __forceinline__ Approximation product_down(const Approximation& x, const Approximation& y) {
  const unsigned long long high = __umul64hi(x.f, y.f);
  const bool short_by_one = high >> 63 == 0;
  return {short_by_one ? high << 1 : high, x.exponent + y.exponent + 64 - (int)short_by_one};
}

// Not above x^k.
__device__ __forceinline__ Approximation power_down(unsigned x, unsigned k) {
  const int zeros = __clz((int)x);
  const Approximation base = {(unsigned long long)x << (32 + zeros), -32 - zeros};
  Approximation power = base;
#pragma unroll 1
  for (unsigned bit = (1u << (31 - __clz((int)k))) >> 1; bit != 0; bit >>= 1) {
    power = product_down(power, power);
    if (k & bit) power = product_down(power, base);
  }
  return power;
}

constexpr unsigned START_BITS = 31;

// `word` 2^shift.
struct RootStart {
  unsigned word, shift;

  // A value above the root of a number of `bits` bits, more than k, with the highest 64 bits `top`, whose top
  // bit is set: above by a relative 2^-30 at most, or by 1.
  __device__ __forceinline__ RootStart(unsigned long long top, unsigned bits, unsigned k) : word(0) {
    const unsigned root_bits = (bits - 1) / k + 1, held = root_bits < START_BITS ? root_bits : START_BITS;
    shift = root_bits - held;
#pragma unroll 1
    for (unsigned bit = 1u << (held - 1); bit != 0; bit >>= 1) {
      const Approximation power = power_down(word | bit, k);
      const int power_bits = power.exponent + 64 + (int)(shift * k);
      const bool above = power_bits > (int)bits || (power_bits == (int)bits && power.f > top);
      if (!above) word |= bit;
    }
    word++;
  }

  __device__ __forceinline__ Num number(const Place& at) const {
    const unsigned long long moved = (unsigned long long)word << shift % 32;
    const unsigned low = shift / 32;
    return number_of(at, [&](unsigned i) { return i == low ? (unsigned)moved : i == low + 1 ? (unsigned)(moved >> 32) : 0; });
  }
};
