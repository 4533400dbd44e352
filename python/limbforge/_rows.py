"""Rows of the lists of programs."""

import numpy as np

from limbforge._views import limbs


class Rows:
    """The rows of a list of a program: those of instance 0 in the order in which it has appended them, then
    those of instance 1, and so on. The order is the same on every engine.

    >>> import limbforge as lf
    >>> program = lf.Program('''
    ...     in a: u64
    ...     list odd: (u64, bool) at most 100
    ...     var x = a
    ...     repeat 5 { emit odd(x, x > 3) where x % 2 == 1; x = x / 2 }
    ... ''')
    >>> odd = program.run(a=[8, 11]).lists["odd"]
    >>> odd
    Rows(4 of 2 columns)
    >>> odd.instances
    array([0, 1, 1, 1], dtype=uint64)
    >>> odd.columns[0].tolist(), odd.columns[1]
    ([1, 11, 5, 1], array([False,  True,  True, False]))
    >>> odd.tolist()
    [(0, 1, False), (1, 11, True), (1, 5, True), (1, 1, False)]
    """

    __slots__ = ("_columns", "_instances")

    def __init__(self, instances, columns):
        self._instances, self._columns = instances, tuple(columns)

    @property
    def instances(self):
        """The instance of each row, from 0: NumPy's array of uint64."""
        return self._instances

    @property
    def columns(self):
        """The columns, with an integer for each row: an ``IntArray``, or NumPy's array of bools.

        A residue has the type of its modulus.
        """
        return self._columns

    def tolist(self):
        """The rows as tuples: the instance, then the columns.

        >>> import limbforge as lf
        >>> program = lf.Program("in a: u64; list all: u64 at most 9; emit all(a*a)")
        >>> program.run(a=[3, 4]).lists["all"].tolist()
        [(0, 9), (1, 16)]
        """
        return list(zip(self._instances.tolist(), *(column.tolist() for column in self._columns)))

    def __len__(self):
        return len(self._instances)

    def __repr__(self):
        return f"Rows({len(self)} of {len(self._columns)} columns)"


def rows_of(instances, columns):
    """The rows of instances in an ``IntArray``."""
    return Rows(np.ascontiguousarray(limbs(instances)[:, 0]), columns)
