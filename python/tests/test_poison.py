"""No panic and no crash of ours from what a program of Python's may do."""

import itertools

import numpy as np
import pytest

import limbforge as lf


class Changes(list):
    """A list whose integers change it while they are read."""

    def __init__(self, change):
        super().__init__([1, 2, 3, 4])
        self[1] = Index(lambda: change(self) or 5)


class Index:
    def __init__(self, index):
        self.index = index

    def __index__(self):
        return self.index()


def test_lists_that_change_while_they_are_read():
    for change in (list.clear, lambda xs: xs.append(9), lambda xs: xs.pop()):
        with pytest.raises(RuntimeError, match="it changed while it was read"):
            lf.array(Changes(change), "u64")


def test_errors_of_indices_are_passed_on():
    def fail():
        raise KeyError("mine")

    a = lf.array([1, 2], "u64")
    for call in (
        lambda: lf.array([1, Index(fail)], "u64"),
        lambda: a + Index(fail),
        lambda: a == Index(fail),
        lambda: pow(a, 2, Index(fail)),
    ):
        with pytest.raises(KeyError, match="mine"):
            call()
    for bad in (lambda: "1", lambda: 1.5, lambda: None):
        with pytest.raises(TypeError, match="instance 0: expected an int"):
            lf.array([Index(bad)], "u64")
    with pytest.raises(
        TypeError, match="instance 1: expected an int or an object with __index__, found <class 'float'>"
    ):
        lf.array([1, 1.0], "u64")


def test_sizes_beyond_memory():
    with pytest.raises((MemoryError, OverflowError, ValueError)):
        lf.array(range(2**62), "u2048")
    with pytest.raises(MemoryError, match="use smaller arrays"):
        lf.array([1] * 10**7, "u16777216")


POISON = [
    None,
    True,
    -1,
    0,
    1,
    2**64,
    -(2**64),
    2**70000,
    1.5,
    float("nan"),
    1j,
    "a",
    "",
    b"",
    b"\0",
    [],
    [1],
    (),
    {},
    set(),
    object(),
    int,
    lf,
    lf.array,
    np.zeros(0),
    np.zeros((2, 2)),
    np.array(3),
    np.uint64(2**63),
    np.array(["x"]),
    np.array([None]),
    slice(None),
    range(3),
    Ellipsis,
    iter([]),
    lf.array([], "u64"),
    lf.array([1, 2], "i8"),
    lf.array([0] * 5, "u2048"),
    lf.IntType("u64"),
    lf.Expr("a"),
    lf.Engine("cpu"),
    memoryview(b"12345678"),
]


def calls():
    """Every public function and method with operands of every kind."""
    a = lf.array([0, 1, 2**64 - 1], "u64")
    public = [
        getattr(lf, name) for name in lf.__all__ if name not in ("poly", "__version__", "Failure", "use")
    ]
    public += [lf.poly.mul, lf.poly.divmod, lf.poly.gcd, lf.eval, lf.min, lf.max]
    public += [
        getattr(a, name)
        for name in dir(a)
        if callable(getattr(a, name)) and name not in ("__class__", "__init_subclass__", "__subclasshook__")
    ]
    for function in public:
        for x in POISON:
            yield function, (x,)
            yield function, (a, x)
            yield function, (x, "u64")
    for function in public[: -len(dir(a))]:
        for x, y in itertools.product(POISON[::2], POISON[1::2]):
            yield function, (a, x, y)


def test_no_panic_reaches_python():
    seen = 0
    for function, args in calls():
        if getattr(function, "__name__", "") in ("__delattr__", "__setattr__", "__dir__", "__reduce__"):
            continue
        try:
            with np.errstate(all="ignore"):
                function(*args)
        except Exception as error:  # A panic is a BaseException.
            assert "defect" not in str(error), (function, args, error)
        except BaseException as error:
            pytest.fail(f"{function}{args}: {error!r}")
        seen += 1
    assert seen > 10000
