// ptx_mad_twin.cuh: the functions of ptx_mad.cuh in plain C++, for the emulator.

__device__ __forceinline__ unsigned long long mul_words(unsigned x, unsigned y) { return (unsigned long long)x * y; }

__device__ __forceinline__ unsigned long long mad_words(unsigned x, unsigned y, unsigned long long z) {
  return (unsigned long long)x * y + z;
}

template <unsigned AT, unsigned N>
__device__ __forceinline__ unsigned add_pair(unsigned (&x)[N], unsigned long long pair, unsigned carry) {
  const unsigned long long low = (unsigned long long)x[AT] + (unsigned)pair + carry;
  const unsigned long long high = (unsigned long long)x[AT + 1] + (pair >> 32) + (low >> 32);
  x[AT] = (unsigned)low;
  x[AT + 1] = (unsigned)high;
  return (unsigned)(high >> 32);
}

template <unsigned AT, unsigned FROM, unsigned PAIRS, unsigned N, unsigned M>
__device__ __forceinline__ unsigned mad_pairs(unsigned (&x)[N], unsigned a, const unsigned (&d)[M], unsigned carry) {
  if constexpr (PAIRS == 0) return carry;
  else return mad_pairs<AT + 2, FROM + 2, PAIRS - 1>(x, a, d, add_pair<AT>(x, (unsigned long long)a * d[FROM], carry));
}

{% for pairs in [1, 2, 4] %}
template <unsigned AT, unsigned FROM, unsigned N, unsigned M>
__device__ __forceinline__ unsigned mad_first{{ pairs }}(unsigned (&x)[N], unsigned a, const unsigned (&d)[M]) {
  return mad_pairs<AT, FROM, {{ pairs }}>(x, a, d, 0);
}
template <unsigned AT, unsigned FROM, unsigned N, unsigned M>
__device__ __forceinline__ unsigned mad_next{{ pairs }}(unsigned (&x)[N], unsigned a, const unsigned (&d)[M], unsigned carry) {
  return mad_pairs<AT, FROM, {{ pairs }}>(x, a, d, carry);
}
template <unsigned AT, unsigned FROM, unsigned N, unsigned M>
__device__ __forceinline__ unsigned mad_given{{ pairs }}(unsigned (&x)[N], unsigned a, const unsigned (&d)[M], unsigned low, unsigned high) {
  return mad_pairs<AT + 2, FROM + 2, {{ pairs - 1 }}>(x, a, d, add_pair<AT>(x, (unsigned long long)high << 32 | low, 0));
}

{% endfor %}
__device__ __forceinline__ unsigned add_word(unsigned& x, unsigned y) { return (x += y) < y; }

__device__ __forceinline__ void add_carry(unsigned& x, unsigned carry) { x += carry; }

template <unsigned Z, unsigned X, unsigned Y, unsigned WORDS, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned add_words(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M], unsigned carry) {
  for (unsigned i = 0; i < WORDS; i++) {
    const unsigned long long sum = (unsigned long long)x[X + i] + y[Y + i] + carry;
    z[Z + i] = (unsigned)sum;
    carry = (unsigned)(sum >> 32);
  }
  return carry;
}

{% for words in [1, 2, 4, 8] %}
template <unsigned Z, unsigned X, unsigned Y, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned add_first{{ words }}(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M]) {
  return add_words<Z, X, Y, {{ words }}>(z, x, y, 0);
}
template <unsigned Z, unsigned X, unsigned Y, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned add_next{{ words }}(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M], unsigned carry) {
  return add_words<Z, X, Y, {{ words }}>(z, x, y, carry);
}

{% endfor %}
__device__ __forceinline__ long long mul_signed(int x, int y) { return (long long)x * y; }
