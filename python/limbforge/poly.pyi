from collections.abc import Sequence
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from limbforge import DeviceResidues, Engine, Field

_Words: TypeAlias = npt.NDArray[np.uint64]
_Poly: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
_Polys: TypeAlias = Sequence[Sequence[int]] | Sequence[npt.NDArray[np.integer[Any]]]
_Engine: TypeAlias = Engine | str | None

__all__ = ["divmod", "gcd", "mul"]

@overload
def mul(field: Field, a: DeviceResidues, b: DeviceResidues) -> DeviceResidues: ...
@overload
def mul(field: Field, a: _Poly, b: _Poly, *, engine: _Engine = None) -> _Words: ...
@overload
def mul(field: Field, a: _Polys, b: _Poly | _Polys, *, engine: _Engine = None) -> list[_Words]: ...
@overload
def mul(field: Field, a: _Poly, b: _Polys, *, engine: _Engine = None) -> list[_Words]: ...
@overload
def divmod(field: Field, a: DeviceResidues, b: DeviceResidues) -> tuple[DeviceResidues, DeviceResidues]: ...
@overload
def divmod(field: Field, a: _Poly, b: _Poly, *, engine: _Engine = None) -> tuple[_Words, _Words]: ...
@overload
def divmod(
    field: Field, a: _Polys, b: _Poly | _Polys, *, engine: _Engine = None
) -> list[tuple[_Words, _Words]]: ...
@overload
def divmod(field: Field, a: _Poly, b: _Polys, *, engine: _Engine = None) -> list[tuple[_Words, _Words]]: ...
@overload
def gcd(field: Field, a: DeviceResidues, b: DeviceResidues) -> DeviceResidues: ...
@overload
def gcd(field: Field, a: _Poly, b: _Poly, *, engine: _Engine = None) -> _Words: ...
@overload
def gcd(field: Field, a: _Polys, b: _Poly | _Polys, *, engine: _Engine = None) -> list[_Words]: ...
@overload
def gcd(field: Field, a: _Poly, b: _Polys, *, engine: _Engine = None) -> list[_Words]: ...
