"""Arrays that stay where an engine computes."""

import math
import operator
import re

import numpy as np
import pytest
from numbers_ import numbers, wrapped

import limbforge as lf

ENGINES = ["cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)]
DTYPES = ["u131", "i256", "u2048"]


def same(resident, host):
    """Whether a resident result is that of arrays on the host."""
    found = resident.to_host()
    if isinstance(host, np.ndarray):
        return found.tolist() == host.astype(int).tolist()
    return found.equals(host)


@pytest.fixture(params=DTYPES)
def operands(request):
    dtype = request.param
    xs, ys = numbers(dtype, 90, 1), [y or 1 for y in numbers(dtype, 90, 2)]
    return lf.array(xs, dtype), lf.array(ys, dtype)


@pytest.mark.parametrize("device", ENGINES)
def test_operators(device, operands):
    a, b = operands
    x, y = (lf.device(array, device) for array in operands)
    signed = a.dtype.signed
    infix = [
        getattr(operator, name)
        for name in [
            "add",
            "sub",
            "mul",
            "floordiv",
            "mod",
            "and_",
            "or_",
            "xor",
            "lt",
            "le",
            "gt",
            "ge",
            "eq",
            "ne",
        ]
    ]
    for op in [*infix, lambda p, q: divmod(p, q)[0], lambda p, q: divmod(p, q)[1]]:
        assert same(op(x, y), op(a, b)) and same(op(x, 3), op(a, 3)) and same(op(3, y), op(3, b))
    for op in (operator.neg, operator.pos, operator.invert, abs):
        assert same(op(x), op(a))
    for distance in (0, 1, 64, 100, 5000):
        assert same(x << distance, a << distance) and same(x >> distance, a >> distance)
    assert same(x << (y & 63), a << (b & 63)) and same(1 << (y & 63), 1 << (b & 63))
    m = 2 ** (a.dtype.bits - 2) - 1
    assert same(x**5, a**5) and same(x**0, a**0) and same(pow(x, 65537, m), pow(a, 65537, m))
    assert same(pow(x, y & 255, m), pow(a, b & 255, m)) and same(pow(3, y & 255, m), pow(3, b & 255, m))
    assert same(pow(x | 1, -1, 2**100), pow(a | 1, -1, 2**100))
    # Ints beyond the type are above or below all integers.
    big = 2**3000
    assert same(x < big, a < big) and same(x > big, a > big) and same(x == -big, a == -big)
    assert signed or same(x >= -1, a >= -1)
    # A comparison is 1 or 0 where the operands lie.
    larger = lf.where(x > y, x, y)
    assert isinstance(larger, lf.DeviceArray) and same(larger, lf.max(a, b))


@pytest.mark.parametrize("device", ENGINES)
def test_functions_of_the_table(device):
    from limbforge._functions import FUNCTIONS
    from limbforge._limbforge import _functions

    seen = 0
    for row in _functions():
        for text, dtype, value in row["examples"]:
            t, args = lf.IntType(dtype), re.fullmatch(rf"{row['name']}\(([-\d, ]+)\)", text)
            ints = [int(x) for x in args[1].split(",")] if args and not value.startswith("!") else []
            if not ints or not all(t.min <= x <= t.max for x in ints):
                continue
            function = FUNCTIONS[row["name"]]
            found = function(lf.constant(3, ints[0], dtype, device=device), *ints[1:])
            assert isinstance(found, lf.DeviceArray), text
            assert same(found, function(lf.array([ints[0]] * 3, dtype), *ints[1:])), text
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("device", ENGINES)
def test_expressions(device, operands):
    a, b = operands
    dtype, xs, ys = str(a.dtype), a.tolist(), b.tolist()
    x, y = a.to_device(device), lf.device(b, lf.Engine(device) if device != "cpu" else device)
    x = lf.device(x, y.engine)
    assert (len(x), x.dtype, x.shape) == (90, a.dtype, (90,)) and x.to_host().equals(a)
    assert x.engine is y.engine and "90 integers" in repr(x) and lf.device(x) is x
    found = ((x * y + 3) // y) % (y | 1) - (5 ^ x)
    assert found.download().tolist() == [
        wrapped(wrapped(p * q + 3, dtype) // q % (q | 1) - (5 ^ p), dtype) for p, q in zip(xs, ys)
    ]
    assert same(lf.eval("a*a + b", a=x, b=7), lf.eval("a*a + b", a=a, b=7))
    assert same(lf.eval("gcd(a, b)", {"a": x, "b": y}), lf.gcd(a, b))
    assert lf.gcd(x, 30).to_host().tolist() == [math.gcd(p, 30) for p in xs]
    assert same(lf.fused(lambda p, q: p // q)(x, y), a // b)
    several = lf.eval_all({"sum": "a + b", "wide": "mul_wide(a, b)"}, a=x, b=y)
    assert same(several["sum"], a + b) and same(several["wide"], lf.mul_wide(a, b))
    assert same(lf.fused(lambda p, q: (p, q * 2))(x, y)[1], b * 2)


@pytest.mark.parametrize("device", ENGINES)
def test_born_where_they_stay(device):
    for dtype in ("u64", "i131", "u2048"):
        seeded = {"seed": 42, "stream": 3}
        assert same(lf.zeros(1000, dtype, device=device), lf.zeros(1000, dtype))
        assert same(lf.constant(1000, 5, dtype, device=device), lf.constant(1000, 5, dtype))
        counter = {"start": 7, "step": -(2**70)}
        assert same(lf.counter(1000, dtype, device=device, **counter), lf.counter(1000, dtype, **counter))
        host = lf.random(1000, dtype, **seeded)
        assert same(lf.random(1000, dtype, device=device, **seeded), host)
        assert same(lf.random(100, dtype, device=device, first=700, **seeded), host[700:800])


@pytest.mark.parametrize("device", ENGINES)
def test_failures_of_resident_arrays(device):
    a = lf.device(lf.array([7, 8, 9], "u64"), device)
    found = 1000 // (a - 8) + a
    assert found.failed() == [1]
    for get in (found.download, found.to_host):
        with pytest.raises(
            ValueError,
            match="instance 1 has no result, the first of 1: .failed\\(\\) lists them, .to_host\\(mask",
        ):
            get()
    values, ok = found.to_host(mask=True)
    assert ok.tolist() == [True, False, True] and (values[0], values[2]) == (1000 // (2**64 - 1) + 7, 1009)
    several = lf.eval_all(["1000 / (a - 8)", "a + 1"], a=a)
    assert several[0].failed() == [1] and several[1].failed() == []
