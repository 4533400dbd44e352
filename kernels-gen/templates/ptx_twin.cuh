// ptx_twin.cuh: the functions of ptx.cuh in plain C++, for the emulator.

{% if mma %}
template <unsigned N>
__device__ __forceinline__ void mma_u8(unsigned (&c)[4], const unsigned (&a)[2 * N], const unsigned (&b)[N]) {
  int sums[4] = {(int)c[0], (int)c[1], (int)c[2], (int)c[3]};
  limbforge_emulate::mma_u8<16, 16 * N>(sums, a, b);
  for (unsigned i = 0; i < 4; i++) c[i] = (unsigned)sums[i];
}
{% else %}
__device__ __forceinline__ unsigned add_run(unsigned (&z)[V], const unsigned (&x)[V], const unsigned (&y)[V]) {
  unsigned long long sum = 0;
  for (unsigned v = 0; v < V; v++) {
    sum += (unsigned long long)x[v] + y[v];
    z[v] = (unsigned)sum;
    sum >>= 32;
  }
  return (unsigned)sum;
}

__device__ __forceinline__ int sub_run(unsigned (&z)[V], const unsigned (&x)[V], const unsigned (&y)[V]) {
  long long difference = 0;
  for (unsigned v = 0; v < V; v++) {
    difference += (long long)x[v] - y[v];
    z[v] = (unsigned)difference;
    difference >>= 32;
  }
  return (int)difference;
}

__device__ __forceinline__ unsigned add_four(unsigned (&z)[4], const unsigned (&x)[4], const unsigned (&y)[4]) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    sum += (unsigned long long)x[i] + y[i];
    z[i] = (unsigned)sum;
    sum >>= 32;
  }
  return (unsigned)sum;
}

struct Rows {
  unsigned even[5];
  unsigned odd[5];
};

__device__ __forceinline__ void mad_pair(unsigned (&acc)[5], unsigned a, unsigned low, unsigned high) {
  const unsigned long long products[2] = {(unsigned long long)a * low, (unsigned long long)a * high};
  unsigned long long carry = 0;
  for (int i = 0; i < 5; i++) {
    const unsigned long long word = i < 4 ? products[i / 2] >> (i % 2 * 32) & 0xffffffffu : 0;
    carry += acc[i] + word;
    acc[i] = (unsigned)carry;
    carry >>= 32;
  }
}

__device__ __forceinline__ void mad_row(Rows& acc, unsigned a, unsigned b0, unsigned b1, unsigned b2, unsigned b3) {
  mad_pair(acc.even, a, b0, b2);
  mad_pair(acc.odd, a, b1, b3);
}
{% endif %}
