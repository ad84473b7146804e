"""The libraries of NVIDIA that pip has installed, which the loader of the system does not find."""

from __future__ import annotations

import importlib.util
import pathlib

_NAMES = {"io.zarrengine.nvcomp.path": "libnvcomp.so.[56]", "io.zarrengine.cudart.path": "libcudart.so.13"}


def options() -> list[str]:
    """Returns Java's options that name the libraries in the packages below "nvidia"."""
    spec = importlib.util.find_spec("nvidia")
    folders = [pathlib.Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    found = []
    for name, pattern in _NAMES.items():
        files = sorted(file for folder in folders for depth in ("*", "*/*") for file in folder.glob(f"{depth}/{pattern}"))
        if files:
            found.append(f"-D{name}={files[-1]}")
    return found
