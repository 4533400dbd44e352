"""Resident arrays and operands that do not go together. They need no GPU."""

import pytest

import limbforge as lf


def test_operands_that_do_not_go_together():
    engine = lf.Engine("cpu")
    host = lf.array([1, 2], "u64")
    a = engine.upload(host)
    for call, error, text in (
        (lambda: a + host, TypeError, "engine.upload\\(array\\)"),
        (lambda: host + a, TypeError, "engine.upload\\(array\\)|unsupported"),
        (lambda: lf.gcd(a, host), TypeError, "engine.upload\\(array\\)"),
        (lambda: a + engine.upload(host.astype("u65")), TypeError, "types u64 and u65"),
        (lambda: a + 1.5, TypeError, "unsupported"),
        (lambda: divmod(a, "1"), TypeError, "unsupported"),
        (lambda: pow(a, 2, "1"), TypeError, "arrays of one class or ints"),
        (lambda: a / 2, TypeError, "use //"),
        (lambda: a**a, TypeError, "pow\\(a, e, m\\)"),
        (lambda: a << -1, ValueError, "shift the other way"),
        (lambda: a + 2**64, OverflowError, "does not fit u64"),
        (lambda: a + engine.upload(lf.array([1, 2, 3], "u64")), ValueError, r"shape \(3,\)"),
        (lambda: lf.eval("a", a=a, bits=128), TypeError, "leave out dtype"),
        (lambda: lf.eval_all(["a"], a=a, engine="cpu"), TypeError, "leave out dtype"),
        (lambda: lf.eval_checked("a", a=a), TypeError, "keeps its failures"),
        (lambda: lf.eval_all_checked(["a"], a=a), TypeError, "keeps its failures"),
        (lambda: lf.device([1, 2]), TypeError, "lf.array takes ints, lf.from_dlpack words"),
        (lambda: lf.device(a, "nowhere"), ValueError, "device: expected 'auto'"),
        (lambda: bool(a), ValueError, "neither true nor false"),
        (lambda: hash(a), TypeError, "unhashable"),
        (lambda: a.__cuda_array_interface__, AttributeError, "no __cuda_array_interface__"),
        (
            lambda: engine.from_cuda(host, "u64"),
            TypeError,
            "expected an object with __cuda_array_interface__",
        ),
        (lambda: engine.from_cuda(Lent((2, 1)), "u64"), lf.DeviceError, "CPU|GPU"),
        (lambda: engine.from_cuda(Lent((2, 2), typestr="<u4"), "u64"), lf.DeviceError, "CPU|GPU"),
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
