// perfect_power.cuh: whether a number is a power x^k with k >= 2. docs/perfect_power.md.
//
// Every lane of an instance tests other primes k: k must divide the number of trailing zeros, and modulo a
// few primes q = 1 mod k one residue in k is a k-th power. For an exponent that passes, the root decides.
//
// Shared memory and barriers: those of root.cuh.

// For odd n, and 2.
__device__ __forceinline__ bool is_small_prime(unsigned n) {
  for (unsigned d = 3; (unsigned long long)d * d <= n; d += 2)
    if (n % d == 0) return false;
  return n > 1;
}

__device__ __forceinline__ unsigned power_mod(unsigned a, unsigned e, unsigned q) {
  unsigned long long power = 1, square = a;
  for (; e > 0; e /= 2) {
    if (e % 2 == 1) power = power * square % q;
    square = square * square % q;
  }
  return (unsigned)power;
}

// Number of primes q; a wrong exponent passes each of them with probability 1 / k.
constexpr unsigned WITNESSES = 4;

// Whether the staged number may be a k-th power, for a prime k.
__device__ __forceinline__ bool may_be_power(const unsigned* slot, unsigned words, unsigned k) {
  unsigned asked = 0;
#pragma unroll 1
  for (unsigned q = 2 * k + 1; asked < WITNESSES; q += 2 * k) {
    if (!is_small_prime(q)) continue;
    asked++;
    const unsigned rest = word_residue(slot, words, q);
    if (rest != 0 && power_mod(rest, (q - 1) / k, q) != 1) return false;
  }
  return true;
}

template <bool SIGNED>
__device__ __forceinline__ bool is_perfect_power(const Num& number, unsigned* slot, unsigned* exchange, const Place& at) {
  const bool negative = is_negative<SIGNED>(number, at);
  const Num a = absolute<SIGNED>(number, exchange, at);
  const unsigned bits = bit_length(a, at), twos = trailing_zeros(a, at), words = warp_max((bits + 31) / 32);
  stage_alone(slot + RADICAND_AT, a, at);
  bool found = bits <= 1;
#pragma unroll 1
  for (unsigned first = 0; __any_sync(~0u, !found && 2 * first + 1 < bits); first += LANES) {
    const unsigned i = first + at.rank, k = i == 0 ? 2 : 2 * i + 1;
    const bool asks = !found && k < bits && !(negative && i == 0) && twos % k == 0;
    unsigned passing = votes(asks && is_small_prime(k) && may_be_power(slot + RADICAND_AT, words, k), at);
    while (__any_sync(~0u, passing != 0)) {
      const unsigned lane = passing == 0 ? 0 : 31 - __clz((int)(passing & (0 - passing)));
      const bool exact = root_of(bits, of_rank(k, lane, at), passing != 0, slot, exchange, at).exact;
      found |= passing != 0 && exact;
      passing = found ? 0 : passing & (passing - 1);
    }
  }
  return found;
}
