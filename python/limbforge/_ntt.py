"""Transforms over prime fields."""

import numpy as np

from limbforge._limbforge import Field, _ntt


def residues(field, values):
    """The words of an array of residues, C-contiguous."""
    if not isinstance(field, Field):
        raise TypeError(f"field: expected a Field, found {type(field)}")
    array = np.asarray(values)
    if array.dtype.kind not in "iuO" and array.size:
        raise TypeError(f"expected integers, found {array.dtype}")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ValueError(f"expected residues from 0 to p - 1, found {array.min()}: values % p are residues")
    return np.ascontiguousarray(array, np.uint64) if array.ndim else array


def _transform(field, values, wrap, inverse, engine):
    words = residues(field, values)
    if wrap not in ("cyclic", "negacyclic"):
        raise ValueError(f"wrap: expected 'cyclic' or 'negacyclic', found {wrap!r}")
    if words.ndim == 0 or words.shape[-1] == 0:
        raise ValueError(f"expected values of shape (..., points), found {words.shape}")
    found = _ntt(field, words.reshape(-1), words.shape[-1], wrap == "negacyclic", inverse, engine)
    return np.frombuffer(found, np.uint64).reshape(words.shape)


def ntt(field, values, *, wrap="cyclic", engine=None):
    """The number-theoretic transforms along the last axis, in natural order: residues in, residues out.

    With w = ``field.root_of_unity(n)`` for n points, X_j is the sum of x_i w^(ij); with ``wrap="negacyclic"``
    and psi = ``field.root_of_unity(2 * n)``, the sum of x_i psi^(i(2j + 1)). Pointwise products of transforms
    are convolutions: products modulo x^n - 1, or x^n + 1. n is 2^k or 3 * 2^k.

    >>> import limbforge as lf
    >>> field = lf.Field(97)
    >>> lf.ntt(field, [1, 0, 0, 0]).tolist()
    [1, 1, 1, 1]
    """
    return _transform(field, values, wrap, False, engine)


def intt(field, values, *, wrap="cyclic", engine=None):
    """The inverse of ``lf.ntt``, which divides by n.

    >>> import limbforge as lf
    >>> field = lf.Field(97)
    >>> x, y = lf.ntt(field, [1, 2, 0, 0]), lf.ntt(field, [3, 1, 0, 0])
    >>> lf.intt(field, x * y % 97).tolist()  # (1 + 2x)(3 + x) = 3 + 7x + 2x^2
    [3, 7, 2, 0]
    """
    return _transform(field, values, wrap, True, engine)
