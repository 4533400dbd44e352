"""Actors that compute shards of a run in slices, with checkpoints."""

import functools
import os
import time

import pyarrow as pa
import pyarrow.parquet as pq

from limbforge._columns import _engine
from limbforge._programs import Program
from limbforge._ray_folder import Folder, sync
from limbforge._ray_results import table_of
from limbforge._sessions import resume


class Shards:
    """Computes the shards whose numbers a table has: a class for ``Dataset.map_batches``.

    It returns the table, or the tables of results of its shards.
    """

    def __init__(self, folder, every, engine, threads=None, *, results=False):
        if threads is not None:
            os.environ["RAYON_NUM_THREADS"] = str(threads)
        try:
            self._folder = Folder(folder)
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"{error}: expected a folder that all machines of the cluster see"
            ) from None
        self._program, self._shards = Program(self._folder.text), self._folder.shards
        self._every, self._engine, self._results = every, engine, results

    @functools.cached_property
    def _arrays(self):
        return self._folder.arrays()

    def __call__(self, table):
        shards = [self._shards[number] for number in table["shard"].to_pylist()]
        for shard in shards:
            self.finish(shard)
        if not self._results:
            return table
        return pa.concat_tables(
            [pq.read_table(shard.results, page_checksum_verification=True) for shard in shards]
        )

    def finish(self, shard):
        """Computes what is left of a shard, and writes its results."""
        if shard.is_finished:
            return
        with shard.locked():
            # Another process may have computed it.
            if not shard.is_finished:
                session = self.begin(shard)
                self.compute(shard, session)
                # Without a further checkpoint of what is computed.
                found = session._results("mask", None, self._every, keeps=True)
                _write(shard.results, table_of(found, shard.first))
            shard.clear()

    def begin(self, shard):
        """The run of the shard, from its checkpoint if there is one."""
        inputs = self._inputs(shard)
        if not shard.began:
            return self._program.session(inputs, engine=_engine(self._engine))
        try:
            session = resume(shard.checkpoint, engine=_engine(self._engine))
        except ValueError as error:
            error.add_note(f"without {shard.checkpoint} its instances are computed from the beginning")
            raise
        if session.text != self._folder.text or shard.records() != [a.tobytes() for a in inputs.values()]:
            last = shard.first + shard.instances - 1
            raise ValueError(
                f"{shard.checkpoint}: expected a checkpoint of instances {shard.first} to {last} of the run "
                f"in {self._folder.path}, found one of another program or of other inputs"
            )
        return session

    def compute(self, shard, session):
        """Computes slice by slice, and writes a checkpoint every so many seconds."""
        written = time.monotonic()
        try:
            while not session.progress.is_done:
                session.advance(min(self._every, 1.0))
                if time.monotonic() - written >= self._every and not session.progress.is_done:
                    self.checkpoint(shard, session)
                    written = time.monotonic()
        except KeyboardInterrupt:
            self.checkpoint(shard, session)
            raise

    def checkpoint(self, shard, session):
        """Writes the checkpoint of a shard."""
        session.checkpoint(shard.checkpoint)

    def _inputs(self, shard):
        """The integers of the shard's instances."""
        found = {}
        for name, (array, elements) in self._arrays.items():
            is_one = len(array) == elements
            ends = (end * elements for end in (shard.first, shard.first + shard.instances))
            found[name] = array if is_one else array[slice(*ends)]
        return found


def _write(path, table):
    """The file of a table, which appears when it is complete and on the disk."""
    staged = f"{path}.new"
    try:
        with open(staged, "wb") as file:
            # Integers of many bits hardly repeat.
            pq.write_table(table, file, use_dictionary=False, write_page_checksum=True)
            file.flush()
            os.fsync(file.fileno())
        os.rename(staged, path)
    except OSError:
        if os.path.exists(staged):
            os.unlink(staged)
        raise
    sync(os.path.dirname(path))
