"""A job on a Ray cluster: a column of greatest common divisors and one of products, Parquet to Parquet.

    python ray_job.py [SOURCE TARGET] [--dtype u2048]

It joins the cluster that `RAY_ADDRESS` names, or that of this machine, else it starts one here. Source and
target are places that all machines see: a shared folder, `s3://...`. Without them it makes some rows.
"""

import argparse
import tempfile
import time

import ray
from sample import check, make

import limbforge.ray as lfr

EXPR, OUT = ["gcd(a, b)", "a * b"], ["g", "p"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", nargs="?", help="Parquet files with columns a and b")
    parser.add_argument("target", nargs="?", help="a folder, which must be empty or new")
    parser.add_argument("--dtype", default="u2048", help="the type of the integers")
    options = parser.parse_args()
    if options.source and not options.target:
        parser.error("expected SOURCE and TARGET, found SOURCE alone")
    with tempfile.TemporaryDirectory() as folder:
        source, target = options.source or f"{folder}/in", options.target or f"{folder}/out"
        if not options.source:
            make(source)
        ray.init(log_to_driver=False)
        start = time.perf_counter()
        table = lfr.read_parquet(source)
        found = lfr.evaluate(table, EXPR, OUT, options.dtype)
        lfr.write_parquet(found, target)
        resources = ray.cluster_resources()
        where = f"{resources.get('CPU', 0):g} CPUs and {resources.get('GPU', 0):g} GPUs"
        print(f"on {where} of a Ray cluster in {time.perf_counter() - start:.1f} s")
        if not options.source:
            check(source, target, EXPR, OUT)


if __name__ == "__main__":
    main()
