"""Exact arithmetic on arrays of big integers, on CPUs and GPUs.

>>> import limbforge as lf
>>> a = lf.array([2**1000, 12345], "u2048")
>>> (a * a % 1009).tolist()
[453, 674]

============================  ====================================================================
arrays                        ``array``, ``from_limbs``, ``from_bytes``, ``from_hex``, ``from_arrow``
parts and views               ``a[2:5]``, ``a[mask]``, ``concatenate``, ``where``, ``limbs``
expressions                   operators, ``eval``, ``eval_checked``, ``fused``, ``Expr``
number theory                 ``gcd``, ``powmod``, ``is_prime`` and all functions of the language
engines                       ``Engine``, ``use``, ``current_engine``, ``DeviceArray``
prime fields                  ``Field``, ``ntt``, ``intt``, ``poly``
============================  ====================================================================
"""

from limbforge import _nvrtc, poly
from limbforge._engines import use
from limbforge._functions import FUNCTIONS
from limbforge._fused import fused
from limbforge._limbforge import (
    Checked,
    DeviceArray,
    DeviceError,
    Engine,
    Expr,
    Field,
    IntArray,
    IntType,
    __version__,
    array,
    concatenate,
    current_engine,
    eval_checked,
    from_arrow,
    from_bytes,
    from_hex,
    from_limbs,
    where,
)
from limbforge._limbforge import (
    eval as eval,
)
from limbforge._ntt import intt, ntt
from limbforge._types import Failure
from limbforge._views import limbs, to_arrow

_nvrtc.register()
globals().update(FUNCTIONS)

# `from limbforge import *` leaves Python's own functions alone.
_OWN = {"eval", "max", "min"}

__all__ = [
    "Checked",
    "DeviceArray",
    "DeviceError",
    "Engine",
    "Expr",
    "Failure",
    "Field",
    "IntArray",
    "IntType",
    "__version__",
    "array",
    "concatenate",
    "current_engine",
    "eval_checked",
    "from_arrow",
    "from_bytes",
    "from_hex",
    "from_limbs",
    "fused",
    "intt",
    "limbs",
    "ntt",
    "poly",
    "to_arrow",
    "use",
    "where",
    *sorted(set(FUNCTIONS) - _OWN),
]
