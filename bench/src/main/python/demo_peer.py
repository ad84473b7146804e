"""Measures how fast TensorStore reads crops of an array, for bin/demo.

Arguments: the array's folder, a file of crops, seconds. Writes TensorStore's release and bytes per
second, for the better of two ways: with few and with many crops at a time.
"""

import importlib.metadata
import sys

from tensorstore_worker import Reader
from worker import Worker

path, crops, seconds = sys.argv[1:]
release = importlib.metadata.version("tensorstore")
worker = Worker(Reader, release)
best = 0
for in_flight in ("8", "64"):
    worker.open(in_flight, path, crops, "in_flight=" + in_flight)
    worker.run(in_flight, float(seconds) / 2, 0)  # The first run opens files and starts threads.
    delivered, wall, _ = worker.run(in_flight, seconds, 0)
    best = max(best, delivered / wall)
print(release, best, sep="\t")
