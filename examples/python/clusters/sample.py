"""Rows for the programs of this folder, and the comparison of their results with those of one process."""

import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import limbforge as lf


def make(folder, rows=20_000, files=8, dtype="u2048"):
    """Parquet files with the columns id, a and b; b is 0 in some rows."""
    draw, shape = np.random.default_rng(3), (rows // files, lf.IntType(dtype).limbs)
    pathlib.Path(folder).mkdir()
    for i in range(files):
        words = [draw.integers(0, 2**64, shape, dtype=np.uint64) for _ in "ab"]
        words[1][::100] = 0
        a, b = (lf.from_limbs(word, dtype).to_arrow() for word in words)
        table = pa.table({"id": range(i * len(a), (i + 1) * len(a)), "a": a, "b": b})
        pq.write_table(table, f"{folder}/{i:03}.parquet", use_dictionary=["id"])


def column(table, name):
    """The column as plain binary, in one piece."""
    found = table[name].combine_chunks()
    return found.storage if isinstance(found, pa.ExtensionArray) else found


def check(source, target, exprs, outs):
    """Raises unless each row of the source has its results, once. `target` is a folder or a table."""
    given = pa.concat_tables(pq.read_table(path) for path in sorted(pathlib.Path(source).glob("*.parquet")))
    found = (target if isinstance(target, pa.Table) else pq.read_table(target)).sort_by("id")
    a, b = (lf.from_arrow(given[name]) for name in "ab")
    assert found["id"].to_pylist() == given["id"].to_pylist()
    for expr, out in zip(exprs, outs, strict=True):
        want = lf.to_arrow(lf.eval_checked(expr, a=a, b=b), extension=False)
        assert column(found, out).cast(want.type).equals(want), out
    print(f"{len(found)} rows equal those of one process; {found[outs[-1]].null_count} nulls")
