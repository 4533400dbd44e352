// field.cuh: bit fields: extraction and replacement. docs/bits.md. A shift (shift_by.cuh) and a
// mask (mask.cuh): two barriers, PADDED words of the instance's shared memory. Start, length and end are the
// same in all threads of the instance, and at most 2^29 either way.

// floor(x / 2^start) mod 2^length.
template <bool SIGNED>
__device__ __forceinline__ Num extract(const Num& x, int start, int length, unsigned* slot, const Place& at) {
  return bit_and(shift_by<SIGNED>(x, -start, slot, at), mask(length < 0 ? 0 : length, at));
}

// The end of a field.
__device__ __forceinline__ int field_end(int start, int length) { return start + (length < 0 ? 0 : length); }

// x with the lowest bits of y in the bits from `start` to `end`.
template <bool SIGNED>
__device__ __forceinline__ Num insert(const Num& x, const Num& y, int start, int end, unsigned* slot, const Place& at) {
  const Num moved = shift_by<SIGNED>(y, start, slot, at);
  const Num field = number_of(at, [&](unsigned word) { return field_word(word, start, end); });
  return bit_xor(x, bit_and(bit_xor(x, moved), field));
}
