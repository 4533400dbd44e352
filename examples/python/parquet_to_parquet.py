"""Reads primes from a Parquet file and writes RSA keys to another, a row group at a time.

The private exponent is the inverse of e modulo (p - 1)(q - 1). Where there is none, the row has a null.
Columns are `limbforge.int`: binary of a fixed size, with the type of the integers in the file.

    python parquet_to_parquet.py [--small] [--source FILE] [--target FILE]
"""

import argparse
import pathlib
import random
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as pq

import limbforge as lf

E = 17


def make(path, count, bits):
    """A file of pairs of random primes, in groups of a quarter of the rows."""
    draw, found = random.Random(1), []
    while len(found) < 2 * count:
        candidates = [draw.getrandbits(bits) | 3 << (bits - 2) | 1 for _ in range(count * bits // 4)]
        numbers = lf.array(candidates, f"u{bits}")
        found += numbers[lf.is_prime(numbers)].tolist()
    p, q = (lf.array(primes[:count], f"u{bits}") for primes in (found[::2], found[1::2]))
    table = pa.table({"id": range(count), "p": p.to_arrow(), "q": q.to_arrow()})
    # Random integers neither repeat nor shrink.
    pq.write_table(table, path, row_group_size=-(-count // 4), use_dictionary=["id"], compression="none")


def keys(batch, dtype):
    """The columns id, n and d of a batch of primes."""
    p, q = (lf.from_arrow(batch[name]).astype(dtype) for name in "pq")
    d = lf.eval_checked("modinv(e, (p - 1) * (q - 1))", p=p, q=q, e=E)
    return pa.table({"id": batch["id"], "n": lf.to_arrow(p * q), "d": lf.to_arrow(d)})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer and shorter primes")
    parser.add_argument("--source", help="a file of columns id, p and q; by default one is made")
    parser.add_argument("--target", help="the file of columns id, n and d; by default in a temporary folder")
    options = parser.parse_args()
    count, bits = (64, 128) if options.small else (400, 512)
    print(f"computing on {lf.current_engine().device_name}")
    with tempfile.TemporaryDirectory() as folder:
        source = options.source or f"{folder}/primes.parquet"
        target = options.target or f"{folder}/keys.parquet"
        if not options.source:
            make(source, count, bits)
        start, rows, writer = time.perf_counter(), 0, None
        with pq.ParquetFile(source) as file:
            for group in range(file.num_row_groups):
                batch = file.read_row_group(group)
                dtype = f"u{2 * lf.from_arrow(batch['p']).dtype.bits}"
                table = keys(batch, dtype)
                writer = writer or pq.ParquetWriter(target, table.schema, use_dictionary=["id"])
                writer.write_table(table)
                rows += len(table)
        if writer:
            writer.close()
        seconds = time.perf_counter() - start
        size = pathlib.Path(target).stat().st_size
        print(f"{rows} keys in {seconds:.3f} s; {size} bytes written")

        found = pq.read_table(target)
        n, (d, ok) = lf.from_arrow(found["n"]), lf.from_arrow(found["d"], mask=True)
        message = 0xC0FFEE
        assert (pow(pow(lf.array([message], n.dtype), E, n[ok]), d[ok], n[ok]) == message).all()
        print(f"{int((~ok).sum())} rows have no private exponent for e = {E}; all others decrypt")


if __name__ == "__main__":
    main()
