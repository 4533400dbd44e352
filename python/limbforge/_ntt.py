"""Transforms over prime fields."""

import numpy as np

from limbforge._limbforge import DeviceResidues, _ntt
from limbforge._residues import words_of


def _transform(field, values, wrap, inverse, engine):
    if wrap not in ("cyclic", "negacyclic"):
        raise ValueError(f"wrap: expected 'cyclic' or 'negacyclic', found {wrap!r}")
    if isinstance(values, DeviceResidues):
        if engine is not None:
            raise TypeError("a DeviceResidues is transformed where it lies: leave out engine")
        return values._transform(field, wrap == "negacyclic", inverse)
    words = words_of(field, values)
    if words.ndim == 0 or words.shape[-1] == 0:
        raise ValueError(f"expected values of shape (..., points), found {words.shape}")
    found = _ntt(field, words.reshape(-1), words.shape[-1], wrap == "negacyclic", inverse, engine)
    return np.frombuffer(found, np.uint64).reshape(words.shape)


def ntt(field, values, *, wrap="cyclic", engine=None):
    """The number-theoretic transforms along the last axis, in natural order: residues in, residues out.
    ``DeviceResidues`` are transformed where they lie.

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
