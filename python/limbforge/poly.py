"""Polynomials over prime fields, pair by pair.

A polynomial is its coefficients from low to high, as a sequence of ints or NumPy's array of integers; 0 has
none. A list of polynomials is computed pair by pair with the other list, or with one polynomial for all.

``DeviceResidues`` are polynomials along the last axis, as many of both operands, all with as many terms. They
are computed where they lie; results have zeros above their leading terms.

>>> import limbforge as lf
>>> field = lf.Field(97)
>>> lf.poly.mul(field, [1, 1], [96, 1]).tolist()  # (x + 1)(x - 1) = x^2 - 1
[96, 0, 1]
>>> [p.tolist() for p in lf.poly.mul(field, [[1, 1], [2, 1]], [1, 1])]
[[1, 2, 1], [2, 3, 1]]
"""

import numpy as np

from limbforge._limbforge import DeviceResidues, _poly_divmod, _poly_gcd, _poly_mul
from limbforge._residues import words_of as _words_of

__all__ = ["divmod", "gcd", "mul"]


def _polys(field, a):
    """The polynomials as arrays of words, and whether there is only one."""
    first = a[0] if len(a) else 0
    if np.ndim(first) == 0:
        return [_words_of(field, a)], True
    found = [_words_of(field, poly) for poly in a]
    for i, poly in enumerate(found):
        if poly.ndim != 1:
            raise ValueError(
                f"polynomial {i}: expected coefficients of one dimension, found shape {poly.shape}"
            )
    return found, False


def _resident(a, b, engine):
    """Whether both operands are resident."""
    found = [isinstance(polys, DeviceResidues) for polys in (a, b)]
    if any(found) and not all(found):
        raise TypeError(
            "DeviceResidues beside other polynomials: lf.residues(field, values) makes such of them"
        )
    if any(found) and engine is not None:
        raise TypeError("DeviceResidues are computed where they lie: leave out engine")
    return any(found)


def _pairs(compute, field, a, b, engine):
    (a, one), (b, other) = _polys(field, a), _polys(field, b)
    found = [np.frombuffer(poly, np.uint64) for poly in compute(field, a, b, engine)]
    return found, one and other


def mul(field, a, b, *, engine=None):
    """The products: one array of coefficients, or a list of them if ``a`` or ``b`` is a list of polynomials.

    >>> import limbforge as lf
    >>> lf.poly.mul(lf.Field(97), [1, 2], [3, 4]).tolist()
    [3, 10, 8]
    """
    if _resident(a, b, engine):
        return a._poly_mul(field, b)
    found, one = _pairs(_poly_mul, field, a, b, engine)
    return found[0] if one else found


def divmod(field, a, b, *, engine=None):
    """The quotients and remainders: a pair, or a list of pairs. Raises ``ZeroDivisionError`` for a divisor 0.

    >>> import limbforge as lf
    >>> q, r = lf.poly.divmod(lf.Field(97), [3, 3, 1], [1, 1])
    >>> q.tolist(), r.tolist()
    ([2, 1], [1])
    """
    if _resident(a, b, engine):
        return a._poly_divmod(field, b)
    found, one = _pairs(_poly_divmod, field, a, b, engine)
    pairs = list(zip(found[::2], found[1::2], strict=True))
    return pairs[0] if one else pairs


def gcd(field, a, b, *, engine=None):
    """The monic greatest common divisors: one, or a list; 0 for two polynomials 0.

    >>> import limbforge as lf
    >>> lf.poly.gcd(lf.Field(97), [2, 3, 1], [3, 4, 1]).tolist()
    [1, 1]
    """
    if _resident(a, b, engine):
        return a._poly_gcd(field, b)
    found, one = _pairs(_poly_gcd, field, a, b, engine)
    return found[0] if one else found
