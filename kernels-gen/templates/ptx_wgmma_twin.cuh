// ptx_wgmma_twin.cuh: the functions of ptx_wgmma.cuh in plain C++, for the emulator.

struct Rows {
  const unsigned* shared;
  unsigned bytes;

  Rows moved(int offset) const { return {shared, bytes + (unsigned)offset}; }
};

inline unsigned* whole_patterns(unsigned* shared) { return shared; }

inline Rows rows_from(const unsigned* shared, unsigned bytes) { return {shared, bytes}; }

inline void publish() { __syncthreads(); }

inline void begin_products() {}

inline void add_product(unsigned (&c)[16], const unsigned (&a)[4], const Rows& rows) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned n = 0; n < 4; n++) {
    const unsigned from = rows.bytes + 64 * (8 * n + lane / 4) + 4 * (lane % 4);
    const unsigned b[2] = {rows.shared[swizzled(from) / 4], rows.shared[swizzled(from + 16) / 4]};
    int sums[4] = {(int)c[4 * n], (int)c[4 * n + 1], (int)c[4 * n + 2], (int)c[4 * n + 3]};
    limbforge_emulate::mma_u8<16, 32>(sums, a, b);
    for (unsigned i = 0; i < 4; i++) c[4 * n + i] = (unsigned)sums[i];
  }
}

inline void finish_products() {}

inline unsigned thread_again() { return threadIdx.x; }
