// ptx64.cuh: carries of words of 64 bits in PTX, and in plain C++ for the emulator. Written as C++ for the
// GPU, each carry would become comparisons and selections.

// x + y mod 2^64; carry is 0 or 1.
__device__ __forceinline__ unsigned long long add_carry(unsigned long long x, unsigned long long y, unsigned& carry) {
#ifdef LIMBFORGE_EMULATE
  carry = x + y < x;
  return x + y;
#else
  unsigned low, high;
  asm("add.cc.u32 %0, %3, %5;\n\taddc.cc.u32 %1, %4, %6;\n\taddc.u32 %2, 0, 0;"
      : "=&r"(low), "=&r"(high), "=r"(carry)
      : "r"((unsigned)x), "r"((unsigned)(x >> 32)), "r"((unsigned)y), "r"((unsigned)(y >> 32)));
  return (unsigned long long)high << 32 | low;
#endif
}

// x - y mod 2^64, and once more 2^32 - 1 less if that borrowed: modulo 2^64 - 2^32 + 1 this is x - y.
__device__ __forceinline__ unsigned long long subtract_special(unsigned long long x, unsigned long long y) {
#ifdef LIMBFORGE_EMULATE
  return x - y - (x < y ? 0xffffffffull : 0);
#else
  unsigned low, high;
  asm("{ .reg .u32 borrow;\n\tsub.cc.u32 %0, %2, %4;\n\tsubc.cc.u32 %1, %3, %5;\n\tsubc.u32 borrow, 0, 0;\n\t"
      "sub.cc.u32 %0, %0, borrow;\n\tsubc.u32 %1, %1, 0; }"
      : "=&r"(low), "=&r"(high)
      : "r"((unsigned)x), "r"((unsigned)(x >> 32)), "r"((unsigned)y), "r"((unsigned)(y >> 32)));
  return (unsigned long long)high << 32 | low;
#endif
}

// m = low / p mod 2^64 for p = 2^64 - 2^32 + 1, and high + m - floor(m p / 2^64), for a sum below 2^64. As 1
// / p = 1 + 2^32 mod 2^64, m is low + low 2^32 mod 2^64, and floor(m p / 2^64) lacks floor(m / 2^32) and this
// sum's carry of m. (subc does not use the carry of add.cc: ptxas treats it as no borrow.)
__device__ __forceinline__ unsigned long long special_sum(unsigned long long low, unsigned long long high, unsigned long long& m) {
#ifdef LIMBFORGE_EMULATE
  m = low + (low << 32);
  return high + (m >> 32) + (m < low);
#else
  unsigned m1, s0, s1;
  asm("add.cc.u32 %0, %3, %4;\n\taddc.cc.u32 %1, %5, %0;\n\taddc.u32 %2, %6, 0;"
      : "=&r"(m1), "=&r"(s0), "=r"(s1)
      : "r"((unsigned)low), "r"((unsigned)(low >> 32)), "r"((unsigned)high), "r"((unsigned)(high >> 32)));
  m = (unsigned long long)m1 << 32 | (unsigned)low;
  return (unsigned long long)s1 << 32 | s0;
#endif
}
