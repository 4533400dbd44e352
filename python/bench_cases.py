"""What bench.py measures: operands, and each operation by limbforge, by loops over gmpy2, and by NumPy."""

import operator
import random


def operands(count, bits):
    """Odd numbers a and b, moduli m of all bits, and divisors h of half as many."""
    draw = random.Random(1)
    a, b = ([draw.getrandbits(bits) | 1 for _ in range(count)] for _ in range(2))
    m = [draw.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(count)]
    h = [draw.getrandbits(bits // 2) | 1 << (bits // 2 - 1) for _ in range(count)]
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
        "a // m": lambda: a // m,
        "a // h, half as long": lambda: a // h,
        "divmod(a, h)": lambda: divmod(a, h)[1],
        "Poly, wrapping": lambda: poly(a, b),
    }


def gmpy2_cases(gmpy2, numbers, bits):
    """The loop of each operation, over lists of ``gmpy2.mpz``."""
    mask = gmpy2.mpz((1 << bits) - 1)
    x, y, m, h = ([gmpy2.mpz(n) for n in values] for values in numbers)
    return {
        "a * b, wrapping": lambda: [p * q & mask for p, q in zip(x, y)],
        "a * b, exact": lambda: list(map(operator.mul, x, y)),
        "gcd(a, b)": lambda: list(map(gmpy2.gcd, x, y)),
        "pow(a, 65537, m)": lambda: [gmpy2.powmod(p, 65537, q) for p, q in zip(x, m)],
        "a // m": lambda: list(map(operator.floordiv, x, m)),
        "a // h, half as long": lambda: list(map(operator.floordiv, x, h)),
        "divmod(a, h)": lambda: [gmpy2.f_divmod(p, q)[1] for p, q in zip(x, h)],
        "Poly, wrapping": lambda: [(p * p + q) * (q * q + q) + p * q & mask for p, q in zip(x, y)],
    }


def numpy_cases(np, numbers, bits):
    """NumPy's expression of each operation, over arrays of Python's ints: a tenth of the instances."""
    tenth, mask = max(len(numbers[0]) // 10, 1), (1 << bits) - 1
    x, y, m, h = (np.array(values[:tenth], object) for values in numbers)
    power = np.frompyfunc(lambda p, q: pow(p, 65537, q), 2, 1)
    return {
        "a * b, wrapping": lambda: x * y & mask,
        "a * b, exact": lambda: x * y,
        "gcd(a, b)": lambda: np.gcd(x, y),
        "pow(a, 65537, m)": lambda: power(x, m),
        "a // m": lambda: x // m,
        "a // h, half as long": lambda: x // h,
        "divmod(a, h)": lambda: x % h,
        "Poly, wrapping": lambda: (x * x + y) * (y * y + y) + x * y & mask,
    }
