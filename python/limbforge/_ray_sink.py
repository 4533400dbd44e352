"""Parquet files of a Ray job, which appear together when all of them are written."""

import os
import posixpath
import uuid

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs
from ray.data import Datasink

from limbforge._columns import integers_of

_DONE = "_SUCCESS"


class ParquetSink(Datasink):
    """Writes each block to a file of its own below `_staged-...`; the driver renames them when all are there.

    A task that is repeated writes another file, and only the files of tasks that have ended get their names:
    no row is doubled or lost, and no file is half a file, however often workers are killed.
    """

    def __init__(self, path, mode, filesystem, options):
        if mode not in ("error", "overwrite"):
            raise ValueError(f"mode: expected 'error' or 'overwrite', found {mode!r}")
        self._fs, self._path = _resolved(path, filesystem)
        self._mode, self._options, self._renames = mode, options, False
        self._staged = posixpath.join(self._path, f"_staged-{uuid.uuid4().hex}")
        # Before anything is computed.
        self._refuse_files()

    def on_write_start(self, schema=None):
        self._refuse_files()
        self._fs.create_dir(self._staged, recursive=True)

    def write(self, blocks, ctx):
        """Writes the blocks of one task: its number, its file and its rows."""
        tables = [table for table in map(_table, blocks) if len(table)]
        if not tables:
            return None
        table = tables[0] if len(tables) == 1 else pa.concat_tables(tables)
        name = posixpath.join(self._staged, f"{ctx.task_idx:06}-{uuid.uuid4().hex}.parquet")
        options = {"use_dictionary": _words(table), **self._options}
        with self._fs.open_output_stream(name) as file:
            pq.write_table(table, file, **options)
        return ctx.task_idx, name, len(table)

    def on_write_complete(self, write_result):
        written = sorted(entry for entry in write_result.write_returns if entry is not None)
        tasks, rows = [task for task, _, _ in written], sum(rows for _, _, rows in written)
        if len(set(tasks)) != len(tasks) or rows != write_result.num_rows:
            raise RuntimeError(
                f"limbforge: expected one file for each task with {write_result.num_rows} rows in all, found "
                f"tasks {tasks} with {rows} rows; nothing was written"
            )
        self._refuse_files()
        self._renames = True
        # Ray does not start a job without blocks.
        self._fs.create_dir(self._staged, recursive=True)
        for old in self._entries():
            if old.path != self._staged:
                delete = self._fs.delete_dir if old.type == fs.FileType.Directory else self._fs.delete_file
                delete(old.path)
        for task, name, _ in written:
            self._fs.move(name, posixpath.join(self._path, f"part-{task:06}.parquet"))
        self._fs.delete_dir(self._staged)
        with self._fs.open_output_stream(posixpath.join(self._path, _DONE)):
            pass

    def on_write_failed(self, error):
        # Results that were about to be renamed are worth more than an empty folder.
        if not self._renames and self._fs.get_file_info(self._staged).type != fs.FileType.NotFound:
            self._fs.delete_dir(self._staged)

    def get_name(self):
        return "Parquet"

    def _entries(self):
        return self._fs.get_file_info(fs.FileSelector(self._path, allow_not_found=True))

    def _refuse_files(self):
        """Raises for entries that must not be replaced."""
        found = [entry.base_name for entry in self._entries() if entry.path != self._staged]
        other = [name for name in found if not name.startswith("_") and not name.endswith(".parquet")]
        if other:
            raise FileExistsError(f"{self._path}: expected a folder of Parquet files, found {other[0]!r}")
        if found and self._mode == "error":
            has = "of a complete job" if _DONE in found else f"without {_DONE}, as an interrupted job has"
            raise FileExistsError(
                f"{self._path}: expected an empty folder or none, found {len(found)} entries {has}: "
                "mode='overwrite' replaces them"
            )


def _resolved(path, filesystem):
    """The file system, and the path in it."""
    path = os.fspath(path)
    if filesystem is None:
        filesystem, path = fs.FileSystem.from_uri(path if "://" in path else os.path.abspath(path))
    return filesystem, path.rstrip("/")


def _table(block):
    from ray.data.block import BlockAccessor

    return BlockAccessor.for_block(block).to_arrow()


def _words(table):
    """The columns that may have a dictionary: integers of many bits hardly repeat."""
    return [field.name for field in table.schema if integers_of(field) is None]
