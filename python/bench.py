"""Measures limbforge beside loops over gmpy2 and NumPy's arrays of objects, in one run, and checks all
results.

    python bench.py [--count N] [--bits N] [--repeat N] [--threads N] [--engine NAME] [OPTION ...]

A loop has its operands as lists of ``gmpy2.mpz``, NumPy as arrays of ints, limbforge as arrays in memory:
in this process with one thread, and in a second process with several, or on a GPU, where arrays are resident.
All take turns, and each has the least of its turns: one thread by the time of its core, several by the time
that passes, beside that of all its cores. NumPy computes a tenth of the instances. Before the first turn the
second process computes each operation once, which compiles its kernel. An engine of a GPU computes nothing on
the CPU: what it refuses ends the program. With ``--seconds`` an operation has its last turn when its share of
them has passed.
"""

import argparse
import datetime
import json
import multiprocessing
import os
import platform
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

from bench_cases import gmpy2_cases, numpy_cases, operands, own_cases


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000, help="integers of an array")
    parser.add_argument("--bits", type=int, default=2048, help="bits of an integer")
    parser.add_argument("--repeat", type=int, default=5, help="turns")
    parser.add_argument("--threads", type=int, default=2, help="threads of the second process")
    parser.add_argument("--engine", default="cpu", help="of the second process: cpu, cuda:0, ...")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for all operations")
    parser.add_argument("--json", help="write the results to this file")
    parser.add_argument("--only", default="", help="one operation")
    return parser.parse_args()


def timed(compute):
    """What it returns, the time that passes, and the time of all cores, in nanoseconds."""
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    found = compute()
    return found, time.perf_counter_ns() - wall, time.process_time_ns() - cpu


def digest(lf, found):
    return zlib.crc32(lf.limbs(found))


def serve(pipe, args):
    """The second process: its device, then the times and a digest of each operation that is asked for."""
    os.environ["RAYON_NUM_THREADS"] = str(args.threads)
    import limbforge as lf

    with lf.use(args.engine) as engine:
        arrays = [lf.array(values, f"u{args.bits}") for values in operands(args.count, args.bits)]
        resident = engine.device_name != "CPU"
        cases = own_cases(lf, [lf.device(array) for array in arrays] if resident else arrays)
        pipe.send(engine.device_name)
        while (name := pipe.recv()) is not None:
            # Evaluations on a GPU are not waited for: the failures are.
            call = (lambda case=cases[name]: waited(case())) if resident else cases[name]
            found, wall, cpu = timed(call)
            pipe.send((wall, cpu, digest(lf, found.to_host() if resident else found)))


def received(pipe):
    """What the second process sends; its error ends the program."""
    try:
        return pipe.recv()
    except EOFError:
        sys.exit("error: the second process has ended, for the reason above")


def waited(found):
    found.wait()
    return found


def measured(name, own, others, pipe, lf, args, seconds):
    """Nanoseconds per instance: the loop, NumPy, limbforge with one thread, and in the second process."""
    end = time.monotonic() + seconds
    loop, numpy = others
    best = [float("inf")] * 5
    pipe.send(name)
    received(pipe)
    for turn in range(args.repeat):
        if turn and time.monotonic() > end:
            break
        found, _, cpu = timed(loop)
        objects, _, objects_cpu = timed(numpy)
        result, _, own_cpu = timed(own)
        pipe.send(name)
        wall, all_cpu, other = received(pipe)
        times = (cpu, objects_cpu * len(found) / len(objects), own_cpu, wall, all_cpu)
        best = [min(pair) for pair in zip(best, (time / len(found) for time in times))]
    assert result.tolist() == found and list(objects) == found[: len(objects)], "the results differ"
    assert other == digest(lf, result), "the results of the second process differ"
    return best


def conversions(lf, args, rows):
    xs = [random.Random(2).getrandbits(args.bits) for _ in range(args.count)]
    for bits in (64, args.bits):
        short, best = [x >> (args.bits - bits) for x in xs], [float("inf")] * 2
        for _ in range(args.repeat):
            array, _, into = timed(lambda short=short, bits=bits: lf.array(short, f"u{bits}"))
            _, _, out = timed(array.tolist)
            best = [min(pair) for pair in zip(best, (into / args.count, out / args.count))]
        rows.append({"operation": f"ints of {bits} bits", "in_ns": best[0], "out_ns": best[1]})
        print(f"ints of {bits} bits: {best[0]:.0f} in, {best[1]:.0f} out")


def about(args, device, versions):
    """Where and when this was measured. Without git, `LIMBFORGE_COMMIT` has the commit."""
    git = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        commit = subprocess.run(git, text=True, capture_output=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        commit = os.environ.get("LIMBFORGE_COMMIT")
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if "model name" in line] if info.exists() else []
    return {
        "date": datetime.date.today().isoformat(),
        "commit": commit,
        "cpu": models[0].split(": ")[1] if models else platform.machine(),
        "cores": os.cpu_count(),
        "load": [round(load, 1) for load in os.getloadavg()],
        "versions": versions,
        "count": args.count,
        "bits": args.bits,
        "threads": args.threads,
        "device": device,
    }


def main():
    args = arguments()
    # The sources of limbforge lie beside this script: the package that is installed is measured.
    sys.path.append(sys.path.pop(0))
    # Read when the first array is evaluated.
    os.environ["RAYON_NUM_THREADS"] = "1"
    import gmpy2
    import numpy as np

    import limbforge as lf

    pipe, end = multiprocessing.Pipe()
    second = multiprocessing.get_context("spawn").Process(target=serve, args=(end, args), daemon=True)
    second.start()
    end.close()
    numbers, rows = operands(args.count, args.bits), []
    with lf.use("cpu"):
        own = own_cases(lf, [lf.array(values, f"u{args.bits}") for values in numbers])
        own = {name: case for name, case in own.items() if args.only in name}
        loops, objects = gmpy2_cases(gmpy2, numbers, args.bits), numpy_cases(np, numbers, args.bits)
        device = received(pipe)
        place = f"{args.threads} threads" if device == "CPU" else device
        versions = f"gmpy2 {gmpy2.version()}, NumPy {np.__version__}, Python {sys.version.split()[0]}"
        print(f"limbforge {lf.__version__}; {versions}")
        print(f"{args.count} integers of {args.bits} bits; ns per instance")
        heads = ("gmpy2 loop", "NumPy objects", "one thread", "gmpy2 / it", place, "gmpy2 / it", "its cores")
        print(f"{'':22}" + "".join(f"{head:>15}" for head in heads), flush=True)
        for name, case in own.items():
            others, share = (loops[name], objects[name]), args.seconds / len(own)
            loop, numpy, one, wall, cpu = measured(name, case, others, pipe, lf, args, share)
            columns = (f"{loop:.0f}", f"{numpy:.0f}", f"{one:.0f}", f"{loop / one:.2f}x")
            columns += (f"{wall:.0f}", f"{loop / wall:.2f}x", f"{cpu:.0f}")
            print(f"{name:22}" + "".join(f"{column:>15}" for column in columns), flush=True)
            values = {"gmpy2_ns": loop, "numpy_ns": numpy, "one_thread_ns": one, "ns": wall, "cpu_ns": cpu}
            rows.append({"operation": name, **values})
        conversions(lf, args, rows)
    pipe.send(None)
    second.join()
    if args.json:
        with open(args.json, "w") as file:
            json.dump({**about(args, device, versions), "rows": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
