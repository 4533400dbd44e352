"""The compiler of kernels among the packages of this interpreter."""

import os
import sys
from pathlib import Path

# Where NVIDIA's wheels lie: CUDA 13 first, then CUDA 12.
_FOLDERS = ("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", "nvidia/cu13/bin/x86_64", "nvidia/cuda_nvrtc/bin")
# With one of these the library looks there itself.
_VARIABLES = ("LIMBFORGE_NVRTC", "CUDA_HOME", "CUDA_PATH")


def find(paths, environment):
    """The folder of nvrtc below these paths; None if there is none, or if the environment names one."""
    if any(environment.get(name) for name in _VARIABLES):
        return None
    for path in paths:
        for folder in (Path(path or ".") / name for name in _FOLDERS):
            if any(folder.glob("libnvrtc.so*")) or any(folder.glob("nvrtc64_*.dll")):
                return folder
    return None


def register():
    """Tell the library, and processes that this one starts, where nvrtc lies.

    The library looks in activated environments; this is for that of the interpreter, activated or not.
    """
    folder = find(sys.path, os.environ)
    if folder is not None:
        os.environ["LIMBFORGE_NVRTC"] = str(folder)
