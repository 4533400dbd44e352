"""The rows of the jobs that tests run on Ray, and their results in one process."""

import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import limbforge as lf
import limbforge.ray as lfr

EXPR, OUT = ["gcd(a, b) + a*b", "a / d"], ["r", "q"]


def make(folder, rows, files=8):
    """Files of rows in order; a divisor is 0 now and then."""
    draw = np.random.default_rng(7)
    for i in range(files):
        ids = np.arange(rows * i // files, rows * (i + 1) // files)
        words = [draw.integers(0, 2**64, (len(ids), 32), dtype=np.uint64) for _ in "ab"]
        a, b = (lf.from_limbs(word, "u2048").to_arrow() for word in words)
        d = lf.array((ids % 1000).tolist(), "u64").to_arrow()
        table = pa.table({"id": ids, "a": a, "b": b, "d": d})
        pq.write_table(table, f"{folder}/{i:03}.parquet", compression="none", use_dictionary=["id"])


def compare(source, target):
    """How the files of the job differ from the results of one process on the CPU."""
    alone = lfr.Evaluate(EXPR, OUT, "u2048", keep=["id"], engine="cpu")
    want = alone(pa.concat_tables(pq.read_table(path) for path in sorted(pathlib.Path(source).iterdir())))
    files = sorted(path.name for path in pathlib.Path(target).iterdir())
    found = pq.read_table(target).sort_by("id").combine_chunks()

    def storage(table, name):
        return table[name].combine_chunks().storage

    return {
        "rows": len(found),
        "ids": found["id"].to_pylist() == list(range(len(want))),
        "types": found.schema.equals(want.schema),
        "equal": [storage(found, name).equals(storage(want, name)) for name in OUT],
        "nulls": [found[name].null_count for name in OUT],
        "other": [name for name in files if not name.startswith("part-")],
    }
