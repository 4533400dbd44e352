"""Runs the examples of limbforge.ray and of a page on a local cluster: the number of failures is the status.

python ray_examples.py PAGE
"""

import doctest
import os
import pathlib
import re
import sys
import tempfile

import ray

import limbforge.ray as lfr

if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1])
    examples = {
        name: getattr(lfr, name).__doc__ for name in sorted(lfr.__all__, key=lambda n: n != "read_parquet")
    }
    examples |= {f"Run.{name}": getattr(lfr.Run, name).__doc__ for name in ("run", "dataset")}
    examples[page.name] = "\n".join(re.findall(r"```python\n(>>>.*?)```", page.read_text(), re.DOTALL))
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=1 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in examples.items():
            test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
            found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
            assert found.attempted, f"{name} has no example"
            failed += found.failed
            print(name, found.attempted, found.failed)
        os.chdir("/")
    sys.exit(min(failed, 1))
