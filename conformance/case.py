"""Folders of cases, and the documents and chunks in them that no other implementation writes."""

import gzip
import json
import pathlib
import tempfile
import types

import numpy as np

gzip.time = types.SimpleNamespace(time=lambda: 0)  # The time is in every stream, and the bytes should be the same each time.
root = pathlib.Path(tempfile.mkdtemp(prefix="conformance"))
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}


def codec(name, **configuration):
    return {"name": name, "configuration": configuration}


def folder(kind, name, **members):
    """Creates the folder of a case; returns it. `kind`: good or bad; `members`: of case.json."""
    made = root / kind / name
    (made / "store").mkdir(parents=True)
    (made / "case.json").write_text(json.dumps({"name": name} | members, indent=1) + "\n")
    return made


def good(name, note, writer, expected, reads, path=""):
    """Creates a case. `expected` are the elements that each of `reads` (start, stop and step for each dimension)
    must return. Returns the store."""
    files = [f"expected{i}.{'json' if isinstance(e, list) else 'npy'}" for i, e in enumerate(expected)]
    made = folder("good", name, path=path, note=note, writer=writer,
                  reads=[{"slice": read, "expected": file} for read, file in zip(reads, files)])
    for file, elements in zip(files, expected):
        if isinstance(elements, list):
            (made / file).write_text(json.dumps(elements, ensure_ascii=False))
        else:
            np.save(made / file, np.asarray(elements, order="C"))
    return made / "store"


def write(store, name, content):
    file = store / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
