import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

project = pathlib.Path(os.environ["ZARR_ENGINE_PROJECT"])


def native(dtype):
    """Returns a type in native byte order, also of its fields."""
    if dtype.names is not None:
        return dtype  # zarr-python and the engine keep the order of fields
    return dtype if isinstance(dtype, np.dtypes.StringDType) else dtype.newbyteorder("=")


def same(found, expected):
    """Fails unless two results have the same shape, the same type and the same elements; NaN equals NaN."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == native(expected.dtype)
    if expected.dtype == object and expected.size and isinstance(expected.flat[0], np.ndarray):
        for a, b in zip(found.flat, expected.flat, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.fixture
def run(tmp_path):
    """Returns a function that runs a program in a Python of its own, and returns its output."""

    def run(program, *arguments, expected=0, timeout=60, **options):
        done = subprocess.run(
            [sys.executable, "-I", "-c", program, *map(str, arguments)],
            capture_output=True, text=True, timeout=timeout, cwd=tmp_path, **options,
        )
        assert done.returncode == expected, done.stdout + done.stderr
        assert "Exception ignored" not in done.stderr, done.stderr
        return done.stdout

    return run
