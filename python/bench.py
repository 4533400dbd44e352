"""Measures limbforge beside loops over gmpy2 and NumPy's arrays of objects, in one run, and checks all
results.

    python bench.py [--count N] [--bits N] [--repeat N] [--threads N] [--engine NAME] [--json FILE]

A loop has its operands as lists of ``gmpy2.mpz``, NumPy as arrays of ints, limbforge as arrays in memory:
in this process with one thread, and in a second process with several, or on a GPU, where arrays are resident.
All take turns, and each has the least of its turns: one thread by the time of its core, several by the time
that passes, beside that of all its cores. NumPy computes a tenth of the instances.
"""

import argparse
import json
import multiprocessing
import operator
import os
import random
import sys
import time
import zlib


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000, help="integers of an array")
    parser.add_argument("--bits", type=int, default=2048, help="bits of an integer")
    parser.add_argument("--repeat", type=int, default=5, help="turns")
    parser.add_argument("--threads", type=int, default=2, help="threads of the second process")
    parser.add_argument("--engine", default="cpu", help="of the second process: cpu, cuda:0, ...")
    parser.add_argument("--json", help="write the results to this file")
    parser.add_argument("--only", default="", help="one operation")
    return parser.parse_args()


def operands(args):
    """Odd numbers a and b, moduli m of all bits, and divisors h of half as many."""
    draw, bits = random.Random(1), args.bits
    a, b = ([draw.getrandbits(bits) | 1 for _ in range(args.count)] for _ in range(2))
    m = [draw.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(args.count)]
    h = [draw.getrandbits(bits // 2) | 1 << (bits // 2 - 1) for _ in range(args.count)]
    return a, b, m, h


def own_cases(lf, arrays):
    """limbforge's calls for each operation."""
    a, b, m, h = arrays
    poly = lf.fused(lambda a, b: (a * a + b) * (b * b + b) + a * b)
    return {
        "a * b, wrapping": lambda: a * b,
        "a * b, exact": lambda: lf.mul_wide(a, b),
        "gcd(a, b)": lambda: lf.gcd(a, b),
        "pow(a, 65537, m)": lambda: pow(a, 65537, m),
        "a // h, half as long": lambda: a // h,
        "divmod(a, h)": lambda: divmod(a, h)[1],
        "Poly, wrapping": lambda: poly(a, b),
    }


def other_cases(gmpy2, np, numbers, bits):
    """For each operation, the loop and NumPy's expression of a tenth."""
    tenth, mask, gmask = max(len(numbers[0]) // 10, 1), (1 << bits) - 1, gmpy2.mpz((1 << bits) - 1)
    x, y, m, h = ([gmpy2.mpz(n) for n in values] for values in numbers)
    nx, ny, nm, nh = (np.array(values[:tenth], object) for values in numbers)
    power = np.frompyfunc(lambda p, q: pow(p, 65537, q), 2, 1)
    return {
        "a * b, wrapping": (lambda: [p * q & gmask for p, q in zip(x, y)], lambda: nx * ny & mask),
        "a * b, exact": (lambda: list(map(operator.mul, x, y)), lambda: nx * ny),
        "gcd(a, b)": (lambda: list(map(gmpy2.gcd, x, y)), lambda: np.gcd(nx, ny)),
        "pow(a, 65537, m)": (
            lambda: [gmpy2.powmod(p, 65537, q) for p, q in zip(x, m)],
            lambda: power(nx, nm),
        ),
        "a // h, half as long": (lambda: list(map(operator.floordiv, x, h)), lambda: nx // nh),
        "divmod(a, h)": (lambda: [gmpy2.f_divmod(p, q)[1] for p, q in zip(x, h)], lambda: nx % nh),
        "Poly, wrapping": (
            lambda: [(p * p + q) * (q * q + q) + p * q & gmask for p, q in zip(x, y)],
            lambda: (nx * nx + ny) * (ny * ny + ny) + nx * ny & mask,
        ),
    }


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
        arrays = [lf.array(values, f"u{args.bits}") for values in operands(args)]
        resident = engine.device_name != "CPU"
        cases = own_cases(lf, [lf.device(array) for array in arrays] if resident else arrays)
        pipe.send(engine.device_name)
        while (name := pipe.recv()) is not None:
            # Evaluations on a GPU are not waited for: the failures are.
            call = (lambda case=cases[name]: waited(case())) if resident else cases[name]
            found, wall, cpu = timed(call)
            pipe.send((wall, cpu, digest(lf, found.to_host() if resident else found)))


def waited(found):
    found.wait()
    return found


def measured(name, own, others, pipe, lf, args):
    """Nanoseconds per instance: the loop, NumPy, limbforge with one thread, and in the second process."""
    loop, numpy = others
    best = [float("inf")] * 5
    for _ in range(args.repeat):
        found, _, cpu = timed(loop)
        objects, _, objects_cpu = timed(numpy)
        result, _, own_cpu = timed(own)
        pipe.send(name)
        wall, all_cpu, other = pipe.recv()
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


def main():
    args = arguments()
    # The sources of limbforge lie beside this script: the package that is installed is measured.
    sys.path.pop(0)
    # Read when the first array is evaluated.
    os.environ["RAYON_NUM_THREADS"] = "1"
    import gmpy2
    import numpy as np

    import limbforge as lf

    pipe, end = multiprocessing.Pipe()
    second = multiprocessing.get_context("spawn").Process(target=serve, args=(end, args), daemon=True)
    second.start()
    numbers, rows = operands(args), []
    with lf.use("cpu"):
        own = own_cases(lf, [lf.array(values, f"u{args.bits}") for values in numbers])
        others, device = other_cases(gmpy2, np, numbers, args.bits), pipe.recv()
        place = f"{args.threads} threads" if device == "CPU" else device
        versions = f"gmpy2 {gmpy2.version()}, NumPy {np.__version__}, Python {sys.version.split()[0]}"
        print(f"limbforge {lf.__version__}; {versions}")
        print(f"{args.count} integers of {args.bits} bits; ns per instance")
        heads = ("gmpy2 loop", "NumPy objects", "one thread", "gmpy2 / it", place, "gmpy2 / it", "its cores")
        print(f"{'':22}" + "".join(f"{head:>15}" for head in heads), flush=True)
        for name, case in own.items():
            if args.only not in name:
                continue
            loop, objects, one, wall, cpu = measured(name, case, others[name], pipe, lf, args)
            columns = (f"{loop:.0f}", f"{objects:.0f}", f"{one:.0f}", f"{loop / one:.2f}x")
            columns += (f"{wall:.0f}", f"{loop / wall:.2f}x", f"{cpu:.0f}")
            print(f"{name:22}" + "".join(f"{column:>15}" for column in columns), flush=True)
            values = {"gmpy2_ns": loop, "numpy_ns": objects, "one_thread_ns": one, "ns": wall, "cpu_ns": cpu}
            rows.append({"operation": name, **values})
        conversions(lf, args, rows)
    pipe.send(None)
    second.join()
    if args.json:
        about = {"count": args.count, "bits": args.bits, "threads": args.threads, "device": device}
        with open(args.json, "w") as file:
            json.dump({**about, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
