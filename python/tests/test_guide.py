"""The examples of docs/guide/python.md and of the README of the package run, one after another."""

import re
import types

import numpy as np
import pytest
import xarray

from conftest import project

PAGES = [project / "docs/guide/python.md", project / "python/README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    elements = np.random.default_rng(1).standard_normal((2, 3, 241, 480)).astype("f4")
    dataset = xarray.Dataset({"u": (("month", "level", "latitude", "longitude"), elements)})
    dataset.to_zarr("era-interim.zarr", consolidated=False)
    examples = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    no_gpu = types.SimpleNamespace(cuda=types.SimpleNamespace(is_available=lambda: False))
    names = {"torch": no_gpu}
    for example in examples:
        exec(compile(example, page.name, "exec"), names)
    assert examples
    np.testing.assert_array_equal(names["u"][...], elements)
    if page.name == "python.md":
        np.testing.assert_array_equal(names["wind"], elements[0, :, 60:120, ::2])
        np.testing.assert_array_equal(names["new"][1:], [*elements[1, 1:], *elements[0]])
        assert (names["new"][0, 5:9, ::2] == np.float32(273.15)).all()
        np.testing.assert_array_equal(names["batch"], [elements[0, 1, y : y + 64, :64] for y in range(0, 128, 32)])
        np.testing.assert_array_equal(names["july"], elements[1, 0])
        np.testing.assert_allclose(names["mean"], elements.mean(0), rtol=1e-6)
