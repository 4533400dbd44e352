"""The choice of an engine for a block of code."""

from contextlib import contextmanager

from limbforge._limbforge import _engine, _engine_of


@contextmanager
def use(engine):
    """Evaluate on this engine within a ``with`` block: operators, functions and ``lf.eval``.

    ``engine`` is an ``Engine``, or a text such as ``"cpu"``, which names one for all of the process. Each
    thread and each task of asyncio has its own choice.

    >>> import limbforge as lf
    >>> with lf.use("cpu") as engine:
    ...     print(engine.device_name, (lf.array([2], "u64") ** 10).tolist())
    CPU [1024]
    """
    chosen = _engine_of(engine)
    token = _engine.set(chosen)
    try:
        yield chosen
    finally:
        _engine.reset(token)
