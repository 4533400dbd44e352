"""Several results of one pass."""

from typing import NamedTuple

import pytest
from numbers_ import numbers, wrapped

import limbforge as lf


@pytest.fixture(params=["u131", "i256"])
def operands(request):
    dtype = request.param
    xs, ys = numbers(dtype, 60, 1), [y or 1 for y in numbers(dtype, 60, 2)]
    return dtype, xs, ys, {"a": lf.array(xs, dtype), "b": lf.array(ys, dtype)}


def test_a_dict_and_a_list_of_expressions(operands):
    dtype, xs, ys, given = operands
    exprs = {"sum": "a + b", "rest": "rem_floor(a, b)", "wide": "mul_wide(a, b)", "expr": lf.Expr("a") * 3}
    found = lf.eval_all(exprs, given)
    assert list(found) == list(exprs) and found["wide"].dtype.bits == 2 * found["sum"].dtype.bits
    assert found["sum"].tolist() == [wrapped(x + y, dtype) for x, y in zip(xs, ys)]
    assert found["rest"].tolist() == [wrapped(x % y, dtype) for x, y in zip(xs, ys)]
    assert found["wide"].tolist() == [x * y for x, y in zip(xs, ys)]
    assert found["expr"].tolist() == [wrapped(3 * x, dtype) for x in xs]
    listed = lf.eval_all(list(exprs.values()), a=given["a"], b=given["b"])
    assert [one.tolist() for one in listed] == [one.tolist() for one in found.values()]
    assert lf.eval_all([], given) == [] and lf.eval_all({}) == {}
    many = lf.eval_all([f"a + {i}" for i in range(20)], a=given["a"])
    assert [one[0] for one in many] == [wrapped(xs[0] + i, dtype) for i in range(20)]


def test_types_and_overflow_of_several_results():
    a = lf.array([200, 3], "u8")
    found = lf.eval_all({"twice": "a + a", "square": "a * a"}, a=a, bits=16)
    assert found["twice"].tolist() == [400, 6] and found["square"].tolist() == [40000, 9]
    assert lf.eval_all(["a * b"], a=a, b=-1, dtype="i64")[0].tolist() == [-200, -3]
    # Neither result overflows, what they are made of does.
    found = lf.eval_all(["(a * a) / a", "a - 3"], a=a, overflow="raise")
    assert [one.tolist() for one in found] == [[200, 3], [197, 0]]
    with pytest.raises(OverflowError, match="^result `square`: instance 0: the number does not fit u8"):
        lf.eval_all({"same": "a", "square": "a * a"}, a=a, overflow="raise")
    with pytest.raises(OverflowError, match="^result 1: instance 1: .* it is negative"):
        lf.eval_all(["a", "a - 4"], a=a, overflow="raise")
    with pytest.raises(ValueError, match="overflow: expected"):
        lf.eval_all(["a"], a=a, overflow="no")


def test_each_result_has_failures_of_its_own():
    given = {"a": lf.array([17, 8, 9], "u64"), "b": lf.array([5, 0, 2], "u64")}
    found = lf.eval_all_checked({"q": "a / b", "s": "a + b", "i": "modinv(a, b)"}, given)
    assert {name: one.ok.tolist() for name, one in found.items()} == {
        "q": [True, False, True],
        "s": [True] * 3,
        "i": [True, False, True],
    }
    assert found["q"].values.tolist() == [3, 0, 4] and found["q"].failures[0].mark == "DIV0"
    assert [one.failures for one in lf.eval_all_checked(["a", "b"], given)] == [[], []]
    with pytest.raises(ZeroDivisionError, match="^result `q`: instance 1: division by zero"):
        lf.eval_all({"s": "a + b", "q": "a / b"}, given)


def test_expressions_that_are_none():
    a = lf.array([1], "u64")
    for exprs, error, text in (
        ("a", TypeError, "expected a dict or a list of expressions, found .*str.*lf.eval evaluates one"),
        (3, TypeError, "expected a dict or a list"),
        (["a", 3], TypeError, "^result 1: expected an expression as text or an Expr"),
        ({"x": "a +"}, ValueError, "^result `x`: "),
        (["a", "b"], TypeError, "uses `b`, which is not given"),
    ):
        with pytest.raises(error, match=text):
            lf.eval_all(exprs, a=a)
    with pytest.raises(TypeError, match="no operand `c`"):
        lf.eval_all(["a"], a=a, c=a)


class Parts(NamedTuple):
    quotient: object
    rest: object


def test_fused_functions_return_several_results(operands):
    dtype, xs, ys, given = operands
    a, b = given["a"], given["b"]
    expected = (
        [wrapped(x // y, dtype) for x, y in zip(xs, ys)],
        [wrapped(x % y, dtype) for x, y in zip(xs, ys)],
    )
    for function in (
        lambda a, b: (a // b, a % b),
        lambda a, b: [a // b, a % b],
        lambda a, b: Parts(a // b, a % b),
    ):
        found = lf.fused(function)(a, b)
        assert type(found) is type(function(lf.Expr("a"), lf.Expr("b")))
        assert tuple(one.tolist() for one in found) == expected
    found = lf.fused(lambda a, b: {"q": a // b, "all": (a, [b % 3]), "none": ()})(a, b)
    assert found["q"].tolist() == expected[0] and found["none"] == () and found["all"][0].tolist() == xs
    assert found["all"][1][0].tolist() == [y % 3 for y in ys]
    with pytest.raises(TypeError, match="returned <class 'int'>; expected an expression of arguments, or a"):
        lf.fused(lambda a: (a, 3))(a)
    resident = lf.fused(lambda a, b: {"s": a + b, "d": a - b})(lf.device(a, "cpu"), lf.device(b, "cpu"))
    assert resident["d"].to_host().tolist() == [wrapped(x - y, dtype) for x, y in zip(xs, ys)]


def test_divmod_is_one_pass(operands):
    dtype, xs, ys, given = operands
    for a, b, x, y in (
        (given["a"], given["b"], xs, ys),
        (given["a"], 7, xs, [7] * 60),
        (7, given["b"], [7] * 60, ys),
    ):
        quotient, rest = divmod(a, b)
        assert quotient.tolist() == [wrapped(p // q, dtype) for p, q in zip(x, y)]
        assert rest.tolist() == [wrapped(p % q, dtype) for p, q in zip(x, y)]
    with pytest.raises(TypeError, match="unsupported operand"):
        divmod(given["a"], "1")
    with pytest.raises(ZeroDivisionError):
        divmod(given["a"], 0)
