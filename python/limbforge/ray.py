"""Expressions over columns and programs on a cluster, with Ray Data.

::

    import ray
    import limbforge.ray as lfr

    table = lfr.read_parquet("keys/")
    found = lfr.evaluate(table, "gcd(p, q)", "g", "u2048")
    lfr.write_parquet(found, "shared/")

=================  ======================================================================================
``read_parquet``   a data set, in blocks that suit evaluations
``evaluate``       the data set with columns of results, computed by an actor on each GPU or CPU
``write_parquet``  files that appear together when all are written, without doubled rows
``Evaluate``       the class of the actors, for ``Dataset.map_batches``; `Evaluate(...)(table)` needs no Ray
``map_options``    the options of ``Dataset.map_batches`` with which reading and writing always have a CPU
``Run``            the run of a program, cut into shards of which each goes on from its own checkpoint
``resume``         the run of a folder that an earlier job has left
=================  ======================================================================================

``pip install 'limbforge[ray]'`` installs what it needs.
"""

import inspect

from limbforge import _ray_plan
from limbforge._columns import Evaluate
from limbforge._ray_cluster import map_options, nodes, place, ray_module
from limbforge._ray_run import Run, resume

__all__ = ["Evaluate", "Run", "evaluate", "map_options", "read_parquet", "resume", "write_parquet"]

# Bytes of a block of inputs.
_BLOCK = 16 << 20


def read_parquet(paths, *, block_size=_BLOCK, **options):
    """The data set of Parquet files, as ``ray.data.read_parquet`` with its options, in blocks of about
    ``block_size`` bytes: an actor computes one block at a time.

    Tasks that read reserve a quarter of a CPU each, and leave CPUs for those that write.

    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> import limbforge as lf, limbforge.ray as lfr
    >>> n, d = lf.array([15, 21, 35], "u256"), lf.array([6, 0, 10], "u256")
    >>> pq.write_table(pa.table({"id": [1, 2, 3], "n": n.to_arrow(), "d": d.to_arrow()}), "keys.parquet")
    >>> lfr.read_parquet("keys.parquet", columns=["id", "n"]).count()
    3
    """
    ray, machines = ray_module(), nodes()
    context = ray.data.DataContext.get_current()
    before = context.target_max_block_size, context.target_min_block_size
    context.target_max_block_size, context.target_min_block_size = block_size, min(block_size, 1 << 20)
    try:
        tasks = {"num_cpus": _ray_plan.TASK_CPUS}
        if "num_cpus" not in inspect.signature(ray.data.read_parquet).parameters:
            # Earlier versions of Ray.
            tasks = {"ray_remote_args": tasks}
        tasks["concurrency"] = _ray_plan.tasks(machines)
        several = isinstance(paths, list | tuple)
        places = [place(path) for path in paths] if several else place(paths)
        return ray.data.read_parquet(places, **{**tasks, **options})
    finally:
        context.target_max_block_size, context.target_min_block_size = before


def evaluate(
    dataset,
    expr,
    out,
    dtype=None,
    errors="null",
    *,
    inputs=None,
    keep=None,
    engine=None,
    actors=None,
    threads=1,
    gpus=None,
):
    """The data set with columns of results: ``Evaluate`` in actors with ``map_options``.

    The engine is ``"cuda:all"`` in actors with a GPU, which computes nothing on the CPU, else ``"cpu"``.

    >>> import limbforge as lf, limbforge.ray as lfr
    >>> table = lfr.read_parquet("keys.parquet")
    >>> found = lfr.evaluate(table, ["gcd(n, d)", "n / d"], ["g", "q"], "u256", actors=1)
    >>> rows = found.sort("id").take_all()
    >>> [int.from_bytes(row["g"], "little") for row in rows], [row["q"] is None for row in rows]
    ([3, 21, 5], [False, True, False])
    """
    options = map_options(dtype, actors=actors, threads=threads, gpus=gpus)
    chosen = engine or ("cuda:all" if options["num_gpus"] else "cpu")
    how = {"inputs": inputs, "keep": keep, "engine": chosen}
    if not options["num_gpus"]:
        how["threads"] = threads
    arguments = (expr, out, dtype, errors)
    # A mistake in them is an error here, before any actor starts.
    Evaluate(*arguments, **{**how, "threads": None})
    return dataset.map_batches(Evaluate, fn_constructor_args=arguments, fn_constructor_kwargs=how, **options)


def write_parquet(dataset, path, *, mode="error", filesystem=None, **options):
    """Writes a data set to the files ``part-000000.parquet``, ... of a folder, one for each block.

    The files appear when all are written, and an empty file ``_SUCCESS`` after them; a job that fails leaves
    none. Tasks that are repeated, because a worker was killed or lost, double no row. A folder that is not
    empty is a ``FileExistsError``; with ``mode="overwrite"`` its Parquet files are replaced when all new ones
    are written. ``options`` are those of ``pyarrow.parquet.write_table``.

    The files are in the order of rows if ``ray.data.DataContext`` has ``execution_options.preserve_order``.

    >>> import pyarrow.parquet as pq
    >>> import limbforge as lf, limbforge.ray as lfr
    >>> table = lfr.read_parquet("keys.parquet")
    >>> lfr.write_parquet(lfr.evaluate(table, "gcd(n, d)", "g", "u256", actors=1), "shared")
    >>> found = pq.read_table("shared").sort_by("id")
    >>> lf.from_arrow(found["g"]).tolist()
    [3, 21, 5]
    """
    tasks = _ray_plan.tasks(nodes())
    from limbforge._ray_sink import ParquetSink

    dataset.write_datasink(
        ParquetSink(path, mode, filesystem, options),
        ray_remote_args={"num_cpus": _ray_plan.TASK_CPUS},
        concurrency=tasks,
    )
