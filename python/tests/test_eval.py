"""Expressions: texts, functions, overflow, failures."""

import pytest
from numbers_ import numbers, wrapped

import limbforge as lf


def test_text_and_function_are_one():
    xs, ys = numbers("u2048", 50, 7), numbers("u2048", 50, 8)
    a, b = lf.array(xs, "u2048"), lf.array(ys, "u2048")
    expected = [(x * x + y) * (y * y + y) % 2**2048 for x, y in zip(xs, ys)]

    @lf.fused
    def poly(a, b):
        """A polynomial."""
        return (a * a + b) * (b**2 + b)

    assert lf.eval("(a*a + b)*(b*b + b)", a=a, b=b).tolist() == expected
    assert lf.eval("(a*a + b)*(b*b + b)", {"a": a}, b=b).tolist() == expected
    assert poly(a, b).tolist() == poly(b=b, a=a).tolist() == poly(a, b=b).tolist() == expected
    assert (poly.__name__, poly.__doc__) == ("poly", "A polynomial.")
    assert lf.eval(lf.Expr("a") ** 3, a=a).tolist() == [wrapped(x**3, "u2048") for x in xs]


def test_fused_functions_know_the_sign():
    remainder = lf.fused(lambda a, b: a % b + 2 * (a // b) - lf.select(a < b, 1, 0))
    for dtype in ("i64", "u64"):
        xs, ys = numbers(dtype, 60, 1), [y or 1 for y in numbers(dtype, 60, 2)]
        found = remainder(lf.array(xs, dtype), lf.array(ys, dtype)).tolist()
        assert found == [wrapped(x % y + 2 * (x // y) - (x < y), dtype) for x, y in zip(xs, ys)]


def test_fused_functions_take_ints_and_defaults():
    @lf.fused
    def scaled(a, factor=3, unused=0):
        return a * factor

    a = lf.array([1, 2], "u64")
    assert (
        scaled(a).tolist() == [3, 6]
        and scaled(a, 5).tolist() == [5, 10]
        and scaled(a, factor=a).tolist() == [1, 4]
    )


def test_functions_that_cannot_be_fused():
    a = lf.array([1, 2], "u64")
    with pytest.raises(TypeError, match="not if"):
        lf.fused(lambda x: x if x > 3 else -x)(a)
    with pytest.raises(TypeError, match="returned <class 'int'>"):
        lf.fused(lambda x: 3)(a)
    with pytest.raises(TypeError, match="named arguments alone"):
        lf.fused(lambda *xs: xs[0])
    with pytest.raises(TypeError, match="an array within an expression"):
        lf.fused(lambda x: x + a)(a)
    with pytest.raises(TypeError, match="at least one IntArray"):
        lf.fused(lambda x: x)(3)
    with pytest.raises(TypeError, match="use // for the quotient"):
        lf.fused(lambda x: x / 2)(a)


def test_wide_results_and_wide_types():
    a = lf.array([2**64 - 1, 3], "u64")
    assert lf.eval("mul_wide(a, a)", a=a).dtype == lf.IntType("u128")
    assert lf.eval("a * a", a=a, bits=128).tolist() == [(2**64 - 1) ** 2, 9]
    assert lf.eval("a - b", a=a, b=-1, dtype="i70").tolist() == [2**64, 4]
    assert lf.eval("a + b", a=a, b=lf.array([1], "i8"), dtype="u65").tolist() == [2**64, 4]
    with pytest.raises(TypeError, match="operand `b` has the type i8; expected u64"):
        lf.eval("a + b", a=a, b=lf.array([1], "i8"))
    with pytest.raises(
        OverflowError, match="operand `b`: instance 0: the number does not fit u64: it is negative"
    ):
        lf.eval("a + b", a=a, b=lf.array([-1], "i8"), dtype="u64")


@pytest.mark.parametrize(
    "text",
    [
        "a*b + a",
        "a - b",
        "(a*a - b*b) % (abs + 1)",
        "a**3 >> 7",
        "max(a, b) - min(a, b)",
        "gcd(a, b) * 2",
        "~a",
        "(a << 5) | b",
    ],
)
@pytest.mark.parametrize("dtype", ["u20", "i20"])
def test_overflow_raises_where_the_exact_value_does_not_fit(dtype, text):
    import math

    text = text.replace("abs", "(a & 1023)")
    t = lf.IntType(dtype)
    python = text.replace("max", "max").replace("gcd", "math.gcd")
    xs, ys = ([x >> 11 for x in numbers(dtype, 40, seed)] for seed in (1, 2))
    for x, y in zip(xs + [t.max, t.min, 3], ys + [t.max, t.max, 2]):
        exact = eval(python, {"a": x, "b": y, "math": math, "max": max, "min": min})
        a, b = lf.array([0, x], dtype), lf.array([0, y], dtype)
        operands = {name: array for name, array in (("a", a), ("b", b)) if name in lf.Expr(text).inputs}
        if text.startswith("(a*a"):
            # The remainder of the language has the sign of the dividend.
            exact = int(math.fmod(x * x - y * y, (x & 1023) + 1))
        if t.min <= exact <= t.max and t.min <= (-1 if text == "~a" else 0):
            assert lf.eval(text, operands, overflow="raise").tolist()[1] == exact
        else:
            with pytest.raises(OverflowError, match="^instance [01]: the number does not fit"):
                lf.eval(text, operands, overflow="raise")


def test_expressions_without_an_exact_value():
    a = lf.array([1], "u64")
    for text in (
        "clz(a)",
        "mulhi(a, a)",
        "rotl(a, 3)",
        "modinv2k(a)",
        "a << a",
        "mont_mul(a, a, a)",
        "mul_wide(a, a)",
    ):
        with pytest.raises(ValueError, match="overflow|wrap"):
            lf.eval(text, a=a, overflow="raise")
    with pytest.raises(ValueError, match="overflow: expected 'wrap' or 'raise', found 'ignore'"):
        lf.eval("a", a=a, overflow="ignore")


def test_failures_have_a_mark():
    found = lf.eval_checked("a / b", a=lf.array([7, 8, 9], "u128"), b=lf.array([2, 0, 3], "u128"))
    assert (len(found), repr(found)) == (3, "Checked(3 integers of u128, 1 failures)")
    assert found.values.tolist() == [3, 0, 3] and found.ok.tolist() == [True, False, True]
    (failure,) = found.failures
    assert failure == (1, "DIV0", "division by zero: `b` is 0") and failure.mark == "DIV0"


def test_operands_that_do_not_match():
    a, b = lf.array([1, 2], "u64"), lf.array([1, 2, 3], "u64")
    for call, error, text in (
        (
            lambda: lf.eval("a + b", a=a, b=b),
            ValueError,
            r"operand `b` has shape \(3,\); expected \(2,\) as `a`, or one integer",
        ),
        (lambda: lf.eval("a + b", a=a), TypeError, "the expression uses `b`, which is not given"),
        (lambda: lf.eval("a", a=a, c=b), TypeError, "has no operand `c`; expected: a"),
        (lambda: lf.eval("a", {"a": a}, a=a), TypeError, "`a` is given twice"),
        (lambda: lf.eval("a + b", a=1, b=2), TypeError, "at least one IntArray"),
        (
            lambda: lf.eval("a", a=[1, 2], dtype="u64"),
            TypeError,
            "operand `a`: expected an IntArray or an int",
        ),
        (lambda: lf.eval("a", a=a, dtype="u8", bits=8), TypeError, "not both"),
        (lambda: lf.eval("a + 256", a=a.astype("u8")), ValueError, "256 does not fit u8"),
        (lambda: lf.eval("a +", a=a), ValueError, "expected"),
        (lambda: lf.eval("gdc(a, a)", a=a), ValueError, "gcd"),
        (
            lambda: lf.eval("mul_wide(a, a) + 1", a=a),
            ValueError,
            "a wide product must be the whole expression",
        ),
        (lambda: lf.eval(3, a=a), TypeError, "expected an expression as text or an Expr"),
        (lambda: lf.eval("a + b", a=a, b=2**64), OverflowError, "operand `b`: the int does not fit u64"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_no_integers():
    a = lf.array([], "u64")
    assert (a + a).tolist() == (a + 1).tolist() == lf.eval("1 / a", a=a).tolist() == [] and (
        a < 3
    ).tolist() == []
