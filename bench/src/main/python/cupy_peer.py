"""TensorStore into host memory, then CuPy to the GPU, for bin/bench gpu.

    cupy_peer.py ARRAY SECONDS CROPS

Prints a line of a name, a tab and GB/s for each kind of read. It reads one thing at a time ahead of the copy, as
a training loop does. Prints nothing if a library is missing or the array has a codec that TensorStore lacks.
"""

import collections
import random
import sys
import time

try:
    import cupy
    import tensorstore as ts
except ImportError as missing:
    sys.exit(f"cupy_peer: {missing}")

AHEAD = 64
CROP = (4, 128, 128, 8)


def rate(array, boxes, seconds):
    """Reads the boxes repeatedly, AHEAD of them at once, for some seconds."""
    done = 0
    begin = time.perf_counter()
    window = collections.deque()
    while True:
        for box in boxes:
            window.append(array[box].read())
            if len(window) >= min(AHEAD, len(boxes)):
                done += cupy.asarray(window.popleft().result()).nbytes
        if time.perf_counter() - begin >= seconds:
            break
    while window:
        done += cupy.asarray(window.popleft().result()).nbytes
    cupy.cuda.Device().synchronize()
    return done / (time.perf_counter() - begin) / 1e9


def main(path, seconds, crops):
    kvstore = {"driver": "file", "path": path}
    array = ts.open({"driver": "zarr3", "kvstore": kvstore, "recheck_cached_data": "open"}, read=True).result()
    numbers = random.Random(1)
    boxes = []
    for _ in range(crops):
        begins = [numbers.randrange(n - min(c, n) + 1) for n, c in zip(array.shape, CROP)]
        boxes.append(tuple(slice(b, b + c) for b, c in zip(begins, CROP)))
    version = ts.__version__ if hasattr(ts, "__version__") else ""
    everything = tuple(slice(None) for _ in array.shape)
    print(f"TensorStore {version} and CuPy {cupy.__version__}, all\t{rate(array, [everything], seconds)}")
    print(f"TensorStore {version} and CuPy {cupy.__version__}, crops\t{rate(array, boxes, seconds)}")


if __name__ == "__main__":
    try:
        main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
    except ValueError as refused:
        sys.exit(f"cupy_peer: {refused}")
