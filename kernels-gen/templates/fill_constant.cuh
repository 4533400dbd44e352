// fill_constant.cuh: the same integer for each instance. It is the operand.

struct Values {
  const unsigned* integer;

  __device__ __forceinline__ explicit Values(const unsigned* in) : integer(in) {}

  __device__ __forceinline__ void four(unsigned (&x)[4], Position at) const {
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
      x[k] = integer[at.word];
      at.next();
    }
  }
};
