"""Runs of programs: slices, checkpoints and results."""

import os
from collections.abc import Mapping

import numpy as np

from limbforge._limbforge import _resume
from limbforge._rows import rows_of
from limbforge._types import ProgramFailure, Progress


class Results(Mapping):
    """The results of a program by their names.

    A result is an ``IntArray`` with an integer for each instance, or NumPy's array of bools. One that is an
    array or a tuple of k is a tuple of k such arrays.

    >>> import limbforge as lf
    >>> found = lf.Program("in a: u64; out half = a / 2, odd = a % 2 == 1, powers = (a, a**2)").run(a=[3, 4])
    >>> found
    Results(2 instances: half, odd, powers)
    >>> found["half"].tolist(), found["odd"].tolist()
    ([1, 2], [True, False])
    >>> first, second = found["powers"]
    >>> second.tolist()
    [9, 16]
    """

    def __init__(self, instances, values, failures, lists=None):
        self._instances, self._failures, self._lists = instances, failures, dict(lists or {})
        self._values = {
            name: value if count is None else tuple(value[i::count] for i in range(count))
            for name, value, count in values
        }

    def __getitem__(self, name):
        return self._values[name]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    @property
    def instances(self):
        """The number of instances."""
        return self._instances

    @property
    def lists(self):
        """The lists of the program by their names: each has its ``Rows``, without those that
        ``Session.take_rows`` has taken.

        >>> import limbforge as lf
        >>> lf.Program("in n: u64; list odd: u64 at most 9; emit odd(n) where n % 2 == 1").run(n=[3, 4]).lists
        {'odd': Rows(1 of 1 columns)}
        """
        return dict(self._lists)

    @property
    def failures(self):
        """The instances that failed, in order: each a ``ProgramFailure``. Their results are 0 or False."""
        return list(self._failures)

    @property
    def ok(self):
        """True where an instance has results: NumPy's array of bools."""
        ok = np.ones(self._instances, np.bool_)
        ok[[failure.instance for failure in self._failures]] = False
        return ok

    def __repr__(self):
        failed = f", {len(self._failures)} failures" if self._failures else ""
        return f"Results({self._instances} instances: {', '.join(self)}{failed})"


class Session:
    """The run of a program, which is computed in slices. ``Program.session`` starts one, ``lf.resume``
    goes on with that of a checkpoint.

    Iterating computes a second at a time. Ctrl-C ends a slice early, and the session can go on. A thread that
    computes has the session for itself.

    >>> import limbforge as lf, pathlib, tempfile
    >>> program = lf.Program("in n: u64; var s = n - n; for i in 0 .. n { s = s + i }; out s")
    >>> session = program.session(n=[10, 100_000])
    >>> for progress in session:
    ...     print(f"round {progress.round} of {progress.rounds}", progress.is_done)
    round 0 of 0 True
    >>> session.run()["s"].tolist()
    [45, 4999950000]
    """

    def __init__(self, core, folder=None):
        self._core, self._folder = core, folder

    @property
    def text(self):
        """The text of the program."""
        return self._core.text

    @property
    def progress(self):
        """Where the run is: a ``Progress``."""
        return Progress(*self._core.progress)

    def advance(self, seconds=1.0):
        """Computes for about so long, at least one round of a loop; the ``Progress`` after it.

        >>> import limbforge as lf
        >>> session = lf.Program("in a: u64; out b = a + 1").session(a=1)
        >>> session.advance(0.5).is_done
        True
        """
        return Progress(*self._core.advance(seconds))

    def take_rows(self, name, /):
        """Takes the ``Rows`` that a list has got since the last call: a long run need not hold them all.

        They are neither in later checkpoints nor in ``lists`` of the results. Store them before the next
        checkpoint: a run that goes on from an earlier one appends the same rows again.

        >>> import limbforge as lf
        >>> program = lf.Program("in n: u64; list all: u64 at most 1000; for i in 0 .. n { emit all(i*i) }")
        >>> session, total = program.session(n=1000), 0
        >>> for progress in session:
        ...     total += sum(session.take_rows("all").columns[0])
        >>> total, session.run().lists
        (332833500, {'all': Rows(0 of 1 columns)})
        """
        return rows_of(*self._core.take_rows(name))

    def checkpoint(self, path, /):
        """Writes the program, its inputs and its state to a folder, from which ``lf.resume`` goes on.

        An earlier checkpoint of this name is replaced when the new one is complete.

        >>> import limbforge as lf, tempfile
        >>> program = lf.Program("in n: u64; var f = n - n + 1; for i in 0 .. n { f = f * (i + 1) }; out f")
        >>> session, path = program.session(n=[5, 20]), tempfile.mkdtemp() + "/factorials"
        >>> session.checkpoint(path)
        >>> lf.resume(path).run()["f"].tolist()
        [120, 2432902008176640000]
        """
        self._core.checkpoint(os.fspath(path))

    def run(self, *, on_error="raise", checkpoint=None, every=60.0):
        """Computes all that is left, and ends the session: the ``Results``, as those of ``Program.run``.

        Further checkpoints of a session that was resumed replace its own, unless ``checkpoint`` is another
        folder.

        >>> import limbforge as lf
        >>> session = lf.Program("in a: u64; out b = a + 1").session(a=1)
        >>> session.run()["b"].tolist()
        [2]
        """
        return self._results(on_error, checkpoint or self._folder, every, keeps=True)

    def _results(self, on_error, checkpoint, every, *, keeps):
        if on_error not in ("raise", "mask"):
            raise ValueError(f"on_error: expected 'raise' or 'mask', found {on_error!r}")
        folder = None if checkpoint is None else os.fspath(checkpoint)
        instances, values, failures, lists = self._core.run(folder, every, on_error == "raise", keeps)
        lists = {name: rows_of(*rows) for name, *rows in lists}
        return Results(instances, values, [ProgramFailure(*failure) for failure in failures], lists)

    def __iter__(self):
        while not self.progress.is_done:
            yield self.advance()

    def __repr__(self):
        return f"Session({self.progress})"


def resume(path, /, *, engine=None):
    """Goes on with the run of a checkpoint, which any engine and any machine may have written: a ``Session``.

    >>> import limbforge as lf, tempfile
    >>> program, path = lf.Program("in a: u64; var b = a; repeat 9 { b = b*b }; out b"), tempfile.mkdtemp()
    >>> program.run(a=[3, 5], checkpoint=path)["b"].equals(lf.resume(path).run()["b"])
    True
    """
    path = os.fspath(path)
    return Session(_resume(path, engine), path)
