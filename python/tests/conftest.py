"""What all tests share."""

from pathlib import Path

import pytest

pytest.TESTS = Path(__file__).parent
