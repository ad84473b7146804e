"""Measures new processes from their start to the first value that they have read: the last part of bin/bench python.

    first_value.py PYTHON_WITH_ZARR_ENGINE PYTHON_WITH_PEERS ARRAY

Each reader runs in turns with the others, all files in the page cache. "numpy" only starts Python and imports NumPy, so
the difference to it is the reader's own. Prints a table of medians in seconds.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 9
AIM = 1.0

READERS = {
    "numpy": "import numpy",
    "zarr-engine": "import zarr_engine as ze; array = ze.open(path)",
    "TensorStore": "import tensorstore as ts; array = ts.open({'driver': 'zarr3', 'kvstore': 'file://' + path}).result()",
    "zarr-python": "import zarr; array = zarr.open_array(path, mode='r')",
}
READ = "import sys; path = sys.argv[1]; {}; print({}, flush=True)"
VALUES = {"numpy": "0", "TensorStore": "array[:1, :128, :128].read().result()[0, 0, 0, 0]"}
VALUE = "array[:1, :128, :128][0, 0, 0, 0]"


def seconds(python: str, reader: str, path: str) -> tuple[float, str]:
    program = READ.format(READERS[reader], VALUES.get(reader, VALUE))
    begin = time.perf_counter()
    with subprocess.Popen([python, "-I", "-c", program, path], stdout=subprocess.PIPE, text=True) as process:
        value = process.stdout.readline()
        wall = time.perf_counter() - begin
    if process.returncode != 0 or not value:
        raise RuntimeError(f"{reader} ended with {process.returncode}")
    return wall, value


def main(engine: str, peers: str, path: str) -> None:
    walls = {reader: [] for reader in READERS}
    for number in range(-1, ROUNDS):  # the first round fills the page cache
        values = set()
        for reader, samples in walls.items():
            wall, value = seconds(engine if reader == "zarr-engine" else peers, reader, path)
            if reader != "numpy":
                values.add(value)
            if number >= 0:
                samples.append(wall)
        if len(values) != 1:
            raise RuntimeError(f"the readers deliver other values: {values}")
    medians = {reader: statistics.median(samples) for reader, samples in walls.items()}
    print("| first value of a process, s | from its start | after Python and NumPy | aim |")
    print("| --- | --: | --: | --: |")
    for reader, median in medians.items():
        aim = f"{AIM:.2f}" if reader == "zarr-engine" else ""
        own = "" if reader == "numpy" else f"{median - medians['numpy']:.2f}"
        print(f"| {reader} | {median:.2f} | {own} | {aim} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
