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
