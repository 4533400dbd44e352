"""Lists of programs: rows at the end of a run and between its slices."""

import numpy as np
import pytest

import limbforge as lf

TEXT = """
in x, n: u100
list seen: (u64, mod n, bool, i70) at most 100000
list none: u8 at most 1
var y = x mod n
for i in 0 .. 200 {
    emit seen(u64(i), y, i < 100, 0 - i70(i)) where int(y) % 3 == 1
    y = sqr(y) + 1
}
out y
"""
X, N = [2, 3, 5], [1000003, 2**89 - 1, 9]


def expected():
    """The rows by Python's integers."""
    rows = []
    for instance, (y, n) in enumerate(zip(X, N)):
        y %= n
        for i in range(200):
            if y % 3 == 1:
                rows.append((instance, i, y, i < 100, -i))
            y = (y * y + 1) % n
    return rows


def test_rows_of_a_run():
    found = lf.Program(TEXT).run(x=X, n=N)
    seen, none = found.lists["seen"], found.lists["none"]
    assert seen.tolist() == expected() and len(seen) == len(expected()) > 100
    assert seen.instances.dtype == np.uint64 and seen.columns[2].dtype == np.bool_
    assert [str(column.dtype) for column in (*seen.columns[:2], seen.columns[3])] == ["u64", "u100", "i70"]
    assert repr(seen) == f"Rows({len(seen)} of 4 columns)"
    assert len(none) == 0 and none.tolist() == [] and none.columns[0].tolist() == []
    assert list(found) == ["y"] and lf.Program("out a = 1").run().lists == {}


def test_rows_between_slices_and_checkpoints(tmp_path):
    session, rows, slices = lf.Program(TEXT).session(x=X, n=N), [], 0
    while not session.progress.is_done:
        session.advance(0)
        taken = session.take_rows("seen").tolist()
        assert taken == sorted(taken, key=lambda row: row[0])
        rows += taken
        if slices % 50 == 0:
            session.checkpoint(tmp_path / "run")
            session = lf.resume(tmp_path / "run")
        slices += 1
    assert slices > 1 and session.take_rows("seen").tolist() == []
    assert sorted(rows, key=lambda row: row[:2]) == expected()
    with pytest.raises(KeyError, match="`y` is no list; the program has seen, none"):
        session.take_rows("y")
    assert len(session.run().lists["seen"]) == 0
    with pytest.raises(RuntimeError, match="the session has ended"):
        session.take_rows("seen")


def test_rows_that_were_not_taken_are_in_the_results():
    session = lf.Program(TEXT).session(x=X, n=N)
    first = []
    while not first:
        session.advance(0)
        first = session.take_rows("seen").tolist()
    rest = session.run().lists["seen"].tolist()
    assert first and rest and sorted(first + rest, key=lambda row: row[:2]) == expected()


def test_a_full_list_is_an_error():
    with pytest.raises(ValueError, match="the list `seen` gets more than 50 rows"):
        lf.Program(TEXT.replace("100000", "50")).run(x=X, n=N)
