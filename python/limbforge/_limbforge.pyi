from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias, final

from typing_extensions import Buffer

from limbforge import Checked as Checked
from limbforge import DeviceArray as DeviceArray
from limbforge import DeviceError as DeviceError
from limbforge import DeviceResidues as DeviceResidues
from limbforge import Engine as Engine
from limbforge import Expr as Expr
from limbforge import Field as Field
from limbforge import IntArray as IntArray
from limbforge import IntType as IntType
from limbforge import __version__ as __version__
from limbforge import array as array
from limbforge import concatenate as concatenate
from limbforge import constant as constant
from limbforge import counter as counter
from limbforge import current_engine as current_engine
from limbforge import device as device
from limbforge import eval as eval
from limbforge import eval_all as eval_all
from limbforge import eval_all_checked as eval_all_checked
from limbforge import eval_checked as eval_checked
from limbforge import from_arrow as from_arrow
from limbforge import from_bytes as from_bytes
from limbforge import from_dlpack as from_dlpack
from limbforge import from_hex as from_hex
from limbforge import from_limbs as from_limbs
from limbforge import random as random
from limbforge import where as where
from limbforge import zeros as zeros

_Position: TypeAlias = tuple[int, int, int, int, float | None, int, bool]

_engine: ContextVar[Engine | None]

def _engine_of(given: object) -> Engine: ...
def _residues(
    field: Field, words: Buffer, shape: Sequence[int], engine: Engine | str | None
) -> DeviceResidues: ...
def _apply(name: str, args: tuple[object, ...], /) -> Any: ...
def _functions() -> list[dict[str, Any]]: ...
def _int_access() -> str: ...
def _rebuild(ty: IntType, data: Buffer) -> IntArray: ...
def _ntt(
    field: Field,
    values: Buffer,
    points: int,
    is_negacyclic: bool,
    is_inverse: bool,
    engine: Engine | str | None,
) -> bytearray: ...
def _poly_mul(field: Field, a: list[Any], b: list[Any], engine: Engine | str | None) -> list[bytearray]: ...
def _poly_divmod(
    field: Field, a: list[Any], b: list[Any], engine: Engine | str | None
) -> list[bytearray]: ...
def _poly_gcd(field: Field, a: list[Any], b: list[Any], engine: Engine | str | None) -> list[bytearray]: ...

@final
class _Program:
    def __new__(cls, text: str, file: str | None, /) -> _Program: ...
    @property
    def text(self) -> str: ...
    @property
    def canonical(self) -> str: ...
    @property
    def inputs(self) -> list[tuple[str, str | None]]: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    def types(self, given: list[tuple[str, IntType]]) -> list[tuple[str, IntType, int | None]]: ...
    def start(self, arrays: list[tuple[str, IntArray]], engine: Engine | str | None) -> _Session: ...

@final
class _Session:
    @property
    def text(self) -> str: ...
    @property
    def progress(self) -> _Position: ...
    def advance(self, seconds: float) -> _Position: ...
    def checkpoint(self, path: str) -> None: ...
    def run(
        self, checkpoint: str | None, every: float, raises: bool, keeps: bool
    ) -> tuple[
        int,
        list[tuple[str, Any, int | None]],
        list[tuple[int, str, str, int, int]],
        list[tuple[str, IntArray, list[Any]]],
    ]: ...
    def take_rows(self, name: str, /) -> tuple[IntArray, list[Any]]: ...

def _resume(path: str, engine: Engine | str | None, /) -> _Session: ...
