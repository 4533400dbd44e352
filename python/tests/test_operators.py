"""Operators, against Python's integers."""

import math
import operator

import numpy as np
import pytest
from numbers_ import DTYPES, numbers, wrapped

import limbforge as lf

INFIX = [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


def pair(dtype, count=80):
    return numbers(dtype, count, 1), numbers(dtype, count, 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_are_python_s_modulo_2_to_the_bits(dtype):
    xs, ys = pair(dtype)
    a, b = lf.array(xs, dtype), lf.array(ys, dtype)
    for op in INFIX:
        expected = [wrapped(op(x, y), dtype) for x, y in zip(xs, ys)]
        assert op(a, b).tolist() == expected, op
        assert op(a, ys[0]).tolist() == [wrapped(op(x, ys[0]), dtype) for x in xs], op
        assert op(xs[0], b).tolist() == [wrapped(op(xs[0], y), dtype) for y in ys], op
    assert (-a).tolist() == [wrapped(-x, dtype) for x in xs]
    assert (~a).tolist() == [wrapped(~x, dtype) for x in xs]
    assert abs(a).tolist() == [wrapped(abs(x), dtype) for x in xs]
    for n in (0, 1, 2, 7):
        assert (a**n).tolist() == [wrapped(x**n, dtype) for x in xs]


@pytest.mark.parametrize("dtype", DTYPES)
def test_division_rounds_down(dtype):
    xs, ys = pair(dtype, 200)
    ys = [y or lf.IntType(dtype).max or -1 for y in ys]
    a, b = lf.array(xs, dtype), lf.array(ys, dtype)
    quotients, remainders = divmod(a, b)
    assert quotients.tolist() == [wrapped(x // y, dtype) for x, y in zip(xs, ys)]
    assert remainders.tolist() == [x % y for x, y in zip(xs, ys)]
    assert (xs[0] // b).tolist() == [wrapped(xs[0] // y, dtype) for y in ys]
    assert (xs[0] % b).tolist() == [xs[0] % y for y in ys]
    fused = lf.fused(lambda x, y: x // y), lf.fused(lambda x, y: x % y)
    assert fused[0](a, b).equals(quotients) and fused[1](a, b).equals(remainders)


@pytest.mark.parametrize("dtype", DTYPES)
def test_comparisons(dtype):
    xs, ys = pair(dtype)
    a, b = lf.array(xs, dtype), lf.array(ys, dtype)
    for op in COMPARISONS:
        found = op(a, b)
        assert found.dtype == bool and found.tolist() == [op(x, y) for x, y in zip(xs, ys)]
        for y in (ys[0], 2**3000, -(2**3000)):
            assert op(a, y).tolist() == [op(x, y) for x in xs]
            assert op(y, a).tolist() == [op(y, x) for x in xs]


def test_comparisons_of_many():
    xs = numbers("u131", 40000)
    a = lf.array(xs, "u131")
    assert (a < a[7]).tolist() == [x < xs[7] for x in xs] and (a == a).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_shifts(dtype):
    xs, t = numbers(dtype, 60), lf.IntType(dtype)
    a = lf.array(xs, dtype)
    for n in (0, 1, t.bits - 1, t.bits, t.bits + 1, 5000):
        assert (a << n).tolist() == [wrapped(x << n, dtype) for x in xs], n
        assert (a >> n).tolist() == [x >> n for x in xs], n
    with pytest.raises(ValueError, match="a negative shift count"):
        a << -1
    amounts = [min(i, t.max) for i in range(60)]
    assert (a << lf.array(amounts, dtype)).tolist() == [wrapped(x << n, dtype) for x, n in zip(xs, amounts)]


def test_powers_modulo():
    xs, es, ms = (numbers("u2048", 20, seed) for seed in (4, 5, 6))
    es, ms = [e >> 1900 for e in es], [m | 1 for m in ms]
    a, e, m = (lf.array(values, "u2048") for values in (xs, es, ms))
    assert pow(a, e, m).tolist() == [pow(x, y, z) for x, y, z in zip(xs, es, ms)]
    assert pow(a, 65537, ms[-1]).tolist() == [pow(x, 65537, ms[-1]) for x in xs]
    assert pow(3, e, m).tolist() == [pow(3, y, z) for y, z in zip(es, ms)]
    units = [x for x in xs if x and math.gcd(x, ms[0]) == 1]
    u = lf.array(units, "u2048")
    assert pow(u, -1, ms[0]).tolist() == [pow(x, -1, ms[0]) for x in units]
    assert pow(u, -3, ms[0]).tolist() == [pow(x, -3, ms[0]) for x in units]


def test_functions_of_the_table():
    xs, ys = pair("u131")
    a, b = lf.array(xs, "u131"), lf.array(ys, "u131")
    assert lf.gcd(a, b).tolist() == [math.gcd(x, y) for x, y in zip(xs, ys)]
    assert lf.isqrt(a).tolist() == [math.isqrt(x) for x in xs]
    wide = lf.mul_wide(a, b)
    assert wide.dtype == lf.IntType("u262") and wide.tolist() == [x * y for x, y in zip(xs, ys)]
    squares = lf.is_square(a)
    assert squares.dtype == bool and squares.tolist() == [math.isqrt(x) ** 2 == x for x in xs]
    assert a[lf.is_prime(a)].tolist() == [
        x
        for x in xs
        if x > 1 and all(x % d for d in range(2, min(math.isqrt(x), 1000) + 1)) and pow(3, x - 1, x) in (1, 0)
    ]
    assert lf.rotl(lf.array([0x81], "u8"), -1).tolist() == [192] and lf.rotl(
        lf.array([0x81], "u8"), 257
    ).tolist() == [3]
    assert lf.select(lf.array([1, 0], "u8"), 10, 20).tolist() == [10, 20]


def test_operands_that_are_none():
    a, b = lf.array([1, 2], "u64"), lf.array([1, 2], "i64")
    for wrong, text in (
        (lambda: a + b, "types u64 and i64: expected one type"),
        (lambda: a < b, "types u64 and i64: expected one type"),
        (lambda: a + [1, 2], "lf.array\\(values, 'u64'\\) makes an array"),
        (lambda: a + np.array([1, 2]), "lf.array\\(values, 'u64'\\) makes an array"),
        (lambda: np.array([1, 2]) + a, "lf.array\\(values, 'u64'\\) makes an array"),
        (lambda: a == [1, 2], "lf.array\\(values, 'u64'\\) makes an array"),
        (lambda: a + 1.5, "unsupported operand"),
        (lambda: a + "1", "unsupported operand"),
        (lambda: a / 2, "use // for the quotient rounded down"),
        (lambda: 2 / a, "use // for the quotient rounded down"),
        (lambda: a**a, "pow\\(a, e, m\\) takes arrays"),
        (lambda: 2**a, "1 << a is a power of two"),
        (lambda: lf.gcd(1, 2), "at least one IntArray"),
        (lambda: lf.gcd(a), "gcd\\(a, b\\) takes 2 operands, found 1"),
        (lambda: lf.gcd(a, b), "operand `b` has the type i64; expected u64"),
    ):
        with pytest.raises(TypeError, match=text):
            wrong()
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(3,\): expected equal ones"):
        a + lf.array([1, 2, 3], "u64")
    for wrong in (
        lambda: a + 2**64,
        lambda: a * -1,
        lambda: 2**64 - a,
        lambda: a ** (2**40),
        lambda: lf.gcd(a, -1),
    ):
        with pytest.raises(OverflowError, match="expected 0 to 2\\^"):
            wrong()
    with pytest.raises(ValueError, match="pow\\(a, -1, m\\) inverts"):
        a**-1
    assert (
        (a + np.uint64(1)).tolist() == [2, 3]
        and (np.int64(1) + a).tolist() == [2, 3]
        and operator.eq(a, None) is False
    )


def test_results_that_do_not_exist():
    a = lf.array([6, 7, 8], "i64")
    for wrong, error, text in (
        (
            lambda: a // lf.array([1, 0, 0], "i64"),
            ZeroDivisionError,
            r"^instance 1: division by zero: `b` is 0 \(2 instances fail\); lf.eval_checked",
        ),
        (lambda: a % 0, ZeroDivisionError, "^instance 0: division by zero"),
        (lambda: pow(a, 3, 0), ZeroDivisionError, "^instance 0: division by zero"),
        (lambda: pow(a, -1, 12), ValueError, "^instance 0: `a` has no inverse"),
        (lambda: lf.isqrt(-a), ValueError, "^instance 0: `a` is negative"),
        (lambda: lf.div_exact(a, 3), ValueError, "^instance 1: `a` is no multiple"),
        (lambda: lf.div_wide(a, 0, 7), OverflowError, "^instance 1: `high` is not below the divisor"),
    ):
        with pytest.raises(error, match=text):
            wrong()
