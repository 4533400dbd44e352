"""Where actors run, and files that appear together; without a cluster."""

import os
from importlib.util import find_spec
from itertools import product
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

import limbforge as lf
from limbforge._ray_plan import TASK_CPUS, Node, free, plan, tasks

# Where Ray must be there, its absence is a failure.
needs_ray = pytest.mark.skipif(
    find_spec("ray") is None and not os.environ.get("LIMBFORGE_REQUIRE_RAY"), reason="needs Ray"
)


def table(values):
    return pa.table({"a": lf.array(values, "u64").to_arrow()})


def values(folder):
    return lf.from_arrow(pq.read_table(folder)["a"], "u64").tolist()


def test_actors_never_take_all_cpus():
    counts = [1, 2, 3, 4, 7, 8, 16, 33, 64, 192]
    clusters = [*([n] for n in counts), *([n, m] for n, m in product(counts, counts)), [4, 4, 8, 64, 1]]
    for sizes, threads, gpus in product(clusters, (1, 2, 4), (0, 1)):
        if max(sizes) < threads:
            continue
        nodes = [Node(cpus, gpus) for cpus in sizes]
        found = plan(nodes, threads=threads, gpus=0)
        spare = sum(sizes) - found.actors * found.num_cpus
        assert found.actors == sum(n // threads for n in sizes) and found.num_gpus == 0
        assert spare >= free(nodes) - 1e-9 and spare >= 1
        # Tasks that read cannot take the CPUs of those that write.
        assert 2 * tasks(nodes) * TASK_CPUS <= spare
    assert plan([Node(4, 0)]) == (4, 0.75, 0, 1) and plan([Node(64, 0)])[:2] == (64, 60 / 64)


def test_actors_of_gpus_take_no_cpu():
    nodes = [Node(16, 2), Node(8, 0), Node(0, 0)]
    assert plan(nodes) == (2, 0, 1, None) and tasks(nodes) == 24
    assert plan(nodes, gpus=0.5).actors == 4 and plan(nodes, gpus=0)[:3] == (24, 0.5, 0)
    assert plan(nodes, actors=1).actors == 1
    # A cluster that has no machine yet grows to the actors of a job.
    assert plan([Node(0, 0)], gpus=1, actors=64).actors == 64 and tasks([Node(0, 0)]) == 1
    with pytest.raises(ValueError, match="expected 1 to 0 of 3 GPUs each in a cluster of 2 GPUs"):
        plan(nodes, gpus=3)


def test_actors_beside_other_jobs():
    assert plan([Node(16, 0)], available=9).actors == 8
    assert plan([Node(16, 0)], available=0).actors == 1
    for nodes, wanted, text in (
        ([], {}, "expected a CPU for reading and writing in the cluster, found 0 CPUs"),
        ([Node(4, 0)], {"actors": 5}, "expected 1 to 4 of 1 threads each in a cluster of 4 CPUs, found 5"),
        ([Node(4, 0)], {"actors": 0}, "expected 1 to 4 of 1 threads each in a cluster of 4 CPUs, found 0"),
        ([Node(4, 0)], {"threads": 8}, "expected 1 to 0 of 8 threads"),
    ):
        with pytest.raises(ValueError, match=text):
            plan(nodes, **wanted)


@needs_ray
@pytest.mark.filterwarnings("default")
def test_files_appear_together(tmp_path):
    from limbforge._ray_sink import ParquetSink

    folder, tables = tmp_path / "out", [table(range(i, i + 3)) for i in (0, 3, 6)]

    def written(sink, tasks):
        sink.on_write_start()
        return [sink.write([tables[i]], SimpleNamespace(task_idx=i)) for i in tasks]

    def complete(sink, returned, rows):
        sink.on_write_complete(SimpleNamespace(write_returns=returned, num_rows=rows))

    sink = ParquetSink(folder, "error", None, {})
    returned = written(sink, [2, 0, 1, 1])
    assert [path.name[:8] for path in folder.iterdir()] == ["_staged-"]
    with pytest.raises(RuntimeError, match="expected one file for each task with 9 rows in all"):
        complete(sink, returned, 9)
    with pytest.raises(RuntimeError, match="with 6 rows"):
        complete(sink, returned[:2], 9)
    # The file of the repeated task, of which nobody heard, is not among the results.
    complete(sink, [None, *returned[:3]], 9)
    names = [f"part-{i:06}.parquet" for i in range(3)]
    assert sorted(path.name for path in folder.iterdir()) == ["_SUCCESS", *names]
    assert values(folder) == list(range(9))

    with pytest.raises(FileExistsError, match="found 4 entries of a complete job: mode='overwrite' replaces"):
        ParquetSink(folder, "error", None, {})
    again = ParquetSink(f"file://{folder}", "overwrite", None, {"compression": "zstd"})
    returned = written(again, [1])
    assert values(folder) == list(range(9))
    again.on_write_failed(RuntimeError())
    assert values(folder) == list(range(9)) and len(list(folder.iterdir())) == 4
    complete(again, written(again, [1]), 3)
    assert values(folder) == [3, 4, 5]

    (folder / "thesis.tex").touch()
    with pytest.raises(FileExistsError, match="expected a folder of Parquet files, found 'thesis.tex'"):
        ParquetSink(folder, "overwrite", None, {})
    with pytest.raises(ValueError, match="expected 'error' or 'overwrite', found 'append'"):
        ParquetSink(folder, "append", None, {})


@needs_ray
@pytest.mark.filterwarnings("default")
def test_an_interrupted_job_leaves_no_parts(tmp_path):
    from limbforge._ray_sink import ParquetSink

    sink = ParquetSink(tmp_path, "error", None, {})
    sink.on_write_start()
    sink.write([table([1])], SimpleNamespace(task_idx=0))
    assert not list(tmp_path.glob("*.parquet"))
    with pytest.raises(FileExistsError, match="found 1 entries without _SUCCESS, as an interrupted job has"):
        ParquetSink(tmp_path, "error", None, {})
    again = ParquetSink(tmp_path, "overwrite", None, {})
    again.on_write_start()
    returned = again.write([table([2]), table([]), table([3])], SimpleNamespace(task_idx=5))
    again.on_write_complete(SimpleNamespace(write_returns=[returned], num_rows=2))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["_SUCCESS", "part-000005.parquet"]
    assert values(tmp_path) == [2, 3]


@needs_ray
@pytest.mark.filterwarnings("default")
def test_no_rows(tmp_path):
    from limbforge._ray_sink import ParquetSink

    sink = ParquetSink(tmp_path / "out", "error", None, {})
    sink.on_write_complete(SimpleNamespace(write_returns=[], num_rows=0))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["_SUCCESS"]


@needs_ray
@pytest.mark.filterwarnings("default")
def test_results_survive_a_failure_of_the_file_system(tmp_path):
    from limbforge._ray_sink import ParquetSink

    sink = ParquetSink("out", "error", fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), {})
    sink.on_write_start()
    returned = sink.write([table([1])], SimpleNamespace(task_idx=0))
    lost = (1, returned[1] + "x", 1)
    with pytest.raises(FileNotFoundError) as error:
        sink.on_write_complete(SimpleNamespace(write_returns=[lost, returned], num_rows=2))
    sink.on_write_failed(error.value)
    assert values(tmp_path / "out/part-000000.parquet") == [1] and not (tmp_path / "out/_SUCCESS").exists()
    assert list((tmp_path / "out").glob("_staged-*"))
