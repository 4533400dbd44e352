"""The inputs of programs: Python's integers, lists, arrays and columns in the types of a program."""

import numpy as np

from limbforge._limbforge import DeviceArray, IntArray, IntType, array, concatenate, from_arrow

# Integers without a type have a multiple of so many bits.
_STEP = 64


def arrays(core, inputs, named, bits, types):
    """The name and the array of each input of a program."""
    declared, given = dict(core.inputs), _given(inputs, named)
    for name in given:
        if name not in declared:
            raise TypeError(f"the program has no input `{name}`; expected: {', '.join(declared)}")
    for name in declared:
        if name not in given:
            raise TypeError(f"the program uses the input `{name}`, which is not given")
    own = {name: IntType(ty) for name, ty in (types or {}).items()}
    for name in own:
        if declared.get(name, "unknown") is not None:
            found = "says its type" if name in declared else "has no such input"
            raise TypeError(f"types: expected inputs without a type, found `{name}`: the program {found}")

    values = {name: _about(name, _integers, value) for name, value in given.items()}
    open_types = [
        (name, own.get(name) or _about(name, _type, values[name][0], bits))
        for name, ty in declared.items()
        if ty is None
    ]
    typed = core.types(open_types)
    return [(name, _about(name, _array, *values[name], ty, count)) for name, ty, count in typed]


def _given(inputs, named):
    """The inputs of a dict and of keywords."""
    given = dict(inputs or {})
    for name, value in named.items():
        if name in given:
            raise TypeError(f"input `{name}` is given twice")
        given[name] = value
    return given


def _about(name, function, *args):
    """What a function returns; its errors name the input."""
    try:
        return function(*args)
    except (TypeError, ValueError, OverflowError) as error:
        if type(error) not in (TypeError, ValueError, OverflowError):
            raise
        raise type(error)(f"input `{name}`: {error}") from error.__cause__


def _integers(value):
    """The integers of an input, and how many a row has if there are rows."""
    if isinstance(value, IntArray):
        return value, None
    if isinstance(value, DeviceArray):
        raise TypeError("expected integers of the host, found a DeviceArray: .to_host() copies it there")
    if isinstance(value, str | bytes | dict):
        raise TypeError(f"expected an int or an iterable of ints, found {type(value)}")
    if getattr(value, "ndim", 0) > 0:
        return _of_numpy(np.asarray(value))
    if _is_int(value):
        return [value.__index__()], None
    if hasattr(value, "__arrow_c_array__") or hasattr(value, "combine_chunks"):
        return from_arrow(value), None
    values = list(value)
    if not values or _is_int(values[0]):
        return _ints(values), None
    if isinstance(values[0], IntArray):
        return _rows(values), len(values)
    return _of_lists(values)


def _is_int(value):
    """NumPy's arrays have ``__index__`` as well, which most refuse."""
    return hasattr(value, "__index__") and getattr(value, "ndim", 0) == 0


def _of_numpy(values):
    if values.dtype.kind not in "iubO":
        raise TypeError(f"expected integers, found an array of {values.dtype}")
    if values.ndim > 2:
        raise ValueError(f"expected an array of one or two dimensions, found shape {values.shape}")
    flat = values.reshape(-1).tolist()
    return flat if values.dtype.kind != "O" else _ints(flat), values.shape[1] if values.ndim == 2 else None


def _of_lists(values):
    rows = []
    for i, row in enumerate(values):
        if isinstance(row, str | bytes | dict) or not hasattr(row, "__iter__"):
            raise TypeError(f"instance {i}: expected an int or an object with __index__, found {type(row)}")
        rows.append(list(row))
    counts = {len(row) for row in rows}
    if len(counts) > 1:
        raise ValueError(f"expected rows of equal length, found lengths {min(counts)} to {max(counts)}")
    return _ints([value for row in rows for value in row]), counts.pop()


def _ints(values):
    """Python's ints; what is none stays, and is refused where it is converted."""
    return [value if type(value) is int or not _is_int(value) else value.__index__() for value in values]


def _rows(columns):
    """The integers of an instance side by side, of arrays that hold one for each."""
    kinds = {(column.dtype, len(column)) if isinstance(column, IntArray) else None for column in columns}
    if len(kinds) != 1:
        raise ValueError("expected arrays of one type and one length")
    count = len(columns[0])
    return concatenate(columns)[
        [first + i for i in range(count) for first in range(0, count * len(columns), count)]
    ]


def _type(values, bits):
    """The type of integers for which the program says none."""
    if isinstance(values, IntArray):
        return values.dtype if bits is None else IntType(f"{'i' if values.dtype.signed else 'u'}{bits}")
    ints = [value for value in values if isinstance(value, int)]
    signed = any(value < 0 for value in ints)
    needed = max(((value if value >= 0 else ~value).bit_length() for value in ints), default=0) + signed
    if bits is None:
        bits = max(-(-needed // _STEP), 1) * _STEP
    return IntType(f"{'i' if signed else 'u'}{bits}")


def _array(values, row, ty, count):
    """The array of an input with so many integers for each instance, or one if that is None."""
    if row is not None and row != (count or 1):
        expected = f"{count} integers" if count else "one integer"
        raise ValueError(f"expected {expected} for each instance, found rows of {row}")
    return values.astype(ty) if isinstance(values, IntArray) else array(values, ty)
