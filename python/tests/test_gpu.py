"""Engines of a GPU: arrays of the host, failures, signals, threads, forks. Each test runs on the CPU, too."""

import math
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from interrupts import interrupted
from numbers_ import numbers, wrapped
from test_device import ENGINES

import limbforge as lf


@pytest.mark.gpu
def test_the_default_engine_takes_a_gpu():
    engine = lf.Engine("auto")
    assert engine.device_name != "CPU" and engine.fallback is None
    a = lf.random(5000, "u2048", seed=1)
    found, expected = (lf.eval("a*a + 1", a=a, engine=engine) for engine in (engine, "cpu"))
    assert found.equals(expected) and engine.fallback is None
    assert lf.device(a).device_name == lf.Engine("cuda:0").upload(a).device_name != "CPU"


@pytest.mark.parametrize("device", ENGINES)
def test_arrays_of_the_host(device):
    for dtype in ("u131", "i256", "u2048"):
        xs, ys = numbers(dtype, 300, 1), [y or 1 for y in numbers(dtype, 300, 2)]
        a, b = lf.array(xs, dtype), lf.array(ys, dtype)
        with lf.use(device):
            found = ((a * b + 3) // b) % (b | 1)
            shared, wide = lf.gcd(a, b), lf.mul_wide(a, b)
            powers = pow(a, 65537, 1000003)
            both = lf.eval_all({"sum": "a + b", "less": "a < b"}, a=a, b=b)
        pairs = list(zip(xs, ys))
        assert found.tolist() == [wrapped(wrapped(x * y + 3, dtype) // y % (y | 1), dtype) for x, y in pairs]
        assert shared.tolist() == [wrapped(math.gcd(x, y), dtype) for x, y in pairs]
        assert wide.tolist() == [x * y for x, y in pairs]
        assert powers.tolist() == [pow(x, 65537, 1000003) for x in xs]
        assert both["sum"].tolist() == [wrapped(x + y, dtype) for x, y in pairs]
        assert both["less"].tolist() == [int(x < y) for x, y in pairs]


@pytest.mark.parametrize("device", ENGINES)
def test_failures_have_their_instances_and_reasons(device):
    a, b = lf.counter(1000, "u256", start=5), lf.array([i % 250 for i in range(1000)], "u256")
    with lf.use(device):
        with pytest.raises(ZeroDivisionError, match="^instance 0: "):
            a // b
        with pytest.raises(
            OverflowError, match="^instance 3: the number does not fit u256: it needs 258 bits"
        ):
            lf.eval("a * 4", a=lf.array([1, 2, 3, 2**255, 5], "u256"), overflow="raise")
        with pytest.raises(ValueError, match="^instance 1: "):
            pow(a, -1, 6)
        found = lf.eval_checked("a / b", a=a, b=b)
    failed = [(failure.instance, failure.mark) for failure in found.failures]
    assert failed == [(i, "DIV0") for i in range(0, 1000, 250)]
    assert found.ok.tolist() == [i % 250 > 0 for i in range(1000)]
    assert found.values.tolist() == [(5 + i) // (i % 250) if i % 250 else 0 for i in range(1000)]


@pytest.mark.parametrize("device", ENGINES)
def test_fields_on_arrays_of_the_host(device):
    field, draw = lf.Field(998244353), np.random.default_rng(1)
    x, y = draw.integers(0, field.modulus, (2, 5, 64), dtype=np.uint64)
    with lf.use(device):
        found = lf.ntt(field, x)
        product = lf.intt(field, found * lf.ntt(field, y) % np.uint64(field.modulus))
        polys = lf.poly.mul(field, list(x), list(y))
    assert found.tolist() == lf.ntt(field, x, engine="cpu").tolist()
    for u, v, row, poly in zip(x.tolist(), y.tolist(), product.tolist(), polys):
        exact = [0] * 127
        for i, j in np.ndindex(64, 64):
            exact[i + j] += u[i] * v[j]
        assert poly.tolist() == [c % field.modulus for c in exact]
        assert row == [(c + d) % field.modulus for c, d in zip(exact, [*exact[64:], 0])]


@pytest.mark.parametrize("device", ENGINES)
def test_threads_share_an_engine(device):
    a, found, engine = lf.counter(5000, "u256"), [], lf.Engine(device)

    def compute():
        with lf.use(engine):
            x = engine.upload(a)
            found.append(((a * a * 3).tolist(), (x * x * 3).to_host().tolist()))

    threads = [threading.Thread(target=compute) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [([x * x * 3 for x in range(5000)],) * 2] * 8


@pytest.mark.parametrize("device", ENGINES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_computes_on_the_cpu_unless_a_gpu_is_named(device):
    a = lf.counter(20_000, "u256")
    expected = [x * x for x in range(20_000)]
    with lf.use(device):
        assert (a * a).tolist() == expected  # The device is open.
        child = os.fork()
        if child == 0:
            os._exit(in_child(a, expected, device))
        assert os.waitpid(child, 0)[1] == 0
        assert (a * a).tolist() == expected


def in_child(a, expected, device):
    """What is wrong in a child of `fork`, as an exit status."""
    try:
        with lf.use("auto"):
            if (a * a).tolist() != expected:
                return 1
        found = (a * a).tolist()
        return 0 if device == "cpu" and found == expected else 2
    except lf.DeviceError as error:
        return 0 if device != "cpu" and "method 'spawn', or use Engine('cpu')" in str(error) else 3
    except BaseException:
        return 4


@pytest.mark.parametrize("device", ENGINES)
def test_ctrl_c_is_honoured_within_a_second(device):
    # The process ends, too.
    assert interrupted(device, 20_000 if device == "cpu" else 400_000) < 100


@pytest.mark.gpu
def test_a_killed_process_leaves_the_gpu_to_others():
    """A process that is killed while it computes harms no other."""
    script = (
        "import limbforge as lf; x = lf.random(10**6, 'u2048', device='cuda:0')\nwhile True: x = x * x + 1"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    time.sleep(8)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    with lf.use(lf.Engine("cuda:0")):
        assert (lf.counter(5000, "u256") + 1).tolist() == list(range(1, 5001))


@pytest.mark.gpu
def test_too_little_memory_on_a_gpu_is_an_error():
    engine = lf.Engine("cuda:0")
    with pytest.raises((MemoryError, lf.DeviceError)):
        lf.zeros(10**9, "u16384", device=engine)
    assert (lf.zeros(5, "u64", device=engine) + 1).to_host().tolist() == [1] * 5
    # Arrays of the host are computed in parts that fit.
    small = lf.Engine("cuda:0", device_memory=64 << 20)
    a = lf.random(100_000, "u4096", seed=3)
    assert lf.eval("a*a + 7", a=a, engine=small).equals(lf.eval("a*a + 7", a=a, engine="cpu"))
