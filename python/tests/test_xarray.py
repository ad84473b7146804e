"""xarray opens with our engine what it opens with zarr-python's, lazily, also under dask's threads."""

import shutil

import dask
import numpy as np
import pytest
import xarray

rng = np.random.default_rng(7)
DATASET = xarray.Dataset(
    {
        "u": (("time", "y", "x"), rng.standard_normal((6, 20, 30)).astype("f4"), {"units": "m s**-1"}),
        "packed": (("y", "x"), np.where(rng.random((20, 30)) < 0.2, np.nan, rng.random((20, 30)))),
        "label": (("y",), np.array([f"row {i}" for i in range(20)], object)),
    },
    coords={"time": np.arange("2020-01-01", "2020-01-07", dtype="M8[D]").astype("M8[ns]"), "x": np.arange(30) * 0.5},
    attrs={"title": "test"},
)
ENCODING = {"packed": {"dtype": "i2", "scale_factor": 1e-4, "_FillValue": -1}, "u": {"chunks": (2, 8, 8)}}


@pytest.fixture(scope="module", params=[2, 3])
def path(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("datasets") / "d.zarr"
    DATASET.to_zarr(path, encoding=ENCODING, zarr_format=request.param, consolidated=False)
    return path


@pytest.fixture
def peer(path):
    return xarray.open_dataset(path, engine="zarr", consolidated=False)


@pytest.fixture
def opened(path):
    return xarray.open_dataset(path, engine="zarr-engine")


def test_is_identical(opened, peer):
    xarray.testing.assert_identical(opened.load(), peer.load())
    assert np.isnan(opened["packed"]).any()


def test_keeps_zeros_in_a_zip_file(tmp_path):
    """In version 2, no fill value is null, which reads as 0. Fails if zeros become NaN, as those of coordinates."""
    numbers = xarray.Dataset({"x": (("i",), np.arange(4.0))})
    numbers.to_zarr(tmp_path / "d", zarr_format=2, consolidated=False, encoding={"x": {"_FillValue": None}})
    shutil.make_archive(str(tmp_path / "d"), "zip", tmp_path / "d")
    for path in (tmp_path / "d", tmp_path / "d.zip"):
        np.testing.assert_array_equal(xarray.open_dataset(path, engine="zarr-engine")["x"], np.arange(4.0))


def test_without_decoding(path):
    options = {"mask_and_scale": False, "decode_times": False}
    mine = xarray.open_dataset(path, engine="zarr-engine", **options)
    xarray.testing.assert_identical(mine, xarray.open_dataset(path, engine="zarr", consolidated=False, **options))


def test_is_lazy(path, opened):
    assert opened["u"].variable._in_memory is False
    assert opened["u"][0, 0, 0].item() == DATASET["u"][0, 0, 0].item()
    assert opened["u"].variable._in_memory is False


@pytest.mark.parametrize("select", [
    lambda d: d["u"][1:5:2, 3, ::-1],
    lambda d: d["u"].isel(time=[4, 0], x=[1, 1, 7]),
    lambda d: d["u"].sel(time="2020-01-03", x=slice(2, 9)),
    lambda d: d["u"].isel(y=xarray.DataArray([1, 5, 9], dims="p"), x=xarray.DataArray([0, 2, 29], dims="p")),
    lambda d: d["u"].isel(time=xarray.DataArray([1, 5], dims="p"), y=xarray.DataArray([0, 2], dims="p"),
                          x=xarray.DataArray([0, 2], dims="p")),
    lambda d: d["packed"].where(d["packed"] > 0.5),
    lambda d: d["label"][[3, 0]],
])
def test_selections(opened, peer, select):
    xarray.testing.assert_identical(select(opened).load(), select(peer).load())


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(path, scheduler):
    """dask's processes are spawned, and open the arrays again."""
    chunked = xarray.open_dataset(path, engine="zarr-engine", chunks={})
    assert chunked["u"].chunks == ((2, 2, 2), (8, 8, 4), (8, 8, 8, 6))
    with dask.config.set({"multiprocessing.context": "spawn"}):
        mean = chunked["u"].mean("time").compute(scheduler=scheduler, num_workers=2)
    xarray.testing.assert_allclose(mean, DATASET["u"].mean("time"))


def test_group(tmp_path):
    DATASET.to_zarr(tmp_path / "d.zarr", group="a/b", consolidated=False)
    opened = xarray.open_dataset(tmp_path / "d.zarr", engine="zarr-engine", group="a/b")
    xarray.testing.assert_equal(opened["u"], DATASET["u"])


def test_refuses_arrays_without_dimension_names(tmp_path):
    import zarr

    zarr.create_group(tmp_path / "g.zarr").create_array("a", shape=(2,), dtype="i4")
    with pytest.raises(ValueError, match="name for each"):
        xarray.open_dataset(tmp_path / "g.zarr", engine="zarr-engine")
