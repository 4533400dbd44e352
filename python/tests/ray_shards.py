"""A program in shards that tests compute in their own process."""

import pyarrow as pa

import limbforge as lf
from limbforge._ray_compute import Shards

LADDER = lf.Program("in n, t: u64\nvar x = 3 mod n\nrepeat t { x = sqr(x) + 1 }\nout x")
NUMBERS = [2**521 - 1 + 2 * i for i in range(20)]


def computed(run, inputs, kind=Shards, every=60.0):
    """Computes all shards in this process, as actors do: their class."""
    folder = run._folder(inputs, {}, None, None)
    shards = kind(folder.path, every, "cpu")
    shards(pa.table({"shard": list(range(len(folder.shards)))}))
    return shards


class Noted(Shards):
    """Notes the round from which each shard goes on."""

    def begin(self, shard):
        session = super().begin(shard)
        self.rounds = [*getattr(self, "rounds", []), (shard.first, session.progress.round)]
        return session


class Interrupted(Noted):
    """Is interrupted after the first checkpoint of the third shard."""

    def checkpoint(self, shard, session):
        if shard.first >= 10:
            super().checkpoint(shard, session)
            raise RuntimeError("interrupted")
