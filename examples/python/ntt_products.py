"""Products of polynomials by transforms over a prime field of one's own.

Signals are multiplied modulo x^n - 1 and modulo x^n + 1, thousands at once, and checked against the product
that the library computes of polynomials.

    python ntt_products.py [--small]
"""

import argparse
import time

import numpy as np

import limbforge as lf

P = 29 * 2**57 + 1
"""Any prime k * 2^n + 1 below 2^64 will do: `limbforge primes search` finds them."""


def times(x, y, p):
    """The products of residues below 2^63 modulo p, in 128 bits: NumPy alone has no such products."""
    a, b = (lf.from_limbs(words.reshape(-1, 1), "u64") for words in (x, y))
    return lf.limbs(lf.mulmod(a, b, p)).reshape(x.shape)


def convolved(field, x, y, wrap):
    product = times(lf.ntt(field, x, wrap=wrap), lf.ntt(field, y, wrap=wrap), field.modulus)
    return lf.intt(field, product, wrap=wrap)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer and shorter signals")
    count, points = (20, 256) if parser.parse_args().small else (200, 4096)
    engine, field, draw = lf.current_engine(), lf.Field(P), np.random.default_rng(1)
    print(f"computing on {engine.device_name}, over {field} = {field.k} * 2^{field.adicity} + 1")
    x, y = draw.integers(0, P, (2, count, points), dtype=np.uint64)

    start = time.perf_counter()
    cyclic, negacyclic = (convolved(field, x, y, wrap) for wrap in ("cyclic", "negacyclic"))
    print(f"{2 * count} convolutions of {points} points in {time.perf_counter() - start:.3f} s")

    start = time.perf_counter()
    products = lf.poly.mul(field, list(x), list(y))
    print(f"{count} products of polynomials in {time.perf_counter() - start:.3f} s")
    for i, product in enumerate(products):
        low, high = product[:points].astype(object), np.zeros(points, object)
        high[: len(product) - points] = product[points:]
        assert ((low + high) % P == cyclic[i]).all() and ((low - high) % P == negacyclic[i]).all()
    print("modulo x^n - 1 and x^n + 1 they agree")


if __name__ == "__main__":
    main()
