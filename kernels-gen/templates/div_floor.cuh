// div_floor.cuh: quotients rounded down, with remainders of the divisor's sign. docs/div.md.

// Whether the quotient is rounded away from 0: there is a remainder and the signs differ.
__device__ __forceinline__ bool rounds_down(const SignedDivision& z, const Place& at) {
  return !is_zero(z.remainder, at) && z.u_negative != z.v_negative;
}

template <bool SIGNED>
__device__ __forceinline__ Num quotient_floor(const SignedDivision& z, unsigned* exchange, const Place& at) {
  if (!SIGNED) return z.quotient;
  const Num rounded = resolve<0>(add(z.quotient, truth(rounds_down(z, at), at)), exchange, at);
  return with_sign<SIGNED>(z.u_negative != z.v_negative, rounded, exchange, at);
}

template <bool SIGNED>
__device__ __forceinline__ Num remainder_floor(const SignedDivision& z, unsigned* exchange, const Place& at) {
  if (!SIGNED) return z.remainder;
  const Num other = resolve<-1>(sub(z.divisor, z.remainder), exchange, at);
  return with_sign<SIGNED>(z.v_negative, select(rounds_down(z, at), other, z.remainder), exchange, at);
}
