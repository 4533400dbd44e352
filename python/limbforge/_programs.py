"""Programs: loops, residues, several results."""

import warnings
from pathlib import Path

from limbforge import _inputs
from limbforge._limbforge import _Program
from limbforge._sessions import Session


class Program:
    """A program in the language of limbforge, which computes several results for each of many instances.

    A text that is no program raises ``ValueError`` with the line, the column and the marked place.
    ``Program.load`` reads a file.

    >>> import limbforge as lf
    >>> program = lf.Program('''
    ...     in x, n                         # any integers; n is odd
    ...     in t: u64
    ...     var y = x mod n
    ...     repeat t { y = sqr(y) }         # x^(2^t) mod n
    ...     out y, common = gcd(x, n)
    ... ''')
    >>> program
    Program(x, n, t: u64 -> y, common)
    >>> found = program.run(x=[2, 3, 5], n=101, t=10)
    >>> found["y"].tolist(), found["common"].tolist()
    ([5, 37, 81], [1, 1, 1])
    """

    __slots__ = ("_core",)

    def __init__(self, text, /):
        self._core = _Program(text, None)
        self._warn()

    def _warn(self):
        for warning in self._core.warnings:
            warnings.warn(warning, SyntaxWarning, stacklevel=3)

    @classmethod
    def load(cls, path, /):
        """The program of a file, whose name is part of messages about its text.

        >>> import limbforge as lf, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "double.lf"
        >>> path.write_text("in a: u64; out b = 2*a")
        22
        >>> lf.Program.load(path).run(a=21)["b"].tolist()
        [42]
        """
        program = cls.__new__(cls)
        program._core = _Program(Path(path).read_text(encoding="utf-8"), str(path))
        program._warn()
        return program

    @property
    def text(self):
        """The text."""
        return self._core.text

    @property
    def inputs(self):
        """The types of the inputs by their names: texts such as ``u32``, or None for those without."""
        return dict(self._core.inputs)

    @property
    def outputs(self):
        """The names of the results."""
        return tuple(self._core.outputs)

    def run(
        self,
        inputs=None,
        /,
        *,
        engine=None,
        bits=None,
        types=None,
        on_error="raise",
        checkpoint=None,
        every=60.0,
        **named,
    ):
        """The results over inputs, which are keywords, or a dict: a mapping of names to arrays, ``Results``.

        An input is an int, which is one for all instances, or a list of ints, NumPy's array of integers, an
        ``IntArray`` or a column of Arrow, with an integer for each instance. An input that is an array or a
        tuple of k has k integers for each: lists of k, NumPy's ``(N, k)``, one flat list, or k arrays of N
        integers, as results have them.

        Inputs without a type in the program have that of their ``IntArray``; ints have the least multiple of
        64 bits that holds them all, signed if one is negative. ``types={"N": "u512"}`` names types, and
        ``bits=512`` is the width of all that have no other.

        An instance that fails raises ``ZeroDivisionError``, else ``ValueError``, with the place in the text.
        With ``on_error="mask"`` its results are 0 or False, and ``failures`` of the results lists it.

        The program runs on the first GPU of the engine, or on the CPU, with the same results. A GPU refuses
        what has no kernel with ``DeviceError``; ``"auto"`` computes that on the CPU.

        ``checkpoint`` is a folder that is written at the beginning, every so many seconds, and when Ctrl-C
        ends the run after a slice of less than a second, or of one round of a loop if that takes longer:
        ``lf.resume(folder).run()`` goes on.

        >>> import limbforge as lf, numpy as np
        >>> quotients = lf.Program("in a, b: u64; out q = a / b, rest = a % b, divides = a % b == 0")
        >>> found = quotients.run(a=2**100, b=np.arange(1, 5))
        >>> found["rest"].tolist(), found["divides"]
        ([0, 0, 1, 0], array([ True,  True, False,  True]))
        >>> found = quotients.run(a=7, b=[0, 2], on_error="mask")
        >>> found["q"].tolist(), found.ok
        ([0, 3], array([False,  True]))
        >>> found.failures[0]
        ProgramFailure(instance=0, mark='DIV0', message='division by zero', line=1, column=23)
        """
        session = self.session(inputs, engine=engine, bits=bits, types=types, **named)
        return session._results(on_error, checkpoint, every, keeps=checkpoint is not None)

    def session(self, inputs=None, /, *, engine=None, bits=None, types=None, **named):
        """A run that is computed in slices: a ``Session``. Inputs are those of ``run``.

        >>> import limbforge as lf
        >>> program = lf.Program("in n: u64; var s = n - n; for i in 0 .. n { s = s + i }; out s")
        >>> session = program.session(n=[10, 100_000])
        >>> session.advance(0).rounds
        100000
        >>> session.run()["s"].tolist()
        [45, 4999950000]
        """
        arrays = _inputs.arrays(self._core, inputs, named, bits, types)
        return Session(self._core.start(arrays, engine))

    def __repr__(self):
        inputs = (name if ty is None else f"{name}: {ty}" for name, ty in self.inputs.items())
        return f"Program({', '.join(inputs)} -> {', '.join(self.outputs)})"

    def __str__(self):
        return self._core.canonical

    def __eq__(self, other):
        return str(self) == str(other) if isinstance(other, Program) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __reduce__(self):
        return Program, (self.text,)
