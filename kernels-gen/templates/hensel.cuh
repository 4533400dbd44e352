// hensel.cuh: inverses modulo 2^BITS, by Hensel's lifting. docs/modinv.md.
//
// Shared memory and barriers: those of low_product.

// 1 / n mod 2^BITS for odd n.
__device__ __forceinline__ Num inverse_of_odd(const Num& n, unsigned* slot, unsigned* exchange, const Place& at) {
  const unsigned two[1] = {2};
  Num inverse = n, error;
  // Correct to 3 bits, which two products double.
#pragma unroll 1
  for (unsigned bits = 3, i = 0; bits < BITS; bits *= i % 2 ? 2 : 1, i++) {
    const Num product = low_product(inverse, select(i % 2, error, n), slot, at);
    if (i % 2) inverse = product;
    else error = resolve<-1>(sub(constant(two, at), product), exchange, at);
  }
  return inverse;
}
