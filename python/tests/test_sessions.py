"""Runs in slices: progress, checkpoints, Ctrl-C, other engines and threads."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from interrupts import seconds_to_end

import limbforge as lf

LADDER = "in n, t: u64\nvar x = 3 mod n\nrepeat t { x = sqr(x) + 1 }\nout x, odd = int(x) % 2 == 1"
NUMBERS = [2**521 - 1, 2**520 + 1]


def ladder(rounds):
    return lf.Program(LADDER).session(n=NUMBERS, t=rounds)


def same(a, b):
    return a["x"].tobytes() == b["x"].tobytes() and np.array_equal(a["odd"], b["odd"]) and a.ok.all()


def test_progress():
    session = ladder(200_000)
    assert session.text == LADDER and session.progress == (0, 2, 0, 200_000, None, 2, False)
    first = session.advance(0)
    assert 0 < first.round < 200_000 and first.left > 0 and repr(session) == f"Session({first})"
    rounds = [progress.round for progress in session]
    assert session.progress.is_done and rounds == sorted(rounds[:-1]) + rounds[-1:]
    found = session.run()
    assert same(found, lf.Program(LADDER).run(n=NUMBERS, t=200_000))
    for call in (session.run, session.advance, lambda: session.progress, lambda: session.checkpoint("x")):
        with pytest.raises(RuntimeError, match="the session has ended"):
            call()


def test_progress_is_that_of_the_recurrence():
    x, (n, _) = 3, NUMBERS
    for _ in range(1000):
        x = (x * x + 1) % n
    assert ladder(1000).run()["x"][0] == x


def test_checkpoints(tmp_path):
    expected, session = ladder(30_000).run(), ladder(30_000)
    session.advance(0.01)
    session.checkpoint(tmp_path / "a")
    round = session.progress.round
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    resumed = lf.resume(tmp_path / "a", engine="cpu")
    assert resumed.progress.round == round and resumed.text == LADDER
    assert same(resumed.run(every=0), expected) and same(session.run(), expected)
    # Further checkpoints have replaced the first one; the copy is as it was.
    assert lf.resume(tmp_path / "a").progress.is_done or lf.resume(tmp_path / "a").progress.round > round
    assert lf.resume(tmp_path / "b").progress.round == round
    assert same(lf.resume(str(tmp_path / "b")).run(checkpoint=tmp_path / "c"), expected)
    assert lf.resume(tmp_path / "b").progress.round == lf.resume(tmp_path / "c").progress.round == round


def test_failures_go_on_in_a_checkpoint(tmp_path):
    program = lf.Program("in a: u64\nvar x = 100 / a\nrepeat 50 { x = x * 3 }\nrequire x != 0\nout x")
    session = program.session(a=[0, 1, 101])
    session.advance(0)
    session.checkpoint(tmp_path / "c")
    found = lf.resume(tmp_path / "c").run(on_error="mask")
    assert [(f.instance, f.mark, f.line) for f in found.failures] == [(0, "DIV0", 2), (2, "REQUIRE", 4)]
    assert found["x"].tolist() == [0, 100 * 3**50 % 2**64, 0]
    place = r"c/program.lf:2:\d+: instance 0: division by zero \(DIV0\)"
    with pytest.raises(ZeroDivisionError, match=place):
        lf.resume(tmp_path / "c").run()


def test_checkpoints_that_cannot_be(tmp_path):
    session = ladder(10)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("text")
    with pytest.raises(FileExistsError, match="mine: the folder exists and is no checkpoint"):
        session.run(checkpoint=tmp_path / "mine")
    with pytest.raises(FileNotFoundError, match="nothing"):
        lf.resume(tmp_path / "nothing")
    session.checkpoint(tmp_path / "c")
    for name in ("state.json", "input-0.bin"):
        shutil.copytree(tmp_path / "c", tmp_path / "damaged")
        (tmp_path / "damaged" / name).write_bytes(b"{}")
        with pytest.raises(ValueError, match=name):
            lf.resume(tmp_path / "damaged")
        shutil.rmtree(tmp_path / "damaged")
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="seconds: expected seconds from 0 on"):
            session.advance(seconds)
    assert session.run().ok.all()


def test_a_session_has_one_thread_at_a_time():
    session, seen = ladder(10**9), []

    def compute():
        seen.append(session.advance(0.5).round)

    thread = threading.Thread(target=compute)
    thread.start()
    time.sleep(0.1)
    with pytest.raises(RuntimeError, match="another thread computes it"):
        session.advance()
    thread.join()
    assert seen[0] == session.progress.round > 0


# Of several, since other programs may hold the machine for a second.
def least_seconds_to_end(call):
    return min(seconds_to_end(call, 0.3) for _ in range(3))


def test_ctrl_c_leaves_the_session():
    session = ladder(10**9)
    for compute in (lambda: session.advance(60), session.run):
        assert least_seconds_to_end(compute) < 1.3
        assert 0 < session.progress.round < 10**9


# It has no loop, and so no slices.
POWER = "in n, t: u64\nlet e = u8000000(1) << 7999999\nout x = (3 mod n) ** e + t"


@pytest.mark.parametrize("text", [LADDER, POWER], ids=["ladder", "power"])
def test_ctrl_c_ends_what_keeps_nothing(text):
    program = lf.Program(text)
    assert least_seconds_to_end(lambda: program.run(n=NUMBERS, t=10**9)) < 1.3


JOB = f"""
import sys, limbforge as lf
program = lf.Program({LADDER!r})
print("ready", flush=True)
program.run(n={NUMBERS}, t=int(sys.argv[2]), checkpoint=sys.argv[1], every=float(sys.argv[3]))
print("done", flush=True)
"""


def job(path, rounds, every):
    command = [sys.executable, "-c", JOB, path, str(rounds), str(every)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = subprocess.Popen(command, cwd=Path(path).parent, text=True, **pipes)
    assert started.stdout.readline() == "ready\n"
    return started


def rounds_of(seconds):
    """The rounds that take about so long, and not less when nothing else runs: the most of four parts."""
    session = ladder(10**9)
    reached = [0, *(session.advance(seconds / 8).round for _ in range(4))]
    return max(1, *(after - before for before, after in zip(reached, reached[1:]))) * 8


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill"])
def test_a_run_that_is_interrupted_goes_on(tmp_path, kind):
    rounds, path = rounds_of(3), str(tmp_path / "run")
    started = job(path, rounds, 60 if kind == signal.SIGINT else 0.1)
    deadline = time.monotonic() + 60
    # A checkpoint of the beginning is there first; kill waits for a further one.
    while not os.path.exists(path) or kind == signal.SIGKILL and lf.resume(path).progress.round == 0:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    if kind == signal.SIGINT:
        time.sleep(0.4)
    at = time.monotonic()
    started.send_signal(kind)
    out, err = started.communicate(timeout=60)
    assert "done" not in out and started.returncode != 0
    if kind == signal.SIGINT:
        assert time.monotonic() - at < 2, "a second, and the end of the interpreter"
        assert "KeyboardInterrupt" in err and f'the run goes on with lf.resume("{path}").run()' in err
    session = lf.resume(path)
    assert 0 < session.progress.round < rounds
    assert same(session.run(), ladder(rounds).run())
