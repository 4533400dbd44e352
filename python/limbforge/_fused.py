"""Functions of arrays as one kernel."""

import functools
import inspect

from limbforge._limbforge import DeviceArray, Expr, IntArray, eval


def fused(function):
    """Evaluate a function of arrays as one expression: one kernel, whose intermediate values never go to
    memory.

    The function is called once with expressions for its arguments, and what it returns is evaluated for
    arrays. So it must not branch on values: ``lf.select`` chooses. Ints within it are constants; arguments
    may be arrays or ints.

    >>> import limbforge as lf
    >>> @lf.fused
    ... def poly(a, b):
    ...     return (a * a + b) * (b * b + b) + a * b
    >>> poly(lf.array([1, 2], "u2048"), lf.array([3, 4], "u2048")).tolist()
    [51, 168]
    """
    signature = inspect.signature(function)
    names = tuple(signature.parameters)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not names or any(parameter.kind not in positional for parameter in signature.parameters.values()):
        raise TypeError(
            f"lf.fused: expected a function of named arguments alone, found {function.__name__}{signature}"
        )
    traces = {}

    def trace(signed):
        expr = function(*(Expr(name, signed=signed) for name in names))
        if not isinstance(expr, Expr):
            raise TypeError(
                f"lf.fused: {function.__name__} returned {type(expr)}; expected an expression of arguments"
            )
        return expr, frozenset(expr.inputs)

    @functools.wraps(function)
    def run(*args, **kwargs):
        if kwargs or len(args) != len(names):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args = tuple(bound.arguments[name] for name in names)
        signed = next((arg.dtype.signed for arg in args if isinstance(arg, IntArray | DeviceArray)), None)
        if signed is None:
            raise TypeError(
                f"{function.__name__}: expected at least one IntArray among the arguments, found none"
            )
        if signed not in traces:
            traces[signed] = trace(signed)
        expr, used = traces[signed]
        return eval(expr, {name: arg for name, arg in zip(names, args, strict=True) if name in used})

    return run
