// mulmod.cuh: products modulo any number. docs/modulus.md. Shared memory: a slot of two numbers with the padding of lanes.

__device__ __forceinline__ Num mulmod(const Residues& z, unsigned* slot, unsigned* exchange, const Place& at) {
  const Wide product = mul_wide<false>(z.a, z.b, slot, exchange, at);
  const unsigned high_bits = bit_length(product.high, at), low_bits = bit_length(product.low, at), m_bits = bit_length(z.m, at);
  const unsigned bits = high_bits == 0 ? low_bits : 32 * PADDED + high_bits;
  const auto stage = [&] {
    __syncwarp();
    each_word(product, at, [&](unsigned word, unsigned value) { slot[place_of(word)] = value; });
    __syncwarp();
  };
  const unsigned divisor_bits = z.by_zero ? 1 : m_bits;
  return divide_shortest<V, 2 * PADDED>(bit_or(z.m, truth(z.by_zero, at)), bits, divisor_bits, warp_max(divisor_bits), slot, at, stage).remainder;
}
