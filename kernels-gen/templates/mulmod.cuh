// mulmod.cuh: products modulo any number. docs/modulus.md. Shared memory: that of div_wide.cuh.

__device__ __forceinline__ Num mulmod(const Residues& z, unsigned* slot, unsigned* exchange, const Place& at) {
  const Wide product = mul_wide<false>(z.a, z.b, slot, exchange, at);
  return divide_halves(product.low, product.high, z.m, z.by_zero, slot, at).remainder;
}
