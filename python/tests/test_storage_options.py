"""Options of the stores behind URLs: they reach the requests, and their secrets no message."""

import concurrent.futures
import contextlib
import gc
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
import xarray
import zarr
import zarr_engine as ze

from conftest import same
from server import Server

SECRET = "s3cret-of-the-user"
ELEMENTS = np.arange(400, dtype="f4").reshape(20, 20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bucket")
    group = zarr.create_group(folder / "g.zarr")
    for name in ("u", "v"):
        group.create_array(name, shape=(20, 20), chunks=(10, 10), dtype="f4", dimension_names=("y", "x"))[...] = ELEMENTS
    group.create_array("a b%25#?", shape=(2,), chunks=(2,), dtype="f4", dimension_names=("i",))[...] = 1
    zarr.consolidate_metadata(folder / "g.zarr")  # this server has no lists
    (folder / "bucket").symlink_to(folder)
    return folder


@pytest.fixture
def server(folder):
    with contextlib.closing(Server(folder)) as server:
        yield server


def ends(server):
    """Waits until all connections have ended, which stay open for 30 s as long as their store is."""
    gc.collect()
    patience = time.monotonic() + 10
    while server.open_connections and time.monotonic() < patience:
        time.sleep(0.01)
    assert server.open_connections == 0


def refusing(server, header, value):
    server.refuses = lambda headers: headers.get(header) != value
    return server


def test_headers_and_token(server):
    refusing(server, "x-key", SECRET)
    options = {"headers": {"X-Key": SECRET}, "token": "bearer-token"}
    group = ze.open(f"{server.url}/g.zarr", storage_options=options)
    same(group["u"][...], ELEMENTS)
    assert server.sent("authorization") == {"Bearer bearer-token"}
    with pytest.raises(ze.ZarrError, match="403"):
        ze.open(f"{server.url}/g.zarr")


def test_basic(server):
    array = ze.open_array(f"{server.url}/g.zarr/u", storage_options={"username": "me", "password": SECRET})
    same(array[3:5], ELEMENTS[3:5])
    assert server.sent("authorization") == {"Basic bWU6czNjcmV0LW9mLXRoZS11c2Vy"}


def test_proxy(server):
    array = ze.open("http://host.invalid/g.zarr/u", storage_options={"proxy": server.url})
    same(array[...], ELEMENTS)
    assert server.requests[0][0].startswith("http://host.invalid/")


def test_s3_signs_with_a_key_and_names_the_bucket_in_the_path(server):
    options = {"key": "ID", "secret": SECRET, "token": "session", "endpoint_url": server.url, "region": "eu-west-3"}
    array = ze.open("s3://bucket/g.zarr/u", storage_options=options)
    same(array[...], ELEMENTS)
    path, headers = server.requests[0]
    assert path.startswith("/bucket/g.zarr/u/")
    assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=ID/")
    assert "/eu-west-3/s3/aws4_request" in headers["authorization"]
    assert headers["x-amz-security-token"] == "session"
    assert array.location == "s3://bucket/g.zarr/u"


def test_s3_as_s3fs_has_it(server):
    options = {"anon": True, "requester_pays": True, "client_kwargs": {"endpoint_url": server.url, "region_name": "x"}}
    same(ze.open("s3://bucket/g.zarr", storage_options=options)["v"][...], ELEMENTS)
    assert server.sent("authorization") == {None}
    assert server.sent("x-amz-request-payer") == {"requester"}


def test_google(server):
    options = {"endpoint_url": server.url, "token": "ya29.token", "requester_pays": "project"}
    same(ze.open("gs://bucket/g.zarr/u", storage_options=options)[...], ELEMENTS)
    assert server.sent("authorization") == {"Bearer ya29.token"}
    assert server.sent("x-goog-user-project") == {"project"}
    server.requests.clear()
    for anonymous in ({"token": "anon"}, {"anon": True}):
        ze.open("gs://bucket/g.zarr/u", storage_options={"endpoint_url": server.url, **anonymous})[0]
    assert server.sent("authorization") == {None}
    with pytest.raises(ValueError, match="OAuth"):
        ze.open("gs://bucket/g.zarr/u", storage_options={"token": "/home/me/key.json"})


def test_azure(server):
    url = "az://bucket/g.zarr/u"
    options = {"endpoint_url": server.url, "account_name": "me"}
    same(ze.open(url, storage_options={**options, "sas_token": f"sv=1&sig={SECRET}"})[...], ELEMENTS)
    assert server.requests[0][0] == f"/bucket/g.zarr/u/zarr.json?sv=1&sig={SECRET}"
    server.requests.clear()
    same(ze.open(url, storage_options={**options, "token": "oauth"})[...], ELEMENTS)
    assert server.sent("authorization") == {"Bearer oauth"}
    server.requests.clear()
    same(ze.open(url, storage_options={**options, "anon": True})[...], ELEMENTS)
    assert server.sent("authorization") == {None}
    with pytest.raises(ze.StoreError, match="com.azure:azure-storage-common"):  # which the wheel lacks
        ze.open(url, storage_options={**options, "account_key": "a2V5"})
    url = "https://account.blob.core.windows.net/bucket/g.zarr/u"
    same(ze.open(url, storage_options={"endpoint_url": server.url, "anon": True})[...], ELEMENTS)


def test_hidden_objects(server):
    """Status 403 is a missing chunk, if the caller says so."""
    server.missing = 403
    url = f"{server.url}/g.zarr/nothing"
    with pytest.raises(ze.NodeNotFoundError):
        ze.open(url, storage_options={"hides_missing": True})
    with pytest.raises(ze.StoreError, match="403"):
        ze.open(url, storage_options={"hides_missing": False})


def test_timeout_and_concurrency(server):
    """Fails if four chunks are asked for at a time, or if the time is the default of 60 s."""
    server.delay = 0.05
    for options, most in (({"timeout": 0.5, "max_concurrency": 1}, 1), ({"timeout": 0.5}, 4)):
        array = ze.open(f"{server.url}/g.zarr/u", storage_options=options)
        same(array[...], ELEMENTS)
        assert server.most_requests == most
    server.refuses, server.refusal = lambda headers: True, 503
    began = time.monotonic()
    with pytest.raises(ze.StoreError, match="503"):
        array[...]
    assert time.monotonic() - began < 30


def test_nodes_share_a_store_that_ends_with_the_last(server):
    server.delay = 0.02
    group = ze.open(f"{server.url}/g.zarr", storage_options={"max_concurrency": 2})
    arrays = [group[name] for name in ("u", "v", "u")]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for elements in pool.map(lambda array: array[...], arrays):
            same(elements, ELEMENTS)
    assert server.most_requests == 2  # of all arrays together
    group.close()
    arrays[0].close()
    same(arrays[1][...], ELEMENTS)
    assert server.open_connections > 0
    with pytest.raises(ze.ClosedError):
        group["u"]
    del arrays
    ends(server)


def test_a_failed_opening_ends_the_store(server):
    for path in ("nothing", "g.zarr/nothing"):
        with pytest.raises(ze.NodeNotFoundError):
            ze.open(f"{server.url}/{path}", storage_options={"timeout": 5})
    with pytest.raises(ze.NodeNotFoundError, match="is a group"):
        ze.open_array(f"{server.url}/g.zarr", storage_options={"timeout": 5})
    with pytest.raises(KeyError):
        ze.open(f"{server.url}/g.zarr", storage_options={"timeout": 5})["nothing"]
    ends(server)


def test_loader(server):
    refusing(server, "authorization", "Bearer t")
    group = ze.open(f"{server.url}/g.zarr", storage_options={"token": "t"})
    loader = ze.Loader({"u": group["u"], "v": group["v"]}, ze.samplers.windows(2, 2), batch=10)
    group.close()
    (batch,) = loader
    np.testing.assert_array_equal(batch["v"].reshape(20, 20), ELEMENTS)


@pytest.mark.parametrize("chunks", [None, {}])
def test_xarray(server, chunks):
    refusing(server, "authorization", "Bearer t")
    for path, group in (("g.zarr", None), ("", "g.zarr")):
        dataset = xarray.open_dataset(
            f"{server.url}/{path}", engine="zarr-engine", group=group, chunks=chunks,
            storage_options={"token": "t"},
        )
        np.testing.assert_array_equal(dataset["u"].isel(y=slice(3, 9)), ELEMENTS[3:9])


def test_pickles_open_the_same_again(server):
    """Also what is below a group, behind a query, and of a name that is special in URLs."""
    refusing(server, "authorization", "Bearer t")
    group = ze.open(f"{server.url}/g.zarr?query=1", storage_options={"token": "t"})
    for name in ("u", "a b%25#?"):
        again = pickle.loads(pickle.dumps(group[name]))
        same(again[...], group[name][...])
        assert (again.path, again.location) == (name, group[name].location)
        again = pickle.loads(pickle.dumps(again))
        same(again[...], group[name][...])
    assert all("?query=1" in path for path, _ in server.requests)


def test_pickles_have_the_options_as_they_were(server):
    """Fails if a dict in them is the caller's, who changes it."""
    options = {"headers": {"X-Key": "first"}}
    group = ze.open(f"{server.url}/g.zarr", storage_options=options)
    options["headers"]["X-Key"] = "second"
    pickle.loads(pickle.dumps(group))
    assert server.sent("x-key") == {"first"}


@pytest.mark.parametrize("url", ["http://host/x", "s3://bucket/x", "gs://bucket/x", "az://container/x"])
def test_unknown_names_are_refused_with_the_known_ones(url):
    with pytest.raises(ValueError, match="anonymous, which is unknown; known for .*headers.*timeout") as refusal:
        ze.open(url, storage_options={"anonymous": SECRET})
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize(
    "url, options, problem",
    [
        ("http://host/x", {"token": 5}, "token is not a str"),
        ("http://host/x", {"token": b"x"}, "bytes"),
        ("http://host/x", {"timeout": 0}, "timeout is not positive"),
        ("http://host/x", {"timeout": SECRET}, "timeout is not a number"),
        ("http://host/x", {"max_concurrency": 0}, "max_concurrency is not a whole number from 1"),
        ("http://host/x", {"max_concurrency": 1.5}, "max_concurrency is not a whole number"),
        ("http://host/x", {"headers": {"X-Key": 5}}, "headers has a value that is not a str: X-Key"),
        ("http://host/x", {"headers": [SECRET]}, "headers is not a dict"),
        ("http://host/x", {"headers": {"Range": SECRET}}, "the store sets the header Range itself"),
        ("http://host/x", {"headers": {"X-Key": SECRET + "\n"}}, "the header X-Key cannot be sent"),
        ("http://host/x", {"token": SECRET + "\n"}, "the header Authorization cannot be sent"),
        ("http://host/x", {"hides_missing": "yes"}, "hides_missing is not True or False"),
        ("http://host/x", {"proxy": f"socks5://me:{SECRET}@host"}, "proxy"),
        ("http://host/x", {"proxy": f"http://me:{SECRET}@ho st"}, "proxy is not a URL"),
        ("http://host/x", {"username": "me"}, "username needs password"),
        ("http://host/x", {"password": SECRET}, "password needs username"),
        ("http://host/x", {"token": SECRET, "username": "me", "password": SECRET}, "token and username"),
        ("s3://bucket/x", {"key": "ID"}, "key needs secret"),
        ("s3://bucket/x", {"key": "", "secret": SECRET}, "key is an empty str"),
        ("s3://bucket/x", {"key": "ID", "secret": ""}, "secret is an empty str"),
        ("http://host/x", {"token": ""}, "token is an empty str"),
        ("s3://bucket/x", {"token": SECRET}, "token is the session token"),
        ("s3://bucket/x", {"anon": True, "key": "ID", "secret": SECRET}, "anon and key"),
        ("s3://bucket/x", {"client_kwargs": {"verify": SECRET}}, "client_kwargs.verify, which is unknown.*region_name"),
        ("s3://bucket/x", {"endpoint_url": f"me:{SECRET}"}, "endpoint_url is not a URL"),
        ("az://c/x", {"account_name": "me", "sas_token": SECRET}, "sig="),
        ("az://c/x", {"account_name": "me", "sas_token": SECRET, "token": SECRET}, "sas_token and token"),
        ("/tmp/x", {"anon": True}, "URLs"),
        ("memory://host/x", {"anon": True}, "memory"),
        (f"https://me:{SECRET}@ho st/x?sig={SECRET}", {"timeout": 1}, "expected http://host/path"),
        (f"https://me:{SECRET}@host/x?sig={SECRET}|", {"timeout": 1}, "https://host/x: is no URL"),
        (f"https://me:{SECRET}@host/x?sig={SECRET}|", {}, "https://host/x: is no URL"),
    ],
)
def test_refusals_have_no_values(url, options, problem):
    with pytest.raises(ValueError, match=problem) as refusal:
        ze.open(url, storage_options=options)
    assert SECRET not in str(refusal.value)
    assert "zarrengine" not in str(refusal.value)


def test_options_are_a_dict():
    """Fault: a message about the length of a sequence."""
    for options in (SECRET, [SECRET], 5):
        with pytest.raises(TypeError, match="storage_options is a .*, expected a dict") as refusal:
            ze.open("s3://bucket/x", storage_options=options)
        assert SECRET not in str(refusal.value)


def test_numbers_of_numpy_and_no_limit_of_time(server):
    options = {"max_concurrency": np.int64(2), "timeout": np.float32(7), "hides_missing": np.bool_(False)}
    for each in (options, {"timeout": float("inf")}, {"timeout": np.inf}, {"timeout": np.float32("inf")}):
        array = ze.open(f"{server.url}/g.zarr", storage_options=each)["u"]
        same(array[...], ELEMENTS)
        same(pickle.loads(pickle.dumps(array))[...], ELEMENTS)
    with pytest.raises(ValueError, match="Out of range float"):
        ze.open(f"{server.url}/g.zarr", storage_options={"timeout": float("nan")})


def test_messages_and_texts_have_no_secrets(server):
    """Neither those of refused requests, nor of headers that cannot be sent, nor the texts of nodes."""
    server.refuses = lambda headers: True
    ways = [
        (f"{server.url}/g.zarr", {"token": SECRET}),
        (f"{server.url}/g.zarr", {"username": "me", "password": SECRET}),
        (f"{server.url}/g.zarr?sig={SECRET}", {"timeout": 5}),
        ("http://host.invalid/g.zarr", {"proxy": server.url.replace("//", f"//me:{SECRET}@")}),
        ("s3://bucket/g.zarr", {"key": "ID", "secret": SECRET, "token": SECRET + "\n", "endpoint_url": server.url}),
        ("az://bucket/g.zarr", {"sas_token": f"sig={SECRET}", "account_name": "me", "endpoint_url": server.url}),
        ("gs://bucket/g.zarr", {"token": SECRET + "\n", "endpoint_url": server.url}),
    ]
    for url, options in ways:
        with pytest.raises(ze.StoreError) as failure:
            ze.open(url, storage_options=options)
        assert SECRET not in str(failure.value), url
    server.refuses = lambda headers: False
    group = ze.open(f"{server.url}/g.zarr?sig={SECRET}", storage_options={"token": SECRET})
    array = group["u"]
    loader = ze.Loader(array, ze.samplers.windows(1))
    texts = [repr(group), repr(array), group.location, array.location, str(array.info), str(group.info), repr(loader)]
    assert not any(SECRET in text for text in [*texts, repr(vars(array)), repr(vars(group))])
    with pytest.raises(KeyError) as failure:
        group["nothing"]
    assert SECRET not in str(failure.value)


def test_ends_with_open_stores(server):
    program = f"""
import zarr_engine as ze
group = ze.open("{server.url}/g.zarr", storage_options={{"token": "t"}})
print(group["u"][0, 3])
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("3.0\n", "")
