"""Exact arithmetic on arrays of big integers, on CPUs and GPUs.

>>> import limbforge as lf
>>> a = lf.array([2**1000, 12345], "u2048")
>>> (a * a % 1009).tolist()
[453, 674]

============================  ====================================================================
arrays                        ``array``, ``from_limbs``, ``from_bytes``, ``from_hex``, ``from_arrow``
arrays born where they are    ``zeros``, ``constant``, ``counter``, ``random``
parts and views               ``a[2:5]``, ``a[mask]``, ``concatenate``, ``where``, ``limbs``, ``from_dlpack``
expressions                   operators, ``eval``, ``eval_all``, ``eval_checked``, ``fused``, ``Expr``
programs                      ``Program``, ``Session``, ``resume``, ``Rows``
number theory                 ``gcd``, ``powmod``, ``is_prime`` and all functions of the language
engines                       ``Engine``, ``use``, ``current_engine``, ``device``, ``DeviceArray``
prime fields                  ``Field``, ``ntt``, ``intt``, ``poly``, ``residues``, ``DeviceResidues``
============================  ====================================================================
"""

import sys

from limbforge import _nvrtc, _views, poly
from limbforge._engines import use
from limbforge._functions import FUNCTIONS
from limbforge._fused import fused
from limbforge._limbforge import (
    Checked,
    DeviceArray,
    DeviceError,
    DeviceResidues,
    Engine,
    Expr,
    Field,
    IntArray,
    IntType,
    __version__,
    array,
    concatenate,
    constant,
    counter,
    current_engine,
    device,
    eval_all,
    eval_all_checked,
    eval_checked,
    from_arrow,
    from_bytes,
    from_dlpack,
    from_hex,
    from_limbs,
    random,
    where,
    zeros,
)
from limbforge._limbforge import (
    eval as eval,
)
from limbforge._ntt import intt, ntt
from limbforge._programs import Program
from limbforge._residues import residues
from limbforge._rows import Rows
from limbforge._sessions import Results, Session, resume
from limbforge._types import Failure, ProgramFailure, Progress
from limbforge._views import limbs, to_arrow

_nvrtc.register()
if "pyarrow" in sys.modules:
    # Tables that are read from now on have the types of their columns.
    _views._extension()
globals().update(FUNCTIONS)

# `from limbforge import *` leaves Python's own functions alone.
_OWN = {"eval", "max", "min"}

__all__ = [
    "Checked",
    "DeviceArray",
    "DeviceError",
    "DeviceResidues",
    "Engine",
    "Expr",
    "Failure",
    "Field",
    "IntArray",
    "IntType",
    "Program",
    "ProgramFailure",
    "Progress",
    "Results",
    "Rows",
    "Session",
    "__version__",
    "array",
    "concatenate",
    "constant",
    "counter",
    "current_engine",
    "device",
    "eval_all",
    "eval_all_checked",
    "eval_checked",
    "from_arrow",
    "from_bytes",
    "from_dlpack",
    "from_hex",
    "from_limbs",
    "fused",
    "intt",
    "limbs",
    "ntt",
    "poly",
    "random",
    "residues",
    "resume",
    "to_arrow",
    "use",
    "where",
    "zeros",
    *sorted(set(FUNCTIONS) - _OWN),
]
