// rotate.cuh: rotations within BITS bits. docs/shift.md. Two shifts of words staged once (shift_by.cuh): two
// barriers, PADDED words of the instance's shared memory. An amount for each instance counts modulo BITS
// however large it is: three exchanges more (amount.cuh).

// The BITS bits of x, rotated to the left by n, 0 <= n < BITS, the same in all threads of the instance.
__device__ __forceinline__ Num rotate(const Num& x, unsigned n, unsigned* slot, const Place& at) {
  stage_alone(slot, x, at);
  Num z = number_of(at, [&](unsigned word) {
    return shifted_word<false>(slot, (int)n, word) | shifted_word<false>(slot, (int)n - (int)BITS, word);
  });
  truncate(z, at);
  return z;
}

struct PlusModulo {
  __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const {
    return x + y < BITS ? x + y : x + y - BITS;
  }
};

// 2^(32 words) mod BITS by squaring.
__device__ __forceinline__ unsigned power_modulo(unsigned words) {
  unsigned long long power = 1 % BITS, base = (1ull << 32) % BITS;
  for (; words; words /= 2) {
    if (words & 1) power = power * base % BITS;
    base = base * base % BITS;
  }
  return (unsigned)power;
}

// x mod BITS. Words above the lowest count only if there are any, which is rare, and not at all if BITS is a
// power of two up to 2^32.
template <bool SIGNED>
__device__ __forceinline__ unsigned turns(const Num& x, unsigned* exchange, const Place& at) {
  const Distance found = distance<SIGNED>(x, exchange, at);
  unsigned rest = found.low % BITS;
  if ((1ull << 32) % BITS != 0) {
    unsigned long long above = 0;
    if (found.far)
      each_word(x, at, [&](unsigned word, unsigned value) {
        const unsigned digit = word == 0 ? 0 : flipped(word, value, found.negative);
        if (digit) above += (unsigned long long)(digit % BITS) * power_modulo(word) % BITS;
      });
    rest = PlusModulo()(rest, combined((unsigned)(above % BITS), PlusModulo(), exchange, at));
  }
  return found.negative ? BITS - 1 - rest : rest;
}

// The amount of the rotation to the left that equals one to the right by n.
__device__ __forceinline__ unsigned other_way(unsigned n) { return n ? BITS - n : 0; }
