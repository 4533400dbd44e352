"""Numbers that tests share: the ends of types, those beside digits and limbs, and random ones of all
lengths."""

import random

import limbforge as lf

SIGNED = ["i1", "i2", "i3", "i30", "i31", "i60", "i61", "i64", "i65", "i127", "i128", "i131", "i2048"]
UNSIGNED = ["u1", "u2", "u30", "u60", "u63", "u64", "u65", "u90", "u128", "u131", "u2048"]
DTYPES = SIGNED + UNSIGNED


def numbers(dtype, count, seed=0):
    """``count`` numbers of a type, in an order that the seed fixes."""
    t, draw = lf.IntType(dtype), random.Random(f"{dtype} {seed}")
    exponents = (29, 30, 31, 59, 60, 63, 64, 65, 90, 128)
    edges = [t.min, t.max, t.min + 1, t.max - 1, 0, 1, -1]
    edges += [sign * ((1 << k) + d) for k in exponents for d in (-1, 0, 1) for sign in (1, -1)]
    found = [x for x in edges if t.min <= x <= t.max]
    while len(found) < count:
        x = draw.getrandbits(draw.randint(1, t.bits)) * (draw.choice([1, -1]) if t.signed else 1)
        found.append(min(max(x, t.min), t.max))
    draw.shuffle(found)
    return found[:count]


def wrapped(x, dtype):
    """x modulo 2^bits, in the range of the type."""
    t = lf.IntType(dtype)
    x %= 1 << t.bits
    return x - (1 << t.bits) if x > t.max else x
