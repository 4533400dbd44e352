"""Measures what actors of Ray cost beside one process: the same expression over the same blocks.

Both begin with all blocks in memory, and actors when all of them have started. A line of JSON for each round
has the seconds from the start of the first block to the end of the last, in one process and in actors, and
those of the CPU that evaluations took. `job_s` is the whole job, with the start of workers and the reading of
files. With `--gpus` as many actors have a GPU each, and one process shares its blocks among all of them: its
blocks are so many times as large, so that each GPU computes as many rows at a time. None computes on the CPU.

    python ray_overhead.py [--rows 1000000] [--rounds 3] [--actors 2] [--threads 1] [--gpus N]
"""

import argparse
import json
import os
import pathlib
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import ray

import limbforge as lf
import limbforge.ray as lfr


# A number and two integers of 2048 bits.
ROW_BYTES = 8 + 2 * 256


# Seconds that the first actor waits for the last one.
PATIENCE = 120


class Timed(lfr.Evaluate):
    """Notes the start, the end and the CPU time of each block in a file of this process."""

    def __init__(self, folder, processes, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.folder, self.processes = pathlib.Path(folder), processes
        self.is_warm = False

    def warm(self, table):
        """Opens the engine, loads or compiles the kernel, and waits until all processes have done so."""
        super().__call__(table)
        (self.folder / f"{os.getpid()}.warm").touch()
        start = time.time()
        while len(list(self.folder.glob("*.warm"))) < self.processes:
            if time.time() - start > PATIENCE:
                raise TimeoutError(f"expected {self.processes} actors within {PATIENCE} seconds")
            time.sleep(0.001)
        self.is_warm = True

    def __call__(self, table):
        if not self.is_warm:
            self.warm(table)
        start, cpu = time.time(), time.process_time()
        found = super().__call__(table)
        with open(f"{self.folder}/{os.getpid()}", "a") as file:
            print(start, time.time(), time.process_time() - cpu, len(table), file=file)
        return found


def span(folder):
    """The seconds of the map phase, those of the CPU, and the rows."""
    lines = [
        line.split() for path in pathlib.Path(folder).iterdir() for line in path.read_text().splitlines()
    ]
    starts, ends, cpus, rows = zip(*[map(float, line) for line in lines])
    return max(ends) - min(starts), sum(cpus), int(sum(rows))


def make(folder, rows, files):
    draw = np.random.default_rng(1)
    for i in range(files):
        ids = np.arange(rows * i // files, rows * (i + 1) // files)
        words = [draw.integers(0, 2**64, (len(ids), 32), dtype=np.uint64) for _ in "ab"]
        a, b = (lf.from_limbs(word, "u2048").to_arrow() for word in words)
        table = pa.table({"id": ids, "a": a, "b": b})
        pq.write_table(table, f"{folder}/{i:03}.parquet", compression="none", use_dictionary=["id"])


def alone(source, engine, options):
    """One process: all blocks in memory, then all of them evaluated."""
    tables = [pq.read_table(path) for path in sorted(pathlib.Path(source).iterdir())]
    together = max(1, options.gpus)
    blocks = [
        pa.concat_tables(tables[i : i + together]).combine_chunks() for i in range(0, len(tables), together)
    ]
    with tempfile.TemporaryDirectory() as notes:
        run = Timed(notes, 1, options.expr, "r", "u2048", keep=["id"], engine=engine)
        found = [run(block) for block in blocks]
        del found
        return span(notes)


def cluster(source, engine, options):
    with tempfile.TemporaryDirectory() as notes:
        gpus = 1 if options.gpus else 0
        places = lfr.map_options("u2048", actors=options.actors, threads=options.threads, gpus=gpus)
        how = {"keep": ["id"], "engine": engine, "threads": None if gpus else options.threads}
        # Ray asks for a number of rows where there are GPUs: those of a block. A file is a block: others would be
        # joined and cut into batches.
        rows = options.rows // options.files if gpus else None
        start = time.time()
        table = ray.data.from_arrow([pq.read_table(path) for path in sorted(pathlib.Path(source).iterdir())])
        table = table.map_batches(
            Timed,
            fn_constructor_args=(notes, options.actors, options.expr, "r", "u2048"),
            fn_constructor_kwargs=how,
            **{**places, "batch_size": rows},
        )
        table.materialize()
        return *span(notes), time.time() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each actor; one process has all of them")
    parser.add_argument("--gpus", type=int, default=0, help="GPUs, and as many actors")
    parser.add_argument("--cpus", type=int, default=4, help="logical CPUs of the cluster")
    parser.add_argument("--block", type=int, default=16 << 20, help="bytes of a block, at most")
    parser.add_argument("--expr", default="gcd(a, b) + a*b")
    options = parser.parse_args()
    engine = "cpu"
    if options.gpus:
        options.actors, engine = options.gpus, "cuda:all"
        # Of more GPUs that this machine has, the first ones.
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(options.gpus))))
    else:
        os.environ["RAYON_NUM_THREADS"] = str(options.actors * options.threads)
    how = {"include_dashboard": False, "log_to_driver": False}
    ray.init("local", num_cpus=options.cpus, num_gpus=options.gpus, **how)
    ray.data.DataContext.get_current().enable_progress_bars = False
    # As many for each actor, of as many rows each.
    options.files = -(-options.rows * ROW_BYTES // (options.block * options.actors)) * options.actors
    options.rows -= options.rows % options.files
    with tempfile.TemporaryDirectory() as source:
        make(source, options.rows, options.files)
        for _ in range(options.rounds):
            one, one_cpu, rows = alone(source, engine, options)
            many, many_cpu, same, job = cluster(source, engine, options)
            assert rows == same == options.rows
            found = {"one_s": one, "ray_s": many, "one_cpu_s": one_cpu, "ray_cpu_s": many_cpu, "job_s": job}
            found = {name: round(value, 3) for name, value in found.items()}
            print(json.dumps({**vars(options), **found, "overhead": round(many / one - 1, 3)}), flush=True)


if __name__ == "__main__":
    main()
