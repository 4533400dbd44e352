"""Signals while a call runs."""

import signal
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
