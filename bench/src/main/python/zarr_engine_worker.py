"""The engine's Python package as a worker of bin/bench python.

Options: list=N crops in one read; threads=N that read side by side; allocate=1 lets each read take its memory, else it is
the caller's; index=1 reads array[box]; loader=1 takes the crops from a Loader, transform=1 lets it normalize them.
"""

import collections
import concurrent.futures
import importlib.metadata

import numpy
import zarr_engine as ze

from worker import Delivered, Worker

BATCH_BYTES = 16 << 20  # of a loader, at most, but at least one crop
BATCH_MAX = 16
PREFETCH = 3


class Reader:
    def __init__(self, path, options):
        self.array = ze.open_array(path)
        self.per_read = int(options.get("list", 1))
        self.threads = int(options.get("threads", 1))
        self.has_out = "allocate" not in options
        self.is_transformed = "transform" in options
        self.outs = {}
        self.loaders = {}
        self.is_indexed = "index" in options
        self.is_loader = "loader" in options
        self.single = None
        self.pool = concurrent.futures.ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def out(self, slot, shape):
        """Memory of the caller, which is used again."""
        if (slot, shape) not in self.outs:
            self.outs[slot, shape] = numpy.ones(shape, self.array.dtype)
        return self.outs[slot, shape]

    def shape_of(self, box):
        return tuple(part.stop - part.start for part in box)

    def read_one(self, box):
        if self.is_indexed:
            return self.array[box]
        if self.has_out and self.single is None:
            self.single = self.out(0, self.shape_of(box))
        return self.array.read(box, out=self.single)

    def read(self, boxes):
        return self.read_loader(boxes) if self.is_loader else self.read_lists(boxes)

    def read_list(self, slot, boxes):
        out = self.out(slot, (len(boxes), *self.shape_of(boxes[0]))) if self.has_out else None
        return self.array.read(boxes, out=out)

    def read_lists(self, boxes):
        lists = [boxes[i : i + self.per_read] for i in range(0, len(boxes), self.per_read)]
        if self.pool is None:
            for one in lists:
                yield self.read_list(0, one)
            return
        window = collections.deque()
        for number, one in enumerate(lists):
            if len(window) == self.threads:
                yield window.popleft().result()
            window.append(self.pool.submit(self.read_list, number % self.threads, one))
        while window:
            yield window.popleft().result()

    def read_loader(self, boxes):
        if len(boxes) not in self.loaders:
            self.loaders[len(boxes)] = self.new_loader(boxes)
        for batch in self.loaders[len(boxes)]:
            samples = batch["x"]
            yield Delivered(samples.size * self.array.itemsize) if self.is_transformed else samples

    def new_loader(self, boxes):
        bytes_ = numpy.prod(self.shape_of(boxes[0])) * self.array.itemsize
        return ze.Loader(
            {"x": self.array}, ze.samplers.boxes(boxes), batch=max(1, min(BATCH_MAX, BATCH_BYTES // int(bytes_))),
            prefetch=PREFETCH, transforms={"x": ze.Transform().normalize(100, 10)} if self.is_transformed else None,
        )


class EngineWorker(Worker):
    def run(self, name, seconds, crops):
        reader, boxes = self.readers[name]
        if reader.is_loader:  # What it has read by now, while others were measured, would cost nothing.
            for _ in reader.read(boxes[: int(crops) or None]):
                pass
        return super().run(name, seconds, crops)


if __name__ == "__main__":
    EngineWorker(Reader, f"zarr-engine {importlib.metadata.version('zarr-engine')} in Python").serve()
