"""The programs of examples/python/clusters: each compares its results with those of one process."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "ray_job.py": "ray",
    "daft_column.py": "daft",
    "dask_files.py": "distributed",
    "datafusion_udf.py": "datafusion",
}
# The engines of data that must be there; one that is not is a failure then.
REQUIRED = os.environ.get("LIMBFORGE_REQUIRE_CLUSTERS", "").split()


def run(*command, limit=120):
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=limit, env=environment
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    module = PROGRAMS[program]
    if find_spec(module) is None and module not in REQUIRED:
        pytest.skip(f"needs {module}")
    found = run(ROOT / "examples/python/clusters" / program)
    assert found.returncode == 0 and "20000 rows equal those of one process" in found.stdout, found.stderr


@pytest.mark.skipif(
    find_spec("ray") is None and not os.environ.get("LIMBFORGE_REQUIRE_RAY"), reason="needs Ray"
)
def test_examples_of_limbforge_ray_and_its_page():
    found = run(pytest.TESTS / "ray_examples.py", ROOT / "docs/clusters.md", limit=180)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.skipif(
    (find_spec("ray") is None or shutil.which("cargo") is None)
    and not os.environ.get("LIMBFORGE_REQUIRE_RAY"),
    reason="needs Ray and Rust",
)
def test_a_logarithm_from_points_of_actors(tmp_path):
    subprocess.run(["cargo", "build", "--quiet", "--locked", "-p", "limbforge-ecdlp"], cwd=ROOT, check=True)
    ecdlp = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/ecdlp"
    curve, store = tmp_path / "curve.json", tmp_path / "all.store"
    curve.write_text(subprocess.check_output([ecdlp, "random-curve", "24", "--seed", "7"], text=True))
    program = ROOT / "examples/python/clusters/logarithm.py"
    command = (program, curve, "--ecdlp", ecdlp, "--store", store)
    found = run(*command)
    assert found.returncode == 0 and "verified: k = 0x" in found.stdout, found.stdout + found.stderr
    alone = [ecdlp, "solve", curve, "--store", tmp_path / "alone.store", "--backend", "cpu"]
    assert subprocess.check_output(alone, text=True).split()[-1] == found.stdout.split()[-1]
