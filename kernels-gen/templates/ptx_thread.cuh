// ptx_thread.cuh: numbers of one thread, in PTX: sums, differences and the rows of Montgomery products. The twin
// in C++ is ptx_thread_twin.cuh. docs/programs.md.
//
// A row adds a word times a number. Products of even and of odd words have separate sums, so that the halves of
// each lie in one pair of registers, and one chain takes all products of a sum: it begins and ends in one asm
// statement. Chains of even words end in word {{ even }} of `even`, those of odd words in word {{ odd }} of `odd`.

{% macro sum(name, op) %}
__device__ __forceinline__ unsigned {{ name }}(Num& z, const Num& x, const Num& y) {
  unsigned out;
  asm("{% for i in range(words) %}{{ op }}{% if i > 0 %}c{% endif %}.cc.u32 %{{ i }}, %{{ words + 1 + i }}, %{{ 2 * words + 1 + i }};\n\t{% endfor %}{{ op }}c.u32 %{{ words }}, 0, 0;"
      : {% for i in range(words) %}"=&r"(z.w[{{ i }}]), {% endfor %}"=r"(out)
      : {% for i in range(words) %}"r"(x.w[{{ i }}]), {% endfor %}{% for i in range(words) %}"r"(y.w[{{ i }}]){% if not loop.last %}, {% endif %}{% endfor %});
  return out;
}
{% endmacro %}
// z = x + y; returns the carry.
{{ sum("add_words", "add") }}
// z = x - y; returns all ones if x < y, else 0.
{{ sum("sub_words", "sub") }}
{% macro chain(name, from, pairs, carries, linked) %}
{% set all = 2 * pairs + (1 if carries else 0) + (1 if linked else 0) %}
{% set low = 1 if linked else 0 %}
// `{{ "odd" if from else "even" }}` += a * {{ "odd" if from else "even" }} words of b{% if linked %}, and the carry of t.even[0] += t.low{% endif %}.
__device__ __forceinline__ void {{ name }}(Partial& t, unsigned a, const Num& b) {
  asm("{% if linked %}add.cc.u32 %0, %0, %{{ all }};\n\t{% endif %}{% for i in range(pairs) %}mad{% if linked or i > 0 %}c{% endif %}.lo.cc.u32 %{{ low + 2 * i }}, %{{ all + low }}, %{{ all + low + 1 + i }}, %{{ low + 2 * i }};\n\tmadc.hi{% if carries or not loop.last %}.cc{% endif %}.u32 %{{ low + 2 * i + 1 }}, %{{ all + low }}, %{{ all + low + 1 + i }}, %{{ low + 2 * i + 1 }};{% if carries or not loop.last %}\n\t{% endif %}{% endfor %}{% if carries %}addc.u32 %{{ all - 1 }}, %{{ all - 1 }}, 0;{% endif %}"
      : {% if linked %}"+&r"(t.even[0]), {% endif %}{% for i in range(2 * pairs + (1 if carries else 0)) %}"+&r"(t.{{ "odd" if from else "even" }}[{{ i }}]){% if not loop.last %}, {% endif %}{% endfor %}

      : {% if linked %}"r"(t.low), {% endif %}"r"(a){% for i in range(pairs) %}, "r"(b.w[{{ from + 2 * i }}]){% endfor %});
}
{% endmacro %}
{{ chain("add_odd_first", 1, odd // 2, odd_carries, true) }}
{{ chain("add_odd", 1, odd // 2, odd_carries, false) }}
{{ chain("add_even", 0, even // 2, even_carries, false) }}
// x * y.
__device__ __forceinline__ unsigned long long mul_words(unsigned x, unsigned y) {
  unsigned long long z;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
  return z;
}

// x * y of signed numbers.
__device__ __forceinline__ long long mul_signed(int x, int y) {
  long long z;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
  return z;
}

