"""zarr-python as a worker of bin/bench compare. No options."""

import zarr

from worker import Worker


class Reader:
    def __init__(self, path, options):
        self.array = zarr.open_array(path, mode="r")

    def read_one(self, box):
        return self.array[box]

    def read(self, boxes):
        return map(self.read_one, boxes)


if __name__ == "__main__":
    Worker(Reader, f"zarr-python {zarr.__version__}").serve()
