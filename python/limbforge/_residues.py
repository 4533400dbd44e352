"""Residues of prime fields: those of NumPy, and those that stay where an engine computes."""

import numpy as np

from limbforge._limbforge import Field, _residues


def words_of(field, values):
    """The words of an array of residues, C-contiguous."""
    if not isinstance(field, Field):
        raise TypeError(f"field: expected a Field, found {type(field)}")
    array = np.asarray(values)
    if array.dtype.kind not in "iuO" and array.size:
        raise TypeError(f"expected integers, found {array.dtype}")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ValueError(f"expected residues from 0 to p - 1, found {array.min()}: values % p are residues")
    return np.ascontiguousarray(array, np.uint64) if array.ndim else array


def residues(field, values, *, engine=None):
    """Residues from 0 to p - 1 where an engine computes: a ``DeviceResidues`` of the shape of ``values``.

    ``engine`` is an ``Engine`` or its name, such as ``"cuda:0"``; else the current one.

    >>> import limbforge as lf
    >>> field = lf.Field(97)
    >>> x = lf.residues(field, [[1, 2], [3, 4]])
    >>> (x * x - 5).to_host().tolist()
    [[93, 96], [4, 11]]
    """
    words = words_of(field, values)
    if words.ndim == 0:
        raise ValueError("expected residues of one dimension or more, found a number")
    return _residues(field, words.reshape(-1), words.shape, engine)


def to_host(values):
    """The array of ``DeviceResidues``."""
    return np.frombuffer(values._words(), np.uint64).reshape(values.shape)
