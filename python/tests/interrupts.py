"""Signals while a call runs."""

import signal
import time

import pytest


def seconds_to_end(call, period):
    """Seconds that ``call`` runs, which a signal ends that comes after ``period`` seconds."""
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
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            running = True
            call()
        return time.monotonic() - started
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
