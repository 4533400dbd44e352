"""Programs in shards on a local Ray cluster: a worker and a whole job are killed, and the run goes on."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from ray_program import COUNT, SHARD, TEXT, digest, inputs

import limbforge as lf
from limbforge.ray import resume

# Where Ray must be there, its absence is a failure.
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None and not os.environ.get("LIMBFORGE_REQUIRE_RAY"), reason="needs Ray"
)


@pytest.fixture(scope="module")
def rounds():
    """The rounds of a shard that take about six seconds, and not less when nothing else runs."""
    session = lf.Program(TEXT).session(inputs(10**9))
    return max(session.advance(0.5).round, 100) * 12


def started(folder, rounds, *options):
    """A job in a session of its own, with all processes of its cluster."""
    command = [sys.executable, str(pytest.TESTS / "ray_program.py"), str(folder), str(rounds), *options]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)


def ended(job, limit=180):
    """What a job says at its end. It fails the test if it hangs, and leaves no process."""
    try:
        out, err = job.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        pytest.fail(f"the job did not end in time:\n{job.communicate()[1][-4000:]}")
    assert job.returncode == 0, err[-4000:]
    return json.loads(out.splitlines()[-1])


def check(found, rounds):
    """All instances are those of one process, to the byte."""
    expected = lf.Program(TEXT).run(inputs(rounds), on_error="mask")
    assert found["found"] == digest(expected)
    failed = [failure.instance for failure in expected.failures]
    assert (found["rows"], found["failed"]) == (COUNT, failed) and failed == [3, 10, 17, 24]


def notes(folder):
    """Where shards were begun, in order: the first instance and the round."""
    return [json.loads(line) for line in Path(f"{folder}.notes").read_text().splitlines()]


def test_a_killed_worker(tmp_path, rounds):
    folder = tmp_path / "run"
    check(ended(started(folder, rounds, "--kill")), rounds)
    reached = int(Path(f"{folder}.killed").read_text())
    begun = [note for note in notes(folder) if note["first"] == COUNT - SHARD]
    assert [note["round"] for note in begun] == [0, reached] and 0 < reached < rounds
    assert begun[0]["pid"] != begun[1]["pid"]


def reached(folder):
    """The round of each shard that has a checkpoint."""
    paths = (folder / f"shard-{i:06}" for i in range(COUNT // SHARD))
    found = {}
    for i, path in enumerate(paths):
        try:
            found[i * SHARD] = lf.resume(path, engine="cpu").progress.round
        except OSError:
            continue
    return found


def test_a_killed_job_goes_on(tmp_path, rounds):
    folder = tmp_path / "run"
    job, deadline = started(folder, rounds), time.monotonic() + 120
    while not (folder / "shard-000000.parquet").exists() or not any(reached(folder).values()):
        assert job.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    # Ray's own processes end with the driver, its workers some time later: shards would be finished by then.
    job.kill()
    for pid in {note["pid"] for note in notes(folder)}:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    job.communicate()
    was = Path(f"{folder}.notes").read_text()
    found = ended(started(folder, rounds))
    check(found, rounds)
    again = {note["first"]: note["round"] for note in notes(folder)[len(was.splitlines()) :]}
    # The first shard was finished, and one at least goes on in its middle.
    assert 0 not in again and any(0 < round < rounds for round in again.values())
    # Finished shards and their folder are enough: nothing is computed.
    before = Path(f"{folder}.notes").read_text()
    assert digest(resume(folder).run(on_error="mask")) == found["found"]
    assert Path(f"{folder}.notes").read_text() == before
