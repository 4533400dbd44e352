"""Functions of arrays as one kernel."""

import functools
import inspect

from limbforge._limbforge import DeviceArray, Expr, IntArray, eval, eval_all


def _flat(value, name):
    """The expressions of what a function returns, and what makes the same of their values."""
    if isinstance(value, Expr):
        return [value], lambda found: next(found)
    if isinstance(value, dict):
        keys, parts = list(value), [_flat(part, name) for part in value.values()]
        return _joined(parts), lambda found: {key: make(found) for key, (_, make) in zip(keys, parts)}
    if isinstance(value, tuple | list):
        parts, kind = [_flat(part, name) for part in value], type(value)
        # A NamedTuple takes its fields one by one.
        make_all = kind._make if hasattr(kind, "_make") else kind
        return _joined(parts), lambda found: make_all([make(found) for _, make in parts])
    raise TypeError(
        f"lf.fused: {name} returned {type(value)}; expected an expression of arguments, or a tuple, list or "
        "dict of expressions"
    )


def _joined(parts):
    return [expr for exprs, _ in parts for expr in exprs]


def fused(function):
    """Evaluate a function of arrays as one expression: one kernel, whose intermediate values never go to
    memory.

    The function is called once with expressions for its arguments, and what it returns is evaluated for
    arrays. So it must not branch on values: ``lf.select`` chooses. Ints within it are constants; arguments
    may be arrays or ints. It may return several expressions, in tuples, lists and dicts: they are evaluated
    together, as by ``lf.eval_all``.

    >>> import limbforge as lf
    >>> @lf.fused
    ... def poly(a, b):
    ...     return (a * a + b) * (b * b + b) + a * b
    >>> poly(lf.array([1, 2], "u2048"), lf.array([3, 4], "u2048")).tolist()
    [51, 168]
    >>> quotient, rest = lf.fused(lambda a, b: (a // b, a % b))(lf.array([17, 9], "i64"), -5)
    >>> quotient.tolist(), rest.tolist()
    ([-4, -2], [-3, -1])
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
        found = function(*(Expr(name, signed=signed) for name in names))
        exprs, make = _flat(found, function.__name__)
        return exprs, make, frozenset(name for expr in exprs for name in expr.inputs)

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
        exprs, make, used = traces[signed]
        operands = {name: arg for name, arg in zip(names, args, strict=True) if name in used}
        if len(exprs) == 1:
            return make(iter([eval(exprs[0], operands)]))
        return make(iter(eval_all(exprs, operands)))

    return run
