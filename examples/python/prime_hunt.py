"""Hunts for primes p = k * 2^n + 1 of a given size, the primes of fast transforms, and for twins.

Candidates are one array: a sieve by small primes is a few remainders, and ``lf.is_prime`` tests what is left.

    python prime_hunt.py [--small]
"""

import argparse
import time

import numpy as np

import limbforge as lf

SMALL_PRIMES = [p for p in range(3, 200) if all(p % d for d in range(2, int(p**0.5) + 1))]


def sieved(numbers):
    """The numbers that no small prime divides."""
    kept = np.ones(len(numbers), bool)
    for p in SMALL_PRIMES:
        kept &= numbers % p != 0
    return numbers[kept]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="smaller numbers")
    bits, adicity, count = (256, 64, 2000) if parser.parse_args().small else (1024, 128, 4000)
    engine = lf.current_engine()
    print(f"computing on {engine.device_name}" + (f" ({engine.fallback})" if engine.fallback else ""))

    start, first = time.perf_counter(), 1 << (bits - 1 - adicity)
    k = lf.array(range(first + 1, first + 1 + 2 * count, 2), f"u{bits}")
    candidates = sieved((k << adicity) + 1)
    primes = candidates[lf.is_prime(candidates)]
    seconds = time.perf_counter() - start
    print(
        f"{len(primes)} primes k * 2^{adicity} + 1 of {bits} bits among {count} numbers, in {seconds:.3f} s"
    )
    for p in primes[:3]:
        print(f"  k = {p >> adicity}")
    assert all(pow(3, p - 1, p) == 1 for p in primes)

    odd = lf.array(range((1 << 63) + 1, (1 << 63) + 1 + 2 * 20000, 2), "u64")
    twins = odd[lf.is_prime(odd) & lf.is_prime(odd + 2)]
    print(f"{len(twins)} twin primes above 2^63, the first {twins[0]} and {twins[0] + 2}")


if __name__ == "__main__":
    main()
