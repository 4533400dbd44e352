"""Jobs on a local Ray cluster whose workers are killed, compared with one process."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec

import pytest

import limbforge as lf

# Where Ray must be there, its absence is a failure.
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None and not os.environ.get("LIMBFORGE_REQUIRE_RAY"), reason="needs Ray"
)
# 10^6 rows take minutes, and workers are killed from outside as well.
ROWS = int(os.environ.get("LIMBFORGE_RAY_ROWS", "20000"))


def job(*options, rows=ROWS, limit=120):
    """What the job says of itself. It fails the test if it hangs, and leaves no process."""
    command = [sys.executable, str(pytest.TESTS / "ray_job.py"), "--rows", str(rows), *options]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
    try:
        out, err = process.communicate(timeout=limit + rows // 4000)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            _, err = process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, err = process.communicate()
        pytest.fail(f"the job did not end in time:\n{err[-4000:]}")
    assert process.returncode == 0, err[-4000:]
    return json.loads(out.splitlines()[-1])


def check(found, killed, rows=ROWS):
    """All rows are there once and equal those of one process; rows are null where a divisor is 0."""
    assert (found["rows"], found["ids"], found["types"], found["equal"]) == (rows, True, True, [True, True])
    assert found["nulls"] == [0, rows // 1000] and found["other"] == ["_SUCCESS"]
    assert (found["killed"], found["left"]) == (killed, 0)
    # Blocks of killed workers were computed again.
    assert found["computed"] > rows


def test_killed_workers_and_writers():
    """Four actors on four CPUs, as many as there are: reading and writing go on beside them."""
    outside = ["--outside", "2"] if ROWS >= 500_000 else []
    found = job(*outside)
    check(found, ["killed-worker", "killed-worker", "killed-writer-half", "killed-writer-whole"])
    assert found["actors"] >= 5


def test_two_machines_with_a_gpu_each():
    """Two raylets on this machine. Ray counts a GPU of each; none computes: the engine is the CPU."""
    found = job("--nodes", "2", "--cpus", "2", "--gpus", "1", "--workers", "1", "--writers", "1")
    check(found, ["killed-worker", "killed-writer-half"])
    assert len(found["places"]) == 2 and all(place.endswith("['0']") for place in found["places"])


@pytest.mark.skipif(os.environ.get("LIMBFORGE_LONG") != "1", reason="LIMBFORGE_LONG=1 takes a minute")
def test_a_lost_machine():
    """One of two raylets is killed with its actor, its tasks and the blocks that it held."""
    found = job("--nodes", "2", "--cpus", "2", "--gpus", "1", "--workers", "0", "--lose", rows=100_000)
    check(found, ["killed-writer-half", "killed-writer-whole"], rows=100_000)
    assert found["machines"] == 1 and len(found["places"]) == 2


@pytest.mark.gpu(count=2)
def test_two_gpus_of_one_machine():
    assert lf.Engine("cuda:0,1").device_name
    found = job("--gpus", "2", "--engine", "cuda:all", limit=240)
    check(found, ["killed-worker", "killed-worker", "killed-writer-half", "killed-writer-whole"])
    assert sorted(place.split(" ", 1)[1] for place in found["places"]) == ["['0']", "['1']"]
