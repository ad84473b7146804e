"""TensorStore as a worker of bin/bench compare.

Options: in_flight=N crops read at once; batch=1 those in one Batch; transform=1 lets NumPy normalize them to float32, in
a thread for each core; cache=BYTES of its cache pool;
data_copy_concurrency=N, file_io_concurrency=N, http_request_concurrency=N and s3_request_concurrency=N threads or
requests; url=NAME of the environment variable with the URL of a web server, or of a bucket, whose endpoint and
credentials are in the environment, too.
"""

import collections
import concurrent.futures
import importlib.metadata
import os
import pathlib

import numpy
import tensorstore as ts

from worker import Delivered, Worker


class Reader:
    def __init__(self, path, options):
        self.in_flight = int(options.get("in_flight", 64))
        self.batch = options.get("batch") == "1"
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count()) if "transform" in options else None
        context = {}
        if "cache" in options:
            context["cache_pool"] = {"total_bytes_limit": int(options["cache"])}
        for pool in ("data_copy", "file_io", "http_request", "s3_request"):
            pool += "_concurrency"
            if pool in options:
                context[pool] = {"limit": int(options[pool])}
        self.array = ts.open(
            {
                "driver": "zarr3",
                "kvstore": self.store(path, options),
                "recheck_cached_metadata": "open",
                "recheck_cached_data": "open",
            },
            context=ts.Context(context),
            read=True,
        ).result()

    @staticmethod
    def store(path, options):
        if "url" not in options:
            return {"driver": "file", "path": path}
        url = os.environ[options["url"]]
        if url.startswith("s3:"):
            return {
                "driver": "s3",
                "bucket": url.removeprefix("s3://"),
                "path": f"{pathlib.Path(path).name}/",
                "endpoint": os.environ["AWS_ENDPOINT_URL"],
                "aws_region": os.environ["AWS_REGION"],
                "aws_credentials": {"type": "environment"},
            }
        return {"driver": "http", "base_url": url, "path": f"/{pathlib.Path(path).name}/"}

    def read_one(self, box):
        return self.array[box].read().result()

    def read(self, boxes):
        return self.read_batches(boxes) if self.batch else self.read_window(boxes)

    def begin(self, box):
        read = self.array[box].read()
        return read if self.pool is None else self.pool.submit(self.normalized, read)

    @staticmethod
    def normalized(read):
        elements = read.result()
        numbers = numpy.subtract(elements, 100, dtype="f4")
        numpy.divide(numbers, 10, out=numbers)
        return Delivered(elements.nbytes)

    def read_window(self, boxes):
        window = collections.deque()
        for box in boxes:
            window.append(self.begin(box))
            if len(window) == self.in_flight:
                yield window.popleft().result()
        while window:
            yield window.popleft().result()

    def submit(self, boxes):
        with ts.Batch() as batch:
            return [self.array[box].read(batch=batch) for box in boxes]

    def read_batches(self, boxes):
        """The next batch is submitted before waiting for the last one."""
        batches = [boxes[i : i + self.in_flight] for i in range(0, len(boxes), self.in_flight)]
        ahead = self.submit(batches[0])
        for batch in [*batches[1:], []]:
            futures, ahead = ahead, self.submit(batch) if batch else []
            for future in futures:
                yield future.result()


if __name__ == "__main__":
    Worker(Reader, f"TensorStore {importlib.metadata.version('tensorstore')}").serve()
