"""Folders of runs in shards that are those of other runs, or damaged, and mistakes in arguments."""

import json
import shutil

import pytest
from ray_shards import LADDER, NUMBERS, Interrupted, computed

import limbforge as lf
from limbforge._ray_compute import Shards
from limbforge.ray import Run, resume


@pytest.mark.parametrize(
    "program, given, shard, text",
    [
        (
            "in n, t: u64\nvar x = 3 mod n\nrepeat t { x = sqr(x) + 2 }\nout x",
            {},
            None,
            r"with `.*\+ 2.*`, found `",
        ),
        (LADDER.text + "  # the same\n", {"n": NUMBERS[1:]}, None, "`n`: expected 19 integers, found 20"),
        (
            LADDER.text,
            {"n": [*NUMBERS[:7], 9, *NUMBERS[8:]]},
            None,
            r"`n`: integer 7: expected 9, found 68\d+",
        ),
        (LADDER.text, {"n": lf.array(NUMBERS, "u640")}, None, "input `n`: expected u640, found u576"),
        (LADDER.text, {"t": 11}, None, "input `t`: integer 0: expected 11, found 10"),
        (LADDER.text, {}, 4, "expected shards of 4 instances, found 5, which shard=None takes"),
    ],
)
def test_a_folder_of_another_run(tmp_path, program, given, shard, text):
    of_run = {"n": NUMBERS, "t": 10}
    Run(LADDER, tmp_path / "run", shard=5)._folder(of_run, {}, None, None)
    with pytest.raises(ValueError, match=f"run: the folder has another run: .*{text}"):
        Run(lf.Program(program), tmp_path / "run", shard=shard).run({**of_run, **given})


def test_damage_is_told(tmp_path):
    given, path = {"n": NUMBERS, "t": 20_000}, tmp_path / "run"
    run = Run(LADDER, path, shard=5)
    with pytest.raises(RuntimeError, match="interrupted"):
        computed(run, given, Interrupted, every=0)
    shutil.copytree(path / "shard-000002", path / "shard-000003")
    wrong = (
        r"shard-000003: expected a checkpoint of instances 15 to 19 of the run in .*, found one of another"
    )
    with pytest.raises(ValueError, match=wrong):
        computed(run, given)
    for name, text in (
        ("shard-000003/state.json", "shard-000003/state.json: .* the checkpoint is damaged"),
        ("input-0.bin", "input-0.bin: expected content with the SHA-256 .*; the folder is damaged"),
        ("run.json", "run.json: .*; the folder is damaged"),
    ):
        (path / name).write_bytes(b"{}")
        with pytest.raises(ValueError, match=text):
            computed(run, {})
    (path / "run.json").write_text(json.dumps({"format": "limbforge run", "version": 2}))
    with pytest.raises(
        ValueError, match="expected 'limbforge run' of version 1, found 'limbforge run' of version 2"
    ):
        run.run()


def test_mistakes(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(
        FileExistsError, match="expected the folder of a run, an empty one or none, found 'thesis"
    ):
        Run(LADDER, tmp_path).run(n=NUMBERS, t=10)
    with pytest.raises(FileNotFoundError):
        resume(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match="expected a folder that all machines of the cluster see"):
        Shards(tmp_path / "nothing", 60, "cpu")
    for given, error, text in (
        ({}, TypeError, "the program uses the input `n`, which is not given"),
        ({"n": [1, 2], "t": [1, 2, 3]}, ValueError, "input `t` has 3 instances; expected 2 as in `n`"),
        ({"n": 5, "t": 1, "k": 1}, TypeError, "the program has no input `k`"),
        (
            {"n": 5, "t": 1, "on_error": "hide"},
            ValueError,
            "on_error: expected 'raise' or 'mask', found 'hide'",
        ),
    ):
        with pytest.raises(error, match=text):
            Run(LADDER, tmp_path / "run").run(**given)
    for options, error, text in (
        ({"program": LADDER.text}, TypeError, "program: expected a limbforge.Program, found <class 'str'>"),
        ({"program": lf.Program("in a: u64; out failure = a")}, ValueError, "no result `failure`"),
        ({"shard": 0}, ValueError, "shard: expected at least 1 instance, found 0"),
        ({"every": -1}, ValueError, "every: expected seconds from 0 on, found -1"),
        ({"every": float("nan")}, ValueError, "every: .* found nan"),
        ({"engine": lf.Engine("cpu")}, TypeError, "engine: expected a text"),
        (
            {"checkpoint": "s3://bucket/run"},
            ValueError,
            "a folder that all machines see, found 's3://bucket/run'",
        ),
    ):
        with pytest.raises(error, match=text):
            Run(**{"program": LADDER, "checkpoint": tmp_path / "run", **options})
    assert not (tmp_path / "run").exists()
