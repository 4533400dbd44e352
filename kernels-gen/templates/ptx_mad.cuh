// ptx_mad.cuh: multiples of a number added to another one, in PTX; ptx_mad_twin.cuh is its C++ twin.
//
// A chain adds a * (d[FROM] + d[FROM + 2] B^2 + ...) at x[AT]: every product falls on a pair of words and the
// carry goes from pair to pair, so that no sum of two products is needed. A chain from an even word and one
// from an odd word are a whole multiple.
//
// Words written before all factors are read are "+&r": with "+r" the compiler uses one register for a sum and
// a factor that it knows to be equal, such as a sum that begins at 0 and the zeros of a short constant.

// x * y, and x * y + z, of two words; the compiler needs more instructions if it knows the factors as halves
// of longer numbers.
__device__ __forceinline__ unsigned long long mul_words(unsigned x, unsigned y) {
  unsigned long long z;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
  return z;
}

__device__ __forceinline__ unsigned long long mad_words(unsigned x, unsigned y, unsigned long long z) {
  unsigned long long sum;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(sum) : "r"(x), "r"(y), "l"(z));
  return sum;
}

{% macro chain(name, pairs, kind) %}
{% set words = 2 * pairs %}
{% set d = words + 1 %}
{% set count = pairs - (1 if kind == "sum" else 0) %}
template <unsigned AT, unsigned FROM, unsigned N, unsigned M>
__device__ __forceinline__ unsigned {{ name }}(unsigned (&x)[N], unsigned a, const unsigned (&d)[M]{% if kind == "linked" %}, unsigned carry{% endif %}{% if kind == "sum" %}, unsigned low, unsigned high{% endif %}) {
  unsigned out;
  asm({% if kind == "linked" %}"{ .reg .u32 t; add.cc.u32 t, %{{ d + 1 + count }}, 0xffffffff;\n\t"
      {% endif %}"{% for i in range(pairs) %}{% if kind == "sum" and i == 0 %}add.cc.u32 %0, %0, %{{ d + 1 + count }};\n\taddc.cc.u32 %1, %1, %{{ d + 2 + count }};\n\t{% else %}{% set k = i - (1 if kind == "sum" else 0) %}mad{% if kind == "linked" or i > 0 %}c{% endif %}.lo.cc.u32 %{{ 2 * i }}, %{{ d }}, %{{ d + 1 + k }}, %{{ 2 * i }};\n\tmadc.hi.cc.u32 %{{ 2 * i + 1 }}, %{{ d }}, %{{ d + 1 + k }}, %{{ 2 * i + 1 }};\n\t{% endif %}{% endfor %}addc.u32 %{{ words }}, 0, 0;{% if kind == "linked" %} }{% endif %}"
      : {% for i in range(words) %}"+&r"(x[AT + {{ i }}]), {% endfor %}"=r"(out)
      : "r"(a){% for i in range(pairs) %}{% if not (kind == "sum" and i == 0) %}, "r"(d[FROM + {{ 2 * i }}]){% endif %}{% endfor %}{% if kind == "linked" %}, "r"(carry){% endif %}{% if kind == "sum" %}, "r"(low), "r"(high){% endif %});
  return out;
}
{% endmacro %}
// The first products of a chain; returns the carry.
{% for pairs in [1, 2, 4] %}
{{ chain("mad_first" ~ pairs, pairs, "first") }}
{%- endfor %}
// The next ones.
{% for pairs in [1, 2, 4] %}
{{ chain("mad_next" ~ pairs, pairs, "linked") }}
{%- endfor %}
// The first ones, of which `high` B + `low` is the very first.
{% for pairs in [1, 2, 4] %}
{{ chain("mad_given" ~ pairs, pairs, "sum") }}
{%- endfor %}

// x += y; returns the carry.
__device__ __forceinline__ unsigned add_word(unsigned& x, unsigned y) {
  unsigned out;
  asm("add.cc.u32 %0, %0, %2;\n\taddc.u32 %1, 0, 0;" : "+r"(x), "=r"(out) : "r"(y));
  return out;
}

// x += carry, in one instruction: the compiler needs two or more for the carry that a chain returns.
__device__ __forceinline__ void add_carry(unsigned& x, unsigned carry) {
  asm("{ .reg .u32 t; add.cc.u32 t, %1, 0xffffffff;\n\taddc.u32 %0, %0, 0; }" : "+r"(x) : "r"(carry));
}

{% macro sum(name, words, linked) %}
template <unsigned Z, unsigned X, unsigned Y, unsigned K, unsigned N, unsigned M>
__device__ __forceinline__ unsigned {{ name }}(unsigned (&z)[K], const unsigned (&x)[N], const unsigned (&y)[M]{% if linked %}, unsigned carry{% endif %}) {
  unsigned out;
  asm({% if linked %}"{ .reg .u32 t; add.cc.u32 t, %{{ 3 * words + 1 }}, 0xffffffff;\n\t"
      {% endif %}"{% for i in range(words) %}add{% if linked or i > 0 %}c{% endif %}.cc.u32 %{{ i }}, %{{ words + 1 + i }}, %{{ 2 * words + 1 + i }};\n\t{% endfor %}addc.u32 %{{ words }}, 0, 0;{% if linked %} }{% endif %}"
      : {% for i in range(words) %}"=&r"(z[Z + {{ i }}]), {% endfor %}"=r"(out)
      : {% for i in range(words) %}"r"(x[X + {{ i }}]), {% endfor %}{% for i in range(words) %}"r"(y[Y + {{ i }}]){% if not loop.last %}, {% endif %}{% endfor %}{% if linked %}, "r"(carry){% endif %});
  return out;
}
{% endmacro %}
// z[Z ...] = x[X ...] + y[Y ...], the first words and the next ones.
{% for words in [1, 2, 4, 8] %}
{{ sum("add_first" ~ words, words, false) }}
{%- endfor %}
{% for words in [1, 2, 4, 8] %}
{{ sum("add_next" ~ words, words, true) }}
{%- endfor %}

// x * y of signed numbers. The compiler needs more instructions if it knows that a factor is nonnegative, or
// if it extended one before a branch; the same holds for a sum computed here.
__device__ __forceinline__ long long mul_signed(int x, int y) {
  long long z;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
  return z;
}
