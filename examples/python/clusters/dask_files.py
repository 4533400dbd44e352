"""A column of quotients with Dask: a task for each Parquet file, with Arrow inside.

`dask.dataframe` would turn values of a fixed size into Python's bytes, one by one; tasks of files do not.

    python dask_files.py
"""

import os
import pathlib
import tempfile
import uuid

import pyarrow.parquet as pq
from dask.distributed import Client
from sample import check, make

from limbforge.ray import Evaluate

EXPR, OUT = "a / b", "q"


def convert(source, target):
    """Writes the file of results under another name and renames it: repeated tasks double no row."""
    table = Evaluate(EXPR, OUT, "u2048", keep=["id"], threads=1)(pq.read_table(source))
    part = f"{target}/.{uuid.uuid4().hex}"
    pq.write_table(table, part, use_dictionary=["id"])
    os.replace(part, f"{target}/{os.path.basename(source)}")
    return len(table)


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/in", f"{folder}/out"
        make(source)
        os.mkdir(target)
        with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
            files = sorted(map(str, pathlib.Path(source).glob("*.parquet")))
            print(sum(client.gather(client.map(convert, files, target=target))), "rows written")
        check(source, target, [EXPR], [OUT])


if __name__ == "__main__":
    main()
