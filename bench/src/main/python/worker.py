"""Shared by the workers in Python: the protocol (see WorkerProcess.java), crops, the clock.

A reader is opened with (path, options) and has read(boxes), a generator of arrays in the order of
the boxes.
"""

import pathlib
import statistics
import sys
import time

import numpy


def parse_box(line: str) -> tuple[slice, ...]:
    return tuple(slice(*map(int, part.split(":"))) for part in line.split(","))


class Delivered:
    """Stands for elements that were computed of what was read: counted are the bytes that were read."""

    def __init__(self, nbytes):
        self.nbytes = nbytes


class Worker:
    def __init__(self, new_reader, version: str):
        self.new_reader = new_reader
        self.version_text = version
        self.readers = {}

    def open(self, name, path, slices, *options):
        boxes = [parse_box(line) for line in pathlib.Path(slices).read_text().splitlines()]
        self.readers[name] = (self.new_reader(path, dict(o.split("=", 1) for o in options)), boxes)
        return ()

    def write(self, name, crops, path):
        reader, boxes = self.readers[name]
        with open(path, "wb") as file:
            for array in reader.read(boxes[: int(crops) or None]):
                numpy.ascontiguousarray(array).tofile(file)
        return ()

    def run(self, name, seconds, crops):
        reader, boxes = self.readers[name]
        boxes = boxes[: int(crops) or None]
        delivered = 0
        cpu = time.process_time()
        begin = time.perf_counter()
        while True:
            for array in reader.read(boxes):
                delivered += array.nbytes
            wall = time.perf_counter() - begin
            if wall >= float(seconds):
                return delivered, wall, time.process_time() - cpu

    def latency(self, name, count):
        reader, boxes = self.readers[name]
        micros = []
        for i in range(int(count)):
            box = boxes[i % len(boxes)]
            begin = time.perf_counter()
            reader.read_one(box)
            micros.append(1e6 * (time.perf_counter() - begin))
        micros.sort()
        return statistics.median(micros), micros[len(micros) * 99 // 100]

    def close(self, name):
        del self.readers[name]
        return ()

    def version(self):
        return (self.version_text,)

    def serve(self):
        for line in sys.stdin:
            command, *arguments = line.rstrip("\n").split("\t")
            try:
                answer = ("ok", *getattr(self, command)(*arguments))
            except Exception as error:  # The comparison shows it.
                answer = ("error", f"{type(error).__name__}: {error}".replace("\n", " ").replace("\t", " "))
            print(*answer, sep="\t", flush=True)
