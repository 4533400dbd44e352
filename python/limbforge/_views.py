"""Views of arrays in other libraries."""

import functools

import numpy as np

from limbforge._limbforge import IntArray, IntType


def limbs(array):
    """The limbs of an array: NumPy's read-only ``(N, M)`` matrix of uint64, least significant first, without
    a copy.

    Negative integers are in two's complement; bits above the width are 0.

    >>> import limbforge as lf
    >>> lf.limbs(lf.array([5, 2**64], "u128")).tolist()
    [[5, 0], [0, 1]]
    """
    if not isinstance(array, IntArray):
        raise TypeError(f"expected an IntArray, found {type(array)}: lf.array makes one")
    if len(array) == 0:
        return np.empty((0, array.dtype.limbs), np.uint64)
    return np.frombuffer(array._limbs(), np.uint64).reshape(len(array), array.dtype.limbs)


@functools.cache
def _extension():
    """The class of pyarrow's extension type ``limbforge.int``, registered when it is first used."""
    import pyarrow

    class IntExtensionType(pyarrow.ExtensionType):
        """Values of a fixed size that are integers of a type: what a column says of itself, in memory and in
        files."""

        def __init__(self, dtype):
            self.dtype = dtype
            super().__init__(pyarrow.binary(dtype.itemsize), "limbforge.int")

        def __arrow_ext_serialize__(self):
            return str(self.dtype).encode()

        @classmethod
        def __arrow_ext_deserialize__(cls, storage_type, serialized):
            return cls(IntType(serialized.decode()))

        def __reduce__(self):
            return _extension_of, (str(self.dtype),)

    pyarrow.register_extension_type(IntExtensionType(IntType("u64")))
    return IntExtensionType


def _extension_of(dtype):
    """The extension type of a type's name: how processes send it to each other."""
    return _extension()(IntType(dtype))


def to_arrow(array, *, extension=True):
    """The column of pyarrow that shares the memory of an ``IntArray``; of a ``Checked`` too, with nulls for
    failures.

    The column has the type ``limbforge.int``, which files keep; with ``extension=False``, plain binary of a
    fixed size.

    >>> import limbforge as lf
    >>> column = lf.to_arrow(lf.array([1, 2, 3], "u2048"))
    >>> str(column.storage.type), lf.from_arrow(column).tolist()
    ('fixed_size_binary[256]', [1, 2, 3])
    """
    import pyarrow

    _extension()
    column = pyarrow.array(array)
    return column if extension or not isinstance(column, pyarrow.ExtensionArray) else column.storage
