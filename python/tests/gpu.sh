#!/usr/bin/env bash
# Runs all tests of the Python package that need a GPU, then its example programs and the examples of its pages
# on that GPU. Without a GPU it fails. LIMBFORGE_REQUIRE_GPU=2 runs those of two GPUs, too.
#
#     python/tests/gpu.sh [OPTION OF PYTEST ...]
#
# It tests the package that python3 imports, or the interpreter that PYTHON names, and needs pytest and pyarrow.
# Tests of CuPy, PyTorch and Numba are skipped without them.
set -euo pipefail
cd "$(dirname "$0")"
export LIMBFORGE_REQUIRE_GPU=${LIMBFORGE_REQUIRE_GPU:-1}
# Warnings of other libraries are theirs.
run() { "${PYTHON:-python3}" -m pytest -W default -rs --durations=10 "$@"; }
run .. -m gpu "$@"
run test_docs.py -k 'pages or docstrings' "$@"
