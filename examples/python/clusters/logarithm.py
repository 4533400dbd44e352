"""A discrete logarithm on a Ray cluster: actors walk, and their points come back as rows into one store.

    python logarithm.py CURVE [--store all.store] [--ecdlp target/release/ecdlp]

CURVE and the program `ecdlp` (examples/ecdlp) are files that all machines see. There is an actor for each GPU
of the cluster that `RAY_ADDRESS` names, or of this machine; without GPUs one for each two CPUs. An actor
whose machine is lost begins with walks of its own: what it had reported stays in the store. The same command
goes on with the store.
"""

import argparse
import pathlib
import re
import secrets
import subprocess
import tempfile

import ray


def ecdlp(program, *arguments, rows=None):
    """What a command prints; its failure is an error that says why."""
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(command, input=rows, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Walker:
    """Walks with a store of its own on its machine."""

    def __init__(self, program, curve, options):
        self.folder = tempfile.TemporaryDirectory()
        self.store = f"{self.folder.name}/walks.store"
        # A number that no other worker has, one that was restarted neither.
        number = 1 + secrets.randbelow((1 << 30) - 1)
        self.solve = [program, "solve", curve, "--store", self.store, "--worker", number, *options]
        self.sent = set()

    def walk(self):
        """The next rows, and the line with the logarithm if walks of this actor have met."""
        found = ecdlp(*self.solve).strip()
        rows = ecdlp(self.solve[0], "points", "export", self.store).splitlines()
        new = [row for row in rows if row not in self.sent]
        self.sent.update(new)
        return new, found


def solve(options):
    """The line with the logarithm."""
    program, store = options.ecdlp.resolve(), options.store.resolve()
    # All walks have the table and the distinguished points of this store.
    ecdlp(program, "solve", options.curve, "--store", store, "--segments", 0, "--seed", options.seed)
    info = ecdlp(program, "info", store)
    distinguished = re.search(r"one of 2\^(\d+)", info)[1]
    if known := re.search(r"^logarithm\t(0x.*)", info, re.MULTILINE):
        return f"known: k = {known[1]}"
    resources = ray.cluster_resources()
    gpus = int(resources.get("GPU", 0))
    walkers = gpus or max(int(resources.get("CPU", 1)) // 2, 1)
    own = {"num_gpus": 1, "num_cpus": 0} if gpus else {"num_cpus": 1}
    arguments = ["--seed", options.seed, "--distinguished", distinguished, "--segments", options.segments]
    arguments += ["--backend", "gpu" if gpus else "cpu"]
    curve = str(options.curve.resolve())
    actors = [Walker.options(**own).remote(str(program), curve, arguments) for _ in range(walkers)]
    print(f"{walkers} actors on {'GPUs' if gpus else 'CPUs'}, one point of 2^{distinguished}", flush=True)
    waiting = {actor.walk.remote(): actor for actor in actors}
    while True:
        done, _ = ray.wait(list(waiting))
        actor, (rows, found) = waiting.pop(done[0]), ray.get(done[0])
        # Walks go on while the store takes the rows.
        waiting[actor.walk.remote()] = actor
        met = ecdlp(program, "points", "import", store, "-", rows="".join(f"{row}\n" for row in rows))
        if found or met:
            return found or met.strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("curve", type=pathlib.Path, help="the file of the curve")
    parser.add_argument("--store", type=pathlib.Path, default="all.store", help="the store of all points")
    parser.add_argument("--ecdlp", type=pathlib.Path, default="target/release/ecdlp", help="the program")
    parser.add_argument("--seed", type=int, default=1, help="of the table of all walks")
    parser.add_argument("--segments", type=int, default=8, help="commits between two reports of an actor")
    options = parser.parse_args()
    ray.init(log_to_driver=False)
    print(solve(options))


if __name__ == "__main__":
    main()
