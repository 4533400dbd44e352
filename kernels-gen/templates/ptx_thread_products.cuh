// ptx_thread_products.cuh: squares and products of numbers of one thread, in PTX. The twin in C++ is
// ptx_thread_products_twin.cuh. docs/programs.md.
//
// Products of words that begin at an even place go to `even`, those at an odd place to `odd`: one chain of carries takes
// the products of a word with every second word of the other factor.

{% macro square(name, pairs, at, words, first, carries) %}
{% set all = 2 * pairs + (1 if carries else 0) %}
  asm("{% for k in range(pairs) %}mad{% if k > 0 %}c{% endif %}.lo.cc.u32 %{{ 2 * k }}, %{{ all }}, %{{ all + 1 + k }}, %{{ 2 * k }};\n\tmadc.hi{% if carries or not loop.last %}.cc{% endif %}.u32 %{{ 2 * k + 1 }}, %{{ all }}, %{{ all + 1 + k }}, %{{ 2 * k + 1 }};{% if carries or not loop.last %}\n\t{% endif %}{% endfor %}{% if carries %}addc.u32 %{{ all - 1 }}, %{{ all - 1 }}, 0;{% endif %}"
      : {% for k in range(all) %}"+&r"({{ name }}[{{ at + k }}]){% if not loop.last %}, {% endif %}{% endfor %}

      : "r"(a.w[{{ at // 2 }}]), "r"({{ first }}){% for k in range(1, pairs) %}, "r"(twice.w[{{ words + 2 * k }}]){% endfor %});
{% endmacro %}
// even + odd B = a^2, from 0 and the W words of 2 a: word i times itself and times the double of the words above it.
__device__ __forceinline__ void square_words(unsigned (&even)[2 * W + 1], unsigned (&odd)[2 * W + 1], const Num& a, const Num& twice) {
{% for i in range(words) %}
{{ square("even", (words - i + 1) // 2, 2 * i, i, "a.w[" ~ i ~ "]", i + 1 < words) }}
{%- if i + 1 < words %}
{{ square("odd", (words - i) // 2, 2 * i, i + 1, "a.w[" ~ (i + 1) ~ "] << 1", true) }}
{%- endif %}
{% endfor %}
}

{% macro product(name, at, from, pairs) %}
{% set all = 2 * pairs + 1 %}
  asm("{% for k in range(pairs) %}mad{% if k > 0 %}c{% endif %}.lo.cc.u32 %{{ 2 * k }}, %{{ all }}, %{{ all + 1 + k }}, %{{ 2 * k }};\n\tmadc.hi.cc.u32 %{{ 2 * k + 1 }}, %{{ all }}, %{{ all + 1 + k }}, %{{ 2 * k + 1 }};\n\t{% endfor %}addc.u32 %{{ all - 1 }}, %{{ all - 1 }}, 0;"
      : {% for k in range(all) %}"+&r"({{ name }}[{{ at + k }}]){% if not loop.last %}, {% endif %}{% endfor %}

      : "r"(word){% for k in range(pairs) %}, "r"(b.w[{{ from + 2 * k }}]){% endfor %});
{% endmacro %}
// even + odd B = a b, from 0.
__device__ __forceinline__ void product_words(unsigned (&even)[2 * W + 1], unsigned (&odd)[2 * W + 1], const Num& a, const Num& b) {
  unsigned word;
{% for i in range(words) %}
{% set upper = i % 2 %}
  word = a.w[{{ i }}];
{{ product("even", i + upper, upper, (words - upper + 1) // 2) }}
{{- product("odd", i - upper, 1 - upper, (words - 1 + upper + 1) // 2) }}
{%- endfor %}
}

