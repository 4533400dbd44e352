"""Arrays that stay where an engine computes. Those of a GPU need one, and are run with
LIMBFORGE_TEST_GPU=1."""

import os

import numpy as np
import pytest
from numbers_ import numbers, wrapped

import limbforge as lf

gpu = pytest.mark.skipif(
    "LIMBFORGE_TEST_GPU" not in os.environ, reason="needs a GPU: LIMBFORGE_TEST_GPU=1 runs it"
)
ENGINES = ["cpu", pytest.param("cuda:0", marks=gpu)]


@pytest.mark.parametrize("device", ENGINES)
@pytest.mark.parametrize("dtype", ["u131", "i256", "u2048"])
def test_resident_arrays_compute_as_others(device, dtype):
    engine = lf.Engine(device)
    xs, ys = numbers(dtype, 90, 1), [y or 1 for y in numbers(dtype, 90, 2)]
    a, b = (engine.upload(lf.array(values, dtype)) for values in (xs, ys))
    assert (len(a), a.dtype, a.shape) == (90, lf.IntType(dtype), (90,))
    assert a.download().tolist() == xs
    found = ((a * b + 3) // b) % (b | 1) - (5 ^ a)
    expected = [
        wrapped(wrapped(x * y + 3, dtype) // y % (y | 1) - (5 ^ x), dtype) if y | 1 else 0
        for x, y in zip(xs, ys)
    ]
    assert found.download().tolist() == expected and "90 integers" in repr(found)
    assert lf.eval("a*a + b", a=a, b=7).download().tolist() == [wrapped(x * x + 7, dtype) for x in xs]
    assert lf.eval("gcd(a, b)", {"a": a, "b": b}).download().equals(lf.gcd(a.download(), b.download()))
    assert lf.fused(lambda x, y: x // y)(a, b).download().tolist() == [
        wrapped(x // y, dtype) for x, y in zip(xs, ys)
    ]


@pytest.mark.parametrize("device", ENGINES)
def test_failures_of_resident_arrays(device):
    engine = lf.Engine(device)
    a = engine.upload(lf.array([7, 8, 9], "u64"))
    found = 1000 // (a - 8) + a
    assert found.failed() == [1]
    with pytest.raises(
        ValueError, match="instance 1 has no result, the first of 1: .failed\\(\\) lists them"
    ):
        found.download()


def test_operands_that_do_not_go_together():
    engine = lf.Engine("cpu")
    host = lf.array([1, 2], "u64")
    a = engine.upload(host)
    for call, error, text in (
        (lambda: a + host, TypeError, "engine.upload\\(array\\)"),
        (lambda: host + a, TypeError, "engine.upload\\(array\\)|unsupported"),
        (lambda: a + engine.upload(host.astype("u65")), TypeError, "types u64 and u65"),
        (lambda: a + 1.5, TypeError, "unsupported"),
        (lambda: a + 2**64, OverflowError, "does not fit u64"),
        (lambda: a + engine.upload(lf.array([1, 2, 3], "u64")), ValueError, r"shape \(3,\)"),
        (lambda: lf.eval("a", a=a, bits=128), TypeError, "leave out dtype"),
        (lambda: a.__cuda_array_interface__, AttributeError, "no __cuda_array_interface__"),
        (
            lambda: engine.from_cuda(host, "u64"),
            TypeError,
            "expected an object with __cuda_array_interface__",
        ),
        (lambda: engine.from_cuda(Lent((2, 1)), "u64"), lf.DeviceError, "CPU|GPU"),
        (lambda: engine.from_cuda(Lent((2, 2)), "u64"), ValueError, r"shape \(N, 1\) for u64"),
        (lambda: engine.from_cuda(Lent((2, 1), strides=(16, 8)), "u64"), ValueError, "C-contiguous"),
        (
            lambda: engine.from_cuda(Lent((2, 1), typestr="<f8"), "u64"),
            ValueError,
            "expected words of uint64",
        ),
    ):
        with pytest.raises(error, match=text):
            call()


class Lent:
    """An object that lends memory which no GPU has."""

    def __init__(self, shape, strides=None, typestr="<u8"):
        self.__cuda_array_interface__ = {
            "shape": shape,
            "strides": strides,
            "typestr": typestr,
            "data": (4096, False),
            "version": 3,
        }


@gpu
def test_a_gpu_lends_and_borrows():
    engine = lf.Engine("cuda:0")
    xs = numbers("u2048", 1000)
    a = engine.upload(lf.array(xs, "u2048"))
    interface = a.__cuda_array_interface__
    assert (
        interface["shape"] == (1000, 32) and interface["typestr"] == "<u8" and interface["data"][0] % 16 == 0
    )
    back = engine.from_cuda(a, "u2048")
    assert back.download().tolist() == xs and back.__cuda_array_interface__["data"] != interface["data"]
    odd = engine.from_cuda(a, "u2000")
    assert odd.download().tolist() == [x % 2**2000 for x in xs]
    with pytest.raises(lf.DeviceError):
        engine.from_cuda(Lent((2, 32)), "u2048")
    cupy = pytest.importorskip("cupy")
    assert cupy.asnumpy(cupy.asarray(a)).tolist() == lf.limbs(a.download()).tolist()
    words = cupy.asarray(np.arange(64, dtype=np.uint64).reshape(2, 32))
    assert lf.limbs(engine.from_cuda(words, "u2048").download()).tolist() == words.get().tolist()
