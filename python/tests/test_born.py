"""Arrays that are computed from nothing."""

import numpy as np
import pytest
from numbers_ import DTYPES, wrapped

import limbforge as lf

PLACES = [None, "cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)]


def philox(counter, key):
    """Philox4x32-10 of Salmon et al. (2011)."""
    x, k = list(counter), list(key)
    for _ in range(10):
        low, high = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [high >> 32 ^ x[1] ^ k[0], high & 0xFFFFFFFF, low >> 32 ^ x[3] ^ k[1], low & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return x


def drawn(dtype, i, seed, stream):
    """Random integer i of a seed and a stream."""
    t, value = lf.IntType(dtype), 0
    words = -(-t.bits // 32)
    for w in range(words):
        f = i * words + w
        counter = [f // 4 & 0xFFFFFFFF, f // 4 >> 32, 0, stream]
        value |= philox(counter, [seed & 0xFFFFFFFF, seed >> 32])[f % 4] << 32 * w
    return wrapped(value, dtype)


def host(array):
    return array if isinstance(array, lf.IntArray) else array.to_host()


@pytest.mark.parametrize("device", PLACES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype, device):
    t = lf.IntType(dtype)
    assert host(lf.zeros(5, dtype, device=device)).tolist() == [0] * 5
    for value in (t.min, t.max, 0):
        assert host(lf.constant(3, value, t, device=device)).tolist() == [value] * 3
    for start, step in ((0, 1), (t.max, 1), (t.min, -1), (t.max // 2, 3**200), (t.min, -(2**70))):
        found = host(lf.counter(9, dtype, start=start, step=step, device=device)).tolist()
        assert found == [wrapped(start + i * step, dtype) for i in range(9)]
    seed, stream = 0x123456789ABCDEF, 7
    found = host(lf.random(9, dtype, seed=seed, stream=stream, device=device)).tolist()
    assert found == [drawn(dtype, i, seed, stream) for i in range(9)]
    assert host(lf.random(4, dtype, seed=seed, stream=stream, first=5, device=device)).tolist() == found[5:]


def test_places_and_defaults():
    engine = lf.Engine("cpu")
    assert isinstance(lf.zeros(2, "u64"), lf.IntArray)
    here, there = lf.random(3, "u64", seed=1, device=engine), lf.random(3, "u64", seed=1, device=engine)
    assert isinstance(here, lf.DeviceArray) and here.engine is engine
    assert (here - there).to_host().tolist() == [0] * 3
    assert lf.counter(3, "i8").tolist() == [0, 1, 2] and lf.counter(3, "i8", start=-1).tolist() == [-1, 0, 1]
    assert not lf.random(3, "u256").equals(lf.random(3, "u256"))
    assert len(lf.zeros(0, "u64")) == len(lf.random(0, "u64", seed=1)) == 0
    # Arrays of one name go together: it names one engine.
    assert (lf.zeros(2, "u64", device="cpu") + lf.counter(2, "u64", device="cpu")).to_host().tolist() == [
        0,
        1,
    ]
    assert lf.random(100_000, "u64", seed=3).equals(lf.random(100_000, "u64", seed=3, device="cpu").to_host())


def test_random_integers_are_uniform():
    words = lf.limbs(lf.random(4096, "u192", seed=5))
    assert words.shape == (4096, 3) and len(np.unique(words)) == words.size
    ones = np.unpackbits(words.view(np.uint8)).mean()
    assert abs(ones - 0.5) < 5 * 0.5 / np.sqrt(words.size * 64)


def test_what_cannot_be_born():
    for call, error, text in (
        (lambda: lf.zeros(-1, "u64"), OverflowError, None),
        (lambda: lf.zeros(2**62, "u64"), MemoryError, "use smaller arrays"),
        (lambda: lf.zeros(2**62, "u64", device="cpu"), MemoryError, "use smaller arrays"),
        (lambda: lf.zeros(2, "u0"), ValueError, "u0"),
        (lambda: lf.constant(2, 256, "u8"), OverflowError, "does not fit u8"),
        (lambda: lf.constant(2, lf.array([1, 2], "u8"), "u8"), ValueError, "expected an int"),
        (lambda: lf.constant(2, "1", "u8"), TypeError, "int"),
        (lambda: lf.counter(2, "u8", start=-1), OverflowError, "does not fit u8"),
        (lambda: lf.counter(2, "u8", step="1"), TypeError, "step: expected an int"),
        (lambda: lf.random(2, "u8", seed=2**64), OverflowError, None),
        (lambda: lf.random(2, "u8", seed=1, first=2**64 - 1), OverflowError, "less than 2\\^64"),
        (lambda: lf.zeros(2, "u8", device=3), TypeError, "engine: expected an Engine"),
        (lambda: lf.zeros(2, "u8", device="gpu"), ValueError, "device: expected 'auto'"),
    ):
        with pytest.raises(error, match=text):
            call()
