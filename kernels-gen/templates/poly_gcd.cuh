// poly_gcd.cuh: the state of a greatest common divisor between launches: the lengths of both polynomials,
// then the coefficients of each from the leading one down. Coefficients beyond a length are 0.

constexpr unsigned N_TERMS = {{ n }}, M_TERMS = {{ m }};
constexpr unsigned STATE = 2 + N_TERMS + M_TERMS;
