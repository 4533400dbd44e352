"""The folder of a run that is cut into shards: its program, its inputs, and what shards have written.

=====================  =================================================================================
``run.json``           the program, the number of instances, those of a shard, and types and hashes
``input-0.bin``, ...   the integers of each input: little-endian records of ceil(bits / 8) bytes
``shard-000007``       the checkpoint of a shard that is being computed, which ``lf.resume`` reads
``shard-000007.lock``  locked while a process computes the shard
``shard-*.parquet``    the results of a shard
=====================  =================================================================================
"""

import errno
import hashlib
import json
import os
import shutil
import uuid
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from limbforge._limbforge import IntType, from_bytes
from limbforge._programs import Program
from limbforge._ray_shard import Shard

_RUN = "run.json"
_FORMAT, _VERSION = "limbforge run", 1


class Input(NamedTuple):
    """An input of a run: all of its integers."""

    name: str
    dtype: str
    elements: int
    """The integers of an instance."""
    integers: int
    sha256: str


class Folder:
    """A run that is on the disk."""

    def __init__(self, path):
        self.path, self._file = Path(path), Path(path) / _RUN
        try:
            form = json.loads(self._file.read_text("utf-8"))
            found = form["format"], form["version"]
            if found == (_FORMAT, _VERSION):
                self.text, self.instances, self.shard = form["program"], form["instances"], form["shard"]
                self.inputs = [Input(**row) for row in form["inputs"]]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self._file}: {error}; the folder is damaged, and no run can go on") from error
        if found != (_FORMAT, _VERSION):
            expected = f"expected {_FORMAT!r} of version {_VERSION}"
            raise ValueError(f"{self._file}: {expected}, found {found[0]!r} of version {found[1]!r}")

    @property
    def shards(self):
        """All shards, in the order of their instances."""
        firsts = range(0, self.instances, self.shard)
        return [self._shard(index, first) for index, first in enumerate(firsts)]

    def _shard(self, index, first):
        name = str(self.path / f"shard-{index:06}")
        return Shard(first, min(self.shard, self.instances - first), name, name + ".parquet")

    def arrays(self):
        """The integers of all inputs by their names, and those of an instance; each file is checked."""
        return {given.name: (self._read(i, given), given.elements) for i, given in enumerate(self.inputs)}

    def _read(self, i, given):
        path = self.path / f"input-{i}.bin"
        data = path.read_bytes()
        found = hashlib.sha256(data).hexdigest()
        if found != given.sha256:
            why = f"expected content with the SHA-256 {given.sha256}, found {found}"
            raise ValueError(f"{path}: {why}; the folder is damaged, and no run can go on")
        return from_bytes(data, IntType(given.dtype))

    def check(self, program, given, shard):
        """Raises unless the folder is that of a run of these inputs, in shards of so many instances.

        None are those of the folder.
        """
        where = f"{self.path}: the folder has another run"
        own = str(Program(self.text))
        for expected, found in zip_longest(str(program).splitlines(), own.splitlines(), fillvalue=""):
            if expected != found:
                raise ValueError(f"{where}: expected a program with `{expected}`, found `{found}`")
        for i, ((name, array, _), found) in enumerate(zip(given or (), self.inputs)):
            about = f"{where}: input `{name}`"
            if array.dtype != (dtype := IntType(found.dtype)):
                raise ValueError(f"{about}: expected {array.dtype}, found {dtype}")
            if len(array) != found.integers:
                raise ValueError(f"{about}: expected {len(array)} integers, found {found.integers}")
            if hashlib.sha256(array.tobytes()).hexdigest() != found.sha256:
                there = self._read(i, found)
                at = next(i for i, (a, b) in enumerate(zip(array, there)) if a != b)
                raise ValueError(f"{about}: integer {at}: expected {array[at]}, found {there[at]}")
        if shard not in (None, self.shard):
            found = f"found {self.shard}, which shard=None takes"
            raise ValueError(f"{where}: expected shards of {shard} instances, {found}")


def exists(path):
    """Whether there is a run in the folder; one of anything else is a ``FileExistsError``."""
    path = Path(path)
    if (path / _RUN).exists():
        return True
    found = sorted(os.listdir(path)) if path.exists() else []
    if found:
        raise FileExistsError(
            f"{path}: expected the folder of a run, an empty one or none, found {found[0]!r}"
        )
    return False


def create(path, program, given, instances, shard):
    """Writes the folder of a run over arrays, which appears when it is complete.

    ``given`` is the name, the array and the integers of an instance of each input. If another process has
    been faster, the folder is its.
    """
    staged = Path(f"{path}.new-{uuid.uuid4().hex[:8]}")
    staged.mkdir(parents=True)
    try:
        rows = []
        for i, (name, array, elements) in enumerate(given):
            data = array.tobytes()
            write(staged / f"input-{i}.bin", data)
            sha256 = hashlib.sha256(data).hexdigest()
            rows.append(Input(name, str(array.dtype), elements, len(array), sha256)._asdict())
        form = {"format": _FORMAT, "version": _VERSION, "program": program.text}
        form |= {"instances": instances, "shard": shard, "inputs": rows}
        write(staged / _RUN, json.dumps(form, indent=1).encode())
        sync(staged)
        try:
            # Replaces nothing but an empty folder.
            os.rename(staged, path)
            sync(Path(path).parent)
        except OSError:
            if not exists(path):
                raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def write(path, data):
    """Writes a file to the disk."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path):
    """Brings the names in a folder to the disk, where the file system can."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(folder)
