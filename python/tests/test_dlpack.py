"""Limbs that other libraries read in place, and theirs, by DLPack. test_device.py has the tests on GPUs."""

import ctypes
import gc
import weakref

import numpy as np
import pytest
from numbers_ import numbers

import limbforge as lf


@pytest.mark.parametrize("dtype", ["u64", "i131", "u2048"])
def test_numpy_reads_limbs_in_place(dtype):
    xs = numbers(dtype, 9)
    a = lf.array(xs, dtype)
    assert a.__dlpack_device__() == (1, 0)
    words = np.from_dlpack(a)
    assert words.dtype == np.uint64 and words.tolist() == lf.limbs(a).tolist()
    assert words.ctypes.data == lf.limbs(a).ctypes.data and not words.flags.writeable
    assert np.from_dlpack(a[2:5]).ctypes.data == lf.limbs(a)[2:].ctypes.data
    assert lf.from_dlpack(words, dtype).equals(a) and lf.from_dlpack(a, dtype).equals(a)
    # The memory lives as long as a view of it.
    expected, gone = words.tolist(), weakref.ref(a)
    del a
    gc.collect()
    assert gone() is None and words.tolist() == expected


def test_a_resident_array_on_the_cpu_is_lent_too():
    a = lf.device(lf.array([5, 2**64 + 7], "u128"), "cpu")
    assert a.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(a * 2).tolist() == [[10, 0], [14, 2]]


def test_consumers_that_know_no_flags_get_a_copy():
    a = lf.array([1, 2], "u64")
    old, copied, shared = (
        a.__dlpack__(),
        a.__dlpack__(max_version=(1, 0), copy=True),
        a.__dlpack__(max_version=(1, 1)),
    )
    assert ['"dltensor"' in repr(capsule) for capsule in (old, copied, shared)] == [True, False, False]
    for capsule, is_copy in ((old, True), (copied, True), (shared, False)):
        words = np.from_dlpack(Capsule(capsule))
        assert words.tolist() == [[1], [2]] and (words.ctypes.data != lf.limbs(a).ctypes.data) == is_copy
    assert np.from_dlpack(a, copy=True).flags.writeable and not np.from_dlpack(a, copy=False).flags.writeable


class Capsule:
    """An object that lends a tensor of a capsule."""

    def __init__(self, capsule, device=(1, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        return self.capsule


def test_capsules_are_used_once_or_not_at_all():
    a = lf.array(range(1000), "u2048")
    for version in (None, (1, 0)):
        for _ in range(100):
            a.__dlpack__(max_version=version)
        capsule = a.__dlpack__(max_version=version)
        assert lf.from_dlpack(Capsule(capsule)).equals(a) and "used_dltensor" in repr(capsule)
        with pytest.raises(TypeError, match="expected a capsule of a tensor"):
            lf.from_dlpack(Capsule(capsule))


def test_words_of_other_sizes():
    a = lf.array([1, 2**127 + 5, 2**64], "u128")
    for dtype in ("uint8", "int8", "uint16", "uint32", "int32", "int64", "uint64"):
        words = lf.limbs(a).copy().view(dtype)
        assert lf.from_dlpack(words).equals(a), dtype
    assert lf.from_dlpack(lf.limbs(a).copy(), "i128")[1] == 5 - 2**127
    assert lf.from_dlpack(np.zeros((0, 2), np.uint64)).tolist() == []
    # The strides of a row alone, or of a column alone, say nothing.
    assert lf.from_dlpack(np.zeros((4, 4), np.uint64)[:1, :]).tolist() == [0]
    assert lf.from_dlpack(np.arange(4, dtype=np.uint64).reshape(4, 1)[:, :1]).tolist() == [0, 1, 2, 3]
    words = np.arange(4, dtype=np.uint64)[:, None]
    b = lf.from_dlpack(words)
    words[:] = 7
    assert b.tolist() == [0, 1, 2, 3]


def test_an_old_producer_is_asked_without_a_version():
    class Old:
        def __init__(self, words):
            self.words = words

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, stream=None):
            return self.words.__dlpack__()

    assert lf.from_dlpack(Old(np.array([[3]], np.uint64))).tolist() == [3]


def test_what_cannot_be_lent():
    a, words = lf.array([1, 2], "u64"), np.zeros((4, 4), np.uint64)
    for call, error, text in (
        (lambda: a.__dlpack__(stream=1), ValueError, "stream: expected None"),
        (lambda: a.__dlpack__(dl_device=(2, 0)), BufferError, r"\(2, 0\) in dl_device"),
        (lambda: a.__dlpack__(copy=False), BufferError, "read-only"),
        (lambda: lf.from_dlpack(3), TypeError, "expected an object with __dlpack__, found .*int"),
        (lambda: lf.from_dlpack(words, copy=False), BufferError, "lf.from_limbs shares"),
        (
            lambda: lf.from_dlpack(words, "u64"),
            ValueError,
            r"shape \(N, 1\) for u64, found uint64 and \[4, 4\]",
        ),
        (lambda: lf.from_dlpack(words[:, ::2]), ValueError, "C-contiguous"),
        (lambda: lf.from_dlpack(words.T), ValueError, "C-contiguous"),
        (lambda: lf.from_dlpack(words[0]), ValueError, r"shape \(N, M\), found uint64 and \[4\]"),
        (lambda: lf.from_dlpack(words.astype("f8")), ValueError, "found elements of code 2, 64 bits"),
        (lambda: lf.from_dlpack(words.astype("u1")), ValueError, "found uint8"),
        (lambda: lf.from_dlpack(words + 2**63, "u255"), ValueError, "bits above its width"),
        (lambda: lf.from_dlpack(Capsule(3)), TypeError, "expected a capsule of a tensor"),
        (lambda: lf.from_dlpack(Capsule(None, (8, 0))), ValueError, "device kind 8"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_a_version_of_the_future_is_refused_and_deleted():
    deleted = []

    class Versioned(ctypes.Structure):
        """The beginning of DLManagedTensorVersioned, which all versions share."""

    delete = ctypes.CFUNCTYPE(None, ctypes.POINTER(Versioned))
    Versioned._fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", delete),
        ("rest", ctypes.c_uint64 * 8),
    ]
    tensor = Versioned(2, 0, None, delete(lambda _: deleted.append(1)))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new(ctypes.addressof(tensor), b"dltensor_versioned", None)
    with pytest.raises(BufferError, match="DLPack 2: expected version 1"):
        lf.from_dlpack(Capsule(capsule))
    assert deleted == [1]
