"""Exact products in memory that limbforge shares with NumPy, and with CuPy or PyTorch on a GPU.

A matrix product of words of 64 bits needs sums of 128 bits, which neither NumPy nor CuPy has. Here limbforge
makes the products exact, and the library of the arrays does all else with the same memory: nothing is copied.

    python shared_memory.py [--small] [--device NAME]
"""

import argparse
import time

import numpy as np

import limbforge as lf


def library(array):
    """The library that reads the limbs of an array where they lie."""
    if array.__dlpack_device__()[0] == 1:
        return np
    for name in ("cupy", "torch"):
        try:
            return __import__(name)
        except ImportError:
            continue
    raise SystemExit("error: install CuPy or PyTorch to read memory of a GPU")


def host(words):
    """NumPy's array of words of any of the libraries."""
    return (
        words.get() if hasattr(words, "get") else np.asarray(words.cpu() if hasattr(words, "cpu") else words)
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer numbers")
    parser.add_argument("--device", default="auto", help="cpu, cuda:0, ...")
    args = parser.parse_args()
    n = 10_000 if args.small else 1_000_000

    # Random words are born where they are multiplied; the same seed has the same words everywhere.
    a, b = (lf.random(n, "u64", seed=seed, device=args.device) for seed in (1, 2))
    print(f"computing on {a.device_name}")
    start = time.perf_counter()
    products = lf.mul_wide(a, b)
    words = library(products).from_dlpack(products)
    print(f"{n} products of {products.dtype}: words of shape {tuple(words.shape)}, type {words.dtype}")

    # The other library counts ones in the highest words, which float64 would have rounded.
    high = host(words[:, 1])
    print(f"{int((high >> 63).sum())} of them have the highest bit, in {time.perf_counter() - start:.3f} s")
    exact = lf.mul_wide(*(lf.random(n, "u64", seed=seed) for seed in (1, 2)))
    assert (high == lf.limbs(exact)[:, 1]).all() and (host(words) == lf.limbs(exact)).all()

    # And back: words of the other library become an array without a detour.
    back = lf.from_dlpack(words, "u128", engine=args.device)
    found = back - products if isinstance(back, lf.DeviceArray) else back - products.to_host()
    assert not any(found.to_host() if isinstance(found, lf.DeviceArray) else found)
    print("both libraries see the same words")


if __name__ == "__main__":
    main()
