"""The choice of an engine for a block of code."""

from contextlib import contextmanager

from limbforge._limbforge import Engine, _engine


@contextmanager
def use(engine):
    """Evaluate on this engine within a ``with`` block: operators, functions and ``lf.eval``.

    ``engine`` is an ``Engine``, or a text such as ``"cpu"`` that opens one. Each thread and each task of
    asyncio has its own choice.

    >>> import limbforge as lf
    >>> with lf.use("cpu") as engine:
    ...     print(engine.device_name, (lf.array([2], "u64") ** 10).tolist())
    CPU [1024]
    """
    chosen = Engine(engine) if isinstance(engine, str) else engine
    if not isinstance(chosen, Engine):
        raise TypeError(f"engine: expected an Engine or a text such as 'cpu', found {type(engine)}")
    token = _engine.set(chosen)
    try:
        yield chosen
    finally:
        _engine.reset(token)
