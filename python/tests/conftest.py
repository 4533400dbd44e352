"""What all tests share: their folder, and the marks of those that need GPUs."""

import os
from pathlib import Path

import pytest

pytest.TESTS = Path(__file__).parent
# Workers of Ray are not to wait for other programs: by default their niceness is 15.
os.environ.setdefault("RAY_worker_niceness", "0")


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "gpu(count=1): needs GPUs. Without them it is skipped, unless LIMBFORGE_REQUIRE_GPU has at least "
        "their number: then it runs, and fails.",
    )


def missing(count):
    """Why an engine of so many GPUs does not open; None if it does."""
    import limbforge as lf

    try:
        lf.Engine("cuda:" + ",".join(map(str, range(count))))
    except lf.DeviceError as error:
        return str(error)
    return None


def pytest_collection_modifyitems(items):
    marked = [(item, mark.kwargs.get("count", 1)) for item in items for mark in item.iter_markers("gpu")]
    required = int(os.environ.get("LIMBFORGE_REQUIRE_GPU", "0"))
    reasons = {count: missing(count) for count in {count for _, count in marked} if count > required}
    for item, count in marked:
        if reasons.get(count):
            item.add_marker(pytest.mark.skip(reason=f"needs {count} GPU: {reasons[count]}"))
