"""Measures limbforge beside loops over gmpy2 and NumPy's arrays of objects, in one run, and checks all
results.

    python bench.py [--count N] [--bits N] [--repeat N] [--threads N] [--engine NAME] [--json FILE]

A loop has its operands as lists of ``gmpy2.mpz``, NumPy as arrays of ints, limbforge as arrays in memory.
Each takes the least wall time of some turns, one after the other within each turn. NumPy computes a tenth of
the instances.
"""

import argparse
import json
import operator
import os
import random
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000, help="integers of an array")
    parser.add_argument("--bits", type=int, default=2048, help="bits of an integer")
    parser.add_argument("--repeat", type=int, default=3, help="turns")
    parser.add_argument("--threads", type=int, default=2, help="threads of the CPU")
    parser.add_argument("--engine", default="auto", help="auto, cpu, cuda:0, ...")
    parser.add_argument("--json", help="write the results to this file")
    parser.add_argument("--only", help="one operation")
    return parser.parse_args()


def cases(lf, gmpy2, np, args):
    """For each operation: a loop, NumPy's expression and limbforge's, without arguments."""
    draw, bits = random.Random(1), args.bits
    mask, tenth = (1 << bits) - 1, max(args.count // 10, 1)
    numbers = [[draw.getrandbits(bits) | 1 for _ in range(args.count)] for _ in range(2)]
    moduli = [draw.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(args.count)]
    halves = [draw.getrandbits(bits // 2) | 1 << (bits // 2 - 1) for _ in range(args.count)]
    x, y, m, h = ([gmpy2.mpz(n) for n in values] for values in (*numbers, moduli, halves))
    nx, ny, nm, nh = (np.array(values[:tenth], object) for values in (*numbers, moduli, halves))
    a, b, c, d = (lf.array(values, f"u{bits}") for values in (*numbers, moduli, halves))
    gmask = gmpy2.mpz(mask)
    poly = lf.fused(lambda a, b: (a * a + b) * (b * b + b) + a * b)
    power = np.frompyfunc(lambda p, q: pow(p, 65537, q), 2, 1)
    return {
        "a * b, wrapping": (
            lambda: [p * q & gmask for p, q in zip(x, y)],
            lambda: nx * ny & mask,
            lambda: a * b,
        ),
        "a * b, exact": (lambda: list(map(operator.mul, x, y)), lambda: nx * ny, lambda: lf.mul_wide(a, b)),
        "gcd(a, b)": (lambda: list(map(gmpy2.gcd, x, y)), lambda: np.gcd(nx, ny), lambda: lf.gcd(a, b)),
        "pow(a, 65537, m)": (
            lambda: [gmpy2.powmod(p, 65537, q) for p, q in zip(x, m)],
            lambda: power(nx, nm),
            lambda: pow(a, 65537, c),
        ),
        "a // m, half as long": (
            lambda: list(map(operator.floordiv, x, h)),
            lambda: nx // nh,
            lambda: a // d,
        ),
        "Poly, wrapping": (
            lambda: [(p * p + q) * (q * q + q) + p * q & gmask for p, q in zip(x, y)],
            lambda: (nx * nx + ny) * (ny * ny + ny) + nx * ny & mask,
            lambda: poly(a, b),
        ),
    }


def measured(case, count, repeat):
    """Nanoseconds per instance of a loop, of NumPy and of limbforge, and those of all cores together.

    The results are checked.
    """
    counts, results = [count, max(count // 10, 1), count], [None] * 3
    wall, cpu = [float("inf")] * 3, [float("inf")] * 3
    for _ in range(repeat):
        for i, compute in enumerate(case):
            start, started = time.perf_counter_ns(), time.process_time_ns()
            results[i] = compute()
            wall[i] = min(wall[i], (time.perf_counter_ns() - start) / counts[i])
            cpu[i] = min(cpu[i], (time.process_time_ns() - started) / counts[i])
    loop, numpy, own = results
    assert own.tolist() == loop and list(numpy) == loop[: len(numpy)], "the results differ"
    return wall, cpu


def main():
    args = arguments()
    # The sources of limbforge lie beside this script: the package that is installed is measured.
    sys.path.pop(0)
    # Read when the first array is evaluated.
    os.environ["RAYON_NUM_THREADS"] = str(args.threads)
    import gmpy2
    import numpy as np

    import limbforge as lf

    rows = []
    with lf.use(args.engine) as engine:
        device = engine.device_name
        versions = f"gmpy2 {gmpy2.version()}, NumPy {np.__version__}, Python {sys.version.split()[0]}"
        print(f"limbforge {lf.__version__} on {device}, {args.threads} threads; {versions}")
        print(f"{args.count} integers of {args.bits} bits; ns per instance")
        heads = f"{'gmpy2 loop':>12}{'NumPy objects':>15}{'limbforge':>12}{'gmpy2 / limbforge':>20}"
        print(f"{'':24}{heads}{'all cores: gmpy2, limbforge':>30}")
        for name, case in cases(lf, gmpy2, np, args).items():
            if args.only and args.only not in name:
                continue
            (loop, numpy, own), cpu = measured(case, args.count, args.repeat)
            rows.append(
                {"operation": name, "gmpy2_ns": loop, "numpy_ns": numpy, "limbforge_ns": own, "cpu_ns": cpu}
            )
            times = f"{loop:12.0f}{numpy:15.0f}{own:12.0f}{loop / own:19.2f}x"
            print(f"{name:24}{times}{cpu[0]:20.0f}{cpu[2]:10.0f}", flush=True)
        xs = [random.Random(2).getrandbits(args.bits) for _ in range(args.count)]
        for bits in (64, args.bits):
            short, best = [x >> (args.bits - bits) for x in xs], [float("inf")] * 2
            for _ in range(args.repeat + 2):
                start = time.perf_counter_ns()
                array = lf.array(short, f"u{bits}")
                middle = time.perf_counter_ns()
                array.tolist()
                end = time.perf_counter_ns()
                best = [
                    min(best[0], (middle - start) / args.count),
                    min(best[1], (end - middle) / args.count),
                ]
            rows.append({"operation": f"ints of {bits} bits", "in_ns": best[0], "out_ns": best[1]})
            print(f"ints of {bits} bits: {best[0]:.0f} in, {best[1]:.0f} out")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(
                {
                    "count": args.count,
                    "bits": args.bits,
                    "threads": args.threads,
                    "device": device,
                    "rows": rows,
                },
                file,
                indent=1,
            )


if __name__ == "__main__":
    main()
