// ptx.cuh: carry chains and multiply-accumulate in PTX. The only file with inline assembly; ptx_twin.cuh has
// the same functions in plain C++, for the emulator.
//
// An output that an asm statement writes before it has read all inputs is "=&r" or "+&r": otherwise the
// compiler may use one register for it and for an input of the same value.
//
// The carry flag is valid within one asm statement only; a run of more than eight words passes it on in a
// register.

{% if mma %}
// C += A * B of a warp: A is 16 x 32 bytes, B 32 x 8, C 16 x 8 sums of 32 bits, or A is 16 x 16 bytes, B 16
// x 8. From sm_75 on, where it is four or two products of 8 x 16 and 16 x 8 bytes: their lanes hold the parts
// of A, of B and of C as those of the large one do.
#if __CUDA_ARCH__ < 800
__device__ __forceinline__ void mma_quarter(unsigned& c0, unsigned& c1, unsigned a, unsigned b) {
  asm("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 { %0, %1}, { %2}, { %3}, { %0, %1};" : "+r"(c0), "+r"(c1) : "r"(a), "r"(b));
}

__device__ __forceinline__ void mma_u8(unsigned (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  mma_quarter(c[0], c[1], a[0], b[0]);
  mma_quarter(c[2], c[3], a[1], b[0]);
  mma_quarter(c[0], c[1], a[2], b[1]);
  mma_quarter(c[2], c[3], a[3], b[1]);
}

__device__ __forceinline__ void mma_u8(unsigned (&c)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  mma_quarter(c[0], c[1], a[0], b[0]);
  mma_quarter(c[2], c[3], a[1], b[0]);
}
#else
__device__ __forceinline__ void mma_u8(unsigned (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, { %0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_u8(unsigned (&c)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 { %0, %1, %2, %3}, { %4, %5}, { %6}, { %0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
#endif
{% else %}
{% macro piece(op, offset, size) %}
{% set linked = offset > 0 %}
  asm({% if linked %}"{ .reg .u32 t; {{ "add.cc.u32 t, %" ~ (3 * size + 1) ~ ", 0xffffffff;" if op == "add" else "sub.cc.u32 t, 0, %" ~ (3 * size + 1) ~ ";" }}\n\t"
      {% endif %}"{% for i in range(size) %}{{ op }}{% if linked or i > 0 %}c{% endif %}.cc.u32 %{{ i }}, %{{ size + 1 + i }}, %{{ 2 * size + 1 + i }};\n\t{% endfor %}{{ op }}c.u32 %{{ size }}, 0, 0;{% if linked %} }{% endif %}"
      : {% for i in range(size) %}"=&r"(r[{{ offset + i }}]), {% endfor %}"=r"(out)
      : {% for i in range(size) %}"r"(x[{{ offset + i }}]), {% endfor %}{% for i in range(size) %}"r"(y[{{ offset + i }}]){% if not loop.last %}, {% endif %}{% endfor %}{% if linked %}, "r"({{ "out" if op == "add" else "0u - out" }}){% endif %});
{% endmacro %}
// z = x + y over one run; returns the carry out.
__device__ __forceinline__ unsigned add_run(unsigned (&z)[V], const unsigned (&x)[V], const unsigned (&y)[V]) {
  unsigned r[V], out;
{% for offset, size in pieces %}
{{ piece("add", offset, size) }}
{%- endfor %}
#pragma unroll
  for (unsigned v = 0; v < V; v++) z[v] = r[v];
  return out;
}

// z = x - y over one run; returns -1 if it borrowed, else 0.
__device__ __forceinline__ int sub_run(unsigned (&z)[V], const unsigned (&x)[V], const unsigned (&y)[V]) {
  unsigned r[V], out;
{% for offset, size in pieces %}
{{ piece("sub", offset, size) }}
{%- endfor %}
#pragma unroll
  for (unsigned v = 0; v < V; v++) z[v] = r[v];
  return (int)out;
}

// z = x + y over four words; returns the carry out.
__device__ __forceinline__ unsigned add_four(unsigned (&z)[4], const unsigned (&x)[4], const unsigned (&y)[4]) {
  unsigned out;
  asm("add.cc.u32 %0, %5, %9;\n\taddc.cc.u32 %1, %6, %10;\n\t"
      "addc.cc.u32 %2, %7, %11;\n\taddc.cc.u32 %3, %8, %12;\n\taddc.u32 %4, 0, 0;"
      : "=&r"(z[0]), "=&r"(z[1]), "=&r"(z[2]), "=&r"(z[3]), "=r"(out)
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
  return out;
}

// The sum of a row of products a * (b0 + b1 * 2^32 + b2 * 2^64 + b3 * 2^96) and of more such rows. Products
// of even and of odd words have separate sums, so the two halves of every product lie in one aligned pair of
// registers and take one wide multiply-add.
struct Rows {
  unsigned even[5];  // from word 0
  unsigned odd[5];   // from word 1
};

__device__ __forceinline__ void mad_row(Rows& acc, unsigned a, unsigned b0, unsigned b1, unsigned b2, unsigned b3) {
  asm("mad.lo.cc.u32 %0, %5, %6, %0;\n\tmadc.hi.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.lo.cc.u32 %2, %5, %7, %2;\n\tmadc.hi.cc.u32 %3, %5, %7, %3;\n\taddc.u32 %4, %4, 0;"
      : "+&r"(acc.even[0]), "+&r"(acc.even[1]), "+&r"(acc.even[2]), "+&r"(acc.even[3]), "+&r"(acc.even[4])
      : "r"(a), "r"(b0), "r"(b2));
  asm("mad.lo.cc.u32 %0, %5, %6, %0;\n\tmadc.hi.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.lo.cc.u32 %2, %5, %7, %2;\n\tmadc.hi.cc.u32 %3, %5, %7, %3;\n\taddc.u32 %4, %4, 0;"
      : "+&r"(acc.odd[0]), "+&r"(acc.odd[1]), "+&r"(acc.odd[2]), "+&r"(acc.odd[3]), "+&r"(acc.odd[4])
      : "r"(a), "r"(b1), "r"(b3));
}
{% endif %}
