"""A search that never leaves a GPU: candidates are born there, tested there, and only hits come back.

Which n below a limit make n^2 + n + 41 a prime (Euler's polynomial), and does n^2 + n + 41 have long runs?
All results of a pass are computed together, by one kernel.

    python resident_search.py [--small] [--device NAME]
"""

import argparse
import time

import numpy as np

import limbforge as lf


@lf.fused
def tested(n):
    """The value, and whether it is a prime."""
    value = n * n + n + 41
    return {"value": value, "prime": lf.is_prime(value)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer candidates")
    parser.add_argument("--device", default="auto", help="cpu, cuda:0, ...")
    args = parser.parse_args()
    total, chunk = (20_000, 5_000) if args.small else (2_000_000, 500_000)
    print(f"computing on {lf.zeros(1, 'u128', device=args.device).device_name}")

    start, flags = time.perf_counter(), []
    for first in range(0, total, chunk):
        n = lf.counter(chunk, "u128", start=first, device=args.device)
        found = tested(n)
        flags.append(lf.limbs(found["prime"].to_host())[:, 0] == 1)
    prime, seconds = np.concatenate(flags), time.perf_counter() - start
    print(f"{int(prime.sum())} of {total} values are primes, in {seconds:.3f} s")
    assert prime[:40].all() and not prime[40], "Euler's first 40 are primes, 41^2 is none"

    # The longest run of primes, from the positions between which it lies.
    gaps = np.flatnonzero(np.concatenate([[True], ~prime, [True]]))
    i = np.diff(gaps).argmax()
    print(f"the longest run has {np.diff(gaps)[i] - 1} primes, from n = {gaps[i]} on")


if __name__ == "__main__":
    main()
