"""Arrays: building, reading, indexing."""

import copy
import random
import subprocess
import sys

import gmpy2
import numpy as np
import pytest
from numbers_ import DTYPES, numbers

import limbforge as lf


@pytest.mark.parametrize("dtype", DTYPES)
def test_integers_come_back(dtype):
    xs = numbers(dtype, 100)
    a = lf.array(xs, dtype)
    assert a.tolist() == xs == list(a) == [a[i] for i in range(len(a))]
    assert lf.array(tuple(xs), dtype).equals(a) and lf.array(iter(xs), lf.IntType(dtype)).equals(a)


def test_integers_of_all_lengths_come_back():
    draw = random.Random(5)
    for bits in (*range(1, 700), 2047, 2048, 4095, 4096):
        xs = [2 ** (bits - 1), 2**bits - 1, draw.getrandbits(bits), draw.getrandbits(bits) | 2 ** (bits - 1)]
        for sign in (1, -1):
            found = lf.array([sign * x for x in xs], f"i{bits + 1}").tolist()
            assert found == [sign * x for x in xs] and all(type(x) is int for x in found), bits
            assert [hash(x) for x in found] == [hash(sign * x) for x in xs], bits


@pytest.mark.parametrize("dtype", ["u64", "i65", "u2048"])
def test_every_way_to_read_integers_gives_the_same(dtype):
    """The way of interpreters other than CPython, in a process of its own."""
    code = (
        "import limbforge as lf, sys; from numbers_ import numbers\n"
        f"assert lf._limbforge._int_access() == 'bytes'; xs = numbers({dtype!r}, 200)\n"
        f"a = lf.array(xs, {dtype!r}); assert a.tolist() == xs; t = a.dtype\n"
        "for x in (t.min - 1, t.max + 1, -2**3000, 2**3000):\n"
        "    try: lf.array([0, x], t); sys.exit('no error')\n"
        "    except OverflowError as e: assert str(e).startswith('instance 1: '), e\n"
    )
    environment = {"LIMBFORGE_INTS": "bytes", "PYTHONPATH": str(pytest.TESTS)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_beyond_the_type_are_named(dtype):
    t = lf.IntType(dtype)
    for bad in (t.min - 1, t.max + 1, t.min - (1 << 3000), t.max + (1 << 3000)):
        with pytest.raises(OverflowError, match=f"^instance 1: the number does not fit {dtype}: it "):
            lf.array([0, bad], dtype)


def test_anything_with_an_index_is_an_integer():
    class Seven:
        def __index__(self):
            return 7

    xs = [gmpy2.mpz(2) ** 100, np.uint8(5), np.int64(3), True, Seven()]
    assert lf.array(xs, "u128").tolist() == [2**100, 5, 3, 1, 7]
    assert lf.array(np.arange(5, dtype=np.int32), "i32").tolist() == [0, 1, 2, 3, 4]
    assert lf.array(np.array([2**100, 1], dtype=object), "u128").tolist() == [2**100, 1]


def test_types():
    t = lf.IntType("i131")
    assert (t.bits, t.signed, t.limbs, t.itemsize, str(t)) == (131, True, 3, 24, "i131")
    assert (t.min, t.max) == (-(2**130), 2**130 - 1) and lf.IntType("u1").max == 1
    assert len({t, lf.IntType("i131"), lf.IntType("u131")}) == 2
    for bad in ("", "u", "u0", "x5", "u16777217", "int"):
        with pytest.raises(ValueError, match="expected `u` or `i`"):
            lf.IntType(bad)
    with pytest.raises(TypeError, match="dtype: expected a text such as 'u2048'"):
        lf.array([1], 64)


def test_indices_and_slices():
    xs = numbers("i131", 20)
    a, array = lf.array(xs, "i131"), np.array(xs, dtype=object)
    for key in (
        slice(None),
        slice(3, 9),
        slice(9, 3),
        slice(None, None, 2),
        slice(None, None, -3),
        slice(-4, None),
        slice(18, 2, -5),
    ):
        assert a[key].tolist() == xs[key]
    assert a[-1] == xs[-1] and a[np.int64(3)] == xs[3] and a[np.array(3)] == xs[3]
    mask = np.arange(20) % 3 == 0
    assert a[mask].tolist() == array[mask].tolist() == a[list(mask)].tolist()
    assert a[[4, 0, -1, 4]].tolist() == [xs[4], xs[0], xs[-1], xs[4]]
    assert a[np.array([7, 2], dtype=np.uint8)].tolist() == [xs[7], xs[2]]
    assert len(a[[]]) == 0 and len(a[5:5]) == 0
    assert xs[3] in a and 2**500 not in a
    assert lf.concatenate([a[:2], a[5:6]]).tolist() == xs[:2] + xs[5:6]
    for key, error in (
        (20, IndexError),
        (-21, IndexError),
        ([20], IndexError),
        ([True], IndexError),
        (2**70, IndexError),
        ((1, 2), IndexError),
        ("x", TypeError),
        (1.5, TypeError),
        ([1.5], TypeError),
        ([[1]], IndexError),
        (None, TypeError),
    ):
        with pytest.raises(error):
            a[key]


def test_arrays_do_not_change_and_are_not_hashed():
    a = lf.array([1, 2], "u64")
    with pytest.raises(TypeError):
        a[0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(a)
    assert copy.copy(a) is a and copy.deepcopy(a) is a and a.copy().equals(a) and not a.equals([1, 2])


def test_repr():
    assert repr(lf.array([1, -2], "i8")) == "IntArray([1, -2], 'i8')"
    assert (
        repr(lf.array(range(100), "u2048")) == "IntArray([0, 1, 2, ..., 97, 98, 99], 'u2048', 100 integers)"
    )
    assert repr(lf.array([-(2**200)], "i2048")) == "IntArray([-0x10000000...00000000], 'i2048')"
    assert (len(lf.array([], "u64")), repr(lf.array([], "u64"))) == (0, "IntArray([], 'u64')")


@pytest.mark.parametrize("dtype", DTYPES)
def test_bytes_and_digits(dtype):
    xs, t = numbers(dtype, 60), lf.IntType(dtype)
    size = -(-t.bits // 8)
    for order in ("little", "big"):
        data = b"".join(x.to_bytes(size, order, signed=t.signed) for x in xs)
        assert lf.from_bytes(data, dtype, byteorder=order).tolist() == xs
        assert lf.array(xs, dtype).tobytes(byteorder=order) == data
    texts = lf.array(xs, dtype).to_hex()
    assert texts == [f"{x:x}" for x in xs]
    assert lf.from_hex(texts, dtype).tolist() == xs == lf.from_hex([f"{x:#X}" for x in xs], dtype).tolist()


def test_bytes_and_digits_that_are_no_numbers():
    with pytest.raises(ValueError, match="expected a multiple of 3 bytes for u24, found 4"):
        lf.from_bytes(b"1234", "u24")
    with pytest.raises(OverflowError, match="instance 1: the number does not fit u7"):
        lf.from_bytes(b"\x7f\x80", "u7")
    with pytest.raises(ValueError, match="byteorder"):
        lf.from_bytes(b"", "u8", byteorder="middle")
    with pytest.raises(ValueError, match="instance 1: byte 2: expected a digit"):
        lf.from_hex(["1", "0xg"], "u64")
    for bad in ("-1", "10000000000000000", "1" * 100):
        with pytest.raises(OverflowError, match="instance 0: "):
            lf.from_hex([bad], "u64")
    with pytest.raises(TypeError, match="one text"):
        lf.from_hex("ff", "u64")


def test_astype():
    xs = numbers("i131", 50)
    a = lf.array(xs, "i131")
    assert a.astype("i2048").tolist() == xs
    assert a.astype("u64", wrap=True).tolist() == [x % 2**64 for x in xs]
    with pytest.raises(OverflowError, match="^instance "):
        a.astype("i64")
    assert lf.array(a, "i200").tolist() == xs


def test_where():
    a = lf.array([5, 300, 7], "u2048")
    assert lf.where(a > 100, 0, a).tolist() == [5, 0, 7]
    assert lf.where([True, False, True], a, a + 1).tolist() == [5, 301, 7]
    with pytest.raises(ValueError, match="for a condition of 2, found 3"):
        lf.where([True, False], a, 0)
