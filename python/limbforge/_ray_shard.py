"""A shard of a run: its instances, its files and its lock."""

import fcntl
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Shard(NamedTuple):
    """Instances of a run that are computed together, and where."""

    first: int
    instances: int
    checkpoint: str
    results: str

    @property
    def is_finished(self):
        return os.path.exists(self.results)

    @property
    def began(self):
        """A process that was killed may have left the checkpoint before the last one."""
        return any(os.path.exists(self.checkpoint + end) for end in ("", ".previous"))

    def records(self):
        """The integers of all inputs as the checkpoint has them."""
        path = Path(self.checkpoint if os.path.exists(self.checkpoint) else self.checkpoint + ".previous")
        count = len(list(path.glob("input-*.bin")))
        return [(path / f"input-{i}.bin").read_bytes() for i in range(count)]

    def clear(self):
        """Removes the checkpoint of a shard that has results, while it is locked."""
        for end in ("", ".previous", ".new"):
            shutil.rmtree(self.checkpoint + end, ignore_errors=True)

    @contextmanager
    def locked(self):
        """Waits for any other process that computes the shard: the system frees what a killed one held."""
        with open(f"{self.checkpoint}.lock", "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
            if self.is_finished:
                # Whoever has opened the file, or creates another one, finds the results.
                Path(file.name).unlink(missing_ok=True)
