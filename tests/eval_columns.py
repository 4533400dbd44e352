#!/usr/bin/env python3
"""Compares the columns of `limbforge eval` with pyarrow and pandas, in both directions.

usage: eval_columns.py PROGRAM

Needs pyarrow; what pandas and polars write and read is checked where they are installed. Files are read with
every codec that pyarrow writes, in batches and groups of rows of several sizes; results are read back by pyarrow
without flags.
"""

import contextlib
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

sys.set_int_max_str_digits(0)

ROWS = 1000


class Differs(Exception):
    """What the program was asked, and what it found otherwise."""


def expect(what, found, expected):
    if found != expected:
        raise Differs(f"{what}: found {found!r:.500}, expected {expected!r:.500}")


def run(program, *arguments, **options):
    return subprocess.run([program, "eval", *arguments, "--backend", "cpu"], capture_output=True, text=True, **options)


def ok(program, *arguments, **options):
    found = run(program, *arguments, **options)
    expect(f"{arguments}", (found.returncode, found.stderr), (0, ""))
    return found.stdout


def fails(program, why, *arguments):
    found = run(program, *arguments)
    expect(f"{arguments}", (found.returncode in (1, 2), found.stderr.count("\n"), found.stdout), (True, 1, ""))
    expect(f"{arguments}", why in found.stderr and found.stderr, found.stderr)


def typed(name, values, type_name, width=None):
    """A column of limbforge.int and its field."""
    bits, signed = int(type_name[1:]), type_name[0] == "i"
    width = width or -(-bits // 64) * 8
    raw = [None if value is None else value.to_bytes(width, "little", signed=signed) for value in values]
    metadata = {"ARROW:extension:name": "limbforge.int", "ARROW:extension:metadata": type_name}
    return pa.field(name, pa.binary(width), metadata=metadata), pa.array(raw, pa.binary(width))


def integers(column):
    """The integers of a column of results, whose type is in its field."""
    field, values = column
    metadata = field.metadata
    expect("the extension type", metadata[b"ARROW:extension:name"], b"limbforge.int")
    signed = metadata[b"ARROW:extension:metadata"].startswith(b"i")
    return [None if raw is None else int.from_bytes(raw, "little", signed=signed) for raw in values.to_pylist()]


def read(path):
    if path.endswith(".parquet"):
        return pa.parquet.read_table(path)
    if path.endswith(".arrows"):
        return pa.ipc.open_stream(path).read_all()
    return pa.feather.read_table(path)


def result(path, name="result"):
    table = read(path)
    return integers((table.schema.field(name), table[name]))


def table(p, i):
    """Integers as columns of every kind, and others."""
    small = [value % 2**31 for value in p]
    decimal = [value % 10**20 for value in p]
    columns = [
        typed("p", p, "u2048"),
        typed("i", i, "i131", width=17),
        (pa.field("raw", pa.binary(256)), pa.array([value.to_bytes(256, "little") for value in p], pa.binary(256))),
        *((pa.field(f"{kind}", kind), pa.array([value % 100 for value in small], kind)) for kind in
          (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64())),
        (pa.field("decimal", pa.decimal128(38)), pa.array(decimal, pa.decimal128(38))),
        (pa.field("decimal256", pa.decimal256(60)), pa.array(decimal, pa.decimal256(60))),
        (pa.field("text", pa.string()), pa.array([str(value) for value in p])),
        (pa.field("prefixed", pa.large_string()), pa.array([hex(value) for value in p], pa.large_string())),
        (pa.field("view", pa.string_view()), pa.array([str(value) for value in p], pa.string_view())),
        (pa.field("binary", pa.binary()), pa.array([str(value).encode() for value in p], pa.binary())),
        (pa.field("label", pa.dictionary(pa.int32(), pa.string())), pa.array([f"a{v % 3}" for v in small]).dictionary_encode()),
        (pa.field("when", pa.timestamp("us")), pa.array(small, pa.timestamp("us"))),
        (pa.field("list", pa.list_(pa.int64())), pa.array([[v, v] for v in small], pa.list_(pa.int64()))),
    ]
    return pa.Table.from_arrays([column for _, column in columns], schema=pa.schema([field for field, _ in columns]))


def write(data, path, rows, codec=None):
    if path.endswith(".parquet"):
        pa.parquet.write_table(data, path, row_group_size=rows, compression=codec or "snappy", store_schema=True)
    elif path.endswith(".arrows"):
        options = pa.ipc.IpcWriteOptions(compression=codec)
        with pa.ipc.new_stream(path, data.schema, options=options) as writer:
            writer.write_table(data, max_chunksize=rows)
    else:
        pa.feather.write_feather(data, path, chunksize=rows, compression=codec or "lz4")


def files_of_pyarrow(program):
    random.seed(1)
    p = [random.getrandbits(2048) for _ in range(ROWS)]
    i = [random.getrandbits(131) - 2**130 for _ in range(ROWS)]
    data = table(p, i)
    cases = [("a.parquet", codec) for codec in ("none", "snappy", "gzip", "zstd", "lz4")]
    cases += [("a.feather", codec) for codec in ("uncompressed", "lz4", "zstd")]
    cases += [("a.arrows", codec) for codec in (None, "lz4", "zstd")]
    expected = [(a * a + b % 100) % 2**2048 for a, b in zip(p, [value % 2**31 for value in p])]
    for path, codec in cases:
        write(data, path, random.choice([1, 77, 400, ROWS]), codec)
        ok(program, "a*a + b", "--bits", "2048", "--in", f"a={path}:p", "--in", f"b={path}:uint8", "--out", "r.parquet")
        expect(f"{path} {codec}", result("r.parquet"), expected)
    for path in ("a.parquet", "a.feather", "a.arrows"):
        columns(program, path, p, i)
    for name in ("raw", "binary"):
        fails(program, "expected --bits N: no input is a column", "a", "--in", f"a=a.parquet:{name}")


def columns(program, path, p, i):
    """Every column of a file as integers."""
    for name, values in [("p", p), ("i", i)]:
        ok(program, "a", "--in", f"a={path}:{name}", "--out", "r.feather:x")
        expect(f"{path}:{name}", result("r.feather", "x"), values)
    small = [value % 2**31 % 100 for value in p]
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        ok(program, "a", "--in", f"a={path}:{kind}", "--out", "r.arrows")
        expect(f"{path}:{kind}", result("r.arrows"), small)
        expect(f"the type of {kind}", read("r.arrows").schema.field("result").metadata[b"ARROW:extension:metadata"],
               kind.replace("uint", "u").replace("int", "i").encode())
    for name, values in [
        ("raw", p), ("text", p), ("prefixed", p), ("view", p), ("binary", p), ("decimal", [v % 10**20 for v in p]),
        ("decimal256", [v % 10**20 for v in p]),
    ]:
        for limb in ("u32", "u64", "u128"):
            found = ok(program, "a", "--bits", "2111", "--in", f"a={path}:{name}", "--format", "dec", "--limb", limb)
            expect(f"{path}:{name}", [int(line) for line in found.split()], values)
    # Without --format, digits are decimal; with --format hex they are hexadecimal.
    found = ok(program, "a", "--bits", "9000", "--in", f"a={path}:text", "--format", "hex")
    expect(f"{path}:text", [int(line, 16) for line in found.split()], [int(str(value), 16) for value in p])
    for name in ("label", "when", "list"):
        fails(program, f"{path}: column `{name}`: expected integers: ", "a", "--bits", "64", "--in", f"a={path}:{name}")
    fails(program, "expected 0 to 2^64 - 1", "a", "--bits", "64", "--in", f"a={path}:p")
    found = run(program, "a", "--bits", "200", "--in", f"a={path}:i")
    expect("a negative integer", f"error: {path}:i:" in found.stderr and "u200 is unsigned" in found.stderr, True)


def nulls_and_marks(program):
    numbers, divisors = [7, None, 2**130, 9, -5], [2, 3, 0, None, -1]
    data = pa.Table.from_arrays(
        [typed("n", numbers, "i140")[1], typed("d", divisors, "i140")[1], pa.array(["v", "w", None, 'x,"y', "z"])],
        schema=pa.schema([typed("n", numbers, "i140")[0], typed("d", divisors, "i140")[0], ("label", pa.string())]),
    )
    for path in ("n.parquet", "n.feather", "n.arrows"):
        write(data, path, 2)
        arguments = ["n / d", "--in", f"n={path}", "--in", f"d={path}"]
        fails(program, f"{path}:2: expected an integer, found null", *arguments, "--out", "no.parquet")
        expect("no file", os.path.exists("no.parquet"), False)
        for out in ("q.parquet", "q.feather", "q.arrows"):
            found = run(program, *arguments, "--on-error", "mark", "--out", f"{out}:q", "--keep", "label,d")
            expect(f"{path} {out}", (found.returncode, found.stderr.splitlines()), (0, [
                f"bad input lines marked: 2; the first is {path}:2: expected an integer, found null",
                f"instances without result marked: 1; the first is {path}:3: division by zero: `d` is 0",
            ]))
            back = read(out)
            expect("columns", back.column_names, ["d", "label", "q"])
            expect("quotients", result(out, "q"), [3, None, None, None, 5])
            expect("kept integers", result(out, "d"), divisors)
            expect("kept text", back["label"].to_pylist(), ["v", "w", None, 'x,"y', "z"])
        run(program, *arguments, "--on-error", "mark", "--out", "q.csv:q", "--keep", "--format", "dec")
        with open("q.csv") as file:
            text = file.read()
        expect("CSV", text, f'n,d,label,q\n7,2,v,3\n,3,w,\n{2**130},0,,\n9,,"x,""y",\n-5,-1,z,5\n')
        # Marked instances of several files, of which one is text.
        with open("d.txt", "w") as file:
            file.write("2\nx\n1\n1\n1\n")
        found = run(program, "n + d", "--in", f"n={path}", "--in", "d=d.txt", "--on-error", "mark", "--format", "dec")
        expect("marks in text", found.stdout.split(), ["9", "!SYNTAX", str(2**130 + 1), "10", "-4"])


def comma_separated(program):
    values = [3, 1, 4, 1, 5]
    with open("c.csv", "w") as file:
        file.write("id,n\r\n" + "".join(f'"{k}",{value}\r\n' for k, value in enumerate(values)))
    with open("bad.csv", "w") as file:
        file.write('n,note\n1,"two\nlines"\nx,\n3\n,4\n5,6,7\n8,9\n')
    dec = ["--bits", "64", "--format", "dec"]
    expect("n", ok(program, "n", *dec, "--in", "n=c.csv").split(), [str(value) for value in values])
    ok(program, "n*n", *dec, "--in", "n=c.csv", "--out", "r.csv:square", "--keep")
    back = pa.csv.read_csv("r.csv")
    expect("CSV", back.to_pydict(), {"id": list(range(5)), "n": values, "square": [value**2 for value in values]})
    ok(program, "n*n", *dec, "--in", "n=c.csv", "--out", "r.csv.gz:square", "--keep=id")
    expect("gzip", pa.csv.read_csv("r.csv.gz").column_names, ["id", "square"])
    expect("gzip", ok(program, "n", *dec, "--in", "n=r.csv.gz:square").split(), [str(value**2) for value in values])
    for at, why in [(4, "column 1: expected a digit in base 10, found `x`")]:
        fails_with = run(program, "n", *dec, "--in", "n=bad.csv")
        expect("a bad row", (fails_with.returncode, fails_with.stderr, fails_with.stdout), (1, f"error: bad.csv:{at}: {why}\n", "1\n"))
    found = run(program, "n", *dec, "--in", "n=bad.csv", "--on-error", "mark", "--out", "r.csv")
    expect("marked", found.stderr.startswith("bad input lines marked: 4; the first is bad.csv:4: "), True)
    with open("r.csv") as file:
        expect("marked", file.read(), 'result\n1\n""\n""\n""\n""\n8\n')
    fails(program, "c.csv: there is no column `m`: the file has `id`, `n`", "m", *dec, "--in", "m=c.csv")
    fails(program, "CSV has no binary records", "n", "--bits", "64", "--format", "bin", "--in", "n=c.csv")


def kept(program):
    """Columns of every type come back as they were, beside results of other files."""
    random.seed(2)
    p = [random.getrandbits(2048) for _ in range(ROWS)]
    i = [random.getrandbits(131) - 2**130 for _ in range(ROWS)]
    data = table(p, i)
    write(data, "k.parquet", 300)
    with open("t.txt", "w") as file:
        file.writelines(f"{value:x}\n" for value in p)
    for out in ("r.parquet", "r.feather", "r.arrows"):
        ok(program, "t ^ p", "--in", "t=t.txt", "--in", "p=k.parquet", "--keep", "--out", f"{out}:zero")
        back = read(out)
        expect("zeros", result(out, "zero"), [0] * ROWS)
        for name in data.column_names:
            expect(f"{name} in {out}", back[name].to_pylist(), data[name].to_pylist())
            if name != "label":
                expect(f"the type of {name}", back.schema.field(name).type, data.schema.field(name).type)
    fails(program, "a column `p` is kept, too", "p", "--in", "p=k.parquet", "--keep", "--out", "r.parquet:p")
    fails(program, "there is no column `x`", "p", "--in", "p=k.parquet", "--keep", "x", "--out", "r.parquet:r")
    fails(program, "column `raw` has the type FixedSizeBinary(256): expected text, numbers,", "p", "--in", "p=k.parquet",
          "--keep", "--out", "r.csv:r")
    write(data.slice(0, 999), "short.parquet", 300)
    fails(program, "short.parquet:p:1000: expected another integer, found the end of the file: k.parquet goes on", "p + s", "--in",
          "p=k.parquet", "--in", "s=short.parquet:p", "--keep", "--out", "r.feather:r")
    write(data.slice(0, 1), "one.parquet", 300)
    fails(program, "one.parquet: expected a row for each result, found 1: --keep copies row for row", "s + p", "--in",
          "s=one.parquet:p", "--in", "p=k.parquet", "--keep", "--out", "r.feather:r")


def shards(program):
    random.seed(3)
    p = [random.getrandbits(256) for _ in range(ROWS)]
    data = pa.Table.from_arrays([typed("p", p, "u256")[1]], schema=pa.schema([typed("p", p, "u256")[0]]))
    with open("p.txt", "w") as file:
        file.writelines(f"{value:x}\n" for value in p)
    with open("p.bin", "wb") as file:
        file.write(b"".join(value.to_bytes(32, "little") for value in p))
    subprocess.run("gzip -kf p.txt p.bin", shell=True, check=True)
    with open("p.csv", "w") as file:
        file.write("p\n" + "".join(f"{value:x}\n" for value in p))
    inputs = ["p.txt", "p.txt.gz", "p.csv:p", "p.bin", "p.bin.gz"]
    for name in ("p.parquet", "p.feather", "p.arrows"):
        write(data, name, 90)
        inputs.append(name)
    for name in inputs:
        form = ["--format", "bin"] if ".bin" in name else []
        parts = []
        for number in range(1, 8):
            ok(program, "p*p", "--bits", "256", *form, "--in", f"p={name}", "--shard", f"{number}/7", "--out", "s.feather:r")
            parts.append(result("s.feather", "r"))
        expect(f"parts of {name}", sum(parts, []), [value * value % 2**256 for value in p])
        expect(f"lengths of {name}", max(map(len, parts)) - min(map(len, parts)), 1)
    fails(program, "expected I/N with 1 <= I <= N, as in 3/8", "1", "--bits", "8", "--shard", "0/3")
    fails(program, "--shard cannot read standard input, pipes and devices", "p", "--bits", "8", "--in", "p=/dev/null", "--shard", "1/3")
    for number in range(1, 4):
        ok(program, "p", "--in", "p=p.parquet", "--keep", "--shard", f"{number}/3", "--out", "s.parquet:r")
        back = read("s.parquet")
        expect("kept rows of a part", back["p"].to_pylist(), back["r"].to_pylist())


def pipes(program):
    """A stream of Arrow and CSV are read from a pipe, and written to one."""
    values = [2**100, 5, 7]
    field, column = typed("n", values, "u128")
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, pa.schema([field])) as writer:
        writer.write_table(pa.Table.from_arrays([column], schema=pa.schema([field])), max_chunksize=1)
    text = "n\n" + "".join(f"{value:x}\n" for value in values)
    for name, data in [("n.arrows", stream.getvalue().to_pybytes()), ("n.csv", text.encode())]:
        os.mkfifo(name)
        reader = subprocess.Popen([program, "eval", "n + 1", "--bits", "128", "--in", f"n={name}", "--backend", "cpu"],
                                  stdout=subprocess.PIPE, text=True)
        with open(name, "wb") as pipe:
            pipe.write(data)
        found = reader.communicate(timeout=60)[0]
        expect(f"the pipe {name}", (reader.returncode, [int(line, 16) for line in found.split()]), (0, [v + 1 for v in values]))
        fails(program, f"{name}: expected a file, which is read twice", "n", "--bits", "128", "--in", f"n={name}", "--keep", "--out", "r.arrow:r")
    with open("n.bin", "wb") as file:
        file.write(b"".join(value.to_bytes(16, "little") for value in values))
    os.mkfifo("r.arrows")
    command = [program, "eval", "n * n", "--bits", "128", "--format", "bin", "--in", "n=n.bin", "--out", "r.arrows", "--backend", "cpu"]
    writer = subprocess.Popen(command)
    with open("r.arrows", "rb") as pipe:
        back = pa.ipc.open_stream(pipe).read_all()
    expect("squares", integers((back.schema.field(0), back[0])), [value * value % 2**128 for value in values])
    expect("status", writer.wait(timeout=60), 0)


def data_frames(program):
    """What pandas and polars write and read by default."""
    values = [5, 2**63 + 1, 0]
    if importlib.util.find_spec("pandas"):
        import pandas as pd

        frame = pd.DataFrame({"n": pd.Series(values, dtype="uint64"), "t": [str(value) for value in values]})
        frame.to_parquet("pd.parquet")
        frame.to_feather("pd.feather")
        frame.to_csv("pd.csv", index=False)
        for name in ("pd.parquet", "pd.feather", "pd.csv"):
            ok(program, "n + t", "--bits", "64", "--format", "dec", "--in", f"n={name}", "--in", f"t={name}", "--keep", "--out", "o.csv:s")
            back = pd.read_csv("o.csv", dtype="uint64")
            expect(name, back["s"].tolist(), [2 * value % 2**64 for value in values])
        ok(program, "n + 1", "--in", "n=pd.parquet", "--keep", "--out", "o.parquet:s")
        back = pd.read_parquet("o.parquet")
        expect("pandas", (back["n"].tolist(), [int.from_bytes(v, "little") for v in back["s"]]), (values, [v + 1 for v in values]))
    if importlib.util.find_spec("polars"):
        import polars as pl

        frame = pl.DataFrame({"n": pl.Series(values, dtype=pl.UInt64), "t": [str(value) for value in values]})
        frame.write_parquet("pl.parquet")
        frame.write_ipc("pl.arrow")
        frame.write_ipc_stream("pl.arrows")
        for name in ("pl.parquet", "pl.arrow", "pl.arrows"):
            found = ok(program, "n + t", "--bits", "64", "--format", "dec", "--in", f"n={name}", "--in", f"t={name}")
            expect(name, [int(line) for line in found.split()], [2 * value % 2**64 for value in values])


def big_file(path):
    """256 MB of integers, written by a process of its own."""
    lines = [
        "import os, sys, pyarrow as pa, pyarrow.parquet as pq",
        "column = pa.Array.from_buffers(pa.binary(256), 1_000_000, [None, pa.py_buffer(os.urandom(256_000_000))])",
        "metadata = {'ARROW:extension:name': 'limbforge.int', 'ARROW:extension:metadata': 'u2048'}",
        "schema = pa.schema([pa.field('p', pa.binary(256), metadata=metadata)])",
        "pq.write_table(pa.Table.from_arrays([column], schema=schema), sys.argv[1], use_dictionary=False)",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines), path], check=True)


def peak_memory(command):
    """The most bytes that a command had in memory."""
    child = subprocess.Popen(command)
    peak = 0
    while child.poll() is None:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{child.pid}/status") as status:
            peak = max([peak, *(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))])
        time.sleep(0.01)
    expect(f"{command}", child.returncode, 0)
    return peak


def memory(program):
    """A file with one group of rows, in less memory than it has."""
    big_file("big.parquet")
    for out in ("r.parquet", "r.feather", "r.arrows"):
        peak = peak_memory([program, "eval", "p ^ 1", "--in", "p=big.parquet", "--out", f"{out}:r", "--keep", "--backend", "cpu"])
        print(f"256 MB to {out} with a kept column: at most {peak / 1e6:.0f} MB")
        expect(f"memory of {out}", 10**7 < peak < 3 * 10**8, True)


CHECKS = [files_of_pyarrow, nulls_and_marks, comma_separated, kept, shards, pipes, data_frames, memory]


def main():
    program = os.path.abspath(sys.argv[1])
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            check(program)
            os.chdir("/")
        print(f"{check.__name__}: as pyarrow has it")


if __name__ == "__main__":
    main()
