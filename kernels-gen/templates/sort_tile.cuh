// sort_tile.cuh: tiles of keys, four per thread, and the start of each digit in a sorted tile.

typedef {{ "unsigned" if key_words == 1 else "unsigned long long" }} Key;
constexpr unsigned KEYS = {{ n }};             // of an instance
constexpr unsigned S = {{ s }}, DIGITS = 1u << S;
constexpr unsigned SHIFT = {{ shift }};            // bits below the digit
constexpr unsigned EACH = 4, TILE = EACH * THREADS;
constexpr unsigned TILES = {{ tiles }};        // of an instance
// Sorted keys, then the counts of digit 0 in each tile, of digit 1, ...
constexpr unsigned long long SORTED = KEYS * (unsigned long long)(sizeof(Key) / 4) + (unsigned long long)DIGITS * TILES;

__device__ __forceinline__ unsigned digit(Key key) { return (unsigned)(key >> SHIFT) % DIGITS; }

// For each digit, the first of the sorted keys that has it, and the one behind the last; both 0 if none has.
__device__ __forceinline__ void find_digits(const Key* keys, unsigned count, unsigned* first, unsigned* last) {
  for (unsigned i = threadIdx.x; i < DIGITS; i += THREADS) first[i] = last[i] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += THREADS) {
    const unsigned mine = digit(keys[i]);
    if (i == 0 || digit(keys[i - 1]) != mine) first[mine] = i;
    if (i + 1 == count || digit(keys[i + 1]) != mine) last[mine] = i + 1;
  }
  __syncthreads();
}
