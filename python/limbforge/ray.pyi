from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

from ray.data import Dataset

from limbforge import IntType, Program, Results, _Input

__all__ = ["Evaluate", "Run", "evaluate", "map_options", "read_parquet", "resume", "write_parquet"]

_Path: TypeAlias = str | PathLike[str]
_Texts: TypeAlias = str | Sequence[str]
_Errors: TypeAlias = Literal["null", "raise"]
_Inputs: TypeAlias = Mapping[str, str | int]

class Evaluate:
    def __init__(
        self,
        expr: _Texts,
        out: _Texts,
        dtype: IntType | str | None = None,
        errors: _Errors = "null",
        *,
        inputs: _Inputs | None = None,
        keep: _Texts | None = None,
        engine: str = "auto",
        threads: int | None = None,
    ) -> None: ...
    def __call__(self, table: Any) -> Any: ...

class Run:
    def __init__(
        self,
        program: Program,
        checkpoint: _Path,
        *,
        shard: int | None = None,
        every: float = 60.0,
        engine: str | None = None,
        actors: int | None = None,
        threads: int = 1,
        gpus: float | None = None,
    ) -> None: ...
    def run(
        self,
        inputs: Mapping[str, _Input] | None = None,
        /,
        *,
        bits: int | None = None,
        types: Mapping[str, IntType | str] | None = None,
        on_error: Literal["raise", "mask"] = "raise",
        **named: _Input,
    ) -> Results: ...
    def dataset(
        self,
        inputs: Mapping[str, _Input] | None = None,
        /,
        *,
        bits: int | None = None,
        types: Mapping[str, IntType | str] | None = None,
        **named: _Input,
    ) -> Dataset: ...

def evaluate(
    dataset: Dataset,
    expr: _Texts,
    out: _Texts,
    dtype: IntType | str | None = None,
    errors: _Errors = "null",
    *,
    inputs: _Inputs | None = None,
    keep: _Texts | None = None,
    engine: str | None = None,
    actors: int | None = None,
    threads: int = 1,
    gpus: float | None = None,
) -> Dataset: ...
def map_options(
    dtype: IntType | str | None = None,
    *,
    actors: int | None = None,
    threads: int = 1,
    gpus: float | None = None,
) -> dict[str, Any]: ...
def read_parquet(paths: _Path | Sequence[_Path], *, block_size: int = ..., **options: Any) -> Dataset: ...
def resume(
    checkpoint: _Path,
    *,
    every: float = 60.0,
    engine: str | None = None,
    actors: int | None = None,
    threads: int = 1,
    gpus: float | None = None,
) -> Run: ...
def write_parquet(
    dataset: Dataset,
    path: _Path,
    *,
    mode: Literal["error", "overwrite"] = "error",
    filesystem: Any = None,
    **options: Any,
) -> None: ...
