"""Exact products of integers that NumPy has no type for: a dot product and a determinant without rounding.

NumPy's 64-bit integers overflow, its floats round, and its arrays of objects take a call of Python's for each
product. Here the words of an array and NumPy's matrix of them share memory.

    python exact_products.py [--small]
"""

import argparse
import time
from fractions import Fraction

import numpy as np

import limbforge as lf


def exact_dot(x, y):
    """The dot products of the rows of two matrices of int64, without overflow."""
    rows, columns = x.shape
    a, b = (
        lf.from_limbs(np.ascontiguousarray(m, np.int64).view(np.uint64).reshape(-1, 1), "i64") for m in (x, y)
    )
    products = lf.mul_wide(a, b).astype("i192")
    sums = products[::columns]
    for j in range(1, columns):
        sums = sums + products[j::columns]
    assert len(sums) == rows
    return sums


def determinants(matrices, bits):
    """The determinants of n x n matrices, all at once: Bareiss's elimination, whose divisions leave no
    remainder."""
    n, cells = len(matrices[0]), {}
    for i in range(n):
        for j in range(n):
            cells[i, j] = lf.array([int(m[i][j]) for m in matrices], f"i{bits}")
    step = lf.fused(lambda a, d, b, c, previous: lf.div_exact(a * d - b * c, previous))
    previous = 1
    for k in range(n - 1):
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                cells[i, j] = step(cells[i, j], cells[k, k], cells[i, k], cells[k, j], previous)
        previous = cells[k, k]
    return cells[n - 1, n - 1]


def determinant(matrix):
    """One of them, by fractions."""
    rows, found = [[Fraction(int(x)) for x in row] for row in matrix], Fraction(1)
    for k, row in enumerate(rows):
        found *= row[k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / row[k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], row, strict=True)]
    return int(found)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="fewer numbers")
    rows, matrices = (500, 20) if parser.parse_args().small else (50_000, 2000)
    draw = np.random.default_rng(1)
    print(f"computing on {lf.current_engine().device_name}")

    x, y = draw.integers(-(2**62), 2**62, (2, rows, 8))
    start = time.perf_counter()
    exact = exact_dot(x, y)
    seconds = time.perf_counter() - start
    wrong = sum(int(found) != right for found, right in zip((x * y).sum(axis=1), exact, strict=True))
    print(f"{rows} dot products in {seconds:.3f} s; int64 gets {wrong} of them wrong")
    assert exact[:50].tolist() == [
        sum(int(a) * int(b) for a, b in zip(*pair, strict=True)) for pair in zip(x[:50], y[:50], strict=True)
    ]

    samples = draw.integers(1, 2**40, (matrices, 5, 5))
    start = time.perf_counter()
    found = determinants(samples, 512)
    print(f"{matrices} determinants of 5 x 5 in {time.perf_counter() - start:.3f} s, the first {found[0]}")
    assert found[:5].tolist() == [determinant(matrix) for matrix in samples[:5]]


if __name__ == "__main__":
    main()
