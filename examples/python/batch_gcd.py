"""Finds RSA moduli that share a prime, by Bernstein's batch gcd.

A product tree multiplies all moduli, a remainder tree divides their product by the square of each, and one
gcd for each modulus shows the prime that it has in common with another. Every level of a tree is one batch,
half as long and twice as wide as the level below.

    python batch_gcd.py [--small]
"""

import argparse
import random
import time

import limbforge as lf


def probable_primes(count, bits, draw):
    """Random primes of so many bits: candidates are tested all at once."""
    found = []
    while len(found) < count:
        candidates = [draw.getrandbits(bits) | 3 << (bits - 2) | 1 for _ in range(count * bits // 4)]
        numbers = lf.array(candidates, f"u{bits}")
        found += numbers[lf.is_prime(numbers)].tolist()
    return found[:count]


def product_tree(moduli):
    """The moduli, and the products of 2, 4, 8, ... of them."""
    levels = [moduli]
    while len(levels[-1]) > 1:
        level = levels[-1]
        levels.append(lf.mul_wide(level[0::2], level[1::2]))
    return levels


def squares_mod(levels):
    """The product of all moduli modulo the square of each."""
    remainders = levels[-1].astype(f"u{2 * levels[-1].dtype.bits}")
    for level in reversed(levels[:-1]):
        bits = 2 * level.dtype.bits
        # Each remainder serves two nodes below. It is below the square of its own node, of twice the bits.
        doubled = remainders[[i // 2 for i in range(len(level))]]
        squares = lf.mul_wide(level, level).astype(f"u{doubled.dtype.bits}")
        remainders = (doubled % squares).astype(f"u{bits}")
    return remainders


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer and shorter moduli")
    small = parser.parse_args().small
    count, bits = (64, 256) if small else (256, 1024)
    draw, engine = random.Random(1), lf.current_engine()
    print(f"computing on {engine.device_name}" + (f" ({engine.fallback})" if engine.fallback else ""))

    primes = probable_primes(2 * count, bits // 2, draw)
    primes[-1] = primes[0]  # A weak generator of keys has drawn this one twice.
    moduli = lf.array([p * q for p, q in zip(primes[::2], primes[1::2], strict=True)], f"u{bits}")

    start = time.perf_counter()
    quotients = lf.div_exact(squares_mod(product_tree(moduli)), moduli.astype(f"u{2 * bits}"))
    shared = lf.gcd(quotients, moduli.astype(f"u{2 * bits}")).astype(f"u{bits}")
    weak = (shared > 1).nonzero()[0].tolist()
    print(f"{count} moduli of {bits} bits in {time.perf_counter() - start:.3f} s; weak: {weak}")
    assert weak == [0, count - 1] and set(shared[weak].tolist()) == {primes[0]}


if __name__ == "__main__":
    main()
