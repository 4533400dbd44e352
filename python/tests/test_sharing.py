"""Memory that NumPy, Arrow and pickle share with arrays, and memory that others could change."""

import gc
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pyarrow as pa
import pytest
from numbers_ import DTYPES, numbers

import limbforge as lf


def address(a):
    return lf.limbs(a).ctypes.data


def test_numpy_reads_limbs_in_place():
    a = lf.array(numbers("u2048", 9), "u2048")
    view = lf.limbs(a)
    assert (view.shape, view.dtype, view.flags.writeable) == ((9, 32), np.uint64, False)
    assert view.tolist() == [[x >> 64 * j & 2**64 - 1 for j in range(32)] for x in a]
    assert address(a[2:5]) == view[2:].ctypes.data and address(a.copy()) != view.ctypes.data
    with pytest.raises(ValueError, match="WRITEABLE|writeable"):
        view.flags.writeable = True
    assert lf.limbs(lf.array([], "u2048")).shape == (0, 32)
    assert np.asarray(a).tolist() == a.tolist() and np.asarray(a).dtype == object


def test_a_view_keeps_the_memory():
    a = lf.array(numbers("u2048", 100), "u2048")
    expected, view, gone = lf.limbs(a).tolist(), lf.limbs(a), weakref.ref(a)
    del a
    gc.collect()
    assert gone() is None and view.tolist() == expected


def test_memory_that_nobody_writes_to_is_shared():
    a = lf.array(numbers("u2048", 9), "u2048")
    assert address(lf.from_limbs(lf.limbs(a), "u2048")) == address(a)
    assert address(lf.from_limbs(lf.limbs(a)[3:], "u2048")) == address(a[3:])
    words = np.frombuffer(lf.limbs(a).tobytes(), np.uint64).reshape(9, 32)
    assert address(lf.from_limbs(words, "u2048")) == words.ctypes.data


def writable():
    """Buffers of 9 x 32 words that somebody can write to, each with a way to do so."""
    own = np.zeros((9, 32), np.uint64)
    yield own, own
    hidden = np.zeros((9, 32), np.uint64)
    view = hidden.view()
    view.flags.writeable = False
    yield view, hidden
    locked = np.zeros((9, 32), np.uint64)
    locked.flags.writeable = False
    yield locked, locked
    data = bytearray(9 * 32 * 8)
    words = np.frombuffer(memoryview(data).toreadonly(), np.uint64).reshape(9, 32)
    yield words, np.frombuffer(data, np.uint64).reshape(9, 32)


def test_memory_that_somebody_writes_to_is_copied():
    for source, target in writable():
        a = lf.from_limbs(source, "u2048")
        if target is source and not target.flags.writeable:
            target.flags.writeable = True
        target[:] = 7
        assert a.tolist() == [0] * 9


def test_words_that_are_no_array():
    for words, dtype, error, text in (
        (
            np.zeros((2, 3), np.uint64),
            "u128",
            ValueError,
            r"expected words of shape \(N, 2\) for u128, found \(2, 3\)",
        ),
        (
            np.zeros(4, np.uint64),
            "u128",
            ValueError,
            r"expected words of shape \(N, 2\) for u128, found \(4,\)",
        ),
        (np.zeros((2, 2), np.int64), "u128", TypeError, "expected words of uint64, found the format 'l'"),
        (np.zeros((2, 2), np.float64), "u128", TypeError, "expected words of uint64, found the format 'd'"),
        (np.zeros((2, 4), np.uint64)[:, ::2], "u128", BufferError, "ascontiguousarray"),
        (
            np.full((2, 1), 2**63, np.uint64),
            "u63",
            ValueError,
            "instance 0 has bits above its width: expected u63",
        ),
        ([1, 2], "u64", TypeError, "bytes-like"),
    ):
        with pytest.raises(error, match=text):
            lf.from_limbs(words, dtype)
    big = np.array([[1], [2]], np.uint64).astype(">u8")
    with pytest.raises(TypeError, match="expected words of uint64"):
        lf.from_limbs(big, "u64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrow(dtype):
    a = lf.array(numbers(dtype, 20), dtype)
    column = a.to_arrow()
    assert column.type.extension_name == "limbforge.int" and column.type.dtype == a.dtype
    assert lf.from_arrow(column).equals(a) and lf.from_arrow(a).equals(a)
    assert lf.from_arrow(column[3:8]).equals(a[3:8])
    plain = lf.to_arrow(a, extension=False)
    assert plain.type == pa.binary(a.dtype.itemsize) and lf.from_arrow(plain, dtype).equals(a)
    assert lf.from_arrow(pa.chunked_array([plain, plain[:5]]), dtype).equals(lf.concatenate([a, a[:5]]))


def test_arrow_shares_memory(tmp_path):
    a = lf.array(numbers("u2048", 20), "u2048")
    assert address(lf.from_arrow(a.to_arrow())) == address(a)
    assert address(lf.from_arrow(pa.chunked_array([a.to_arrow()]))) == address(a)
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"n": a.to_arrow()}), tmp_path / "n.parquet")
    assert lf.from_arrow(parquet.read_table(tmp_path / "n.parquet")["n"]).equals(a)


def test_failures_are_nulls():
    found = lf.eval_checked("6 / a", a=lf.array([2, 0, 3], "u64"))
    column = lf.to_arrow(found)
    assert column.null_count == 1 and column.is_null().to_pylist() == [False, True, False]
    with pytest.raises(ValueError, match="the column has 1 nulls, the first in row 1: mask=True"):
        lf.from_arrow(column)
    values, mask = lf.from_arrow(column, mask=True)
    assert values.tolist() == [3, 0, 2] and mask.tolist() == [True, False, True]


def test_columns_that_are_no_array():
    for column, dtype, error in (
        (pa.array([1, 2]), None, TypeError),
        (pa.array(["a"]), "u8", TypeError),
        ([1], None, TypeError),
        (pa.array([b"\xff" * 8], pa.binary(8)), "u8", OverflowError),
        (pa.array([b"\xff" * 8], pa.binary(8)), None, TypeError),
    ):
        with pytest.raises(error):
            lf.from_arrow(column, dtype)
    assert lf.from_arrow(pa.array([b"\x01\x02"], pa.binary(2)), "u16").tolist() == [513]


def test_the_type_of_a_file_that_pyarrow_reads(tmp_path):
    """The type is known, or there is an error, whichever package is imported first."""
    a = lf.array([-1, 5], "i131")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"n": a.to_arrow()}), tmp_path / "n.parquet")
    read = f"import pyarrow.parquet as pq; c = pq.read_table({str(tmp_path / 'n.parquet')!r})['n']"

    def run(first, second):
        script = f"import {first}, {second}; {read}; print(limbforge.from_arrow(c).tolist())"
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert run("pyarrow", "limbforge").stdout == "[-1, 5]\n"
    assert "TypeError" in run("limbforge", "pyarrow").stderr


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", ["i131", "u2048"])
def test_pickle(dtype, protocol):
    a = lf.array(numbers(dtype, 50), dtype)
    if protocol >= 2:
        assert pickle.loads(pickle.dumps(a, protocol)).equals(a)
        assert pickle.loads(pickle.dumps(a[7:9], protocol)).equals(a[7:9])
        assert pickle.loads(pickle.dumps(lf.array([], dtype), protocol)).equals(a[:0])
    assert pickle.loads(pickle.dumps(a.dtype, protocol)) == a.dtype


def test_pickle_out_of_band_copies_nothing():
    a, buffers = lf.array(numbers("u2048", 50), "u2048"), []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(data) < 200 and address(pickle.loads(data, buffers=buffers)) == address(a)
    # Buffers that somebody can write to are copied.
    written = bytearray(buffers[0].raw())
    b = pickle.loads(data, buffers=[written])
    written[:] = bytes(len(written))
    assert b.equals(a)
    with pytest.raises(ValueError, match="expected a multiple of 256 bytes, found 5"):
        pickle.loads(data, buffers=[b"12345"])


def test_memory_of_results_is_used_again_only_when_nobody_reads_it():
    n = 4000
    a, zeros = lf.random(n, "i131", seed=1), lf.zeros(n, "i131")
    expected = [x * x for x in a]
    first = lf.mul_wide(a, a)
    view, place = lf.limbs(first), address(first)
    copy, part = view.copy(), first[5:7]
    del first
    # A view and a slice keep the memory.
    for _ in range(3):
        assert address(lf.mul_wide(a, a)) != place
    assert (view == copy).all()
    del view
    assert address(lf.mul_wide(a, a)) != place and part.tolist() == expected[5:7]
    del part
    gc.collect()
    found = {address(lf.mul_wide(a, a)) for _ in range(3)}
    assert len(found) <= 2
    # What was there before is not seen: failures are 0, and bits above the width, too.
    for _ in range(3):
        assert lf.mul_wide(a, a).tolist() == expected
        divided = lf.eval_checked("mul_wide(a, b) ", a=a, b=zeros)
        assert divided.values.tolist() == [0] * n
        failed = lf.eval_all_checked(["a / b", "~a"], a=a, b=zeros)
        assert failed[0].values.tolist() == [0] * n and len(failed[0].failures) == n
        assert failed[1].values.tolist() == [~x for x in a]
