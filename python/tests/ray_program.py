"""A program that is run in shards on a local Ray cluster, whose worker may be killed. Prints a line of JSON.

    python ray_program.py FOLDER ROUNDS [--kill]

With `--kill` a worker that has written a checkpoint of the last shard kills itself with SIGKILL, once. A
folder that is there goes on without inputs.
"""

import argparse
import json
import os
import pathlib
import signal

import limbforge as lf
import limbforge._ray_run
import limbforge.ray as lfr
from limbforge._ray_compute import Shards

TEXT = """
in n, t: u64
in a: i64
var x = 3 mod n
repeat t { x = sqr(x) + 1 }
out x, quotient = 1000 / a, both = (a, a * a), odd = int(x) % 2 == 1
"""
COUNT, SHARD = 30, 10


def inputs(rounds):
    """Few rounds in the first shard, and instances that fail."""
    numbers = [2**521 - 1 + 2 * i for i in range(COUNT)]
    times = [50 if i < SHARD else rounds for i in range(COUNT)]
    return {"n": numbers, "t": times, "a": [i % 7 - 3 for i in range(COUNT)]}


def digest(found):
    """All bytes of results, and failures."""

    def plain(value):
        return [plain(part) for part in value] if isinstance(value, tuple) else value.tobytes().hex()

    return [{name: plain(value) for name, value in found.items()}, [list(row) for row in found.failures]]


class Killed(Shards):
    """Notes the round from which shards go on, and dies once after a checkpoint."""

    def begin(self, shard):
        session = super().begin(shard)
        note = {"first": shard.first, "round": session.progress.round, "pid": os.getpid()}
        with open(f"{self._folder.path}.notes", "a") as file:
            print(json.dumps(note), file=file)
        return session

    def checkpoint(self, shard, session):
        super().checkpoint(shard, session)
        token = pathlib.Path(f"{self._folder.path}.kill")
        if shard.first == COUNT - SHARD and token.exists():
            token.write_text(str(session.progress.round))
            token.rename(f"{self._folder.path}.killed")
            os.kill(os.getpid(), signal.SIGKILL)


def main():
    # The tests import this file without Ray.
    import ray

    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--kill", action="store_true")
    options = parser.parse_args()
    if options.kill:
        pathlib.Path(f"{options.folder}.kill").touch()
    limbforge._ray_run.Shards = Killed
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20)
    ray.data.DataContext.get_current().enable_progress_bars = False
    if os.path.exists(options.folder):
        run, given = lfr.resume(options.folder, every=0.1), {}
    else:
        run, given = lfr.Run(lf.Program(TEXT), options.folder, shard=SHARD, every=0.1), inputs(options.rounds)
    found = run.run(given, on_error="mask")
    rows = run.dataset().sort("instance").take_all()
    failed = [row["instance"] for row in rows if row["failure"]]
    print(json.dumps({"found": digest(found), "rows": len(rows), "failed": failed}))


if __name__ == "__main__":
    main()
