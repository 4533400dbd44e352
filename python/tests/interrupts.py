"""Signals while a call runs."""

import signal
import subprocess
import sys
import time

import pytest


def seconds_to_end(call, period, clock=time.monotonic):
    """Seconds that ``call`` runs by a clock, which a signal ends that comes after ``period`` seconds."""
    running = False

    def handle(*_):
        # A signal before the call, as on a busy machine, would end the test: the next one ends the call.
        nonlocal running
        if running:
            running = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, period, period)
        started = clock()
        with pytest.raises(KeyboardInterrupt):
            running = True
            call()
        return clock() - started
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


INTERRUPTED = """
import os, signal, sys, threading, time
import limbforge as lf
# A shell lets programs in the background ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
bits, engine = 16384, lf.Engine(sys.argv[1])
a = lf.constant(int(sys.argv[2]), (1 << bits) - 3, f"u{bits}")
e, m = (1 << bits) - 5, (1 << bits) - 1
with lf.use(engine):
    pow(a[: len(a) // 4000], e, m)  # The kernel is compiled.
started = None
def interrupt():
    time.sleep(1.5)
    global started
    started = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    with lf.use(engine):
        pow(a, e, m)
    raise SystemExit("not interrupted")
except KeyboardInterrupt:
    print(f"{time.monotonic() - started:.3f}")
assert lf.eval("a + 3", a=lf.array([2] * 99, "u64"), engine=engine).tolist() == [5] * 99
assert (lf.array([2], "u64") + 3).tolist() == [5]
"""


def interrupted(device, count):
    """Seconds of a process whose evaluation of ``count`` powers Ctrl-C ends within a second."""
    started = time.monotonic()
    command = [sys.executable, "-c", INTERRUPTED, device, str(count)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr
    assert float(found.stdout) < 1, found.stdout
    return time.monotonic() - started
