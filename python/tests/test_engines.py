"""Engines: choice, threads, signals, forks."""

import multiprocessing
import os
import pickle
import signal
import threading
import time

import pytest
from interrupts import interrupted

import limbforge as lf

SLOW = "powmod(a, e, m)"


def slow_operands(count):
    """Operands of powers of which one takes about a tenth of a second."""
    bits = 16384
    a = lf.array([(1 << bits) - 3] * count, f"u{bits}")
    return {"a": a, "e": (1 << bits) - 5, "m": (1 << bits) - 1}


def test_engines_by_name():
    engine = lf.Engine("cpu")
    assert (engine.device_name, engine.fallback, repr(engine)) == ("CPU", None, "Engine('cpu': CPU)")
    assert pickle.loads(pickle.dumps(engine)).device_name == "CPU"
    auto = lf.Engine()
    assert auto.device_name != "CPU" or auto.fallback
    for bad in ("gpu", "cuda", "cuda:", "cuda:x", "CPU", ""):
        with pytest.raises(ValueError, match="device: expected 'auto'"):
            lf.Engine(bad)
    with pytest.raises(lf.DeviceError):
        lf.Engine("cuda:4096")
    with pytest.raises(TypeError, match="engine: expected an Engine"):
        lf.use(3).__enter__()
    assert lf.eval("a + 1", a=lf.array([1], "u64"), engine="cpu").tolist() == [2]


def test_nvrtc_is_found_among_the_packages_of_the_interpreter(tmp_path):
    from limbforge._nvrtc import find

    paths = [str(tmp_path / name) for name in ("first", "second")]
    assert find(paths, {}) is None
    folder = tmp_path / "second/nvidia/cu13/lib"
    folder.mkdir(parents=True)
    assert find(paths, {}) is None
    (folder / "libnvrtc.so.13").touch()
    assert find(paths, {}) == folder == find(["", *paths], {"CUDA_HOME": ""})
    for name in ("LIMBFORGE_NVRTC", "CUDA_HOME", "CUDA_PATH"):
        assert find(paths, {name: "/usr/local/cuda"}) is None


def test_use_is_followed_by_operators_and_nests():
    class Stop(Exception):
        pass

    outer, inner = lf.Engine("cpu"), lf.Engine("cpu")
    before = lf.current_engine()
    with lf.use(outer) as chosen:
        assert chosen is outer is lf.current_engine()
        with pytest.raises(Stop), lf.use(inner):
            assert lf.current_engine() is inner
            raise Stop
        seen = []
        thread = threading.Thread(target=lambda: seen.append(lf.current_engine()))
        thread.start()
        thread.join()
        assert lf.current_engine() is outer and seen == [before]
    assert lf.current_engine() is before


def test_other_threads_run_during_an_evaluation():
    ran, done, operands = 0, threading.Event(), slow_operands(8)

    def count():
        nonlocal ran
        while not done.wait(0.001):
            ran += 1

    thread = threading.Thread(target=count)
    thread.start()
    lf.eval(SLOW, operands)
    done.set()
    thread.join()
    assert ran > 5


def test_many_threads_share_arrays_and_engines():
    a = lf.array(range(1, 5001), "u256")
    expected, found = [x * x * 3 % 2**256 for x in range(1, 5001)], []
    threads = [threading.Thread(target=lambda: found.append((a * a * 3).tolist())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_ctrl_c_is_honoured_within_a_second():
    # The process ends, too: what it had begun does not go on for all 20000.
    assert interrupted("auto", 20_000) < 60


def test_a_signal_handler_that_does_not_raise_lets_an_evaluation_go_on():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(time.monotonic()))
    try:
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        timer.start()
        assert len(lf.eval(SLOW, slow_operands(8))) == 8
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert seen


def squares(count):
    """Computed in a child: on its pool, and at once."""
    a = lf.array(range(count), "u256")
    assert (a[:1] + 1).tolist() == [1]
    return (a * a).tolist()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_compute(method):
    expected = squares(20000)  # The parent has its threads then.
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(squares, [20000] * 4, chunksize=1) == [expected] * 4
        assert pool.map(lf.IntArray.tolist, [lf.array([5], "u64")]) == [[5]]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_forked_during_an_evaluation_computes():
    operands = slow_operands(8)
    thread = threading.Thread(target=lambda: lf.eval(SLOW, operands))
    thread.start()
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        os._exit(0 if squares(5000)[-1] == 4999**2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
