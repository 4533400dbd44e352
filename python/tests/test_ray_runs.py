"""Runs of programs in shards: their folder, checkpoints and results; without a cluster."""

import errno
import resource
import threading
import time

import pyarrow as pa
import pytest
from ray_shards import LADDER, NUMBERS, Interrupted, Noted, computed

import limbforge as lf
from limbforge.ray import Run, resume

MIXED = lf.Program("""
in a: i64, n
in weights: [u64; 3]
var x = 3 mod n
for w in weights { x = x ** w + a }
require a != 7
out x, big = int(x) > 10**19, both = (a, 2*a), gone = 100 / a
""")
COUNT = 23
GIVEN = {
    "a": [(i % 9) - 4 if i % 9 != 3 else 7 for i in range(COUNT)],
    "n": [10**30 + 2 * i + 1 for i in range(COUNT)],
    "weights": [[i + 2, 5, 7] for i in range(COUNT)],
}


def same(a, b):
    """Whether results and failures are equal to the byte."""

    def plain(value):
        if isinstance(value, tuple):
            return [plain(part) for part in value]
        return value.dtype, value.tobytes()

    return (
        list(a) == list(b)
        and all(plain(a[name]) == plain(b[name]) for name in a)
        and (a.instances, a.failures) == (b.instances, b.failures)
    )


@pytest.mark.parametrize("shard", [1, 4, COUNT, 100])
def test_shards_give_the_results_of_one_run(tmp_path, shard):
    run = Run(MIXED, tmp_path / "run", shard=shard)
    computed(run, GIVEN)
    found, expected = run.run(GIVEN, on_error="mask"), MIXED.run(GIVEN, on_error="mask")
    assert same(found, expected) and len(expected.failures) > 4
    assert same(resume(tmp_path / "run").run(on_error="mask"), expected)
    shards = -(-COUNT // shard)
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {"run.json", *(f"input-{i}.bin" for i in range(3))} | {
        f"shard-{i:06}.parquet" for i in range(shards)
    }


def test_integers_that_all_instances_share(tmp_path):
    given = {"a": 5, "n": GIVEN["n"], "weights": lf.array([2, 5, 7], "u64")}
    run = Run(MIXED, tmp_path / "run", shard=5)
    computed(run, given)
    assert same(run.run(**given), MIXED.run(given))
    alone = Run(MIXED, tmp_path / "alone", shard=5)
    computed(alone, {"a": 5, "n": 101, "weights": [2, 5, 7]})
    assert same(alone.run(), MIXED.run(a=5, n=101, weights=[2, 5, 7]))


def test_no_instances(tmp_path):
    run = Run(LADDER, tmp_path / "run", shard=5)
    given = {"n": lf.array([], "u521"), "t": 10}
    assert same(run.run(given), LADDER.run(given)) and same(run.run(), LADDER.run(given))
    assert run.run()["x"].dtype == lf.IntType("u521") and run.run().instances == 0


def test_failures_raise_with_the_instance_of_the_whole_input(tmp_path):
    run = Run(MIXED, tmp_path / "run", shard=4)
    computed(run, GIVEN)
    with pytest.raises(
        ValueError, match=r"^6:1: instance 3: the condition does not hold \(REQUIRE\)\n"
    ) as one:
        run.run()
    with pytest.raises(ValueError, match=r"6:\d+: instance 3: ") as other:
        MIXED.run(GIVEN)
    first, _, _, last = str(one.value).split("\n")
    assert str(other.value).startswith(first.replace("6:1", str(other.value).split(": ")[0]))
    assert str(other.value).endswith(last)


def test_a_shard_goes_on_from_its_checkpoint(tmp_path):
    given, run = {"n": NUMBERS, "t": 20_000}, Run(LADDER, tmp_path / "run", shard=5)
    with pytest.raises(RuntimeError, match="interrupted"):
        computed(run, given, Interrupted, every=0)
    folder = tmp_path / "run"
    reached = lf.resume(folder / "shard-000002").progress.round
    assert 0 < reached < 20_000 and (folder / "shard-000001.parquet").exists()
    # As when a process is killed between the two names.
    (folder / "shard-000002").rename(folder / "shard-000002.previous")
    (folder / "shard-000002.new").mkdir()
    assert computed(run, given, Noted).rounds == [(10, reached), (15, 0)]
    assert same(run.run(given), LADDER.run(given))
    assert not [
        path for path in folder.iterdir() if path.name.startswith("shard") and path.suffix != ".parquet"
    ]


def test_a_disk_that_is_full(tmp_path):
    """Files of more than a limit are an error of the system, as those that have no room."""
    given, run = {"n": NUMBERS * 10, "t": 3000}, Run(LADDER, tmp_path / "run", shard=100)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    class Full(Noted):
        def checkpoint(self, shard, session):
            super().checkpoint(shard, session)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))

    class FullAtTheEnd(Noted):
        def compute(self, shard, session):
            super().compute(shard, session)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))

    checkpoint = tmp_path / "run/shard-000000"
    for kind, every, text in ((Full, 0, r"shard-000000.new.*cannot write"), (FullAtTheEnd, 60, "too large")):
        try:
            with pytest.raises(OSError, match=text) as error:
                computed(run, given, kind, every)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert kind is Full or error.value.errno == errno.EFBIG
        # What was there is there.
        reached = lf.resume(checkpoint).progress.round
        assert 0 < reached < 3000 and not list(tmp_path.glob("run/*.parquet*"))
    assert computed(run, given, Noted).rounds == [(0, reached), (100, 0)]
    assert same(run.run(given), LADDER.run(given))


def test_a_run_that_cannot_be_created_leaves_nothing(tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    run = Run(LADDER, tmp_path / "run", shard=5)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(OSError, match="too large"):
            run.run(n=NUMBERS, t=10)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())


def test_two_jobs_share_the_shards_of_a_folder(tmp_path):
    given, run = {"n": NUMBERS, "t": 3000}, Run(LADDER, tmp_path / "run", shard=5)
    folder = run._folder(given, {}, None, None)
    first, second = (Noted(folder.path, 60, "cpu") for _ in range(2))
    jobs = [
        threading.Thread(target=job, args=(pa.table({"shard": order}),))
        for job, order in ((first, [0, 1, 2, 3]), (second, [0, 3, 2, 1]))
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    began = [*getattr(first, "rounds", []), *getattr(second, "rounds", [])]
    assert sorted(began) == [(0, 0), (5, 0), (10, 0), (15, 0)]
    assert same(run.run(given), LADDER.run(given)) and not list(tmp_path.glob("run/*.lock"))


def test_a_shard_waits_for_its_lock(tmp_path):
    run = Run(LADDER, tmp_path / "run", shard=50)
    shard = run._folder({"n": NUMBERS, "t": 10}, {}, None, None).shards[0]
    other = threading.Thread(target=lambda: computed(run, {"n": NUMBERS, "t": 10}))
    with shard.locked():
        other.start()
        time.sleep(0.5)
        assert other.is_alive() and not shard.is_finished
    other.join(60)
    assert shard.is_finished
