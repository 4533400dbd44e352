"""Types without code."""

from typing import NamedTuple


class Failure(NamedTuple):
    """An instance without a result."""

    instance: int
    """The instance, from 0."""
    mark: str
    """The reason in a word: DIV0, INEXACT, NEGATIVE, NOINVERSE, EVEN, DEGREE or OVERFLOW."""
    message: str
    """The reason in a sentence, with the operand."""


class ProgramFailure(NamedTuple):
    """An instance of a program without results: it stopped at its first failure.

    >>> import limbforge as lf
    >>> lf.Program("in a: i64; require a > 0; out b = a - 1").run(a=[5, 0], on_error="mask").failures
    [ProgramFailure(instance=1, mark='REQUIRE', message='the condition does not hold', line=1, column=12)]
    """

    instance: int
    """The instance, from 0."""
    mark: str
    """The reason in a word: DIV0, NEGATIVE, NOINVERSE, EVEN, LIMIT, REQUIRE, INDEX and others."""
    message: str
    """The reason in a sentence."""
    line: int
    """The line of the text, from 1."""
    column: int
    """The place in its line, in characters from 1."""


class Progress(NamedTuple):
    """How far the run of a program is.

    >>> import limbforge as lf
    >>> lf.Program("in a: u64; var b = a; repeat 7 { b = b*b }; out b").session(a=[2, 3]).progress
    Progress(stage=0, stages=2, round=0, rounds=7, left=None, instances=2, is_done=False)
    """

    stage: int
    """The loop of the top level that is being computed, from 0."""
    stages: int
    """The loops of the top level, and 1 for what is behind the last of them."""
    round: int
    """The rounds of the loop that are done."""
    rounds: int
    """The most rounds that an instance makes; the limit of a ``while`` loop, which may end before it."""
    left: float | None
    """The seconds that the others should take, once some have been computed."""
    instances: int
    """The number of instances."""
    is_done: bool
    """True if nothing is left to compute."""
