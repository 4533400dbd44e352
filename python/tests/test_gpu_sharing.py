"""Memory of a GPU that limbforge, CuPy, PyTorch and Numba share. Those not installed are skipped."""

import gc

import numpy as np
import pytest
from numbers_ import numbers
from test_device_errors import Lent

import limbforge as lf

pytestmark = pytest.mark.gpu


@pytest.fixture
def engine():
    return lf.zeros(1, "u64", device="cuda:0").engine


@pytest.fixture
def lent(engine):
    """Numbers, and their array on the GPU, computed there just now."""
    xs = numbers("u2048", 1000)
    return xs, lf.device(lf.array(xs, "u2048"), engine) + 0


def words_of(xs):
    return lf.limbs(lf.array(xs, "u2048"))


def test_the_interface_of_arrays_on_a_gpu(engine, lent):
    xs, a = lent
    interface = a.__cuda_array_interface__
    assert (interface["shape"], interface["typestr"], interface["strides"]) == ((1000, 32), "<u8", None)
    assert interface["data"][0] % 16 == 0 and interface["stream"] not in (None, 0)
    back = engine.from_cuda(a, "u2048")
    assert back.to_host().tolist() == xs and back.__cuda_array_interface__["data"] != interface["data"]
    shared = engine.from_cuda(a, "u2048", copy=False)
    assert shared.to_host().tolist() == xs and shared.__cuda_array_interface__["data"] == interface["data"]
    odd = engine.from_cuda(a, "u2000")
    assert odd.to_host().tolist() == [x % 2**2000 for x in xs]
    with pytest.raises(lf.DeviceError):
        engine.from_cuda(Lent((2, 32)), "u2048")


def test_dlpack_of_a_gpu(engine, lent):
    xs, a = lent
    assert a.__dlpack_device__() == (2, 0)
    pointer = a.__cuda_array_interface__["data"][0]
    back = lf.from_dlpack(a, "u2048", engine=engine)
    assert back.to_host().tolist() == xs and back.__cuda_array_interface__["data"][0] != pointer
    shared = lf.from_dlpack(a, engine=engine, copy=False)
    assert shared.__cuda_array_interface__["data"][0] == pointer and shared.dtype == a.dtype
    del a, back, lent
    gc.collect()
    assert (shared - 1).to_host().tolist() == [(x - 1) % 2**2048 for x in xs]
    # Capsules that nobody takes, and those of other devices.
    for version in (None, (1, 0)):
        shared.__dlpack__(max_version=version, stream=-1)
        shared.__dlpack__(max_version=version, stream=1, copy=True)
    host = np.from_dlpack(shared, device="cpu")
    assert host.tolist() == words_of(xs).tolist()
    with pytest.raises(BufferError):
        shared.__dlpack__(dl_device=(2, 77))
    with pytest.raises(BufferError):
        shared.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(ValueError, match="stream: expected"):
        shared.__dlpack__(stream=0)
    with pytest.raises(lf.DeviceError):
        lf.from_dlpack(shared, engine="cpu")


def test_cupy(engine, lent):
    cupy = pytest.importorskip("cupy")
    xs, a = lent
    pointer = a.__cuda_array_interface__["data"][0]
    for words in (cupy.asarray(a), cupy.from_dlpack(a)):
        assert (words.shape, words.dtype, words.data.ptr) == ((1000, 32), np.uint64, pointer)
        assert words.get().tolist() == words_of(xs).tolist()
    words = cupy.arange(64, dtype=cupy.uint64).reshape(2, 32)
    expected = lf.from_limbs(words.get(), "u2048")
    for array in (engine.from_cuda(words, "u2048"), lf.from_dlpack(words, "u2048", engine=engine)):
        assert array.to_host().equals(expected)
    halves = words.view(cupy.uint32)
    assert lf.from_dlpack(halves, engine=engine).to_host().equals(expected)
    with pytest.raises(ValueError, match="C-contiguous"):
        lf.from_dlpack(words[:, ::2], engine=engine)
    shared = lf.from_dlpack(words, engine=engine, copy=False)
    assert shared.__cuda_array_interface__["data"][0] == words.data.ptr
    del words, halves
    assert (shared * 2).to_host().equals(expected * 2)


def test_streams_of_cupy_are_ordered(engine):
    cupy = pytest.importorskip("cupy")
    n, rounds = 200_000, 20
    a, expected = lf.random(n, "u256", seed=1, device=engine), lf.random(n, "u256", seed=1)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        for _ in range(rounds):
            # What CuPy reads is computed, and what limbforge reads is written, without a wait on the host.
            words = cupy.from_dlpack(a * 3) ^ cupy.uint64(5)
            a = lf.from_dlpack(words, "u256", engine=engine) + 1
    for _ in range(rounds):
        words = lf.limbs(expected * 3) ^ np.uint64(5)
        expected = lf.from_limbs(words, "u256") + 1
    assert a.to_host().equals(expected)


def test_memory_that_others_read_is_not_reused(engine):
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    host = lf.limbs(lf.random(200_000, "u256", seed=2))
    with stream:
        sums = []
        for _ in range(20):
            words = cupy.from_dlpack(lf.random(200_000, "u256", seed=2, device=engine))
            sums.append((words & cupy.uint64(0xFFFFFFFF)).sum())
            del words
            lf.zeros(200_000, "u256", device=engine)
    expected = int((host & np.uint64(0xFFFFFFFF)).sum())
    assert {int(one) for one in sums} == {expected}


def test_torch(engine, lent):
    torch = pytest.importorskip("torch")
    xs, a = lent
    pointer = a.__cuda_array_interface__["data"][0]
    words = torch.from_dlpack(a)
    assert (words.shape, words.dtype, words.data_ptr()) == ((1000, 32), torch.uint64, pointer)
    assert words.cpu().numpy().tolist() == words_of(xs).tolist()
    # PyTorch takes memory that is only read by DLPack alone.
    with pytest.raises(TypeError, match="read only"):
        torch.as_tensor(a, device="cuda")
    signed = torch.from_numpy(words_of(xs).view(np.int64).copy()).cuda()
    for array in (lf.from_dlpack(signed, "u2048", engine=engine), engine.from_cuda(signed, "u2048")):
        assert array.to_host().tolist() == xs
    shared = lf.from_dlpack(signed, "u2048", engine=engine, copy=False)
    del signed
    assert (shared + 1).to_host().tolist() == [(x + 1) % 2**2048 for x in xs]
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = torch.from_dlpack(shared * 1).view(torch.int64) ^ 1
        assert (
            lf.from_dlpack(doubled, "u2048", engine=engine)
            .to_host()
            .equals(lf.from_limbs(words_of(xs) ^ np.uint64(1), "u2048"))
        )
    # On the host, too.
    host = torch.from_dlpack(lf.array(xs, "u2048"))
    assert host.view(torch.int64).numpy().view(np.uint64).tolist() == words_of(xs).tolist()
    assert lf.from_dlpack(host).tolist() == xs


def test_numba(engine, lent):
    cuda = pytest.importorskip("numba.cuda")
    xs, a = lent
    words = cuda.as_cuda_array(a)
    assert words.copy_to_host().tolist() == words_of(xs).tolist()
    own = cuda.to_device(np.ascontiguousarray(words_of(xs)))
    assert engine.from_cuda(own, "u2048").to_host().tolist() == xs
