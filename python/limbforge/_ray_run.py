"""Runs of programs on a cluster, in shards that go on from checkpoints of their own."""

import os

import pyarrow as pa
import pyarrow.parquet as pq

from limbforge import _inputs, _ray_folder
from limbforge._programs import Program
from limbforge._ray_cluster import options_of, plan, ray_module
from limbforge._ray_compute import Shards
from limbforge._ray_folder import Folder
from limbforge._ray_results import FAILURE, INSTANCE, error_of, results_of, table_of

# Shards for each actor by default, so that all end at about the same time; a GPU needs many instances.
_SHARDS, _LEAST_OF_GPU = 4, 1 << 14


class Run:
    """The run of a program on a cluster: ``Program.run`` in shards, each with a checkpoint of its own.

    A shard is a part of the instances. An actor on each GPU, else on each CPU, computes shards one after the
    other. After a worker or a job was killed, and on another cluster, each shard goes on from its last
    checkpoint, and finished shards are not computed again.

    >>> import limbforge as lf, limbforge.ray as lfr
    >>> squarings = lf.Program("in x, n; in t: u64; var y = x mod n; repeat t { y = sqr(y) }; out y")
    >>> run = lfr.Run(squarings, "squarings", shard=2, actors=1)
    >>> run.run(x=[2, 3, 5], n=101, t=10)["y"].tolist()
    [5, 37, 81]

    ==============  =====================================================================================
    ``program``     a ``Program``
    ``checkpoint``  a folder that all machines see, new or that of the same run
    ``shard``       the instances of a shard; by default there are 4 shards for each actor, with at least
                    16384 instances on GPUs
    ``every``       seconds between two checkpoints of a shard
    ``engine``      a text for ``lf.Engine``; by default ``"cuda:all"`` in actors with a GPU, which computes
                    nothing on the CPU, else ``"cpu"``
    ``actors``      as in ``map_options``, and so are ``threads`` and ``gpus``
    ==============  =====================================================================================

    A folder with another program, other inputs or shards of another size is a ``ValueError`` with the first
    difference; one with other files a ``FileExistsError``. A file that is not the one that was written is a
    ``ValueError`` that names it. Jobs that use the same folder at the same time share its shards: one
    computes a shard, the others wait for it. The file system must have locks (``flock``).
    """

    def __init__(
        self, program, checkpoint, *, shard=None, every=60.0, engine=None, actors=None, threads=1, gpus=None
    ):
        if not isinstance(program, Program):
            raise TypeError(f"program: expected a limbforge.Program, found {type(program)}")
        if engine is not None and not isinstance(engine, str):
            raise TypeError(f"engine: expected a text such as 'auto' or 'cuda:all', found {type(engine)}")
        if shard is not None and shard < 1:
            raise ValueError(f"shard: expected at least 1 instance, found {shard}")
        if not 0 <= every < float("inf"):
            raise ValueError(f"every: expected seconds from 0 on, found {every}")
        for name in (INSTANCE, FAILURE):
            if name in program.outputs:
                raise ValueError(f"program: expected no result `{name}`, which is a column of all tables")
        path = os.fspath(checkpoint)
        if "://" in path:
            raise ValueError(f"checkpoint: expected a folder that all machines see, found {path!r}")
        # Processes of Ray have other working folders.
        self._program, self._path = program, os.path.abspath(path)
        self._shard, self._every, self._engine = shard, every, engine
        self._actors = {"actors": actors, "threads": threads, "gpus": gpus}

    def run(self, inputs=None, /, *, bits=None, types=None, on_error="raise", **named):
        """The results over inputs, as those of ``Program.run``: ``Results`` with all instances in order.

        Inputs, ``bits``, ``types`` and ``on_error`` are those of ``Program.run``; without any, inputs are
        those of the folder. Results and failures are the same as on one machine, and do not depend on shards.
        An instance that fails raises when all shards are finished, so that ``on_error="mask"`` computes
        nothing again.

        >>> import limbforge as lf, limbforge.ray as lfr
        >>> inverse = lf.Program("in a, n; out b = 1 / (a mod n)")
        >>> found = lfr.Run(inverse, "inverses", shard=2, actors=1).run(a=[2, 3, 4], n=9, on_error="mask")
        >>> found["b"].tolist(), found.failures[0].instance
        ([5, 0, 7], 1)
        """
        if on_error not in ("raise", "mask"):
            raise ValueError(f"on_error: expected 'raise' or 'mask', found {on_error!r}")
        folder = self._folder(inputs, named, bits, types)
        missing = [i for i, shard in enumerate(folder.shards) if not shard.is_finished]
        if missing:
            for _ in self._computed(folder, missing).iter_batches(batch_size=None, batch_format="pyarrow"):
                pass
        found = results_of(_table(folder))
        if found.failures and on_error == "raise":
            raise error_of(folder.text, found.failures)
        return found

    def dataset(self, inputs=None, /, *, bits=None, types=None, **named):
        """A data set with a row for each instance, for ``write_parquet``; inputs are those of ``run``.

        Its columns are ``instance``, from 0, the results, and ``failure``: null, or mark, message, line and
        column. A result that is an array or a tuple of k has columns ``name[0]`` to ``name[k-1]``. Results of
        an instance that failed are null. Shards are computed when the data set is, and finished ones are
        read; rows come in any order.

        >>> import limbforge as lf, limbforge.ray as lfr
        >>> inverse = lf.Program("in a, n; out b = 1 / (a mod n)")
        >>> table = lfr.Run(inverse, "inverses", actors=1).dataset(a=[2, 3, 4], n=9)
        >>> rows = table.sort("instance").take_all()
        >>> [row["b"] and int.from_bytes(row["b"], "little") for row in rows], rows[1]["failure"]["mark"]
        ([5, None, 7], 'NOINVERSE')
        """
        folder = self._folder(inputs, named, bits, types)
        if not folder.shards:
            return ray_module().data.from_arrow(_table(folder))
        return self._computed(folder, range(len(folder.shards)), results=True)

    def _folder(self, inputs, named, bits, types):
        """The folder of the run over these inputs, which is created if there is none."""
        there = _ray_folder.exists(self._path)
        if there and not inputs and not named and (bits, types) == (None, None):
            folder = Folder(self._path)
            folder.check(self._program, None, self._shard)
            return folder
        arrays = _inputs.arrays(self._program._core, inputs, named, bits, types)
        given, instances = _counted(self._program, arrays)
        if not there:
            _ray_folder.create(self._path, self._program, given, instances, self._size(instances))
        folder = Folder(self._path)
        folder.check(self._program, given, self._shard)
        return folder

    def _size(self, instances):
        """The instances of a shard."""
        if self._shard is not None or instances == 0:
            return self._shard or 1
        found = plan(**self._actors)
        return max(-(-instances // (_SHARDS * found.actors)), _LEAST_OF_GPU if found.num_gpus else 1)

    def _computed(self, folder, numbers, *, results=False):
        """The data set that computes the shards of these numbers."""
        found = plan(**self._actors)
        found = found._replace(actors=min(found.actors, len(numbers)))
        engine = self._engine or ("cuda:all" if found.num_gpus else "cpu")
        rows = pa.table({"shard": pa.array(numbers, pa.int64())})
        data = ray_module().data
        return data.from_arrow([rows.slice(i, 1) for i in range(len(rows))]).map_batches(
            Shards,
            fn_constructor_args=(str(folder.path), self._every, engine, found.threads),
            fn_constructor_kwargs={"results": results},
            # A shard waits for an actor that has nothing to do.
            **options_of(found, max_tasks_in_flight_per_actor=1),
        )

    def __repr__(self):
        return f"Run({self._program!r}, {self._path!r})"


def resume(checkpoint, *, every=60.0, engine=None, actors=None, threads=1, gpus=None):
    """Goes on with the run of a folder: a ``Run``, whose ``run()`` and ``dataset()`` need no inputs.

    >>> import limbforge as lf, limbforge.ray as lfr
    >>> program = lf.Program("in n: u64; var f = n - n + 1; for i in 0 .. n { f = f * (i + 1) }; out f")
    >>> found = lfr.Run(program, "factorials", actors=1).run(n=[5, 20])
    >>> lfr.resume("factorials").run()["f"].equals(found["f"])
    True
    """
    path = os.fspath(checkpoint)
    program = Program(Folder(path).text)
    return Run(program, path, every=every, engine=engine, actors=actors, threads=threads, gpus=gpus)


def _counted(program, arrays):
    """The name, the array and the integers of an instance of each input, and the number of instances."""
    declared = program.inputs
    typed = program._core.types([(name, array.dtype) for name, array in arrays if declared[name] is None])
    given = [(name, array, count or 1) for (name, array), (_, _, count) in zip(arrays, typed, strict=True)]
    several = [len(array) // count for _, array, count in given if len(array) != count]
    instances = several[0] if several else 1
    if any(len(array) not in (count, instances * count) for _, array, count in given):
        # Raises what it says of inputs that do not go together.
        program.session(dict(arrays), engine="cpu")
    return given, instances


def _table(folder):
    """The results of all shards."""
    if not folder.shards:
        arrays = {name: array for name, (array, _) in folder.arrays().items()}
        return table_of(Program(folder.text).run(arrays, engine="cpu"), 0)
    read = [pq.read_table(shard.results, page_checksum_verification=True) for shard in folder.shards]
    return pa.concat_tables(read)
